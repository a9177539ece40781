//! One operation: `{"do": "update", "id": …, …}`.

use interleaf_layer::memory::{Intent, MemoryVersion, Proposal, ResolutionAction};
use interleaf_layer::prelude::*;
use serde_json::{Value, json};

const INTENTS: [(&str, Intent); 4] = [
    ("create", Intent::Create),
    ("update", Intent::Update),
    ("retire", Intent::Retire),
    ("supersede", Intent::Supersede),
];

const ORIGINS: [(&str, Origin); 2] = [("assistant", Origin::Assistant), ("tool_output", Origin::ToolOutput)];

/// Runs the operation.
pub(crate) fn run(operation: &Value) -> Result<Value> {
    match text(operation, "do")?.as_str() {
        "create" => create(operation),
        "update" => update(operation),
        "retire" => retire(operation),
        "assess" => assess(operation),
        "resolve" => resolve(operation),
        other => Err(Error::Invalid(format!("there is no operation {other}"))),
    }
}

fn create(operation: &Value) -> Result<Value> {
    Ok(match memory::create(&draft(operation)?)? {
        WriteResult::Created(id) => json!({ "done": "created", "id": id }),
        WriteResult::DuplicateOf(id) => json!({ "done": "nothing", "id": id }),
    })
}

fn update(operation: &Value) -> Result<Value> {
    let known = named_memory(operation)?;
    let patch = Patch {
        text: optional(operation, "text"),
        importance: share(operation, "importance"),
        origin: origin(operation)?,
        ..Patch::new(text(operation, "reason")?)
    };
    let version = memory::update(&known.id, version(operation, &known), &patch)?;
    Ok(json!({ "done": "updated", "id": known.id, "version": version }))
}

/// Retires a memory unless it is retired already, so that the author of a retirement is known.
fn retire(operation: &Value) -> Result<Value> {
    let known = named_memory(operation)?;
    if known.status != Status::Active {
        return Ok(json!({ "done": "nothing", "id": known.id }));
    }
    let version = version(operation, &known);
    memory::retire(&known.id, version, &text(operation, "reason")?)?;
    Ok(json!({ "done": "retired", "id": known.id, "version": version + 1 }))
}

fn assess(operation: &Value) -> Result<Value> {
    let assessed = memory::assess(&draft(operation)?, None)?;
    let id = assessed.candidate.map(|candidate| candidate.memory.id);
    Ok(json!({ "done": "nothing", "id": id, "vetoes": assessed.vetoes }))
}

fn resolve(operation: &Value) -> Result<Value> {
    let known = match operation.get("id") {
        Some(_) => Some(named_memory(operation)?),
        None => None,
    };
    let resolved = memory::resolve(&Proposal {
        draft: draft(operation)?,
        intent: intent(operation)?,
        event: None,
        target: known.map(|known| MemoryVersion { version: version(operation, &known), id: known.id }),
        reason: text(operation, "reason")?,
    })?;
    let done = action(resolved.action);
    Ok(json!({ "done": done, "id": resolved.id, "superseded": resolved.superseded }))
}

/// Returns the memory that an operation names, in its current version.
fn named_memory(operation: &Value) -> Result<Memory> {
    memory::get(&text(operation, "id")?)
}

/// Returns the current version, or the one that is `behind` versions older.
fn version(operation: &Value, known: &Memory) -> u64 {
    known.version.wrapping_sub(operation["behind"].as_u64().unwrap_or(0))
}

fn draft(operation: &Value) -> Result<Draft> {
    Ok(Draft {
        importance: share(operation, "importance").unwrap_or(0.5),
        origin: origin(operation)?,
        key: optional(operation, "key"),
        ..Draft::new(category(operation)?, text(operation, "text")?)
    })
}

fn optional(operation: &Value, field: &str) -> Option<String> {
    operation[field].as_str().map(str::to_owned)
}

fn text(operation: &Value, field: &str) -> Result<String> {
    optional(operation, field).ok_or_else(|| Error::Invalid(format!("the operation has no {field}")))
}

fn share(operation: &Value, field: &str) -> Option<f32> {
    operation[field].as_f64().map(|share| share as f32)
}

fn category(operation: &Value) -> Result<Category> {
    let name = text(operation, "category")?;
    Category::from_name(&name).ok_or_else(|| Error::Invalid(format!("there is no category {name}")))
}

fn intent(operation: &Value) -> Result<Intent> {
    one_of(&INTENTS, operation, "intent")
}

/// Returns the origin; the assistant by default.
fn origin(operation: &Value) -> Result<Origin> {
    if operation.get("origin").is_none() {
        Ok(Origin::Assistant)
    } else {
        one_of(&ORIGINS, operation, "origin")
    }
}

fn action(action: ResolutionAction) -> &'static str {
    match action {
        ResolutionAction::Created => "created",
        ResolutionAction::Updated => "updated",
        ResolutionAction::Retired => "retired",
        ResolutionAction::Superseded => "superseded",
        ResolutionAction::Skipped => "nothing",
    }
}

fn one_of<T: Copy>(words: &[(&str, T)], operation: &Value, field: &str) -> Result<T> {
    let word = text(operation, field)?;
    let known = words.iter().find(|(known, _)| *known == word).map(|(_, value)| *value);
    known.ok_or_else(|| Error::Invalid(format!("there is no {field} {word}")))
}
