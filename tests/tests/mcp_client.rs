//! The server in the real client: the agent's search finds what the hook left out, through the registration
//! of `init` and through that of the plugin, and nothing is left running when the session ends.

use interleaf_tests::client::{Client, Run};
use interleaf_tests::program::program;
use interleaf_tests::scratch::Scratch;
use interleaf_tests::stub_api::{Request, Script, StubApi, Turn};
use interleaf_tests::workspace;
use serde_json::json;

/// A memory that shares only the word `vendor` with the prompt, and a unique part of it.
const LIMIT: &str = "The vendor API takes ten requests a second, by design";
const LIMIT_MARK: &str = "takes ten requests";
const PROMPT: &str = "which vendor prints our parcel labels?";

const OTHERS: [&str; 3] = [
    "Customs forms for Norway need the tariff number on the first page, or the parcel comes back.",
    "The search index is rebuilt every night at three; a reindex during the day makes queries slow.",
    "Discount codes are compared without case since the spring campaign.",
];

#[test]
fn the_agents_search_finds_what_the_hook_left_out() {
    let Some(client) = Client::find() else { return };
    let scratch = shop();
    scratch.interleaf(&["init", "--mcp"]).success();
    // The person's answer when Claude Code asks for the servers of a project, which it does at a terminal.
    approve_servers_of_projects(&scratch);
    let stub = StubApi::start(Script::new([
        Turn::uses("mcp__interleaf__recall", json!({"query": PROMPT})),
        Turn::uses(
            "mcp__interleaf__remember",
            json!({"text": "Labels are printed in house", "asked_as": [PROMPT]}),
        ),
        Turn::says("fine"),
    ]));

    client.run(&scratch, &stub).prompt(PROMPT).success();

    let requests = stub.requests_of("main");
    assert_eq!(requests[0].count(LIMIT_MARK), 0, "the hook left it out");
    assert_eq!(requests[1].count(LIMIT_MARK), 1, "{}", requests[1].last_user_text());
    assert!(requests[2].last_user_text().contains("Remembered as"), "{}", requests[2].last_user_text());
    let exported = scratch.interleaf(&["memory", "export"]).success();
    let written = exported.lines().find(|line| line.contains("printed in house")).expect("it was written");
    assert!(written.contains("\"origin\":\"assistant\""), "{written}");
    assert_eq!(servers_of(&scratch), "", "no server is left");
}

#[test]
fn a_refused_call_reaches_the_model_and_is_nothing_to_learn_from() {
    let Some(client) = Client::find() else { return };
    let scratch = shop();
    scratch.interleaf(&["init", "--mcp"]).success();
    approve_servers_of_projects(&scratch);
    let stub = StubApi::start(Script::new([
        Turn::uses("mcp__interleaf__show", json!({"id": "zzzzzzzzzz"})),
        Turn::uses("mcp__interleaf__remember", json!({"text": "x", "category": "rule"})),
        Turn::says("fine"),
    ]));
    let mut session = client.run(&scratch, &stub).session();

    session.say("go on");

    let requests = stub.requests_of("main");
    for (request, part) in requests[1..].iter().zip(["no memory has the id", "unknown variant"]) {
        assert!(request.last_user_text().contains(part), "{}", request.last_user_text());
    }
    // Checked before the session ends, because its end empties the queue.
    assert_eq!(scratch.interleaf(&["queue", "list", "--json"]).success(), "");
    session.end();
}

#[test]
fn the_plugin_offers_the_tools() {
    let Some(client) = Client::find() else { return };
    let scratch = shop();
    let tool = "mcp__plugin_memory_interleaf__recall";
    let stub = StubApi::start(Script::new([Turn::uses(tool, json!({"query": PROMPT})), Turn::says("fine")]));

    with_plugin(client.run(&scratch, &stub), &scratch).prompt(PROMPT).success();

    let requests = stub.requests_of("main");
    assert_eq!(found(&requests), [0, 1], "{}", requests[1].last_user_text());
    assert_eq!(servers_of(&scratch), "", "no server is left");
}

/// Counts in each request how often it has the memory.
fn found(requests: &[Request]) -> Vec<usize> {
    requests.iter().map(|request| request.count(LIMIT_MARK)).collect()
}

/// Creates a project with memories.
fn shop() -> Scratch {
    let scratch = Scratch::new();
    for text in OTHERS.iter().chain([&LIMIT]) {
        scratch.interleaf(&["remember", "-c", "learning", text]).success();
    }
    scratch
}

fn approve_servers_of_projects(scratch: &Scratch) {
    let folder = scratch.home.join(".claude");
    std::fs::create_dir_all(&folder).expect("a fresh folder is writable");
    let settings = json!({"enabledMcpjsonServers": ["interleaf"]});
    std::fs::write(folder.join("settings.json"), settings.to_string()).expect("a fresh folder is writable");
}

fn with_plugin<'a>(run: Run<'a>, scratch: &Scratch) -> Run<'a> {
    let bin = scratch.root.join("bin");
    std::fs::create_dir(&bin).expect("a fresh folder is writable");
    std::os::unix::fs::symlink(program(), bin.join("interleaf")).expect("a fresh folder is writable");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let plugin = workspace::root().join("claude-plugin").display().to_string();
    run.args(&["--plugin-dir", &plugin]).env("PATH", path)
}

/// Lists the processes that serve this project: those with its folder in their environment.
fn servers_of(scratch: &Scratch) -> String {
    let root = scratch.root.display().to_string();
    let processes = std::fs::read_dir("/proc").expect("Linux").flatten().filter(|process| {
        let read = |name: &str| std::fs::read(process.path().join(name)).unwrap_or_default();
        let arguments = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ");
        let environment = String::from_utf8_lossy(&read("environ")).into_owned();
        arguments.trim_end().ends_with("interleaf mcp") && environment.contains(&root)
    });
    processes.map(|process| format!("{} ", process.file_name().display())).collect()
}
