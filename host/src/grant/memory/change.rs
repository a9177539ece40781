//! Changes that layers propose, as the store takes them.

use super::super::LayerHost;
use super::draft::content;
use super::words;
use crate::memory::{MemoryVersion, Patch, Proposal};
use crate::sandbox::bindings::memory as wit;
use crate::sandbox::bindings::types::Error;

impl LayerHost {
    pub(super) fn patch(&self, patch: wit::Patch) -> Result<Patch, Error> {
        let origin = self.claimed(&patch.quotes, patch.origin)?;
        Ok(Patch {
            title: patch.title,
            text: patch.text,
            content: content(patch.content.as_deref())?,
            tags: patch.tags,
            related_files: patch.related_files,
            confidence: patch.confidence,
            importance: patch.importance,
            ..Patch::new(origin, patch.reason)
        })
    }

    pub(super) fn proposal(&self, proposal: wit::Proposal) -> Result<Proposal, Error> {
        Ok(Proposal {
            intent: words::intent(proposal.intent),
            event: proposal.event.map(words::event),
            target: proposal.target.map(|target| MemoryVersion { id: target.id, version: target.version }),
            reason: proposal.reason,
            key: self.id_of(&proposal.draft),
            draft: self.draft(proposal.draft)?,
        })
    }
}
