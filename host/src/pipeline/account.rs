//! What the log will tell of an event, as far as the layers' turns say it.

use crate::claude::{Event, EventKind};
use crate::log::{Account, Log, Part};

/// The account of an event whose layers have had their turns, with what they logged of their decisions.
pub(super) fn begin(event: &Event, mut layers: Vec<Part>, log: &Log) -> Account {
    for (layer, object) in log.said() {
        if let Some(part) = layers.iter_mut().find(|part| part.layer == layer) {
            part.said.push(object);
        }
    }
    Account { tool: tool(event), layers, ..Account::default() }
}

fn tool(event: &Event) -> Option<String> {
    match &event.kind {
        EventKind::PreTool { tool_name, .. }
        | EventKind::PostTool { tool_name, .. }
        | EventKind::ToolFailure { tool_name, .. } => Some(tool_name.clone()),
        _ => None,
    }
}
