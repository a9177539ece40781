//! What the log will tell of an event, as far as the layers' turns say it.

use crate::claude::{Event, EventKind};
use crate::log::{EventRecord, LayerRecord, Log};

/// The account of an event whose layers have had their turns, with what they logged of their decisions.
pub(super) fn begin(event: &Event, mut layers: Vec<LayerRecord>, log: &Log) -> EventRecord {
    for (layer, object) in log.take_layer_objects() {
        if let Some(part) = layers.iter_mut().find(|part| part.layer == layer) {
            part.logged.push(object);
        }
    }
    EventRecord { tool: tool(event), layers, ..EventRecord::default() }
}

fn tool(event: &Event) -> Option<String> {
    match &event.kind {
        EventKind::PreTool { tool_name, .. }
        | EventKind::PostTool { tool_name, .. }
        | EventKind::ToolFailure { tool_name, .. } => Some(tool_name.clone()),
        _ => None,
    }
}
