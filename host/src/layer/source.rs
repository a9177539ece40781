//! Where layers come from: the ones inside this program, the accepted ones of a team or person, and components handed
//! over by the harness.

use std::borrow::Cow;
use std::path::PathBuf;

use super::digest::digest;
use super::{AcceptedLayer, EventName, FailurePolicy, Grants};

/// A layer, ready to be loaded.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Its name.
    pub name: Cow<'static, str>,
    /// What it does, in a phrase.
    pub about: Cow<'static, str>,
    /// SHA-256 of the component, in hexadecimal.
    pub digest: Cow<'static, str>,
    /// The component.
    pub code: Code,
    /// Where it comes from: `embedded`, or the file that was accepted.
    pub from: Cow<'static, str>,
    /// The events it answers.
    pub answers: Vec<EventName>,
    /// What it may do.
    pub grants: Grants,
    /// What is answered in its place before a tool runs, should it fail.
    pub on_failure: FailurePolicy,
}

/// A component before it is compiled.
#[derive(Debug, Clone)]
pub enum Code {
    /// At hand: compiled wherever it is not in the cache.
    InMemory(Cow<'static, [u8]>),
    /// The copy that was made when it was accepted. It may be large, so no hook compiles it.
    Stored(PathBuf),
}

/// A layer that is part of this program, as `build.rs` writes it down.
struct Embedded {
    name: &'static str,
    about: &'static str,
    digest: &'static str,
    wasm: &'static [u8],
    exports: &'static [&'static str],
    /// As JSON.
    grants: &'static str,
}

const EMBEDDED: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

impl Layer {
    /// The layers that come with Interleaf, in the order of a session.
    pub fn embedded() -> Vec<Self> {
        EMBEDDED.iter().map(Self::from).collect()
    }

    /// A layer from a component's bytes and the names it exports.
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
            code: Code::InMemory(Cow::Owned(wasm)),
            from: Cow::Borrowed("handed over"),
            answers: answers(exports),
            grants,
            on_failure: FailurePolicy::Pass,
        }
    }

    /// A layer as it was accepted; `copy` is the component's copy in the user's folder.
    pub fn accepted(accepted: &AcceptedLayer, copy: PathBuf) -> Self {
        Self {
            name: Cow::Owned(accepted.name.clone()),
            about: Cow::Borrowed(""),
            digest: Cow::Owned(accepted.digest.clone()),
            code: Code::Stored(copy),
            from: Cow::Owned(accepted.file.display().to_string()),
            answers: accepted.answers.clone(),
            grants: accepted.grants.clone(),
            on_failure: accepted.on_failure,
        }
    }

    /// The answer that is pinned for the event, should the layer fail: only a tool call can be held up.
    pub fn failure_answer(&self, event: EventName) -> Option<FailurePolicy> {
        let pinned = event == EventName::PreTool && self.answers.contains(&event);
        Some(self.on_failure).filter(|answer| pinned && *answer != FailurePolicy::Pass)
    }
}

impl From<&Embedded> for Layer {
    fn from(layer: &Embedded) -> Self {
        Self {
            name: Cow::Borrowed(layer.name),
            about: Cow::Borrowed(layer.about),
            digest: Cow::Borrowed(layer.digest),
            code: Code::InMemory(Cow::Borrowed(layer.wasm)),
            from: Cow::Borrowed("embedded"),
            answers: answers(layer.exports.iter().copied()),
            on_failure: FailurePolicy::Pass,
            // A declaration that cannot be read grants nothing; a test holds that every one can.
            grants: serde_json::from_str(layer.grants).unwrap_or_default(),
        }
    }
}

fn answers<'a>(exports: impl IntoIterator<Item = &'a str>) -> Vec<EventName> {
    exports.into_iter().filter_map(EventName::of_export).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_layer_answers_an_event_and_declares_valid_grants() {
        for layer in EMBEDDED {
            assert!(!Layer::from(layer).answers.is_empty(), "{} answers nothing", layer.name);
            assert!(serde_json::from_str::<Grants>(layer.grants).is_ok(), "{}/layer.toml", layer.name);
        }
    }

    #[test]
    fn the_build_and_the_host_agree_on_digests() {
        for layer in EMBEDDED {
            assert_eq!(layer.digest, digest(layer.wasm), "{}", layer.name);
        }
    }
}
