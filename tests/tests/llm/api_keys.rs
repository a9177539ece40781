//! Keys: where they come from, and that they stay there.

use super::*;
use interleaf_tests::stub_llm::Act;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[test]
fn a_key_that_the_server_sends_back_is_in_no_output_and_no_file() {
    let stub = StubLlm::start([Act::Echo(401)]);
    for scratch in [chose_anthropic(&stub, ""), chose_openai(&stub, "key_env = \"MODEL_KEY\"\n")] {
        let ran = check(&scratch, &[]);

        assert!(
            first(&ran).contains("answered 401: what is") && first(&ran).contains("[the key]"),
            "{}",
            first(&ran)
        );
        let said =
            [ran.out(), ran.err(), scratch.interleaf(&["doctor"]).out(), scratch.interleaf(&["llm"]).out()];
        assert!(said.iter().all(|said| !said.contains(&key())), "{said:?}");
        assert!(files(&scratch.interleaf_home).iter().all(|text| !text.contains(&key())));
        assert!(stub.asked().iter().all(|asked| asked.headers.values().any(|value| value.contains(&key()))));
    }
}

/// What all files below a folder say.
fn files(folder: &Path) -> Vec<String> {
    let entries =
        std::fs::read_dir(folder).expect("it is there").map(|entry| entry.expect("readable").path());
    let text = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).expect("readable")).into_owned();
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![text(&path)] }).collect()
}

#[test]
fn a_key_comes_from_a_file_that_nobody_else_can_read() {
    let stub = StubLlm::start([Act::chat("ready")]);
    let scratch = chose_openai(&stub, "key_file = \"/tmp\"\n");
    let (file, config) = (scratch.root.join("key"), scratch.interleaf_home.join("config/config.toml"));
    let text = std::fs::read_to_string(&config).unwrap().replace("/tmp", &file.display().to_string());
    std::fs::write(&config, text).unwrap();
    std::fs::write(&file, format!("{}\n", key())).unwrap();
    let mode = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();

    mode(0o644);
    let open = check(&scratch, &[]);
    mode(0o600);
    let own = check(&scratch, &[]);

    assert!(first(&open).contains("others can read it"), "{}", first(&open));
    assert_eq!((first(&own).as_str(), stub.asked().len()), ("ready", 2));
    assert_eq!(stub.asked()[0].headers["authorization"], format!("Bearer {}", key()));
}

#[test]
fn without_its_key_a_server_is_not_asked() {
    let stub = StubLlm::start([Act::chat("ready")]);
    let scratch = chose_openai(&stub, "key_env = \"NOT_SET\"\n");

    let ran = check(&scratch, &[]);
    let doctor = scratch.interleaf(&["doctor"]).out();

    let told = "there is no key in the environment variable NOT_SET";
    assert!(first(&ran).contains(told) && doctor.contains(told), "{doctor}");
    assert_eq!((stub.asked().len(), spent(&scratch)), (0, 0));
}

#[test]
fn the_usual_key_does_not_go_to_a_server_of_one_s_own() {
    let stub = StubLlm::start([Act::chat("ready")]);
    let scratch = chose_openai(&stub, "");
    let mut command = scratch.command(program());

    let ran = run(command.args(["llm", "check"]).env("OPENAI_API_KEY", key()), b"", HANG);

    ran.success();
    assert!(stub.asked().iter().all(|asked| asked.headers.values().all(|value| !value.contains(&key()))));
}

#[test]
fn a_project_chooses_no_model_no_server_and_no_key() {
    let stub = StubLlm::start([Act::chat("ready")]);
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
    assert_eq!(stub.asked().len(), 0);
}
