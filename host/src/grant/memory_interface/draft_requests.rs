//! Converts drafts, patches and proposals of layers to those of the store. The host, not the layer, decides
//! on the origin of their text.

use serde_json::Value;

use super::super::{Access, LayerHost, wit_error};
use super::quote_check::QuoteCheck;
use super::wit_conversions as convert;
use crate::error::ErrorKind;
use crate::log::Level;
use crate::memory::{self as store, Draft, Memory, MemoryVersion, Origin, Patch, Proposal, Source};
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
        let (quotes, id) = (self.checked_quotes(&draft.quotes, draft.origin)?, self.id_from_key(&draft));
        let content = parse_content(draft.content.as_deref())?.unwrap_or_default();
        let mut tags = self.allowed_tags(&quotes, &draft);
        if !quotes.is_certain {
            // Nobody knows whether a person said it, so no session is shown it until somebody confirms it.
            tags.push(store::TENTATIVE_TAG.to_owned());
        }
        let origin = quotes.origin;
        Ok(Draft {
            title: draft.title,
            content,
            tags,
            related_files: draft.related_files,
            asked_as: draft.asked_as,
            confidence: draft.confidence,
            importance: draft.importance,
            source: self.source(),
            id,
            ..Draft::new(convert::category(draft.category), draft.text, origin)
        })
    }

    /// Returns a draft's tags without those that its quotes do not allow. The memory is written all the same:
    /// whoever searches for it finds it.
    fn allowed_tags(&self, quotes: &QuoteCheck, draft: &wit::Draft) -> Vec<String> {
        let (mut tags, texts) =
            (draft.tags.clone(), changed_texts(draft.title.as_deref(), Some(&draft.text)));
        if quotes.remove_privileged(&mut tags, &texts) {
            let message = "a draft lost its tag for the start of every session: no quote from a message \
                           without pasted text says the same";
            self.host.log.write(Level::Info, Some(&self.layer.name), message);
        }
        tags
    }

    pub(super) fn patch(&self, memory: &Memory, patch: wit::Patch) -> Result<Patch, Error> {
        let quotes = self.checked_quotes(&patch.quotes, patch.origin)?;
        quotes.check_certain()?;
        let texts = changed_texts(patch.title.as_deref(), patch.text.as_deref());
        quotes.check_change(memory, &texts, patch.tags.as_deref())?;
        let origin = quotes.origin;
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
        if proposal.intent != wit::Intent::Create {
            self.checked_quotes(&proposal.draft.quotes, proposal.draft.origin)?.check_certain()?;
        }
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

    /// Checks the quotes and the origin of a layer's text. A layer may claim only the assistant or a tool.
    fn checked_quotes(&self, quotes: &[wit::Quote], claimed: wit::Origin) -> Result<QuoteCheck, Error> {
        let check = self.check_quotes(quotes, convert::origin(claimed))?;
        match check.origin {
            Origin::Assistant | Origin::ToolOutput => Ok(check),
            origin => {
                Err(Error::Denied(format!("layer {} cannot claim the origin {origin}", self.layer.name)))
            }
        }
    }
}

fn changed_texts<'t>(title: Option<&'t str>, text: Option<&'t str>) -> Vec<&'t str> {
    title.into_iter().chain(text).collect()
}

fn parse_content(json: Option<&str>) -> Result<Option<Value>, Error> {
    let parsed = json.map(serde_json::from_str).transpose();
    parsed.map_err(|error| Error::Invalid(format!("the content must be JSON: {error}")))
}
