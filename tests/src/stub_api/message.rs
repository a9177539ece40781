//! A turn in the API's format: one message, or the events of a streamed one.

use super::script::{Block, Turn};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};

/// Returns the complete message, for a request without `stream`.
pub fn message(turn: &Turn, model: Value) -> Value {
    let content: Vec<Value> = turn.blocks.iter().map(block).collect();
    let stop = match content.iter().any(|block| block["type"] == "tool_use") {
        _ if turn.cut_off => "max_tokens",
        true => "tool_use",
        false => "end_turn",
    };
    json!({
        "id": id("msg"), "type": "message", "role": "assistant", "model": model, "content": content,
        "stop_reason": stop, "stop_sequence": null,
        "usage": {
            "input_tokens": turn.input_tokens, "output_tokens": 20,
            "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        },
    })
}

fn block(block: &Block) -> Value {
    match block {
        Block::Text(text) => json!({"type": "text", "text": text}),
        Block::ToolUse { name, input } => {
            json!({"type": "tool_use", "id": id("toolu"), "name": name, "input": input})
        }
    }
}

fn id(kind: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(1);
    format!("{kind}_stub{:018}", COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Returns the same message as the events of a stream: a frame without content, the blocks, the stop reason.
pub fn events(message: &Value) -> Vec<(&'static str, Value)> {
    let mut frame = message.clone();
    frame["content"] = json!([]);
    frame["stop_reason"] = Value::Null;
    let mut events = vec![("message_start", json!({"type": "message_start", "message": frame}))];
    let blocks = message["content"].as_array().expect("written as a list above");
    events.extend(blocks.iter().enumerate().flat_map(|(index, block)| block_events(index, block)));
    let delta = json!({"stop_reason": message["stop_reason"], "stop_sequence": null});
    let usage = json!({"output_tokens": message["usage"]["output_tokens"]});
    events.push(("message_delta", json!({"type": "message_delta", "delta": delta, "usage": usage})));
    events.push(("message_stop", json!({"type": "message_stop"})));
    events
}

fn block_events(index: usize, block: &Value) -> [(&'static str, Value); 3] {
    let mut empty = block.clone();
    let delta = if block["type"] == "text" {
        empty["text"] = json!("");
        json!({"type": "text_delta", "text": block["text"]})
    } else {
        empty["input"] = json!({});
        json!({"type": "input_json_delta", "partial_json": block["input"].to_string()})
    };
    [
        (
            "content_block_start",
            json!({"type": "content_block_start", "index": index, "content_block": empty}),
        ),
        ("content_block_delta", json!({"type": "content_block_delta", "index": index, "delta": delta})),
        ("content_block_stop", json!({"type": "content_block_stop", "index": index})),
    ]
}
