//! protect-branch: before a force push to a protected branch, the person is asked.
//!
//! This file asks the host and answers; [`push`] knows what a force push is.

mod push;
mod shell;

use interleaf_layer::prelude::*;
use push::{ForcePush, Target};
use serde::Deserialize;

struct ProtectBranch;
export_layer!(ProtectBranch: pre_tool);

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

impl pre_tool::Handler for ProtectBranch {
    fn handle(event: pre_tool::Event) -> Result<Reply> {
        if event.tool_name == "Bash" {
            let settings: Settings = settings::read()?;
            let input: Bash = event.read_input()?;
            for push in push::force_pushes(&input.command) {
                if let Some(branch) = rewritten(&push, &settings.branches)? {
                    return Ok(ask(&push, branch));
                }
            }
        }
        Ok(Reply::silent())
    }
}

/// Returns the first of these branches that a push rewrites. Git is asked only when the push names none.
fn rewritten<'a>(push: &ForcePush, branches: &'a [String]) -> Result<Option<&'a String>> {
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
    Reply::ask(reason).with_context(constraint(branch))
}

/// Returns the project's own constraint about such a push. Without a grant for memories there is none, and
/// the layer still asks.
fn constraint(branch: &str) -> Option<Context> {
    let filter = Filter::new().category(Category::Constraint);
    let hits = memory::search(&format!("force push {branch}"), &filter, 1).ok()?;
    // Urgent, so that it is repeated: history that was overwritten cannot be brought back.
    Reply::memories("What this project says about such a push", hits).urgent().context
}

#[cfg(test)]
mod tests {
    use interleaf_layer::testing::Host;

    use super::*;

    fn handle(command: &str) -> Reply {
        let event = pre_tool::Event {
            tool_name: "Bash".to_owned(),
            tool_input: format!("{{\"command\": \"{command}\"}}"),
            ..Default::default()
        };
        <ProtectBranch as pre_tool::Handler>::handle(event).expect("the input and the settings are valid")
    }

    #[test]
    fn the_person_is_asked_and_the_model_shown_the_constraint() {
        let host = Host::new();
        let id = host.add_memory(Category::Constraint, "Never force push to main");

        let reply = handle("git push --force origin main");

        assert_eq!(reply.decisions.len(), 1);
        assert_eq!(reply.context.expect("a constraint").items[0].content, Content::Memory(id));
    }

    #[test]
    fn the_settings_name_the_protected_branches() {
        Host::new().set_settings(r#"{"branches": ["release"]}"#);

        assert!(handle("git push --force origin main").is_silent());
        assert!(!handle("git push --force origin release").is_silent());
    }

    #[test]
    fn a_push_that_names_no_branch_rewrites_the_one_that_is_checked_out() {
        Host::new().set_branch("main");

        assert!(!handle("git push --force").is_silent());
    }
}
