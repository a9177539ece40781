//! `llm`: no model client is built yet, so every request is answered `unavailable`.

use super::{Granted, Use};
use crate::sandbox::bindings::llm::{Completion, Host, Request};
use crate::sandbox::bindings::types::Error;

impl Host for Granted {
    fn complete(&mut self, requests: Vec<Request>) -> Vec<Result<Completion, Error>> {
        let bytes = requests.iter().map(|request| request.system.len() + request.prompt.len()).sum();
        let answer = match self.permit(Use::Llm, bytes) {
            Ok(()) => Error::Unavailable("this version of the host has no language model".into()),
            Err(denied) => denied,
        };
        requests.iter().map(|_| Err(answer.clone())).collect()
    }
}
