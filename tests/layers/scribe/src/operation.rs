//! One operation: `{"do": "update", "id": …, …}`.

use serde_json::{Value, json};

use crate::bindings::interleaf::layer::memory::{
    self, Draft, Memory, MemoryVersion, Patch, Proposal, Status, WriteResult,
};
use crate::bindings::interleaf::layer::types::Error;
use crate::words;

/// Does it.
pub(crate) fn run(operation: &Value) -> Result<Value, Error> {
    match words::text(operation, "do")?.as_str() {
        "create" => create(operation),
        "update" => update(operation),
        "retire" => retire(operation),
        "assess" => assess(operation),
        "resolve" => resolve(operation),
        other => Err(Error::Invalid(format!("there is no operation {other}"))),
    }
}

fn create(operation: &Value) -> Result<Value, Error> {
    Ok(match memory::create(&draft(operation)?)? {
        WriteResult::Created(id) => json!({ "done": "created", "id": id }),
        WriteResult::DuplicateOf(id) => json!({ "done": "nothing", "id": id }),
    })
}

fn update(operation: &Value) -> Result<Value, Error> {
    let seen = seen(operation)?;
    let patch = Patch {
        title: None,
        text: words::optional(operation, "text"),
        content: None,
        tags: None,
        related_files: None,
        confidence: None,
        importance: words::share(operation, "importance"),
        origin: words::origin(operation)?,
        quotes: Vec::new(),
        reason: words::text(operation, "reason")?,
    };
    let version = memory::update(&seen.id, version(operation, &seen), &patch)?;
    Ok(json!({ "done": "updated", "id": seen.id, "version": version }))
}

/// One that is retired already is not retired again, so who retires it is known.
fn retire(operation: &Value) -> Result<Value, Error> {
    let seen = seen(operation)?;
    if seen.status != Status::Active {
        return Ok(json!({ "done": "nothing", "id": seen.id }));
    }
    let version = version(operation, &seen);
    memory::retire(&seen.id, version, &words::text(operation, "reason")?)?;
    Ok(json!({ "done": "retired", "id": seen.id, "version": version + 1 }))
}

fn assess(operation: &Value) -> Result<Value, Error> {
    let assessed = memory::assess(&draft(operation)?, None)?;
    let id = assessed.candidate.map(|candidate| candidate.memory.id);
    Ok(json!({ "done": "nothing", "id": id, "vetoes": assessed.vetoes }))
}

fn resolve(operation: &Value) -> Result<Value, Error> {
    let seen = match operation.get("id") {
        Some(_) => Some(seen(operation)?),
        None => None,
    };
    let resolved = memory::resolve(&Proposal {
        draft: draft(operation)?,
        intent: words::intent(operation)?,
        event: None,
        target: seen.map(|seen| MemoryVersion { version: version(operation, &seen), id: seen.id }),
        reason: words::text(operation, "reason")?,
    })?;
    let done = words::action(resolved.action);
    Ok(json!({ "done": done, "id": resolved.id, "superseded": resolved.superseded }))
}

/// The memory that an operation names, as it is now.
fn seen(operation: &Value) -> Result<Memory, Error> {
    memory::get(&words::text(operation, "id")?)
}

/// The present version, or so many before it.
fn version(operation: &Value, seen: &Memory) -> u64 {
    seen.version.wrapping_sub(operation["behind"].as_u64().unwrap_or(0))
}

fn draft(operation: &Value) -> Result<Draft, Error> {
    Ok(Draft {
        category: words::category(operation)?,
        title: None,
        text: words::text(operation, "text")?,
        content: None,
        tags: Vec::new(),
        related_files: Vec::new(),
        confidence: 0.8,
        importance: words::share(operation, "importance").unwrap_or(0.5),
        origin: words::origin(operation)?,
        key: words::optional(operation, "key"),
        quotes: Vec::new(),
    })
}
