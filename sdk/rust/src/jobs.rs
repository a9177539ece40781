//! Deferred work that runs after the hook, and a queue of captures for it. Needs the grant `jobs`.
//!
//! A job runs through the event [`job`](crate::job), in a background process.
//!
//! ```
//! use interleaf_layer::prelude::*;
//!
//! jobs::submit(&jobs::Request::new("flush/s1/0", "flush"))?;
//! # Ok::<(), Error>(())
//! ```

use crate::Result;
pub use crate::bindings::interleaf::layer::jobs::{Capture, Request, Waiting};
use crate::host::jobs as host;

/// Queues an observation for a later job. Returns false if the queue has this id already.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// let capture = jobs::Capture { id: "failure-1".to_owned(), payload: r#"{"tool":"Bash"}"#.to_owned() };
///
/// assert!(jobs::push_capture(&capture)?);
/// assert!(!jobs::push_capture(&capture)?);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Denied`](crate::Error::Denied) without the grant `jobs`, as for every function of this module;
/// [`Error::OverBudget`](crate::Error::OverBudget) if this session has too many pending captures.
pub fn push_capture(capture: &Capture) -> Result<bool> {
    host::push_capture(capture)
}

/// Returns the oldest pending captures of all layers and sessions of the project, at most `limit`.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert!(jobs::captures(100)?.is_empty());
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Denied`](crate::Error::Denied) without the grant `jobs`.
pub fn captures(limit: u32) -> Result<Vec<Waiting>> {
    host::captures(limit)
}

/// Removes processed captures from the queue.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// let ids: Vec<String> = jobs::captures(100)?.into_iter().map(|capture| capture.id).collect();
/// jobs::settle_captures(&ids)?;
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Denied`](crate::Error::Denied) without the grant `jobs`.
pub fn settle_captures(ids: &[String]) -> Result<()> {
    host::settle_captures(ids)
}

/// Submits a job. Returns false if the id was known. `wit/README.md` describes the effect of a known id.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// let request = jobs::Request { delay_ms: 300_000, ..jobs::Request::new("summary/s1", "summary") };
///
/// assert!(jobs::submit(&request)?);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Denied`](crate::Error::Denied) without the grant `jobs`;
/// [`Error::OverBudget`](crate::Error::OverBudget) if this session has too many pending jobs.
pub fn submit(request: &Request) -> Result<bool> {
    host::submit(request)
}

/// Constructors.
impl Request {
    /// Creates a request for a job without a payload (`null`) and without a delay.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(jobs::Request::new("id", "kind").payload, "null");
    /// ```
    pub fn new(id: impl Into<String>, kind: impl Into<String>) -> Self {
        Self { id: id.into(), kind: kind.into(), payload: "null".to_owned(), delay_ms: 0 }
    }
}
