//! Small values that outlive the hook process. Needs the grant `state`.
//!
//! ```
//! use interleaf_layer::prelude::*;
//!
//! state::set(Scope::Session, "change", "add-retries")?;
//!
//! assert_eq!(state::get(Scope::Session, "change")?.as_deref(), Some("add-retries"));
//! # Ok::<(), Error>(())
//! ```

pub use crate::bindings::interleaf::layer::state::Scope;
use crate::host::state as host;
use crate::{Error, Result};

/// Maximum number of attempts of [`update`].
const MAX_UPDATE_ATTEMPTS: usize = 16;

/// Returns the value of a key, if it has one.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert_eq!(state::get(Scope::Project, "never set")?, None);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Denied`] without the grant `state`, as for every function of this module.
pub fn get(scope: Scope, key: &str) -> Result<Option<String>> {
    host::get(scope, key)
}

/// Sets the value of a key.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// state::set(Scope::Project, "count", "1")?;
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`get`], and [`Error::OverBudget`] if the values of the session or the project take too much
/// space.
pub fn set(scope: Scope, key: &str, value: &str) -> Result<()> {
    host::set(scope, key, value)
}

/// Sets the value of a key only if its value is still `expected`; `None` means that the key is absent.
/// Returns false if another process has changed it.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert!(state::swap(Scope::Project, "owner", None, "me")?);
/// assert!(!state::swap(Scope::Project, "owner", None, "you")?);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`set`].
pub fn swap(scope: Scope, key: &str, expected: Option<&str>, value: &str) -> Result<bool> {
    host::swap(scope, key, expected, value)
}

/// Removes a key and its value.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// state::remove(Scope::Session, "change")?;
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`get`].
pub fn remove(scope: Scope, key: &str) -> Result<()> {
    host::remove(scope, key)
}

/// Changes a value that other processes may change at the same time. `change` gets the current value and
/// returns the new one, or `None` to keep it. It is called again if another process has changed the value
/// meanwhile.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// let count_up = |count: Option<&str>| {
///     let count: u32 = count.and_then(|count| count.parse().ok()).unwrap_or(0);
///     Some((count + 1).to_string())
/// };
/// state::update(Scope::Shared, "count", count_up)?;
/// state::update(Scope::Shared, "count", count_up)?;
///
/// assert_eq!(state::get(Scope::Shared, "count")?.as_deref(), Some("2"));
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`set`], and [`Error::Conflict`] if other processes changed the value during 16 attempts.
pub fn update(scope: Scope, key: &str, change: impl Fn(Option<&str>) -> Option<String>) -> Result<()> {
    for _ in 0..MAX_UPDATE_ATTEMPTS {
        let current = get(scope, key)?;
        let Some(new) = change(current.as_deref()) else { return Ok(()) };
        if swap(scope, key, current.as_deref(), &new)? {
            return Ok(());
        }
    }
    Err(Error::Conflict(format!(
        "`{key}` was changed by other processes {MAX_UPDATE_ATTEMPTS} times in a row"
    )))
}
