//! The description of a layer before it runs: its name, its component, the events that it answers and its
//! grants.
//!
//! The module `roster` decides which layers run in a project; `pipeline` and `sandbox` run them.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

mod event_name;
mod grant_text;
mod grants;
mod memory_grant;
mod need;

pub use event_name::{CONTRACT_VERSION, EventName};
pub use grants::{Grants, ModelGrant, Power};
pub use memory_grant::{CategorySet, MemoryGrant};
pub use need::{MissingGrant, Need};

/// Maximum length of a layer's name.
const MAX_NAME_CHARS: usize = 40;

/// A layer, ready to be loaded.
#[derive(Debug, Clone)]
pub struct Layer {
    /// The name.
    pub name: Cow<'static, str>,
    /// A phrase that describes the layer.
    pub about: Cow<'static, str>,
    /// SHA-256 of the component, in hexadecimal.
    pub digest: Cow<'static, str>,
    /// The component.
    pub code: Code,
    /// Its source: `embedded`, or the file that was accepted.
    pub source: Cow<'static, str>,
    /// The events that the layer answers.
    pub answers: Vec<EventName>,
    /// Its grants.
    pub grants: Grants,
    /// The answer before a tool call if the layer fails.
    pub on_failure: FailurePolicy,
    /// Words of which the tool call's input must contain one for that answer to be given. Without any, the
    /// answer is always given.
    pub failure_words: Vec<Cow<'static, str>>,
}

/// A component before it is compiled.
#[derive(Debug, Clone)]
pub enum Code {
    /// Native code that is part of this program.
    Embedded(EmbeddedCode),
    /// The bytes of a component. Any process compiles it if the cache lacks it.
    InMemory(Vec<u8>),
    /// The copy that was made when the layer was accepted. Hooks do not compile it, because it may be large.
    Stored(PathBuf),
}

/// The native code of a layer that was compiled when this program was built. Nothing but the table of
/// embedded layers can create one, which is why the sandbox may run it unchecked.
#[derive(Clone, Copy)]
pub struct EmbeddedCode(&'static [u8]);

/// Bytes that begin a page of memory, on machines with pages of up to 64 KiB, so that wasmtime can run them
/// where they lie.
#[repr(C, align(65536))]
struct PageAligned<Bytes: ?Sized>(Bytes);

impl EmbeddedCode {
    /// Returns the code, as wasmtime wrote it.
    pub const fn bytes(self) -> &'static [u8] {
        self.0
    }
}

impl fmt::Debug for EmbeddedCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bytes of native code", self.0.len())
    }
}

/// The answer before a tool call if a gate is missing, changed or failing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FailurePolicy {
    /// No answer: the tool call continues.
    #[default]
    Pass,
    /// The user is asked.
    Ask,
    /// The tool call is refused.
    Deny,
}

impl FailurePolicy {
    /// The names in the configuration.
    pub const NAMES: &'static [&'static str] = &["pass", "ask", "deny"];

    /// Returns the name in the configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }

    /// Returns the policy of a layer with these grants that answers these events. The default of a gate is to
    /// ask the user. No other layer decides on tool calls, so its failure gives no answer.
    pub fn for_layer(grants: &Grants, answers: &[EventName], requested: Option<Self>) -> Self {
        match grants.is_gate() && answers.contains(&EventName::PreTool) {
            true => requested.unwrap_or(Self::Ask),
            false => Self::Pass,
        }
    }

    /// Returns the policy of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Pass, Self::Ask, Self::Deny].into_iter().find(|policy| policy.as_str() == name)
    }
}

/// The owner of a file with layers or settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileScope {
    /// The user: it applies to all their projects.
    User,
    /// The project. A person who cloned it did not write the file.
    Project,
}

/// A layer that is part of this program, as `build.rs` generates it.
struct Embedded {
    name: &'static str,
    about: &'static str,
    digest: &'static str,
    /// The component from which `code` was compiled.
    #[cfg(test)]
    wasm: &'static [u8],
    code: EmbeddedCode,
    exports: &'static [&'static str],
    /// JSON.
    grants: &'static str,
    on_failure: &'static str,
    failure_words: &'static [&'static str],
}

static EMBEDDED: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

impl Layer {
    /// Returns the layers that come with Interleaf, in the order of a session.
    pub fn embedded() -> Vec<Self> {
        EMBEDDED.iter().map(Self::from).collect()
    }

    /// Returns the components of the embedded layers, which the program itself does not contain.
    #[cfg(test)]
    pub(crate) fn embedded_components() -> Vec<(&'static str, &'static [u8])> {
        EMBEDDED.iter().map(|layer| (layer.name, layer.wasm)).collect()
    }

    /// Creates a layer from a component's bytes and the names of its exports.
    pub fn new<'a>(
        name: &str,
        wasm: Vec<u8>,
        exports: impl IntoIterator<Item = &'a str>,
        grants: Grants,
    ) -> Self {
        Self {
            name: Cow::Owned(name.to_owned()),
            about: Cow::Borrowed(""),
            digest: Cow::Owned(digest(&wasm)),
            code: Code::InMemory(wasm),
            source: Cow::Borrowed("in memory"),
            answers: events_of_exports(exports),
            grants,
            on_failure: FailurePolicy::Pass,
            failure_words: Vec::new(),
        }
    }

    /// Creates a stand-in for an accepted gate whose component is not known here: it gives the answer for its
    /// failure and nothing else.
    pub fn failed_gate(name: &str, on_failure: FailurePolicy) -> Self {
        let gate = Self::new(name, Vec::new(), [], Grants::default());
        Self { answers: vec![EventName::PreTool], on_failure, ..gate }
    }

    /// Returns whether the layer guards tool calls: an answer is given if it fails on one.
    pub fn is_guard(&self) -> bool {
        self.answers.contains(&EventName::PreTool) && self.on_failure != FailurePolicy::Pass
    }

    /// Returns the answer to give if the layer fails on a tool call with this input.
    pub fn failure_answer(&self, tool_input: &str) -> Option<FailurePolicy> {
        let concerns = || {
            self.failure_words.is_empty()
                || self.failure_words.iter().any(|word| tool_input.contains(&**word))
        };
        (self.is_guard() && concerns()).then_some(self.on_failure)
    }
}

impl From<&Embedded> for Layer {
    fn from(layer: &Embedded) -> Self {
        Self {
            name: Cow::Borrowed(layer.name),
            about: Cow::Borrowed(layer.about),
            digest: Cow::Borrowed(layer.digest),
            code: Code::Embedded(layer.code),
            source: Cow::Borrowed("embedded"),
            answers: events_of_exports(layer.exports.iter().copied()),
            on_failure: FailurePolicy::parse(layer.on_failure).unwrap_or_default(),
            failure_words: layer.failure_words.iter().copied().map(Cow::Borrowed).collect(),
            // A test ensures that every declaration is valid; an invalid one would grant nothing.
            grants: serde_json::from_str(layer.grants).unwrap_or_default(),
        }
    }
}

fn events_of_exports<'a>(exports: impl IntoIterator<Item = &'a str>) -> Vec<EventName> {
    let mut events: Vec<EventName> = exports.into_iter().filter_map(EventName::of_export).collect();
    // Toolchains write exports in any order; people see events in the order of a session.
    events.sort();
    events
}

/// Returns the SHA-256 of the bytes, in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Returns whether the text is a digest as [`digest`] writes it.
pub fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The name at the beginning of the host's own notices.
pub const HOST_NAME: &str = "interleaf";

/// Returns whether a text can be the name of a layer, which is also the name of files and of the owner of
/// state. The host signs its own notices with [`HOST_NAME`].
pub fn is_layer_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=MAX_NAME_CHARS).contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(is_allowed)
        && name != HOST_NAME
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_layer_answers_an_event_and_declares_valid_grants() {
        for layer in EMBEDDED {
            assert!(!Layer::from(layer).answers.is_empty(), "{} answers nothing", layer.name);
            assert!(serde_json::from_str::<Grants>(layer.grants).is_ok(), "{}/layer.toml", layer.name);
            assert!(FailurePolicy::parse(layer.on_failure).is_some(), "{}/layer.toml", layer.name);
        }
    }

    #[test]
    fn the_answer_for_a_failure_is_given_where_the_input_has_one_of_its_words() {
        let all = Layer::failed_gate("gate", FailurePolicy::Deny);
        let some = Layer { failure_words: vec!["deploy".into()], ..all.clone() };

        assert_eq!(all.failure_answer("{}"), Some(FailurePolicy::Deny));
        assert_eq!(some.failure_answer("{\"command\":\"./deploy\"}"), Some(FailurePolicy::Deny));
        assert_eq!(some.failure_answer("{\"command\":\"ls\"}"), None);
        assert_eq!(Layer::failed_gate("gate", FailurePolicy::Pass).failure_answer("{}"), None);
    }

    #[test]
    fn no_layer_has_the_name_of_the_host() {
        assert!(is_layer_name("interleaf-notes") && is_layer_name("gate2"));
        assert!(!is_layer_name(HOST_NAME) && !is_layer_name("Gate") && !is_layer_name("a b"));
    }

    #[test]
    fn the_build_and_the_host_agree_on_digests() {
        for layer in EMBEDDED {
            assert_eq!(layer.digest, digest(layer.wasm), "{}", layer.name);
        }
    }
}
