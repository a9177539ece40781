//! Lines for the log, which `interleaf doctor` reads. The host removes secrets. Needs no grant.
//!
//! ```
//! use interleaf_layer::prelude::*;
//! use interleaf_layer::testing::Host;
//!
//! let host = Host::new();
//! log::warn("`branches` is empty, so nothing is protected");
//!
//! assert_eq!(host.log(), [(Level::Warn, "`branches` is empty, so nothing is protected".to_owned())]);
//! ```

use crate::Error;
pub use crate::bindings::interleaf::layer::log::Level;
use crate::host::log as host;

/// Writes a line.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// log::write(Level::Debug, "looked at 3 rules");
/// ```
pub fn write(level: Level, message: &str) {
    host::write(level, message);
}

/// Writes a line that helps to understand what the layer did.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// log::info("2 of 3 rules fit");
/// ```
pub fn info(message: &str) {
    write(Level::Info, message);
}

/// Writes a line about something that is not as it should be.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// log::warn("`threshold` is above 1 and has no effect");
/// ```
pub fn warn(message: &str) {
    write(Level::Warn, message);
}

/// Writes a line about something that kept the layer from its work.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// log::error("the cheat sheet cannot be read");
/// ```
pub fn error(message: &str) {
    write(Level::Error, message);
}

/// Writes what this layer decided, as a JSON object. It is not a line of its own but joins the line of the
/// hook, which `interleaf log` shows. Prompts and commands do not belong in it.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// # let host = interleaf_layer::testing::Host::new();
/// log::decision(&serde_json::json!({ "matched": "remote", "hits": 2 }));
/// # assert_eq!(host.log()[0].1, r#"{"hits":2,"matched":"remote"}"#);
/// ```
pub fn decision(decision: &serde_json::Value) {
    info(&decision.to_string());
}

/// Warns that something failed, unless a grant is missing: a person who withheld it knows.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// # let host = interleaf_layer::testing::Host::new();
/// if let Err(error) = state::set(Scope::Session, "count", "1") {
///     log::failure("the count was not kept", &error);
/// }
/// # assert!(host.log().is_empty());
/// ```
pub fn failure(what: &str, error: &Error) {
    if !error.is_denied() {
        warn(&format!("{what}: {}", error.message()));
    }
}
