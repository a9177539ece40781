//! `init --mcp` and `uninstall`: what they write into a project's `.mcp.json`, and that they take it back.

use interleaf_tests::program::program;
use interleaf_tests::scratch::Scratch;
use serde_json::{Value, json};

const FILE: &str = ".mcp.json";

/// A file of a team with another server, in a style of its own.
const TEAM: &str = "{ \"mcpServers\": {\n    \"db\": { \"command\": \"db-server\" } } }\n";

fn text(scratch: &Scratch) -> Option<String> {
    std::fs::read_to_string(scratch.project.join(FILE)).ok()
}

fn servers(scratch: &Scratch) -> Value {
    let text = text(scratch).expect("it was written");
    serde_json::from_str::<Value>(&text).expect("JSON")["mcpServers"].take()
}

#[test]
fn init_registers_the_server_only_on_request_and_shows_it_first() {
    let scratch = Scratch::new();

    scratch.interleaf(&["init"]).success();
    assert_eq!(text(&scratch), None);
    let shown = scratch.interleaf(&["init", "--mcp", "--dry-run"]).success();
    assert!(shown.contains("+++ .mcp.json") && shown.contains("\"mcp\""), "{shown}");
    assert_eq!(text(&scratch), None);
    let done = scratch.interleaf(&["init", "--mcp"]).success();

    assert!(done.contains(".mcp.json: ") && done.contains("asks you"), "{done}");
    assert_eq!(servers(&scratch), json!({"interleaf": {"command": program(), "args": ["mcp"]}}));
    let again = scratch.interleaf(&["init", "--mcp"]).success();
    assert!(again.contains("nothing to change"), "{again}");
}

#[test]
fn the_file_of_one_person_stays_out_of_commits_and_goes_with_uninstall() {
    let scratch = Scratch::new();
    let before = scratch.git(&["status", "--porcelain", "--ignored"]);

    scratch.interleaf(&["init", "--mcp"]).success();
    assert_eq!(scratch.git(&["status", "--porcelain"]), "");
    scratch.interleaf(&["uninstall"]).success();

    assert_eq!(text(&scratch), None);
    assert_eq!(scratch.git(&["status", "--porcelain", "--ignored"]), before);
}

#[test]
fn a_team_shares_a_server_without_a_path_of_this_machine() {
    let scratch = Scratch::new();
    scratch.write(FILE, TEAM);
    scratch.git(&["add", "--all"]);
    scratch.git(&["commit", "--quiet", "--message", "servers"]);

    scratch.interleaf(&["init", "--shared", "--mcp"]).success();

    let written = text(&scratch).expect("it is there");
    assert!(!written.contains(&program().display().to_string()), "{written}");
    assert_eq!(servers(&scratch)["db"], json!({"command": "db-server"}));
    assert_eq!(servers(&scratch)["interleaf"]["command"], "sh");
    scratch.interleaf(&["uninstall"]).success();
    assert_eq!(text(&scratch).as_deref(), Some(TEAM));
}

#[test]
fn the_teams_file_gets_no_path_of_this_machine() {
    for is_committed in [true, false] {
        let scratch = Scratch::new();
        scratch.write(FILE, TEAM);
        if is_committed {
            scratch.git(&["add", "--all"]);
            scratch.git(&["commit", "--quiet", "--message", "servers"]);
        }

        let refused = scratch.interleaf(&["init", "--mcp"]);

        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(
            refused.err().contains(FILE) && refused.err().contains("init --shared --mcp"),
            "{}",
            refused.err()
        );
        assert_eq!(text(&scratch).as_deref(), Some(TEAM));
        assert!(!scratch.project.join(".claude").exists(), "nothing else is written either");
    }
}

#[test]
fn a_server_of_somebody_else_with_our_name_is_left_alone() {
    let scratch = Scratch::new();
    let theirs = "{\"mcpServers\": {\"interleaf\": {\"command\": \"npx\", \"args\": [\"interleaf\"]}}}";
    scratch.write(FILE, theirs);

    let refused = scratch.interleaf(&["init", "--shared", "--mcp"]);
    assert!(refused.code == Some(1) && refused.err().contains("another name"), "{refused:?}");
    scratch.interleaf(&["init"]).success();
    scratch.interleaf(&["uninstall"]).success();

    assert_eq!(text(&scratch).as_deref(), Some(theirs));
}

#[test]
fn a_broken_file_keeps_nobody_from_uninstalling() {
    let scratch = Scratch::new();
    scratch.interleaf(&["init"]).success();
    scratch.write(FILE, "{ not json");

    let refused = scratch.interleaf(&["init", "--mcp"]);
    assert!(refused.code == Some(2) && refused.err().contains(FILE), "{refused:?}");
    scratch.interleaf(&["uninstall"]).success();
}
