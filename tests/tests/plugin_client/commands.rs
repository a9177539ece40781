//! The plugin's slash commands and skill, as the client offers them and as they reach the model.

use super::*;

/// Each command as a person types it, and texts that its prompt contains.
const COMMANDS: [(&str, [&str; 2]); 4] = [
    ("/memory:memory retire 54pwyj2thj", ["retire 54pwyj2thj", "interleaf memory stats"]),
    ("/memory:config limits", ["limits", "interleaf config"]),
    ("/memory:search parcel carriers", ["parcel carriers", "interleaf memory search"]),
    ("/memory:save carriers want blue tape", ["carriers want blue tape", "interleaf remember -c CATEGORY"]),
];

#[test]
fn each_command_reaches_the_model_with_its_arguments() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());
    let mut session = session(&client, &scratch, &stub);

    for (typed, texts) in COMMANDS {
        let answer = session.say(typed);
        for text in texts {
            let prompt = answer.first("main").last_user_text();
            assert!(prompt.contains(text), "{typed}: {text} is not in {prompt}");
        }
    }
    session.end();
}

#[test]
fn a_command_allows_the_call_that_it_asks_for_and_no_other() {
    let Some(client) = Client::find() else { return };
    let scratch = shop();
    let turns = [
        bash("interleaf memory search 'invoice export'"),
        bash("interleaf remember 'Nobody asked for this'"),
        Turn::says("fine"),
    ];
    let stub = StubApi::start(Script::new(turns));

    ask_in(&client, &scratch, &stub, &scratch.project, "/memory:search invoice export").success();

    let requests = stub.requests_of("main");
    assert!(requests[1].last_user_text().contains(INVOICE_MARK), "{}", requests[1].last_user_text());
    let refused = requests[2].last_user_text();
    assert!(refused.contains("requires approval"), "{refused}");
    assert!(!scratch.interleaf(&["memory", "list"]).success().contains("Nobody asked"));
}

#[test]
fn save_searches_before_it_writes() {
    let Some(client) = Client::find() else { return };
    let scratch = shop();
    let turns = [
        bash("interleaf memory search 'parcel robot tape'"),
        bash("interleaf remember -c constraint 'The packing robot takes blue tape only, by design'"),
        Turn::says("fine"),
    ];
    let stub = StubApi::start(Script::new(turns));

    ask_in(&client, &scratch, &stub, &scratch.project, "/memory:save the packing robot takes blue tape only")
        .success();

    let found = scratch.interleaf(&["memory", "search", "packing robot tape"]).success();
    assert!(found.contains("blue tape only"), "{found}");
}

#[test]
fn without_interleaf_the_first_command_explains_how_to_install_it() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());
    let run = client.run(&scratch, &stub).args(&["--plugin-dir", &plugin()]);

    run.env("PATH", path_without_interleaf()).prompt("/memory:memory").success();

    let prompt = stub.requests_of("main")[0].last_user_text();
    assert!(prompt.contains("not installed, or not on the PATH"), "{prompt}");
    assert!(prompt.contains("cargo install --path host"), "{prompt}");
}

#[test]
fn with_interleaf_the_first_command_shows_its_version() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());

    ask_in(&client, &scratch, &stub, &scratch.project, "/memory:memory").success();

    let prompt = stub.requests_of("main")[0].last_user_text();
    assert!(prompt.contains(concat!("Interleaf: interleaf ", env!("CARGO_PKG_VERSION"))), "{prompt}");
}

/// Checks the statement of docs/claude-code-plugin.md about the name `/memory`. A later client may differ.
#[test]
fn the_bare_name_is_the_clients_own_until_init_installs_commands() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());

    let own = ask_in(&client, &scratch, &stub, &scratch.project, "/memory").success();
    assert!(own.contains("isn't available in this environment"), "{own}");
    assert!(stub.requests_of("main").is_empty());

    scratch.interleaf(&["init", "--commands"]).success();
    for (nth, (typed, text)) in
        [("/memory", "interleaf memory stats"), ("/memory:config", "interleaf config")]
            .into_iter()
            .enumerate()
    {
        ask_in(&client, &scratch, &stub, &scratch.project, typed).success();
        let prompt = stub.requests_of("main")[nth].last_user_text();
        assert!(prompt.contains(text), "{typed}: {prompt}");
    }
}

#[test]
fn the_model_is_offered_the_skill_and_not_the_commands() {
    let Some(client) = Client::find() else { return };
    let scratch = shop();
    let turns = [Turn::uses("Skill", json!({"skill": "memory:by-hand"})), Turn::says("fine")];
    let stub = StubApi::start(Script::new(turns));
    let mut session = session(&client, &scratch, &stub);

    let answer = session.say("what do you remember?");

    let first = answer.first("main");
    assert!(first.mentions("memory:by-hand"), "it is not offered");
    for name in ["memory:memory", "memory:config", "memory:search", "memory:save"] {
        assert!(!first.mentions(&format!("- {name}")), "{name} is the person's");
    }
    let last = answer.requests.iter().rfind(|request| request.route == "main").expect("it goes on");
    assert!(last.mentions("interleaf forget ID --yes"), "the skill is not loaded");
    session.end();
}
