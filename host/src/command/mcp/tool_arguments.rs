//! The arguments of the tools. The doc comments of the fields are the descriptions that the agent reads.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::memory::Category;

/// Arguments of `recall`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecallArguments {
    /// What you want to know, in words that a memory about it would use
    pub(super) query: String,
    /// How many memories at most: 1 to 50, 10 if absent
    #[schemars(range(min = 1, max = 50))]
    pub(super) limit: Option<u64>,
    /// Only these categories
    #[serde(default)]
    pub(super) categories: Vec<Category>,
    /// Only memories with all of these tags
    #[serde(default)]
    pub(super) tags: Vec<String>,
}

/// Arguments of `show` and `history`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct IdArguments {
    /// The id of the memory, or its first four characters or more
    pub(super) id: String,
}

/// Arguments of `remember`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RememberArguments {
    /// One or two sentences that can be understood without this session. Never a secret
    pub(super) text: String,
    /// What kind of memory it is; chosen from the text if absent
    pub(super) category: Option<Category>,
    /// Tags
    #[serde(default)]
    pub(super) tags: Vec<String>,
    /// Files that it is about, relative to the project
    #[serde(default)]
    pub(super) related_files: Vec<String>,
    /// Two or three questions by which the person would ask for it later, in other words and their language
    #[serde(default)]
    pub(super) asked_as: Vec<String>,
    /// The id of the memory that this one corrects and replaces
    pub(super) supersedes: Option<String>,
}

/// Arguments of `forget`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ForgetArguments {
    /// The id of the memory, or its first four characters or more
    pub(super) id: String,
    /// true only if the person has agreed to forget exactly this memory
    #[serde(default)]
    pub(super) yes: bool,
}

/// Arguments of `search_sessions`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchSessionsArguments {
    /// Words that were said or run; may be empty with file, command or failure
    #[serde(default)]
    pub(super) query: String,
    /// Only turns that changed this file; the end of its path is enough
    pub(super) file: Option<String>,
    /// Only turns that ran a command with these words
    pub(super) command: Option<String>,
    /// Only turns in which a command failed with these words in its error line
    pub(super) failure: Option<String>,
    /// Only turns on or after this day, as YYYY-MM-DD
    pub(super) since: Option<String>,
    /// Only turns on or before this day, as YYYY-MM-DD
    pub(super) until: Option<String>,
    /// How many turns at most: 1 to 25, 8 if absent
    #[schemars(range(min = 1, max = 25))]
    pub(super) limit: Option<u64>,
}

/// Arguments of `show_session`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ShowSessionArguments {
    /// The id of the session, or its first four characters or more
    pub(super) id: String,
    /// The number of the turn to begin with, as search_sessions prints it; the first one if absent
    pub(super) turn: Option<i64>,
}

/// Reads the arguments of a call.
///
/// # Errors
/// `Invalid`, with the wrong argument and what the tool takes.
pub(super) fn read<T: DeserializeOwned + JsonSchema>(tool: &str, arguments: Map<String, Value>) -> Result<T> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        let known = schema::<T>();
        let names = known.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
        let names = names.map(String::as_str).collect::<Vec<_>>().join(", ");
        Error::invalid(format!("{tool}: {error}"))
            .hint(format!("its arguments are {names}; correct the call"))
    })
}

/// Returns the JSON Schema of arguments. It has no references, which not every client resolves.
pub(super) fn schema<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    // The name and the comment of a type of this program, which say nothing to an agent.
    for field in ["title", "description"] {
        schema.remove(field);
    }
    schema
}
