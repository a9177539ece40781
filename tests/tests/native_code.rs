//! Native code runs only if it is part of the program or if this program compiled it for this account: the
//! code of the embedded layers needs no cache, and code that somebody brought along counts as missing.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use interleaf_tests::guests;
use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{ACCOUNT_HOME_VARIABLE, HANG_TIMEOUT, Scratch};
use interleaf_tests::skip::{not_skipped, skipped};
use interleaf_tests::unprivileged::{NOBODY, copied_program, is_root, unprivileged};
use serde_json::{Value, json};

const MEMORY: &str = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
const QUESTION: &str = "which package manager do we use here, npm or pnpm?";
const GATE: &str =
    "[layers.gate]\non_failure = \"deny\"\n[layers.gate.grants]\ndecide = [\"ask\", \"deny\"]\n";

fn with_accepted_gate() -> Scratch {
    let scratch = Scratch::new();
    scratch.add_layer("gate", &guests::hostile(), GATE);
    let _ = scratch.accept("gate", &[]).success();
    scratch
}

/// Runs the program as another account of this machine, whose home is `home`.
fn as_account(scratch: &Scratch, home: &Path, arguments: &[&str], stdin: &str) -> ProcessOutput {
    let mut command = scratch.command(program());
    command.args(arguments).env(ACCOUNT_HOME_VARIABLE, home).env("CLAUDECODE", "1");
    run(&mut command, stdin.as_bytes(), HANG_TIMEOUT)
}

fn is_compiled(ran: &ProcessOutput, layer: &str) -> bool {
    let report: Value = serde_json::from_str(&ran.out()).expect("doctor prints JSON");
    report["layers_compiled"][layer].as_bool().expect("the layer is listed")
}

fn command_event(scratch: &Scratch) -> String {
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1"});
    scratch.event("PreToolUse", fields)
}

fn compiled_files(scratch: &Scratch, extension: &str) -> Vec<PathBuf> {
    let engines = fs::read_dir(scratch.interleaf_home.join("cache/compiled")).into_iter().flatten().flatten();
    let files = engines.flat_map(|engine| fs::read_dir(engine.path()).expect("a folder").flatten());
    files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|is| is == extension)).collect()
}

#[test]
fn embedded_layers_answer_the_first_event_and_compile_nothing() {
    let scratch = Scratch::new();
    scratch.interleaf(&["remember", MEMORY]).success();
    fs::write(scratch.interleaf_home.join("cache"), "a file where the cache would be").expect("ours");

    let answer = scratch.prompt("one", QUESTION);

    assert!(answer.contains("pnpm"), "{answer}");
    let doctor = scratch.interleaf(&["doctor", "--json"]);
    for layer in ["warmstart", "recall", "pretool", "posttool", "save"] {
        assert!(is_compiled(&doctor, layer), "{layer}: {}", doctor.out());
    }
}

#[test]
fn a_second_hook_process_compiles_nothing() {
    let scratch = with_accepted_gate();
    let compiled = file_states(&scratch);

    assert_eq!(scratch.before_command("one", "ls")["hookSpecificOutput"]["permissionDecision"], "deny");

    assert_eq!(file_states(&scratch), compiled, "no file was rewritten");
    assert!(!compiled.is_empty());
}

/// Returns path, inode and modification time of each compiled layer and its seal.
fn file_states(scratch: &Scratch) -> Vec<(PathBuf, u64, i64)> {
    let files = [compiled_files(scratch, "cwasm"), compiled_files(scratch, "seal")].concat();
    let states = files.into_iter().map(|file| {
        let meta = fs::metadata(&file).expect("its metadata");
        (file, meta.ino(), meta.mtime_nsec())
    });
    states.collect()
}

#[test]
fn code_that_another_account_compiled_is_not_run_although_the_folders_are_the_same() {
    let scratch = with_accepted_gate();
    assert!(is_compiled(&scratch.interleaf(&["doctor", "--json"]), "gate"), "else this would prove nothing");
    let stranger = scratch.root.join("stranger");
    fs::create_dir(&stranger).expect("ours");

    assert!(!is_compiled(&as_account(&scratch, &stranger, &["doctor", "--json"], ""), "gate"));
    let answer = as_account(&scratch, &stranger, &["hook"], &command_event(&scratch)).success();

    assert!(answer.contains("it is being compiled"), "{answer}");
}

#[test]
fn code_that_was_altered_or_lost_its_seal_is_not_run() {
    for alter in [
        (|file: &Path| {
            let mut code = fs::read(file).expect("there");
            let middle = code.len() / 2;
            code[middle] ^= 1;
            fs::write(file, code).expect("ours");
        }) as fn(&Path),
        |file| fs::remove_file(file.with_extension("seal")).expect("ours"),
        |file| fs::write(file.with_extension("seal"), [7; 64]).expect("ours"),
    ] {
        let scratch = with_accepted_gate();
        compiled_files(&scratch, "cwasm").iter().for_each(|file| alter(file));

        assert!(!is_compiled(&scratch.interleaf(&["doctor", "--json"]), "gate"));
        let answer = scratch.before_command("one", "ls").to_string();

        assert!(answer.contains("it is being compiled"), "{answer}");
    }
}

#[test]
fn the_secret_is_in_the_home_of_the_account_and_no_variable_moves_it() {
    let scratch = with_accepted_gate();

    let secret = scratch.home.join(".local/share/interleaf/compiled.key");

    let meta = fs::metadata(&secret).expect("it was made at first use");
    assert_eq!((meta.len(), meta.permissions().mode() & 0o777), (32, 0o600));
    let planted = scratch.root.join("planted");
    fs::create_dir(&planted).expect("ours");
    for variable in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
        let mut doctor = scratch.command(program());
        doctor.args(["doctor", "--json"]).env(variable, &planted);
        assert!(is_compiled(&run(&mut doctor, b"", HANG_TIMEOUT), "gate"), "{variable}");
    }
}

#[test]
fn the_lock_of_compilation_belongs_to_this_user_only() {
    let scratch = Scratch::new();
    scratch.interleaf(&["compile"]).success();

    let cache = scratch.interleaf_home.join("cache");
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;

    assert_eq!((mode(&cache), mode(&cache.join("compiling.lock"))), (0o700, 0o600));
}

#[test]
fn a_team_layer_runs_where_the_home_of_the_account_cannot_be_written_and_doctor_says_so() {
    if !is_root() {
        skipped(
            "only root can make a home that its user cannot write; run the tests as root, in a container say",
        );
        return;
    }
    not_skipped();
    let scratch = Scratch::new();
    let program = copied_program(&scratch);
    scratch.add_layer("gate", &guests::hostile(), GATE);
    let closed = scratch.root.join("closed");
    fs::create_dir(&closed).expect("ours");
    let own = scratch.root.join("nobodys");
    fs::create_dir_all(own.join("config")).expect("ours");
    fs::copy(scratch.interleaf_home.join("config/config.toml"), own.join("config/config.toml"))
        .expect("ours");
    change_owner(&own);
    let prepare = |arguments: &[&str]| -> Command {
        let mut command = unprivileged(&scratch, &program, arguments);
        command.env("INTERLEAF_HOME", &own).env(ACCOUNT_HOME_VARIABLE, &closed);
        command
    };
    let digest = scratch.digest("gate");
    run(&mut prepare(&["layer", "accept", "gate", "--digest", &digest]), b"", HANG_TIMEOUT).success();

    let doctor = run(&mut prepare(&["doctor"]), b"", HANG_TIMEOUT).out();
    let mut hook = prepare(&["hook"]);
    let answer = run(hook.env("CLAUDECODE", "1"), command_event(&scratch).as_bytes(), HANG_TIMEOUT).success();

    assert!(doctor.contains("accepted layers are compiled for each event, if at all"), "{doctor}");
    assert!(answer.contains("gate: no"), "{answer}");
}

/// Gives a folder and everything in it to the user `nobody`.
fn change_owner(path: &Path) {
    std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).expect("root may");
    let entries = fs::read_dir(path).into_iter().flatten().filter_map(Result::ok);
    entries.for_each(|entry| change_owner(&entry.path()));
}
