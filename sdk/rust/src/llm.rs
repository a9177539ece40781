//! Requests to a language model, if the person has chosen one. Needs the grant `llm`. A model takes seconds
//! to answer, so send requests only from a job.
//!
//! ```
//! use interleaf_layer::prelude::*;
//! use interleaf_layer::testing::Host;
//!
//! Host::new().set_model(|request| Ok(format!("an answer to: {}", request.prompt)));
//!
//! let answer = llm::ask(llm::Request::new("Be brief.", "What is a layer?"))?;
//! assert_eq!(answer.text, "an answer to: What is a layer?");
//! # Ok::<(), Error>(())
//! ```

pub use crate::bindings::interleaf::layer::llm::{Completion, Request, Tier};
use crate::host::llm as host;
use crate::{Error, Result};

/// Maximum length of the answer to a [`Request::new`], in tokens.
const DEFAULT_MAX_TOKENS: u32 = 1_024;

/// Sends all requests concurrently and returns one result per request.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// let answers = llm::complete(&[llm::Request::new("Be brief.", "1 + 1?")]);
///
/// assert!(matches!(answers[0], Err(Error::Unavailable(_)))); // no model was chosen
/// ```
pub fn complete(requests: &[Request]) -> Vec<Result<Completion>> {
    host::complete(requests)
}

/// Sends one request.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert!(llm::ask(llm::Request::new("Be brief.", "1 + 1?")).is_err()); // no model was chosen
/// ```
///
/// # Errors
/// [`Error::Denied`] without the grant `llm`; [`Error::OverBudget`] beyond the layer's allowance or the
/// person's caps; [`Error::Unavailable`] without a usable answer; [`Error::Invalid`] for a request that
/// cannot be sent.
pub fn ask(request: Request) -> Result<Completion> {
    let answer = complete(&[request]).pop();
    answer.unwrap_or_else(|| Err(Error::unavailable("the host gave no answer")))
}

/// Constructors.
impl Request {
    /// Creates a request to the small model for free text of at most 1,024 tokens.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let request = llm::Request { tier: llm::Tier::Strong, ..llm::Request::new("Judge.", "Is it so?") };
    /// # assert_eq!(request.schema, None);
    /// ```
    pub fn new(system: impl Into<String>, prompt: impl Into<String>) -> Self {
        Self {
            tier: Tier::Small,
            system: system.into(),
            prompt: prompt.into(),
            schema: None,
            max_tokens: DEFAULT_MAX_TOKENS,
        }
    }
}
