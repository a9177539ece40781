//! `interleaf hook`: answers one event of Claude Code, read from standard input.
//!
//! A hook never harms the session: even after a failure, standard output is empty or one JSON object,
//! standard error is empty, and the process exits with 0 within the deadline. Failures are logged.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::background_commands;
use crate::claude::settings::{CALLER_VARIABLE, Caller, SettingsFiles, user_folder};
use crate::claude::{Event, EventKind};
use crate::error::Result;
use crate::log::{EventRecord, Level, Log, round_to_hundredths};
use crate::pipeline::{Pipeline, fallback_reply, max_deadline};
use crate::project_context::{ProjectContext, session_folder};
use crate::roster::{Member, Roster};
use crate::sandbox::Sandbox;
use crate::state::State;
use crate::watchdog::Watchdog;
use crate::worker;

/// Maximum number of payload bytes that are read. Claude Code sets no limit; the largest observed payload had
/// 600 kB.
const MAX_PAYLOAD_BYTES: u64 = 64 << 20;

/// Time after its start at which the process ends if its event is still unknown.
const UNKNOWN_EVENT_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Time after the last deadline of its layers at which the process ends.
const TIME_AFTER_DEADLINES: Duration = Duration::from_millis(250);

/// Time limit for the query for due jobs after the reply is printed.
const DUE_JOBS_TIMEOUT: Duration = Duration::from_millis(100);

/// Tells whether the arguments are the call of a hook.
///
/// Unknown arguments after `hook` are ignored, because an exit code of 2 would drop a prompt and stop a tool
/// from running.
pub fn is_hook_call(arguments: &[OsString]) -> bool {
    let requests_help = arguments.iter().any(|argument| argument == "--help" || argument == "-h");
    arguments.first().is_some_and(|verb| verb == "hook") && !requests_help
}

/// Answers the event on standard input and ends the process.
pub fn run() -> ! {
    let began = Instant::now();
    panic::set_hook(Box::new(|_| {}));
    let output = Arc::new(OneReply::default());
    let stuck_output = output.clone();
    let watchdog = Watchdog::start(began, UNKNOWN_EVENT_TIMEOUT, move || {
        stuck_output.print_and_exit(stuck_output.take_fallback().as_deref(), || {});
    });
    let answer = panic::catch_unwind(AssertUnwindSafe(|| answer(began, &output, &watchdog)));
    let after_panic = |_| Some(Answer { json: output.take_fallback(), ..Answer::default() });
    let Answer { json, log_entry, follow_up } = answer.unwrap_or_else(after_panic).unwrap_or_default();
    output.print_and_exit(json.as_deref(), || {
        // A panic here must not change the exit code.
        let _ = panic::catch_unwind(AssertUnwindSafe(|| write_log_entry(log_entry, began)));
        let _ = panic::catch_unwind(AssertUnwindSafe(|| follow_up.map(FollowUp::start)));
    })
}

/// Prints at most one reply: the hook's own, or the fallback that the watchdog prints if the hook is stuck.
#[derive(Default)]
struct OneReply {
    fallback: Mutex<Option<String>>,
    is_printed: AtomicBool,
}

impl OneReply {
    /// Sets the reply that is printed if there is no other.
    fn set_fallback(&self, json: Option<String>) {
        if let Ok(mut fallback) = self.fallback.lock() {
            *fallback = json;
        }
    }

    /// Returns the fallback at the first call, then `None`.
    fn take_fallback(&self) -> Option<String> {
        self.fallback.try_lock().ok()?.take()
    }

    /// Prints the reply, calls `after_printing` and ends the process.
    fn print_and_exit(&self, json: Option<&str>, after_printing: impl FnOnce()) -> ! {
        if !self.is_printed.swap(true, Ordering::SeqCst) {
            let mut out = std::io::stdout().lock();
            let _ = out.write_all(json.unwrap_or_default().as_bytes()).and_then(|()| out.flush());
            after_printing();
            std::process::exit(0);
        }
        // The other thread is about to end the process.
        thread::sleep(Duration::from_secs(1));
        std::process::exit(0)
    }
}

/// The hook's output, and its work after that.
#[derive(Default)]
struct Answer {
    json: Option<String>,
    log_entry: Option<(Log, EventRecord)>,
    follow_up: Option<FollowUp>,
}

/// Work for processes that outlive this one.
struct FollowUp {
    context: ProjectContext,
    folder: PathBuf,
    event: Event,
    state: State,
    needs_compilation: bool,
}

impl FollowUp {
    fn start(self) {
        if self.needs_compilation {
            background_commands::spawn("compile", &self.folder);
        }
        self.state.extend_deadline(DUE_JOBS_TIMEOUT);
        if worker::should_start(&self.context, &self.state, &self.event) {
            background_commands::spawn("work", &self.folder);
        }
    }
}

/// Writes the event's line into the log. Called after the reply is printed.
fn write_log_entry(entry: Option<(Log, EventRecord)>, began: Instant) {
    let Some((log, mut record)) = entry else { return };
    record.ms = round_to_hundredths(began.elapsed().as_secs_f64() * 1000.0);
    log.write_event_record(record);
}

fn answer(began: Instant, output: &OneReply, watchdog: &Watchdog) -> Option<Answer> {
    let mut payload = Vec::new();
    std::io::stdin().lock().take(MAX_PAYLOAD_BYTES).read_to_end(&mut payload).ok()?;
    let event = Event::parse(&payload);
    let cwd = event.as_ref().map(|event| PathBuf::from(&event.common.cwd)).unwrap_or_default();
    let folder = session_folder(cwd);
    let context = ProjectContext::find(&folder).ok()?;
    let is_duplicate = |event: &Event| is_answered_elsewhere(event, &folder, &context);
    if context.config.disabled || event.as_ref().is_ok_and(is_duplicate) {
        return None;
    }
    let name = event.as_ref().map(|event| event.name.clone()).unwrap_or_default();
    let log = context.log.for_event(&context.project.id, &name);
    let answer = event.and_then(|event| reply(context, event, folder, began, output, watchdog));
    answer.inspect_err(|error| log.write(Level::Error, None, error.to_string())).ok()
}

/// Tells whether another registered call answers the event, because it has precedence over this one.
fn is_answered_elsewhere(event: &Event, folder: &Path, context: &ProjectContext) -> bool {
    let caller = Caller::from_variable(std::env::var_os(CALLER_VARIABLE).as_deref());
    if caller == Caller::Machine {
        return false;
    }
    let client = std::env::var("CLAUDE_PID").ok();
    settings_files(folder, context).read_by_client(client.as_deref()).has_earlier_caller(caller, event)
}

/// Returns the settings files of a session that was started in `folder`.
pub(super) fn settings_files(folder: &Path, context: &ProjectContext) -> SettingsFiles {
    let user = user_folder(&|name| std::env::var_os(name));
    SettingsFiles::of(folder, context.project.main_root().as_deref(), user.as_deref())
}

/// Tells whether the next event could meet a layer that is not compiled.
///
/// At the start of a session, all layers are checked, because compiling a layer that answers only the end of
/// the session would otherwise begin too late.
fn needs_compilation(sandbox: &Sandbox, roster: &Roster, event: &Event) -> bool {
    let is_start = matches!(event.kind, EventKind::SessionStart { .. });
    let can_run = |member: &&Member| member.is_enabled() && member.unavailable.is_none();
    let mut members = roster.members().iter().filter(|_| is_start).filter(can_run);
    sandbox.has_uncompiled_layers() || members.any(|member| !sandbox.is_probably_compiled(&member.layer))
}

fn reply(
    context: ProjectContext,
    event: Event,
    folder: PathBuf,
    began: Instant,
    output: &OneReply,
    watchdog: &Watchdog,
) -> Result<Answer> {
    let roster = context.roster();
    let max_deadline = max_deadline(&roster, &event);
    watchdog.set_timeout(max_deadline + TIME_AFTER_DEADLINES);
    let fallback = fallback_reply(&roster, &event, "the hook could not run").to_json(&event.name);
    output.set_fallback(fallback.clone());
    let mut host = match context.host_context(&event.name, event.transcript(), began + max_deadline) {
        Ok(host) => host,
        Err(error) => {
            let log = context.log.for_event(&context.project.id, &event.name);
            log.for_session(&event.common.session_id).write(Level::Error, None, error.to_string());
            return Ok(Answer { json: fallback, ..Answer::default() });
        }
    };
    host.log = host.log.for_session(&event.common.session_id);
    if let Some(issue) = &event.parse_issue {
        let name = if event.name.is_empty() { "unnamed" } else { &event.name };
        host.log.write(Level::Warn, None, format!("unexpected {name} event: {issue}"));
    }
    let (log, state) = (host.log.clone(), host.state.clone());
    let pipeline = Pipeline { roster: &roster, config: &context.config, host, began };
    let mut used_sandbox = None;
    let (reply, record) = pipeline.answer_and_record(&event, || {
        let sandbox = Arc::new(Sandbox::new(Some(&context.folders.cache))?);
        used_sandbox = Some(sandbox.clone());
        Ok(sandbox)
    });
    let json = reply.to_json(&event.name);
    let needs_compilation = used_sandbox.is_some_and(|sandbox| needs_compilation(&sandbox, &roster, &event));
    let follow_up = Some(FollowUp { context, folder, event, state, needs_compilation });
    Ok(Answer { json, log_entry: record.map(|record| (log, record)), follow_up })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_hook(line: &str) -> bool {
        is_hook_call(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn a_hook_call_may_have_unknown_arguments() {
        assert!(is_hook("hook") && is_hook("hook --of-a-later-version 7"));
    }

    #[test]
    fn other_verbs_and_requests_for_help_are_not_hook_calls() {
        for line in ["", "hook --help", "doctor", "memory list hook", "hooks"] {
            assert!(!is_hook(line), "{line}");
        }
    }
}
