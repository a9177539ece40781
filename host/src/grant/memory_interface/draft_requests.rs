//! Converts drafts, patches and proposals of layers to those of the store. The host, not the layer, decides
//! on the origin of their text.

use serde_json::Value;

use super::super::{Access, LayerHost, wit_error};
use super::wit_conversions as convert;
use crate::error::ErrorKind;
use crate::memory::{self as store, Draft, MemoryVersion, Origin, Patch, Proposal, Source};
use crate::sandbox::bindings::memory as wit;
use crate::sandbox::bindings::types::Error;

impl LayerHost {
    /// Begins a host call that may write a memory of the draft's category.
    pub(super) fn begin_write(&mut self, draft: &wit::Draft) -> Result<(), Error> {
        let bytes = draft.text.len() + draft.content.as_ref().map_or(0, String::len);
        self.begin_call(Access::WriteCategory(convert::category(draft.category)), bytes)
    }

    /// Returns the id of the memory that this layer wrote under the draft's key, regardless of its present
    /// status.
    pub(super) fn id_of_earlier_write(&self, draft: &wit::Draft) -> Result<Option<String>, Error> {
        let Some(id) = self.id_from_key(draft) else { return Ok(None) };
        match self.host.memories.get(&id) {
            Ok(memory) => Ok(Some(memory.id)),
            Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(wit_error(error)),
        }
    }

    fn id_from_key(&self, draft: &wit::Draft) -> Option<String> {
        draft.key.as_deref().map(|key| store::id_of_key(&self.layer.name, key))
    }

    pub(super) fn draft(&self, draft: wit::Draft) -> Result<Draft, Error> {
        let (origin, id) = (self.checked_origin(&draft.quotes, draft.origin)?, self.id_from_key(&draft));
        let content = parse_content(draft.content.as_deref())?.unwrap_or_default();
        Ok(Draft {
            title: draft.title,
            content,
            tags: draft.tags,
            related_files: draft.related_files,
            confidence: draft.confidence,
            importance: draft.importance,
            source: self.source(),
            id,
            ..Draft::new(convert::category(draft.category), draft.text, origin)
        })
    }

    pub(super) fn patch(&self, patch: wit::Patch) -> Result<Patch, Error> {
        let origin = self.checked_origin(&patch.quotes, patch.origin)?;
        Ok(Patch {
            title: patch.title,
            text: patch.text,
            content: parse_content(patch.content.as_deref())?,
            tags: patch.tags,
            related_files: patch.related_files,
            confidence: patch.confidence,
            importance: patch.importance,
            ..Patch::new(origin, patch.reason)
        })
    }

    pub(super) fn proposal(&self, proposal: wit::Proposal) -> Result<Proposal, Error> {
        Ok(Proposal {
            intent: convert::intent(proposal.intent),
            event: proposal.event.map(convert::lifecycle_event),
            target: proposal.target.map(|target| MemoryVersion { id: target.id, version: target.version }),
            reason: proposal.reason,
            key: self.id_from_key(&proposal.draft),
            draft: self.draft(proposal.draft)?,
        })
    }

    fn source(&self) -> Source {
        Source {
            session: Some(self.layer.conversation.session.clone()),
            layer: Some(self.layer.name.clone()),
            event: Some(self.layer.event.to_owned()),
            branch: self.host.project.branch().unwrap_or_default(),
            ..Source::default()
        }
    }

    /// Returns the origin of a layer's text. A layer may claim only the assistant or a tool, and the quotes
    /// are checked.
    fn checked_origin(&self, quotes: &[wit::Quote], claimed: wit::Origin) -> Result<Origin, Error> {
        let origin = self.origin_of_quotes(quotes, convert::origin(claimed))?;
        match origin {
            Origin::Assistant | Origin::ToolOutput => Ok(origin),
            _ => Err(Error::Denied(format!("layer {} cannot claim the origin {origin}", self.layer.name))),
        }
    }
}

fn parse_content(json: Option<&str>) -> Result<Option<Value>, Error> {
    let parsed = json.map(serde_json::from_str).transpose();
    parsed.map_err(|error| Error::Invalid(format!("the content must be JSON: {error}")))
}
