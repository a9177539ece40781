//! protect-branch: before a force push to a protected branch, the person is asked.
//!
//! This file asks the host and answers; what a force push is, [`push`] knows.

mod push;

use exports::interleaf::layer::pre_tool::{Event, Guest};
use interleaf::layer::memory::{self, Category, Filter};
use interleaf::layer::types::{Content, Context, Decision, Error, Item, Reply};
use interleaf::layer::{project, settings};
use push::{ForcePush, Target};
use serde::Deserialize;

wit_bindgen::generate!({ path: "wit", world: "protect-branch", generate_all });
export!(ProtectBranch);

struct ProtectBranch;

#[derive(Deserialize)]
#[serde(default)]
struct Settings {
    branches: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { branches: vec!["main".to_owned(), "master".to_owned()] }
    }
}

/// The input of the tool `Bash`.
#[derive(Deserialize)]
struct Bash {
    command: String,
}

impl Guest for ProtectBranch {
    fn handle(event: Event) -> Result<Reply, Error> {
        if event.tool_name == "Bash" {
            let settings: Settings = read(&settings::get())?;
            let input: Bash = read(&event.tool_input)?;
            for push in push::force_pushes(&input.command) {
                if let Some(branch) = rewritten(&push, &settings.branches)? {
                    return Ok(ask(&push, branch));
                }
            }
        }
        Ok(Reply { context: None, decisions: Vec::new(), notice: None })
    }
}

fn read<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|error| Error::Invalid(error.to_string()))
}

/// The first of these branches that a push rewrites. Git is asked only when the push names none.
fn rewritten<'a>(push: &ForcePush, branches: &'a [String]) -> Result<Option<&'a String>, Error> {
    for target in &push.targets {
        let branch = match target {
            Target::Every => branches.first(),
            Target::Branch(name) => branches.iter().find(|branch| *branch == name),
            Target::Current => {
                let current = project::branch()?;
                branches.iter().find(|branch| Some(*branch) == current.as_ref())
            }
        };
        if branch.is_some() {
            return Ok(branch);
        }
    }
    Ok(None)
}

fn ask(push: &ForcePush, branch: &str) -> Reply {
    let reason = format!("`{}` rewrites the protected branch {branch}", push.command);
    Reply { context: constraint(branch), decisions: vec![Decision::Ask(reason)], notice: None }
}

/// What the project says about it, in words that a memory would have. Without a grant the layer still asks.
fn constraint(branch: &str) -> Option<Context> {
    let constraints = Filter {
        categories: vec![Category::Constraint],
        tags: Vec::new(),
        branch: None,
        since: None,
        origins: Vec::new(),
        unseen: false,
    };
    let hit = memory::search(&format!("force push {branch}"), &constraints, 1).ok()?.pop()?;
    Some(Context {
        heading: "What this project says about such a push".to_owned(),
        items: vec![Item { content: Content::Memory(hit.memory.id), relevance: hit.relevance }],
        // So that it is repeated: history that was overwritten cannot be brought back.
        urgent: true,
    })
}
