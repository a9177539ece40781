//! Fault injection: every system call of a hook fails, or stalls, once, and an accepted gate still answers as
//! pinned. strace injects the faults.
//!
//! By default one of eight faults is tried. All are tried, and counted, with
//! `FAULTS=all cargo test -p interleaf-tests --test gate_faults -- --nocapture`, in some five minutes.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use interleaf_tests::guests;
use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use interleaf_tests::skip::{not_skipped, skipped};
use serde_json::{Value, json};

const GATE: &str = "[layers.gate]\non_failure = \"deny\"\n[layers.gate.grants]\ndecide = [\"deny\"]\n";

/// One of this many faults is tried by default.
const STRIDE: usize = 8;

/// System calls that fail, each with the errors of a disk without space or permission, or of a broken one.
/// Those that only reserve memory are left out: without memory no process can answer.
const FAILING_CALLS: [(&str, &[&str]); 26] = [
    ("openat", &["EACCES", "ENOSPC"]),
    ("read", &["EIO"]),
    ("pread64", &["EIO"]),
    ("write", &["ENOSPC"]),
    ("pwrite64", &["ENOSPC"]),
    ("statx", &["EACCES"]),
    ("newfstatat", &["EACCES"]),
    ("fstat", &["EACCES"]),
    ("lstat", &["EACCES"]),
    ("readlink", &["EACCES"]),
    ("access", &["EACCES"]),
    ("getdents64", &["EACCES"]),
    ("lseek", &["EIO"]),
    ("mkdir", &["EACCES", "ENOSPC"]),
    ("mkdirat", &["EACCES", "ENOSPC"]),
    ("rename", &["EACCES", "ENOSPC"]),
    ("unlink", &["EACCES"]),
    ("fsync", &["ENOSPC"]),
    ("fdatasync", &["ENOSPC"]),
    ("ftruncate", &["ENOSPC"]),
    ("fchmod", &["EACCES"]),
    ("fchown", &["EACCES"]),
    ("fcntl", &["EACCES"]),
    ("flock", &["EACCES"]),
    ("getcwd", &["EACCES"]),
    ("clone3", &["EAGAIN"]),
];

/// Number of hooks that run side by side. Most of them wait for a stall to end.
const PARALLEL_HOOKS: usize = 6;

/// Microseconds for which a system call stalls: longer than any deadline of the hook.
const STALL_MICROS: u32 = 2_500_000;

/// A fault as strace injects it.
#[derive(Debug, Clone)]
struct Fault {
    call: String,
    what: String,
    /// Which call of a thread, counted from 1.
    when: usize,
}

impl Fault {
    fn option(&self) -> String {
        format!("inject={}:{}:when={}", self.call, self.what, self.when)
    }
}

/// A session with a gate that refuses every command, with the default deadlines.
fn with_gate() -> Scratch {
    let scratch = Scratch::new();
    scratch.add_layer("gate", &guests::hostile(), GATE);
    let _ = scratch.accept("gate", &[]).success();
    fs::write(scratch.interleaf_home.join("config/config.toml"), "").expect("ours");
    scratch
}

fn event(scratch: &Scratch) -> String {
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"});
    scratch.event("PreToolUse", fields)
}

/// Runs the hook under strace with these options.
fn traced(scratch: &Scratch, options: &[&str]) -> ProcessOutput {
    let mut strace: Command = scratch.command("strace");
    strace.args(["-f", "-qq"]).args(options).arg(program()).arg("hook").env("CLAUDECODE", "1");
    run(&mut strace, event(scratch).as_bytes(), HANG_TIMEOUT)
}

fn is_refused(output: &ProcessOutput) -> bool {
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    output.code == Some(0) && reply["hookSpecificOutput"]["permissionDecision"] == "deny"
}

/// Counts the system calls of the hook by name: the largest number of any thread, and how many of them the
/// first thread makes before it starts the watchdog. Until then the program is being loaded.
fn count_calls(scratch: &Scratch) -> BTreeMap<String, (usize, usize)> {
    let file = scratch.root.join("trace");
    assert!(is_refused(&traced(scratch, &["-o", file.to_str().expect("UTF-8")])), "without a fault");
    let trace = fs::read_to_string(file).expect("strace wrote it");
    let mut threads: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut calls: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut is_loaded = false;
    for (thread, rest) in trace.lines().filter_map(|line| line.split_once(' ')) {
        let Some((name, _)) = rest.trim_start().split_once('(') else { continue };
        is_loaded |= name.starts_with("clone");
        let count = threads.entry((thread, name)).or_default();
        *count += 1;
        let (most, loading) = calls.entry(name.to_owned()).or_default();
        *most = (*most).max(*count);
        *loading += usize::from(!is_loaded);
    }
    calls
}

fn all_faults(calls: &BTreeMap<String, (usize, usize)>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (call, (most, loading)) in calls {
        let errors =
            FAILING_CALLS.iter().find(|(name, _)| name == call).map_or(&[][..], |(_, errors)| errors);
        let errors = errors.iter().map(|error| format!("error={error}"));
        let stall =
            (!errors.clone().collect::<Vec<_>>().is_empty()).then(|| format!("delay_enter={STALL_MICROS}"));
        for what in errors.chain(stall) {
            let fault = |when| Fault { call: call.clone(), what: what.clone(), when };
            faults.extend((loading + 1..=*most).map(fault));
        }
    }
    faults
}

/// Tries the faults side by side and returns those after which the gate did not answer.
fn failures(faults: &[Fault], prepare: impl Fn(&Scratch) + Sync) -> Vec<String> {
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..PARALLEL_HOOKS {
            scope.spawn(|| {
                let scratch = with_gate();
                while let Some(fault) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
                    prepare(&scratch);
                    let output = traced(&scratch, &["-o", "/dev/null", "-e", &fault.option()]);
                    if !is_refused(&output) {
                        let line = format!("{}: {:?} {}", fault.option(), output.code, output.out());
                        failed.lock().expect("no panic").push(line);
                    }
                }
            });
        }
    });
    failed.into_inner().expect("no panic")
}

fn chosen(faults: Vec<Fault>) -> Vec<Fault> {
    let stride = if std::env::var("FAULTS").is_ok_and(|which| which == "all") { 1 } else { STRIDE };
    faults.into_iter().step_by(stride).collect()
}

/// Tells whether strace can trace here; some containers forbid it.
fn can_trace(scratch: &Scratch) -> bool {
    Command::new("strace")
        .args(["-qq", "-o", "/dev/null", "true"])
        .status()
        .is_ok_and(|status| status.success())
        && is_refused(&traced(scratch, &["-o", "/dev/null"]))
}

#[allow(clippy::print_stderr, reason = "the number of faults is for --nocapture")]
fn assert_all_refused(prepare: impl Fn(&Scratch) + Sync) {
    let scratch = with_gate();
    if !can_trace(&scratch) {
        return skipped("strace is missing or may not trace");
    }
    not_skipped();
    prepare(&scratch);
    let faults = chosen(all_faults(&count_calls(&scratch)));
    assert!(!faults.is_empty(), "strace saw no system call");

    let failed = failures(&faults, prepare);

    eprintln!("{} faults, {} without the pinned answer", faults.len(), failed.len());
    assert!(failed.is_empty(), "{} of {} faults:\n{}", failed.len(), faults.len(), failed.join("\n"));
}

#[test]
fn a_gate_answers_whatever_system_call_fails_or_stalls() {
    assert_all_refused(|_| {});
}

#[test]
fn a_gate_that_is_not_compiled_answers_whatever_system_call_fails_or_stalls() {
    assert_all_refused(|scratch| {
        let _ = fs::remove_dir_all(scratch.interleaf_home.join("cache"));
    });
}

#[test]
fn a_gate_whose_file_is_gone_answers_whatever_system_call_fails_or_stalls() {
    assert_all_refused(|scratch| {
        let _ = fs::remove_file(scratch.project.join(".claude/layers/gate.wasm"));
    });
}
