//! Writes lines to the log, which `interleaf doctor` reads. The host removes secrets. Needs no grant.
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
/// log::write(Level::Debug, "checked 3 rules");
/// ```
pub fn write(level: Level, message: &str) {
    host::write(level, message);
}

/// Writes a line that helps to understand what the layer did.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// log::info("2 of 3 rules match");
/// ```
pub fn info(message: &str) {
    write(Level::Info, message);
}

/// Writes a line about a problem that did not stop the layer.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// log::warn("`threshold` is above 1 and has no effect");
/// ```
pub fn warn(message: &str) {
    write(Level::Warn, message);
}

/// Writes a line about a problem that stopped the layer.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// log::error("the cheat sheet cannot be read");
/// ```
pub fn error(message: &str) {
    write(Level::Error, message);
}

/// Writes this layer's decision as a JSON object. The object becomes part of the hook's log line, which
/// `interleaf log` shows. Do not include prompts or commands.
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

/// Warns about a failure, unless its cause is a missing grant: the person withheld that on purpose.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// # let host = interleaf_layer::testing::Host::new();
/// if let Err(error) = state::set(Scope::Session, "count", "1") {
///     log::failure("the count was not stored", &error);
/// }
/// # assert!(host.log().is_empty());
/// ```
pub fn failure(what: &str, error: &Error) {
    if !error.is_denied() {
        warn(&format!("{what}: {}", error.message()));
    }
}
