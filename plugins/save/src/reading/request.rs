//! The requests to a model: to read a session, and to confirm what would replace or end a memory. The first
//! line of each has a fixed form, `Task: read` or `Task: confirm`, so that a scripted model in a test can
//! tell them apart.

use interleaf_layer::llm::{Request, Tier};
use interleaf_layer::memory::Category;
use serde_json::{Value, json};

use super::session_lines::{SessionLines, escape};
use crate::content_schema;
use crate::finding::{Finding, Retirement};
use crate::known_memory::KnownMemory;
use crate::settings::CategoryPolicies;

/// The categories that a model writes.
pub const CATEGORIES: [Category; 5] =
    [Category::Preference, Category::Decision, Category::Constraint, Category::TechDebt, Category::Runbook];

/// Maximum number of tokens of an answer: eight changes with all fields, and a summary.
const MAX_ANSWER_TOKENS: u32 = 2_400;
/// Maximum number of tokens of a confirmation.
const MAX_VERDICT_TOKENS: u32 = 600;

/// Maximum length of all known memories in a request, in characters: about 900 tokens.
const MAX_KNOWN_CHARS: usize = 3_600;

const INSTRUCTIONS: &str = include_str!("prompt.txt");
const CONFIRMATION: &str = include_str!("confirmation.txt");

/// Returns the request to read a session.
pub fn read(
    lines: &SessionLines,
    known: &[KnownMemory],
    categories: &[Category],
    policies: &CategoryPolicies,
    saved_until: u64,
    tier: Tier,
) -> Request {
    let described: Vec<String> = categories.iter().map(|category| line_of(*category, policies)).collect();
    let memories = known.iter().enumerate().map(|(at, memory)| known_line(at, memory));
    let memories = element("memories", memories);
    Request {
        tier,
        system: INSTRUCTIONS.trim().replace("{categories}", &described.join("\n")),
        prompt: format!("Task: read\n\n{memories}\n\n{}", lines.render(saved_until)),
        schema: Some(answer_schema(categories).to_string()),
        max_tokens: MAX_ANSWER_TOKENS,
    }
}

/// Returns the request to confirm these replacements and retirements.
pub fn confirm(
    lines: &SessionLines,
    replacements: &[&Finding],
    retirements: &[Retirement],
    saved_until: u64,
) -> Request {
    let replaced = replacements.iter().filter_map(|finding| Some((finding, finding.about.as_ref()?)));
    let replaced = replaced.map(|(finding, about)| json!({ "old": about.memory.text, "new": finding.text }));
    let retired = retirements.iter().map(|end| json!({ "old": end.memory.text, "ends_because": end.why }));
    let proposals = replaced.chain(retired).enumerate().map(|(index, mut proposal)| {
        proposal["index"] = index.into();
        data_line(&proposal)
    });
    let proposals = element("changes", proposals);
    Request {
        tier: Tier::Strong,
        system: CONFIRMATION.trim().to_owned(),
        prompt: format!("Task: confirm\n\n{proposals}\n\n{}", lines.render(saved_until)),
        schema: Some(verdicts_schema().to_string()),
        max_tokens: MAX_VERDICT_TOKENS,
    }
}

/// Returns those of the known memories that a request has room for, the best first.
pub fn fitting(known: Vec<KnownMemory>) -> Vec<KnownMemory> {
    let mut room = MAX_KNOWN_CHARS;
    let fits = |memory: &KnownMemory| {
        let size = memory.text.chars().count() + 40;
        room.checked_sub(size).map(|left| room = left).is_some()
    };
    known.into_iter().filter(fits).collect()
}

fn element(name: &str, lines: impl Iterator<Item = String>) -> String {
    format!("<{name}>\n{}\n</{name}>", lines.collect::<Vec<_>>().join("\n"))
}

/// Returns the line of a known memory, with a number: a model does not see ids.
fn known_line(at: usize, memory: &KnownMemory) -> String {
    let id = format!("m{}", at + 1);
    // The title says what the text says, in fewer words.
    data_line(&json!({ "id": id, "category": memory.category.as_str(), "text": memory.text }))
}

/// Returns JSON on one line, escaped as data.
fn data_line(value: &Value) -> String {
    escape(&value.to_string())
}

/// Returns the line that says what belongs to a category, with the person's description of it.
fn line_of(category: Category, policies: &CategoryPolicies) -> String {
    let what = match category {
        Category::Preference => {
            "how the person wants work done from now on: tools, style, procedure, what not to touch."
        }
        Category::Decision => {
            "what the person chose or agreed to, over something else, with an effect beyond this task \
             that the code does not show."
        }
        Category::Constraint => {
            "a limit from outside that this project cannot change: a customer, vendor, platform, \
             device, other team, frozen version."
        }
        Category::TechDebt => "work that was put off on purpose, and what it waits for.",
        Category::Runbook => {
            "a failure that will come again, and what fixed it; a command of this project that needs \
             more than its obvious form. The text names the error."
        }
        _ => "what was learned.",
    };
    // The lines above say more than the default description.
    let described =
        policies.description(category).filter(|text| *text != content_schema::description(category));
    let described = described.map(|text| format!(" {text}")).unwrap_or_default();
    format!("- {}: {what}{described}", category.as_str())
}

/// Returns the schema of an answer that may use these categories.
fn answer_schema(categories: &[Category]) -> Value {
    let mut schema = parsed(include_str!("answer-schema.json"));
    let names: Vec<Value> = categories.iter().map(|category| category.as_str().into()).collect();
    // The end of a memory has no category.
    let names: Vec<Value> = names.into_iter().chain([Value::Null]).collect();
    schema["properties"]["changes"]["items"]["properties"]["category"]["enum"] = json!(names);
    schema
}

fn verdicts_schema() -> Value {
    parsed(include_str!("verdicts-schema.json"))
}

/// Returns a schema of this program; the tests read all of them.
fn parsed(schema: &str) -> Value {
    serde_json::from_str(schema).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemas_are_read_and_name_the_categories() {
        let schema = answer_schema(&CATEGORIES[..2]);
        let names = &schema["properties"]["changes"]["items"]["properties"]["category"]["enum"];

        assert_eq!(*names, json!(["preference", "decision", null]));
        assert!(verdicts_schema().is_object());
    }

    #[test]
    fn known_memories_take_a_limited_room() {
        let memory = |at: usize| KnownMemory {
            id: at.to_string(),
            version: 1,
            category: Category::Decision,
            title: "Title".to_owned(),
            text: "word ".repeat(100),
        };
        assert_eq!(fitting((0..25).map(memory).collect()).len(), 6);
    }
}
