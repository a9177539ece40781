//! `transcript`: the messages and tool calls of the session so far, one page at a time.

use super::{Access, LayerHost, wit_error};
use crate::claude::transcript::{self, EntryKind, Role, ToolOutcome};
use crate::layer::Need;
use crate::sandbox::bindings::transcript::{self as wit, Host, Page};
use crate::sandbox::bindings::types::Error;

/// Maximum number of entries per page.
const MAX_ENTRIES: u32 = 1000;

impl Host for LayerHost {
    fn read(&mut self, cursor: u64, limit: u32) -> Result<Page, Error> {
        self.begin_call(Access::Interface(Need::Transcript), 0)?;
        let Some(transcript) = self.host.transcript.clone() else {
            return Err(Error::NotFound("there is no transcript here".into()));
        };
        // Half of the bytes that a call may carry are left for the fields other than the texts.
        let max_bytes = (self.layer.limits.host_call_bytes / 2) as usize;
        let page = transcript.read(cursor, limit.min(MAX_ENTRIES) as usize, max_bytes).map_err(wit_error)?;
        let bytes = page.entries.iter().map(|entry| entry.text.len()).sum();
        self.limiter.check_size(bytes).map_err(wit_error)?;
        let transcript::Page { entries, cursor, more } = page;
        Ok(Page { entries: entries.into_iter().map(entry).collect(), cursor, more })
    }
}

fn entry(entry: transcript::Entry) -> wit::Entry {
    wit::Entry {
        role: match entry.role {
            Role::User => wit::Role::User,
            Role::Assistant => wit::Role::Assistant,
            Role::Tool => wit::Role::Tool,
        },
        kind: match entry.kind {
            EntryKind::Text => wit::Kind::Text,
            EntryKind::ToolCall => wit::Kind::ToolCall,
            EntryKind::ToolResult => wit::Kind::ToolResult,
        },
        ending: match entry.outcome {
            ToolOutcome::Succeeded => wit::Ending::Fine,
            ToolOutcome::Failed => wit::Ending::Failed,
            ToolOutcome::Interrupted => wit::Ending::Interrupted,
        },
        tool: entry.tool,
        call: entry.call,
        text: entry.text,
        certain: entry.is_certain,
        at: entry.at,
        cursor: entry.cursor,
    }
}
