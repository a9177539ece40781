//! API keys: their sources, and that they do not leak.

use super::*;
use interleaf_tests::stub_llm::StubReply;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[test]
fn a_key_that_the_server_sends_back_is_in_no_output_and_no_file() {
    let stub = StubLlm::start([StubReply::Echo(401)]);
    for scratch in [configured_anthropic(&stub, ""), configured_openai(&stub, "key_env = \"MODEL_KEY\"\n")] {
        let ran = check(&scratch, &[]);

        assert!(
            first_result(&ran).contains("answered 401: what is") && first_result(&ran).contains("[the key]"),
            "{}",
            first_result(&ran)
        );
        let outputs =
            [ran.out(), ran.err(), scratch.interleaf(&["doctor"]).out(), scratch.interleaf(&["llm"]).out()];
        assert!(outputs.iter().all(|output| !output.contains(&key())), "{outputs:?}");
        assert!(files(&scratch.interleaf_home).iter().all(|text| !text.contains(&key())));
        assert!(
            stub.requests()
                .iter()
                .all(|request| request.headers.values().any(|value| value.contains(&key())))
        );
    }
}

/// Returns the contents of all files below a folder.
fn files(folder: &Path) -> Vec<String> {
    let entries =
        std::fs::read_dir(folder).expect("it is there").map(|entry| entry.expect("readable").path());
    let text = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).expect("readable")).into_owned();
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![text(&path)] }).collect()
}

#[test]
fn a_key_comes_from_a_file_that_nobody_else_can_read() {
    let stub = StubLlm::start([StubReply::chat("ready")]);
    let scratch = configured_openai(&stub, "key_file = \"/tmp\"\n");
    let (file, config) = (scratch.root.join("key"), scratch.interleaf_home.join("config/config.toml"));
    let text = std::fs::read_to_string(&config).unwrap().replace("/tmp", &file.display().to_string());
    std::fs::write(&config, text).unwrap();
    std::fs::write(&file, format!("{}\n", key())).unwrap();
    let mode = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();

    mode(0o644);
    let open = check(&scratch, &[]);
    mode(0o600);
    let own = check(&scratch, &[]);

    assert!(first_result(&open).contains("others can read it"), "{}", first_result(&open));
    assert_eq!((first_result(&own).as_str(), stub.requests().len()), ("ready", 2));
    assert_eq!(stub.requests()[0].headers["authorization"], format!("Bearer {}", key()));
}

#[test]
fn an_invalid_address_does_not_lead_to_the_default_server() {
    let stub = StubLlm::start([StubReply::chat("ready")]);
    let scratch = configured_openai(&stub, "key_env = \"MODEL_KEY\"\n");
    let config = scratch.interleaf_home.join("config/config.toml");
    let text = std::fs::read_to_string(&config).unwrap().replace("http://", "");
    std::fs::write(&config, text).unwrap();

    let ran = check(&scratch, &[]);

    assert_ne!(ran.code, Some(0));
    assert!(ran.err().contains("`llm.base_url` is not valid"), "{} {}", ran.out(), ran.err());
}

#[test]
fn without_its_key_a_server_is_not_asked() {
    let stub = StubLlm::start([StubReply::chat("ready")]);
    let scratch = configured_openai(&stub, "key_env = \"NOT_SET\"\n");

    let ran = check(&scratch, &[]);
    let doctor = scratch.interleaf(&["doctor"]).out();

    let message = "there is no API key in the environment variable NOT_SET";
    assert!(first_result(&ran).contains(message) && doctor.contains(message), "{doctor}");
    assert_eq!((stub.requests().len(), spent_tokens(&scratch)), (0, 0));
}

#[test]
fn the_default_key_is_not_sent_to_another_server() {
    let stub = StubLlm::start([StubReply::chat("ready")]);
    let scratch = configured_openai(&stub, "");
    let mut command = scratch.command(program());

    let ran = run(command.args(["llm", "check"]).env("OPENAI_API_KEY", key()), b"", HANG_TIMEOUT);

    ran.success();
    assert!(
        stub.requests().iter().all(|request| request.headers.values().all(|value| !value.contains(&key())))
    );
}

#[test]
fn a_project_cannot_choose_a_model_a_server_or_a_key() {
    let stub = StubLlm::start([StubReply::chat("ready")]);
    let scratch = Scratch::new();
    let table = format!(
        "[llm]\nclient = \"openai\"\nbase_url = \"{}/v1\"\nsmall = \"a\"\nstrong = \"b\"\nkey_env = \
         \"HOME\"\n",
        stub.url()
    );
    scratch.write(".claude/interleaf.toml", &table);

    let ran = scratch.interleaf(&["llm", "check"]);

    assert!(ran.err().contains("no language model is configured"), "{}", ran.err());
    let doctor = scratch.interleaf(&["doctor"]).out();
    assert!(doctor.contains("`llm.base_url` cannot be set by a project"), "{doctor}");
    assert_eq!(stub.requests().len(), 0);
}
