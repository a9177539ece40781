//! Reads the session's transcript: messages, tool calls and results. Needs the grant `transcript`.
//!
//! ```
//! use interleaf_layer::prelude::*;
//! use interleaf_layer::testing::Host;
//!
//! Host::new().say(Role::User, "Use tabs here, always.");
//!
//! let page = transcript::read(0, 100)?;
//! assert_eq!(page.entries[0].text, "Use tabs here, always.");
//! # Ok::<(), Error>(())
//! ```

use crate::Result;
pub use crate::bindings::interleaf::layer::transcript::{Ending, Entry, Kind, Page, Role};
use crate::host::transcript as host;

/// Returns at most `limit` entries from this cursor on; 0 is the beginning. A page can be empty although
/// `more` is set.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// # use interleaf_layer::testing::Host;
/// # let host = Host::new();
/// # host.say(Role::User, "one");
/// # host.say(Role::Assistant, "two");
/// let mut entries = Vec::new();
/// let mut page = transcript::read(0, 1)?;
/// entries.append(&mut page.entries);
/// while page.more {
///     page = transcript::read(page.cursor, 1)?;
///     entries.append(&mut page.entries);
/// }
/// # assert_eq!(entries.len(), 2);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Denied`](crate::Error::Denied) without the grant `transcript`;
/// [`Error::NotFound`](crate::Error::NotFound) before the first prompt, when no transcript exists yet.
pub fn read(cursor: u64, limit: u32) -> Result<Page> {
    host::read(cursor, limit)
}
