//! Reaching out of the sandbox: files, the environment, the network.

use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use interleaf_tests::run::run;
use interleaf_tests::scratch::Scratch;

use super::*;

const SECRET: &str = "the words outside";

/// A project with a folder `docs`, whose links lead out of it, and a secret beside the project and inside it.
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

    assert_eq!(said(&commit(with_docs(&root), "read docs/guide.md")), "- got the guide");
    assert!(said(&commit(with_docs(&root), "list docs")).contains("guide.md"));
}

#[test]
fn without_the_grant_there_are_no_files_at_all() {
    let (_scratch, root) = project();
    let harness = Arc::new(hostile("{}").project_root(&root));

    for path in ["docs/guide.md", "/etc/passwd", "secret.md", "/proc/self/environ", ".", "/"] {
        let outcome = commit(harness.clone(), &format!("read {path}"));
        assert!(said(&outcome).starts_with("- failed, "), "{path}: {}", said(&outcome));
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
        let outcome = commit(harness.clone(), &format!("read {path}"));
        assert!(said(&outcome).starts_with("- failed, "), "{path}: {}", said(&outcome));
    }
}

#[test]
fn a_granted_folder_cannot_be_written() {
    let (_scratch, root) = project();
    let harness = with_docs(&root);

    for misdeed in ["write-to docs/guide.md", "write-to docs/new.md", "make docs/new", "remove docs/guide.md"]
    {
        let outcome = commit(harness.clone(), misdeed);
        assert!(said(&outcome).starts_with("- failed, "), "{misdeed}: {}", said(&outcome));
    }
    assert_eq!(std::fs::read_to_string(root.join("docs/guide.md")).expect("untouched"), "the guide");
    assert_eq!(std::fs::read_dir(root.join("docs")).expect("there").count(), 5);
}

#[test]
fn a_pipe_in_a_granted_folder_holds_nobody_up() {
    let (scratch, root) = project();
    let pipe = root.join("docs/pipe");
    run(scratch.command("mkfifo").arg(&pipe), b"", HANG).success();

    let outcome = commit(with_docs(&root), "read docs/pipe");

    assert_stopped(&outcome, "stopped at its deadline of 400 ms");
}

#[test]
fn a_grant_of_a_folder_that_leads_out_is_refused_and_told_once() {
    let (scratch, root) = project();
    symlink(&scratch.root, root.join("out")).expect("ours");

    let harness = hostile(r#"{"files": ["out"]}"#).project_root(&root);

    for _ in 0..2 {
        let outcome = harness.send(&event::prompt("read out/secret.md")).expect("an event");
        assert!(said(&outcome).starts_with("- failed, "), "{}", said(&outcome));
        let told = "its grant files = [\"out\"] is ignored: it leads out of the project's root";
        assert_eq!(recorded(&outcome), told);
    }
}

#[test]
fn a_grant_that_names_no_folder_of_the_project_is_no_grant() {
    for name in ["..", "/etc", "docs/../..", ""] {
        let grants = format!(r#"{{"files": [{name:?}]}}"#);
        let layer = Harness::component("hostile", guests::wat("answer")).expect("it loads");

        let error = layer.grants(&grants).err().expect("refused");

        assert!(error.message.contains("is no folder within the project"), "{error}");
    }
}

#[test]
fn environment_arguments_and_home_are_empty() {
    let outcome = commit(hostile("{}").env_var("HOME", "/home/me").env_var("CI", "yes"), "look-around");

    assert_eq!(said(&outcome), r#"- variables [] arguments [] folder "/" home """#);
}

#[test]
fn only_granted_variables_are_seen() {
    let harness =
        hostile(r#"{"environment": ["CI", "NOT_SET"]}"#).env_var("HOME", "/home/me").env_var("CI", "yes");

    let outcome = commit(harness, "look-around");

    assert_eq!(said(&outcome), r#"- variables ["CI=yes"] arguments [] folder "/" home """#);
}

#[test]
fn there_is_no_network() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("possible");
    let port = listener.local_addr().expect("bound").port();
    let harness = Arc::new(hostile("{}"));
    for misdeed in [&format!("connect 127.0.0.1 {port}"), "listen", "send", "look-up localhost"] {
        let outcome = commit(harness.clone(), misdeed);
        assert!(said(&outcome).starts_with("- failed, "), "{misdeed}: {}", said(&outcome));
    }
    assert_eq!(listener.accept().expect_err("nobody came").kind(), std::io::ErrorKind::WouldBlock);
}
