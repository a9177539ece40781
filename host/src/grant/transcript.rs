//! `transcript`: what was said and done so far, a page at a time.

use super::{LayerHost, Use, wire};
use crate::claude::transcript::{self, EntryKind, Role, ToolOutcome};
use crate::layer::Need;
use crate::sandbox::bindings::transcript::{self as wit, Host, Page};
use crate::sandbox::bindings::types::Error;

/// Most entries of one page.
const MOST: u32 = 1000;

impl Host for LayerHost {
    fn read(&mut self, cursor: u64, limit: u32) -> Result<Page, Error> {
        self.permit(Use::Other(Need::Transcript), 0)?;
        let Some(transcript) = self.host.transcript.clone() else {
            return Err(Error::NotFound("there is no transcript here".into()));
        };
        // Half of what a call may carry is left for the fields around the texts.
        let room = self.layer.limits.host_call_bytes / 2;
        let page = transcript.read(cursor, limit.min(MOST) as usize, room).map_err(wire)?;
        self.meter.carry(page.entries.iter().map(|entry| entry.text.len()).sum()).map_err(wire)?;
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
        at: entry.at,
        cursor: entry.cursor,
    }
}
