//! Attempts to leave the sandbox: files, the environment, the network.

use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use interleaf_tests::run::run;
use interleaf_tests::scratch::Scratch;

use super::*;

const SECRET: &str = "the words outside";

/// Creates a project with a folder `docs`, which has links out of it, and secrets inside and beside the
/// project.
fn project() -> (Scratch, PathBuf) {
    let scratch = Scratch::new();
    scratch.write("docs/guide.md", "the guide");
    scratch.write("secret.md", SECRET);
    std::fs::write(scratch.root.join("secret.md"), SECRET).expect("ours");
    for (link, to) in [("up", ".."), ("file", "../secret.md"), ("root", "/"), ("around", "../docs/guide.md")]
    {
        symlink(to, scratch.project.join("docs").join(link)).expect("ours");
    }
    let root = scratch.project.clone();
    (scratch, root)
}

fn with_docs(root: &PathBuf) -> Arc<Harness> {
    hostile(r#"{"files": ["docs"]}"#).project_root(root).into()
}

#[test]
fn a_granted_folder_can_be_read() {
    let (_scratch, root) = project();

    assert_eq!(hostile_text(&misbehave(with_docs(&root), "read docs/guide.md")), "- got the guide");
    assert!(hostile_text(&misbehave(with_docs(&root), "list docs")).contains("guide.md"));
}

#[test]
fn without_the_grant_no_file_is_visible() {
    let (_scratch, root) = project();
    let harness = Arc::new(hostile("{}").project_root(&root));

    for path in ["docs/guide.md", "/etc/passwd", "secret.md", "/proc/self/environ", ".", "/"] {
        let outcome = misbehave(harness.clone(), &format!("read {path}"));
        assert!(hostile_text(&outcome).starts_with("- failed, "), "{path}: {}", hostile_text(&outcome));
        assert!(outcome.log.is_empty());
    }
}

#[test]
fn no_path_leads_out_of_the_granted_folder() {
    let (_scratch, root) = project();
    let harness = with_docs(&root);
    let absolute = root.join("secret.md").display().to_string();

    for path in [
        "docs/../secret.md",
        "docs/../../secret.md",
        "docs/up/secret.md",
        "docs/file",
        "docs/root/etc/passwd",
        "secret.md",
        "../secret.md",
        "/etc/passwd",
        "/proc/self/environ",
        "docs/root/proc/self/environ",
        &absolute,
    ] {
        let outcome = misbehave(harness.clone(), &format!("read {path}"));
        assert!(hostile_text(&outcome).starts_with("- failed, "), "{path}: {}", hostile_text(&outcome));
    }
}

#[test]
fn a_granted_folder_cannot_be_written() {
    let (_scratch, root) = project();
    let harness = with_docs(&root);

    for misbehavior in
        ["write-to docs/guide.md", "write-to docs/new.md", "make docs/new", "remove docs/guide.md"]
    {
        let outcome = misbehave(harness.clone(), misbehavior);
        assert!(
            hostile_text(&outcome).starts_with("- failed, "),
            "{misbehavior}: {}",
            hostile_text(&outcome)
        );
    }
    assert_eq!(std::fs::read_to_string(root.join("docs/guide.md")).expect("untouched"), "the guide");
    assert_eq!(std::fs::read_dir(root.join("docs")).expect("there").count(), 5);
}

#[test]
fn a_pipe_in_a_granted_folder_does_not_block_the_hook() {
    let (scratch, root) = project();
    let pipe = root.join("docs/pipe");
    run(scratch.command("mkfifo").arg(&pipe), b"", HANG_TIMEOUT).success();

    let outcome = misbehave(with_docs(&root), "read docs/pipe");

    assert_stopped(&outcome, "stopped at its deadline of 400 ms");
}

#[test]
fn a_grant_for_a_folder_that_leads_out_is_ignored_and_logged_once() {
    let (scratch, root) = project();
    symlink(&scratch.root, root.join("out")).expect("ours");

    let harness = hostile(r#"{"files": ["out"]}"#).project_root(&root);

    for _ in 0..2 {
        let outcome = harness.send(&event::prompt("read out/secret.md")).expect("an event");
        assert!(hostile_text(&outcome).starts_with("- failed, "), "{}", hostile_text(&outcome));
        let message = "its grant files = [\"out\"] is ignored: it leads out of the project's root";
        assert_eq!(logged(&outcome), message);
    }
}

#[test]
fn a_grant_for_anything_but_a_folder_of_the_project_is_refused() {
    for name in ["..", "/etc", "docs/../..", ""] {
        let grants = format!(r#"{{"files": [{name:?}]}}"#);
        let layer = Harness::component("hostile", guests::wat("answer")).expect("it loads");

        let error = layer.grants(&grants).err().expect("refused");

        assert!(error.message.contains("is not a folder inside the project"), "{error}");
    }
}

#[test]
fn environment_arguments_and_home_are_empty() {
    let outcome = misbehave(hostile("{}").env_var("HOME", "/home/me").env_var("CI", "yes"), "look-around");

    assert_eq!(hostile_text(&outcome), r#"- variables [] arguments [] folder "/" home """#);
}

#[test]
fn only_granted_variables_are_visible() {
    let harness =
        hostile(r#"{"environment": ["CI", "NOT_SET"]}"#).env_var("HOME", "/home/me").env_var("CI", "yes");

    let outcome = misbehave(harness, "look-around");

    assert_eq!(hostile_text(&outcome), r#"- variables ["CI=yes"] arguments [] folder "/" home """#);
}

#[test]
fn there_is_no_network() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("possible");
    let port = listener.local_addr().expect("bound").port();
    let harness = Arc::new(hostile("{}"));
    for misbehavior in [&format!("connect 127.0.0.1 {port}"), "listen", "send", "look-up localhost"] {
        let outcome = misbehave(harness.clone(), misbehavior);
        assert!(
            hostile_text(&outcome).starts_with("- failed, "),
            "{misbehavior}: {}",
            hostile_text(&outcome)
        );
    }
    assert_eq!(listener.accept().expect_err("nobody came").kind(), std::io::ErrorKind::WouldBlock);
}
