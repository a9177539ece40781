//! Drafts of layers, as the store takes them: the host, not the layer, says where their words come from.

use super::super::{LayerHost, Use, wire};
use super::words::{category, origin};
use crate::error::ErrorKind;
use crate::memory::{self as store, Draft, Origin, Source};
use crate::sandbox::bindings::memory as wit;
use crate::sandbox::bindings::types::Error;
use serde_json::Value;

impl LayerHost {
    /// Decides whether this layer may write such a draft.
    pub(super) fn permit_draft(&mut self, draft: &wit::Draft) -> Result<(), Error> {
        let bytes = draft.text.len() + draft.content.as_ref().map_or(0, String::len);
        self.permit(Use::WriteCategory(category(draft.category)), bytes)
    }

    /// What this layer wrote under the same key, were it forgotten since.
    pub(super) fn written_before(&self, draft: &wit::Draft) -> Result<Option<String>, Error> {
        let Some(id) = self.id_of(draft) else { return Ok(None) };
        match self.host.memories.get(&id) {
            Ok(memory) => Ok(Some(memory.id)),
            Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(wire(error)),
        }
    }

    pub(super) fn id_of(&self, draft: &wit::Draft) -> Option<String> {
        draft.key.as_deref().map(|key| store::id_of_key(&self.layer.name, key))
    }

    /// A draft as the store takes it: the host, not the layer, says where it comes from.
    pub(super) fn draft(&self, draft: wit::Draft) -> Result<Draft, Error> {
        let (origin, id) = (self.claimed(&draft.quotes, draft.origin)?, self.id_of(&draft));
        let content = content(draft.content.as_deref())?.unwrap_or_default();
        Ok(Draft {
            title: draft.title,
            content,
            tags: draft.tags,
            related_files: draft.related_files,
            confidence: draft.confidence,
            importance: draft.importance,
            source: self.source(),
            id,
            ..Draft::new(category(draft.category), draft.text, origin)
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

    /// The origin of words that a layer hands over.
    pub(super) fn claimed(&self, quotes: &[wit::Quote], claimed: wit::Origin) -> Result<Origin, Error> {
        let origin = self.quoted(quotes, origin(claimed))?;
        match origin {
            Origin::Assistant | Origin::ToolOutput => Ok(origin),
            _ => Err(Error::Denied(format!("layer {} cannot claim the origin {origin}", self.layer.name))),
        }
    }
}

/// Content as a layer writes it.
pub(super) fn content(json: Option<&str>) -> Result<Option<Value>, Error> {
    let parsed = json.map(serde_json::from_str).transpose();
    parsed.map_err(|error| Error::Invalid(format!("the content must be JSON: {error}")))
}
