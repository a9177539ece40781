//! A team's layer in the real client: the example is added to a project, accepted by its digest, and asks
//! before the model's force push. The remote is a real repository, which shows whether the push happened.

use interleaf_tests::client::{Answer, Client, Session};
use interleaf_tests::examples::Language;
use interleaf_tests::harmless::check_harmless;
use interleaf_tests::scratch::Scratch;
use interleaf_tests::stub_api::{Script, StubApi, Turn};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

const LAYER: &str = "protect-branch";
const PUSH: &str = "git push --force origin main";
const REASON: &str = "protect-branch: `git push --force origin main` rewrites the protected branch main";
const RULE: &str = "Never force push to main: the deploy robot follows it, and the auditors read its history";

/// The grants that the layer needs, with the power to ask.
///
const GRANTS: &str = "[layers.protect-branch.grants]\ndecide = [\"ask\"]\nmemory = { read = \
                    [\"constraint\"] }\nproject = true\n";
/// The same grants without the power.
const GRANTS_WITHOUT_POWER: &str =
    "[layers.protect-branch.grants]\nmemory = { read = [\"constraint\"] }\nproject = true\n";

#[test]
fn a_layer_in_rust_asks_before_a_force_push() {
    asks_before_a_force_push(Language::Rust);
}

#[test]
fn a_layer_in_javascript_asks_before_a_force_push() {
    asks_before_a_force_push(Language::JavaScript);
}

#[test]
fn a_layer_in_python_asks_before_a_force_push() {
    asks_before_a_force_push(Language::Python);
}

/// In `claude -p` nobody can be asked, so the client treats `ask` as a refusal, even if it was told to skip
/// permissions, and gives the reason to the model.
fn asks_before_a_force_push(language: Language) {
    let Some(wasm) = language.component() else { return };
    let Some(client) = Client::find() else { return };
    let team = Team::new(&wasm, GRANTS);

    let seen = team.let_the_model_push(&client);

    assert_eq!(decisions(&seen.hooks), [("ask".to_owned(), REASON.to_owned())]);
    assert_eq!(seen.refused, [PUSH]);
    assert_eq!(team.remote_subject(), "first", "nothing was pushed");
    assert!(seen.model_saw.contains(REASON), "{}", seen.model_saw);
    let advice = format!("<interleaf-memory layer=\"{LAYER}\">\nWhat this project says about such a push.");
    let (_, advice) = seen
        .model_saw
        .split_once(&advice)
        .unwrap_or_else(|| panic!("the model is not shown what the layer found: {}", seen.model_saw));
    assert!(advice.contains(RULE), "{advice}");
}

#[test]
fn without_the_power_its_decision_is_dropped_and_logged_and_the_push_runs() {
    let Some(wasm) = Language::Rust.component() else { return };
    let Some(client) = Client::find() else { return };
    let team = Team::new(&wasm, GRANTS_WITHOUT_POWER);

    let seen = team.let_the_model_push(&client);

    assert_eq!(decisions(&seen.hooks), []);
    assert_eq!(seen.refused, [""; 0]);
    assert_eq!(team.remote_subject(), "rewritten");
    let doctor = team.scratch.interleaf(&["doctor"]).out();
    assert!(
        doctor.contains("answered ask, but was not granted that power; the answer was ignored"),
        "{doctor}"
    );
}

#[test]
fn a_replaced_layer_gives_its_pinned_answer_and_the_person_is_notified() {
    let Some(wasm) = Language::Rust.component() else { return };
    let Some(client) = Client::find() else { return };
    let team = Team::new(&wasm, &format!("[layers.{LAYER}]\non_failure = \"deny\"\n{GRANTS}"));
    // A component that behaves the same with another digest: one more custom section.
    fs::write(&team.file, [&wasm[..], &[0, 2, 1, b'x']].concat()).expect("the project is writable");

    let seen = team.let_the_model_push(&client);

    let [(decision, reason)] = &decisions(&seen.hooks)[..] else { panic!("{:?}", seen.hooks) };
    assert_eq!(decision, "deny");
    assert!(reason.contains("its file was changed and the change is not accepted"), "{reason}");
    assert_eq!(team.remote_subject(), "first", "nothing was pushed");
    assert!(seen.model_saw.contains(reason), "the model sees the reason: {}", seen.model_saw);
    let [notice] = &seen.notices[..] else { panic!("the person is notified once: {:?}", seen.notices) };
    assert!(notice.contains("layer protect-branch was changed since it was accepted"), "{notice}");
    assert!(!seen.model_saw.contains(notice), "the model does not see the notice: {}", seen.model_saw);
}

/// A project with hooks, a remote, a constraint, and the accepted layer.
struct Team {
    scratch: Scratch,
    file: PathBuf,
    remote: String,
}

/// The observations of a push that the model tried.
struct Seen {
    /// The answers of the hooks.
    hooks: Vec<Value>,
    /// The commands that the client did not run.
    refused: Vec<String>,
    /// The notices for the person.
    notices: Vec<String>,
    /// The conversation that the model saw after its push.
    model_saw: String,
}

impl Team {
    fn new(wasm: &[u8], asks: &str) -> Team {
        let scratch = Scratch::new();
        // Pretool shows the same rule before a force push, and a memory is shown only once. Without it the
        // rule is in this layer's own block.
        scratch.configure("[layers.pretool]\nenabled = false\n");
        let remote = scratch.root.join("remote.git").display().to_string();
        scratch.git(&["init", "--quiet", "--bare", &remote]);
        scratch.git(&["remote", "add", "origin", &remote]);
        scratch.git(&["push", "--quiet", "origin", "main"]);
        scratch.git(&["commit", "--quiet", "--amend", "--message", "rewritten"]);
        let _ = scratch.interleaf(&["remember", "--category", "constraint", RULE]).success();
        let _ = scratch.interleaf(&["init"]).success();
        let file = scratch.add_layer(LAYER, wasm, asks);
        let _ = scratch.accept(LAYER, &[]).success();
        Team { scratch, file, remote }
    }

    /// Returns the subject of the last commit on the remote's main branch.
    fn remote_subject(&self) -> String {
        self.scratch.git(&["--git-dir", &self.remote, "log", "-1", "--format=%s", "main"]).trim().to_owned()
    }

    fn let_the_model_push(&self, client: &Client) -> Seen {
        let push = Turn::uses("Bash", json!({"command": PUSH, "description": "Push"}));
        let stub = StubApi::start(Script::new([push, Turn::says("fine")]));
        let mut session = client.run(&self.scratch, &stub).session();
        let answer = session.say("please push the branch");
        let (hooks, id) = (answers(&session), session.id());
        session.end();
        let last = stub.requests_of("main").pop().expect("the model saw the result of the push");
        let passages = last.passages().into_iter().map(|passage| passage.text);
        let model_saw = passages.collect::<Vec<_>>().join("\n");
        Seen { hooks, refused: refused(&answer), notices: self.notices(&id), model_saw }
    }

    /// Returns the notices that the client showed the person. Without a terminal it only records them in the
    /// transcript.
    fn notices(&self, session: &str) -> Vec<String> {
        let folders =
            fs::read_dir(self.scratch.home.join(".claude/projects")).expect("the client keeps transcripts");
        let files = folders.flatten().map(|folder| folder.path().join(session).with_extension("jsonl"));
        let lines: String = files.filter_map(|file| fs::read_to_string(file).ok()).collect();
        let entries = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let shown = entries.filter(|entry| entry["attachment"]["type"] == "hook_system_message");
        shown.filter_map(|entry| Some(entry["attachment"]["content"].as_str()?.to_owned())).collect()
    }
}

/// Returns the commands that the client reports as refused.
fn refused(answer: &Answer) -> Vec<String> {
    let refused = answer.result["permission_denials"].as_array().into_iter().flatten();
    refused.filter_map(|tool| Some(tool["tool_input"]["command"].as_str()?.to_owned())).collect()
}

/// Returns the answers of the session's hooks, and checks that they did no harm.
fn answers(session: &Session<'_>) -> Vec<Value> {
    let events = ["SessionStart", "UserPromptSubmit", "PreToolUse"];
    let runs = events.iter().flat_map(|event| session.hook_runs(event));
    let answers = runs.filter_map(|run| {
        assert_eq!(check_harmless(&run), Ok(()));
        serde_json::from_slice(&run.stdout).ok()
    });
    answers.collect()
}

/// Returns the decisions about tools with their reasons.
fn decisions(hooks: &[Value]) -> Vec<(String, String)> {
    let outputs = hooks.iter().map(|hook| &hook["hookSpecificOutput"]);
    let word = |output: &Value, name: &str| output[name].as_str().map(str::to_owned);
    let decision =
        |output| Some((word(output, "permissionDecision")?, word(output, "permissionDecisionReason")?));
    outputs.filter_map(decision).collect()
}
