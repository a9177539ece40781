//! The pretool layer: memories about a command or a file, just before it is run or changed.

use interleaf::claude::Permission;
use interleaf::error::Error;
use interleaf::harness::{Harness, event};
use interleaf::log::Level;
use interleaf::memory::{Category, Draft, Origin};
use interleaf_tests::harmless::check_harmless;
use interleaf_tests::scratch::Scratch;
use serde_json::{Value, json};

const RULE: &str = "Never force push to main: the release robot signs what it finds there";

fn pretool() -> Result<Harness, Error> {
    Harness::embedded("pretool")
}

fn shown(harness: &Harness, event: &str) -> Result<String, Error> {
    let outcome = harness.send(event)?;
    let trouble: Vec<_> = outcome.log.iter().filter(|line| line.level > Level::Info).collect();
    assert!(trouble.is_empty(), "nothing went wrong: {trouble:?}");
    Ok(outcome.context().to_owned())
}

fn bullets(context: &str) -> usize {
    context.lines().filter(|line| line.starts_with("- [")).count()
}

fn edit(tool: &str, path: &str) -> String {
    let input = json!({"file_path": path, "notebook_path": path, "old_string": "a", "new_string": "b"});
    event::event("PreToolUse", json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1"}))
}

#[test]
fn a_force_push_shows_the_constraint_even_if_it_was_shown_before() -> Result<(), Error> {
    let harness = pretool()?.remember("constraint", RULE)?;

    for line in [
        "git push --force origin main",
        "cd x && git push -f",
        "sudo sh -c 'git push --force'",
        "rm -rf src; git push -f",
    ] {
        assert!(shown(&harness, &event::command(line))?.contains(RULE), "{line}");
    }
    for line in ["git push", "git push origin main", "git status", "echo git push --force"] {
        assert_eq!(shown(&harness, &event::command(line))?, "", "{line}");
    }
    Ok(())
}

#[test]
fn every_rule_about_an_irreversible_command_is_shown_whatever_its_category() -> Result<(), Error> {
    let mut harness = pretool()?;
    for (category, text) in [
        ("preference", "Never force push without asking me"),
        ("decision", "After a force push everyone is told in the channel"),
        ("constraint", "The host refuses a force push to release branches"),
    ] {
        harness = harness.remember(category, text)?;
    }

    let context = shown(&harness, &event::command("git push --force origin topic"))?;

    assert_eq!(bullets(&context), 3, "{context}");
    Ok(())
}

#[test]
fn a_constraint_from_tool_output_is_shown_only_once_before_irreversible_commands() -> Result<(), Error> {
    let text = "kubectl delete of the payments namespace takes its vault along";
    let harness = pretool()?.draft(Draft::new(Category::Constraint, text.to_owned(), Origin::ToolOutput))?;
    let delete = event::command("kubectl delete namespace payments");

    assert_eq!(bullets(&shown(&harness, &delete)?), 1);
    assert_eq!(shown(&harness, &delete)?, "");
    Ok(())
}

#[test]
fn a_risky_command_shows_at_most_two_memories_and_each_once() -> Result<(), Error> {
    let mut harness = pretool()?;
    for text in ["needs the staging VPN", "fails before nine", "asks for a second factor"] {
        harness = harness.remember("learning", &format!("ssh bastion.example {text}"))?;
    }

    let first = shown(&harness, &event::command("ssh bastion.example uptime"))?;
    let second = shown(&harness, &event::command("ssh bastion.example uptime"))?;
    let third = shown(&harness, &event::command("ssh bastion.example uptime"))?;

    assert_eq!((bullets(&first), bullets(&second), bullets(&third)), (2, 1, 0), "{first}\n{second}");
    Ok(())
}

#[test]
fn malformed_commands_never_hide_a_base_pattern_and_never_fail() -> Result<(), Error> {
    let long = "word ".repeat(20_000);
    for junk in ["g++", "[", "(", "'", "\"$(", "\0", "é日本", "<<END", long.as_str()] {
        let harness = pretool()?.remember("learning", "ssh bastion.example asks for a second factor")?;

        let context = shown(&harness, &event::command(&format!("{junk}\nssh bastion.example")))?;

        assert_eq!(bullets(&context), 1, "{:.20}", junk);
    }
    Ok(())
}

#[test]
fn editing_a_file_shows_the_memories_that_name_it_once() -> Result<(), Error> {
    for tool in ["Edit", "Write", "MultiEdit", "NotebookEdit"] {
        let related = Draft {
            related_files: vec!["src/pay.rs".to_owned()],
            ..Draft::new(Category::Decision, "Amounts are cents".to_owned(), Origin::Assistant)
        };
        let harness = pretool()?
            .draft(related)?
            .remember("learning", "In src/ship.rs the weights are grams")?
            .remember("learning", "Pay and ship are rs crates of the src folder")?;

        assert!(shown(&harness, &edit(tool, "/home/dev/shop/src/pay.rs"))?.contains("cents"), "{tool}");
        assert!(shown(&harness, &edit(tool, "/home/dev/shop/src/ship.rs"))?.contains("grams"), "{tool}");
        assert_eq!(shown(&harness, &edit(tool, "/home/dev/shop/src/pay.rs"))?, "", "{tool}: shown once");
        assert_eq!(shown(&harness, &edit(tool, "/home/dev/shop/src/other.rs"))?, "", "{tool}");
    }
    Ok(())
}

#[test]
fn other_tools_make_no_host_calls() -> Result<(), Error> {
    let harness = pretool()?.remember("learning", "src/pay.rs and ssh")?.trace();

    for tool in ["Read", "Grep", "Agent"] {
        let outcome = harness.send(&edit(tool, "/home/dev/shop/src/pay.rs"))?;
        assert!(outcome.context().is_empty() && outcome.traces[0].calls.is_empty(), "{tool}");
    }
    let calls = |event: &str| -> Result<Vec<_>, Error> {
        let calls = harness.send(event)?.traces[0].calls.clone();
        Ok(calls.into_iter().map(|call| (call.interface, call.function)).collect())
    };
    let of = |interface, function: &str| (interface, function.to_owned());
    let calls_of_mcp = calls(&edit("mcp__x__y", "/home/dev/shop/src/pay.rs"))?;
    assert_eq!(calls_of_mcp, [of("settings", "get")], "where Interleaf's files are, and nothing else");
    let calls = calls(&event::command("ls -la"))?;
    assert_eq!(
        calls,
        [of("settings", "get"), of("state", "get")],
        "no match asks for its settings, the project's list and nothing else"
    );
    Ok(())
}

/// Returns the list of topics as posttool writes it.
fn promoted(command: &str) -> String {
    let topic = json!({"command": command, "source": "failure", "count": 1, "at": 1_767_268_800_000_i64});
    json!({"patterns": [], "promoted": [topic], "generated_at": null}).to_string()
}

#[test]
fn a_command_shows_a_memory_that_names_it_once() -> Result<(), Error> {
    for (line, memory) in [
        ("cd x && FOO=1 make -j 4 deploy", "make deploy asks for the VPN"),
        ("g++ -O2 main.cc", "g++ needs the flag -std=c++20 for main.cc"),
        ("docker ps && terraform plan -out x.plan", "terraform plan wants the profile of the second account"),
    ] {
        let harness = pretool()?.remember("learning", memory)?;

        assert!(shown(&harness, &event::command(line))?.contains(memory), "{line}");
        assert_eq!(shown(&harness, &event::command(line))?, "", "{line}: shown once");
    }
    Ok(())
}

#[test]
fn no_promoted_token_disables_a_base_pattern() -> Result<(), Error> {
    for token in ["g++", "[", "(", "*", "\\", "\"", ""] {
        let harness = pretool()?.remember("learning", "ssh bastion.example asks for a second factor")?;
        let harness = harness.shared_value("hot-topics", &promoted(token))?;

        assert_eq!(bullets(&shown(&harness, &event::command("ssh bastion.example"))?), 1, "{token}");
    }
    let harness = pretool()?.remember("learning", "ssh bastion.example asks for a second factor")?;
    let harness = harness.shared_value("hot-topics", "[ broken")?;
    assert_eq!(shown(&harness, &event::command("make deploy"))?, "", "a broken list is an empty one");
    Ok(())
}

#[test]
fn only_interleaf_can_write_a_guarded_memory_folder() -> Result<(), Error> {
    let guarded = pretool()?.config("[layers.pretool.settings]\nmemory_folder = \".claude/memory\"")?;

    for event in [
        edit("Write", "/home/dev/shop/.claude/memory/decision/x.json"),
        event::command("rm .claude/memory/index.md"),
    ] {
        let reply = guarded.send(&event)?.reply;
        let (permission, reason) = reply.permission.expect("it is refused");
        assert_eq!(permission, Permission::Deny);
        assert!(reason.contains("interleaf remember") && reason.contains("interleaf forget"), "{reason}");
    }
    assert_eq!(guarded.send(&event::command("cat .claude/memory/index.md"))?.reply.permission, None);
    assert_eq!(pretool()?.send(&event::command("rm .claude/memory/index.md"))?.reply.permission, None);
    Ok(())
}

#[test]
fn the_person_is_asked_before_a_layer_is_accepted_or_revoked() -> Result<(), Error> {
    let harness = pretool()?;
    let is_asked = |line: &str| -> Result<bool, Error> {
        let reply = harness.send(&event::command(line))?.reply;
        Ok(format!("{:?}", reply.permission).contains("Ask"))
    };
    assert!(is_asked("interleaf layer accept gate --digest sha256:0")?);
    assert!(is_asked("env -u CLAUDECODE interleaf layer revoke gate")?);
    assert!(!is_asked("interleaf layer list")?);
    Ok(())
}

fn command(scratch: &Scratch, line: &str) -> String {
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": line}, "tool_use_id": "toolu_1"});
    scratch.event("PreToolUse", fields)
}

#[test]
fn the_program_shows_a_rule_again_before_a_force_push_and_nothing_before_a_push() {
    let scratch = Scratch::new();
    scratch.interleaf(&["remember", "--category", "constraint", RULE]).success();

    for _ in 0..2 {
        let ran = scratch.hook(command(&scratch, "git push --force origin main"));
        check_harmless(&ran).expect("a hook does no harm");
        let reply: Value = serde_json::from_str(&ran.out()).expect("one JSON object");
        let context = reply["hookSpecificOutput"]["additionalContext"].as_str().expect("context");
        assert!(context.contains(RULE), "{context}");
    }
    assert_eq!(scratch.hook(command(&scratch, "git push")).out(), "");
}

#[test]
fn a_call_that_matches_nothing_writes_nothing() {
    let scratch = Scratch::new();

    assert_eq!(scratch.hook(command(&scratch, "ls -la | head")).out(), "");

    let data = scratch.interleaf_home.join("data");
    let files = std::fs::read_dir(&data).map(|files| files.count()).unwrap_or_default();
    assert_eq!(files, 0, "no database was made in {}", data.display());
}
