//! The `claude` program as the model: the real client against the stub API, and a shell script in its place
//! that records how it is called.

use super::*;
use interleaf_tests::client::{Client, connect_to_stub};
use interleaf_tests::shell_hooks::Hooks;
use interleaf_tests::stub_api::{Route, Script, StubApi, Turn};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;

/// Events whose hooks a nested call could run.
const EVENTS: [&str; 6] =
    ["SessionStart", "UserPromptSubmit", "InstructionsLoaded", "Stop", "SessionEnd", "Notification"];

/// Configures the real client as the model, with hooks and instructions in the person's folder and in the
/// project.
fn configured_claude(client: &Client) -> Scratch {
    let scratch = configured(&format!("client = \"claude\"\nprogram = \"{}\"\n", client.program().display()));
    let hooks = |name: &str| {
        let command = format!("echo {name} >>'{}'", scratch.root.join("fired").display());
        EVENTS.iter().fold(Hooks::new(), |hooks, event| hooks.shell(event, command.clone()))
    };
    hooks("person").write(&scratch);
    let own = scratch.home.join(".claude");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::rename(scratch.project.join(".claude/settings.json"), own.join("settings.json")).unwrap();
    hooks("project").write(&scratch);
    std::fs::write(own.join("CLAUDE.md"), "The person likes harbour cranes.").unwrap();
    for place in [&scratch.root, &scratch.interleaf_home, &scratch.project] {
        std::fs::write(place.join("CLAUDE.md"), "This folder likes harbour cranes.").unwrap();
        std::fs::write(place.join("AGENTS.md"), "This folder likes harbour cranes.").unwrap();
    }
    scratch
}

/// Runs a check with the variables of a session, as a hook's worker would.
fn nested(scratch: &Scratch, stub: &StubApi, arguments: &[&str]) -> ProcessOutput {
    let mut command = scratch.command(program());
    connect_to_stub(&mut command, scratch, stub);
    command.args(["llm", "check", "--json"]).args(arguments);
    command.envs([
        ("CLAUDECODE", "1"),
        ("CLAUDE_CODE_SESSION_ID", "outer"),
        ("CLAUDE_CODE_ENTRYPOINT", "cli"),
    ]);
    run(command.env("CLAUDE_PROJECT_DIR", &scratch.project), b"", interleaf_tests::client::HANG_TIMEOUT)
}

fn transcripts(scratch: &Scratch) -> usize {
    let projects = std::fs::read_dir(scratch.home.join(".claude/projects"));
    projects.map_or(0, |projects| {
        projects.flatten().filter_map(|project| std::fs::read_dir(project.path()).ok()).flatten().count()
    })
}

#[test]
fn the_real_client_answers_and_fires_no_hook_and_leaves_no_transcript() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (configured_claude(&client), StubApi::start(Script::new([Turn::says("fine")])));
    let fired = scratch.root.join("fired");

    let ran = nested(&scratch, &stub, &[]);

    assert_eq!(first_result(&ran), "an aside", "it has no tools, which the stub answers so");
    assert!(!fired.exists(), "{}", std::fs::read_to_string(&fired).unwrap_or_default());
    assert_eq!(transcripts(&scratch), 0);
    let requests = stub.requests();
    assert_eq!(requests.len(), 2, "one request for each model");
    assert!(requests.iter().all(|request| request.mentions("Answer with the single word: ready")));
    assert!(
        requests.iter().all(|request| !request.body.to_string().contains("harbour cranes")),
        "no instructions of the person or the project are sent"
    );
    assert!(
        requests
            .iter()
            .all(|request| request.body["max_tokens"] == 256 && request.body["thinking"].is_null())
    );
    assert!(requests[0].body["model"].as_str().is_some_and(|model| model.contains("haiku")));
    assert_eq!((stub.refused(), spent_tokens(&scratch)), (vec![], 240));

    client.run(&scratch, &stub).prompt("hello").success();
    assert!(
        fired.exists() && transcripts(&scratch) > 0,
        "a plain run does both, so the above says something"
    );
}

#[test]
fn the_real_client_gets_a_schema_and_one_repair_request() {
    let Some(client) = Client::find() else { return };
    let answer = |word| Turn::uses("StructuredOutput", json!({"word": word}));
    let script = Script::new([answer(json!(7)), answer(json!("ready"))]);
    let (scratch, stub) = (configured_claude(&client), StubApi::start(script));

    let ran = nested(&scratch, &stub, &["--schema"]);

    assert_eq!(first_result(&ran), r#"{"word":"ready"}"#);
    assert_eq!(
        (stub.requests().len(), spent_tokens(&scratch)),
        (3, 360),
        "the program does not ask again by itself"
    );
}

#[test]
fn the_real_client_is_stopped_after_a_truncated_answer() {
    let Some(client) = Client::find() else { return };
    let cut_off = Route::asks("cut off", "single word", [Turn::says("rea").cut_off()]);
    let (scratch, stub) =
        (configured_claude(&client), StubApi::start(Script::new([Turn::says("ready")]).route(cut_off)));

    let ran = nested(&scratch, &stub, &[]);

    assert!(first_result(&ran).contains("was cut off at 256 tokens"), "{}", first_result(&ran));
    // The client may have started a further request before it was killed, once for each model.
    assert!(stub.requests().len() <= 4, "{}", stub.requests().len());
    assert_eq!(spent_tokens(&scratch), 240);
}

#[test]
fn a_refusal_by_the_api_is_reported_and_costs_nothing() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) =
        (configured_claude(&client), StubLlm::start([interleaf_tests::stub_llm::StubReply::Echo(400)]));
    let mut command = scratch.command(program());
    connect_to_stub(&mut command, &scratch, &StubApi::start(Script::new([])));
    command.env("ANTHROPIC_BASE_URL", stub.url()).env("ANTHROPIC_API_KEY", key());

    let ran = run(command.args(["llm", "check", "--json"]), b"", interleaf_tests::client::HANG_TIMEOUT);

    assert!(first_result(&ran).contains("[the key]"), "it was sent back: {}", first_result(&ran));
    assert!(!ran.out().contains(&key()) && !ran.err().contains(&key()), "{}", ran.out());
    assert_eq!((ran.code, spent_tokens(&scratch)), (Some(1), 0));
}

/// Configures a shell script in place of the program.
fn fake_program(script: &str, more: &str) -> Scratch {
    let scratch = configured(&format!("client = \"claude\"\nprogram = \"PROGRAM\"\n{more}"));
    let program = scratch.root.join("fake-claude");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let config = scratch.interleaf_home.join("config/config.toml");
    let text = std::fs::read_to_string(&config).unwrap().replace("PROGRAM", &program.display().to_string());
    std::fs::write(&config, text).unwrap();
    scratch
}

const RESULT: &str =
    r#"{"type":"result","is_error":false,"result":"%s","usage":{"input_tokens":100,"output_tokens":20}}"#;

#[test]
fn the_program_is_started_in_a_private_empty_folder_outside_of_the_session() {
    let script = format!(
        "printf '%s\\n' \"$@\" >../arguments; cat >../prompt; env >../variables; pwd >../folder; printf \
         '{RESULT}' ready"
    );
    let scratch = fake_program(&script, "");
    let mut command = scratch.command(program());
    command
        .args(["llm", "check", "--json"])
        .env("CLAUDECODE", "1")
        .env("CLAUDE_PROJECT_DIR", &scratch.project);

    let ran = run(&mut command, b"", HANG_TIMEOUT);

    let state = scratch.interleaf_home.join("state");
    let read = |name: &str| std::fs::read_to_string(state.join(name)).expect("the script wrote it");
    assert_eq!(
        (first_result(&ran).as_str(), read("folder").trim()),
        ("ready", state.join("claude").to_str().unwrap())
    );
    assert_eq!(read("prompt"), "Answer with the single word: ready");
    assert!(!read("arguments").contains("single word"), "what is asked is in no list of processes");
    assert!(
        read("arguments").contains("{\"disableAllHooks\":true}")
            && read("arguments").contains("--no-session-persistence")
    );
    let variables = read("variables");
    assert!(!variables.contains("CLAUDECODE=") && !variables.contains("CLAUDE_PROJECT_DIR="), "{variables}");
    assert!(
        variables.contains("INTERLEAF_DISABLE=1") && variables.contains("CLAUDE_CODE_MAX_OUTPUT_TOKENS=256"),
        "{variables}"
    );
    let mode = std::fs::metadata(state.join("claude")).unwrap().permissions().mode();
    assert_eq!((mode & 0o777, std::fs::read_dir(state.join("claude")).unwrap().count()), (0o700, 0));
}

#[test]
fn the_system_prompt_is_in_a_private_file_and_in_no_list_of_processes() {
    let script = format!(
        "printf '%s\\n' \"$@\" >../arguments; while [ \"$1\" != --system-prompt-file ]; do shift; done; \
         cat \"$2\" >../system; stat -c %a \"$2\" >../mode; echo \"$2\" >../file; printf '{RESULT}' ready"
    );
    let scratch = fake_program(&script, "");

    let ran = scratch.interleaf(&["llm", "check", "--json"]);

    let state = scratch.interleaf_home.join("state");
    let read = |name: &str| std::fs::read_to_string(state.join(name)).expect("the script wrote it");
    assert_eq!(first_result(&ran), "ready");
    assert!(read("system").contains("whether you can be reached"), "{}", read("system"));
    assert!(!read("arguments").contains("whether you can be reached"), "{}", read("arguments"));
    assert_eq!(read("mode").trim(), "600");
    assert!(!std::path::Path::new(read("file").trim()).exists(), "it is removed afterwards");
}

#[test]
fn a_program_that_hangs_is_killed_and_costs_the_prompt() {
    let scratch = fake_program("cat >/dev/null; sleep 600", "timeout_seconds = 1\n");

    let ran = check(&scratch, &[]);

    assert!(first_result(&ran).contains("did not answer in time"), "{}", first_result(&ran));
    assert!((1..2500).contains(&spent_tokens(&scratch)), "{}", spent_tokens(&scratch));
}

#[test]
fn the_error_output_of_the_program_is_reported_on_one_line() {
    let scratch = fake_program("echo 'Please run /login' >&2; yes >&2 & sleep 1; kill $!; exit 1", "");

    let ran = check(&scratch, &[]);

    assert!(first_result(&ran).contains("gave no result: Please run /login y y"), "{}", first_result(&ran));
    assert!(first_result(&ran).len() < 500);
}

#[test]
fn a_program_inside_the_project_is_never_run() {
    let scratch = configured("client = \"claude\"\n");
    scratch.write("bin/claude", "#!/bin/sh\ntouch ran\n");
    let planted = scratch.project.join("bin/claude");
    std::fs::set_permissions(&planted, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = scratch.command(program());
    command
        .args(["llm", "check", "--json"])
        .env("PATH", format!("{}:bin:.", scratch.project.join("bin").display()));

    let ran = run(&mut command, b"", HANG_TIMEOUT);

    assert!(first_result(&ran).contains("there is no program claude on the PATH"), "{}", first_result(&ran));
}
