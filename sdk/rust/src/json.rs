//! Parses JSON text into a type of the layer's author, with errors that name the key.

use serde::de::DeserializeOwned;

use crate::{Error, Result};

/// Parses `json`. An error names the key of `what` that does not match.
pub(crate) fn read<T: DeserializeOwned>(what: &str, json: &str) -> Result<T> {
    let mut reader = serde_json::Deserializer::from_str(json);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        // The position is useless, because the text was generated.
        let cause = error.into_inner().to_string();
        let cause = cause.split(" at line ").next().unwrap_or_default();
        Error::Invalid(match path.as_str() {
            "." => format!("{what}: {cause}"),
            _ => format!("{what} `{path}`: {cause}"),
        })
    })
}
