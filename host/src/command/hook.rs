//! `interleaf hook`: answers one event of Claude Code, read from standard input.
//!
//! A hook never harms the session: even after a failure, standard output is empty or one JSON object,
//! standard error is empty, and the process exits with 0 within the deadline. Failures are logged.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, IsTerminal, Read};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::background_commands;
use crate::claude::settings::{CALLER_VARIABLE, Caller};
use crate::claude::{Event, EventKind};
use crate::error::{Error, Result};
use crate::layer::Layer;
use crate::log::{EventRecord, Level, Log, round_to_hundredths};
use crate::pipeline::{Pipeline, event_name, fallback_reply, max_deadline as max_deadline_of};
use crate::project_context::{ProjectContext, session_folder};
use crate::roster::{GateRegistry, Member, Roster};
use crate::sandbox::Sandbox;
use crate::state::State;
use crate::watchdog::Watchdog;
use crate::worker;
use current_gates::CurrentGates;
use one_reply::OneReply;

mod current_gates;
mod event_claim;
mod one_reply;
mod own_files;
mod project_notice;
mod record_notice;

/// The setting in which the guard finds the folder in which memories are exchanged as files.
const MEMORY_FOLDER_SETTING: &str = "memory_folder";

/// Maximum number of payload bytes that are read. Claude Code sets no limit; the largest observed payload had
/// 600 kB.
const MAX_PAYLOAD_BYTES: u64 = 64 << 20;

/// Number of errors after which standard input is given up.
const MAX_READ_ERRORS: usize = 3;

/// Time after its start at which the process ends if its payload is not read: most of the time that Claude
/// Code gives a hook, because without the payload nothing can be answered.
const UNREAD_PAYLOAD_TIMEOUT: Duration = Duration::from_secs(8);

/// Time for finding the project, after the payload is read.
const UNKNOWN_PROJECT_TIMEOUT: Duration = Duration::from_millis(1_500);

/// How long a bare call waits for an event.
const BARE_CALL_TIMEOUT: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };

/// The reason that a reply gives for a hook that is stuck.
const NOT_IN_TIME: &str = "the hook could not run";

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

/// Tells whether standard input holds an event. Claude Code up to 2.1.59 or so does not know the arguments of
/// a hook and calls the bare program; the exit code of its help would block every prompt and tool.
pub fn is_event_on_stdin() -> bool {
    let mut input = std::io::stdin().lock();
    if input.is_terminal() {
        return false;
    }
    // Nobody may ever write into an inherited pipe.
    let is_readable = {
        let mut polled = [PollFd::new(&input, PollFlags::IN)];
        poll(&mut polled, Some(&BARE_CALL_TIMEOUT)).is_ok_and(|ready| ready > 0)
    };
    is_readable && input.fill_buf().is_ok_and(|text| text.trim_ascii_start().starts_with(b"{"))
}

/// Answers the event on standard input and ends the process.
pub fn run() -> ! {
    let began = Instant::now();
    panic::set_hook(Box::new(|_| {}));
    let output = Arc::new(OneReply::default());
    let stuck_output = output.clone();
    let watchdog = Watchdog::start(began, UNREAD_PAYLOAD_TIMEOUT, move || {
        let fallback = stuck_output
            .take_fallback_or_else(|event, folders| guards_fallback(&GateRegistry::read(), event, folders));
        stuck_output.print_and_exit(fallback.as_deref(), || {});
    });
    let answer = panic::catch_unwind(AssertUnwindSafe(|| answer(began, &output, &watchdog)));
    let after_panic = |_| Answer { json: output.take_fallback(), ..Answer::default() };
    let Answer { json, log_entry, follow_up } = answer.unwrap_or_else(after_panic);
    output.print_and_exit(json.as_deref(), || {
        // A panic here must not change the exit code.
        let _ = panic::catch_unwind(AssertUnwindSafe(|| write_log_entry(log_entry, began)));
        let _ = panic::catch_unwind(AssertUnwindSafe(|| follow_up.map(FollowUp::start)));
    })
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
    duty: Duty,
}

impl FollowUp {
    fn start(self) {
        if self.needs_compilation {
            background_commands::spawn_compilation(&self.context, &self.folder);
        }
        if self.duty == Duty::Guards {
            return;
        }
        if matches!(self.event.kind, EventKind::SessionStart { .. }) {
            // Without the record, the next session tries again.
            let _ = self.context.record_project();
        }
        self.state.extend_deadline(DUE_JOBS_TIMEOUT);
        let transcripts = worker::unscanned_folder(&self.context, &self.state, &self.event);
        if transcripts.is_some() || worker::should_start(&self.context, &self.state, &self.event) {
            let transcripts =
                transcripts.iter().flat_map(|folder| [OsStr::new("--transcripts"), folder.as_ref()]);
            background_commands::spawn([OsStr::new("work")].into_iter().chain(transcripts), &self.folder);
        }
    }
}

/// Writes the event's line into the log. Called after the reply is printed.
fn write_log_entry(entry: Option<(Log, EventRecord)>, began: Instant) {
    let Some((log, mut record)) = entry else { return };
    record.ms = round_to_hundredths(began.elapsed().as_secs_f64() * 1000.0);
    log.write_event_record(record);
}

/// Reads the payload and what must be answered in any case, and only then looks at the project.
fn answer(began: Instant, output: &OneReply, watchdog: &Watchdog) -> Answer {
    let payload = read_payload();
    let event = Event::parse(&payload)
        .or_else(|error| Event::unreadable_tool_call(&payload, &error.to_string()).ok_or(error));
    let cwd = event.as_ref().map(|event| PathBuf::from(&event.common.cwd)).unwrap_or_default();
    let folders = session_folders(cwd);
    watchdog.set_timeout_from_now(UNKNOWN_PROJECT_TIMEOUT);
    let tool_call = event.as_ref().ok().filter(|event| event.tool_call().is_some());
    if let Some(call) = tool_call {
        output.set_call(call, &folders);
    }
    let registry = GateRegistry::read();
    if let Some(call) = tool_call {
        output.set_fallback(guards_fallback(&registry, call, &folders));
    }
    let fallback = |_: Error| Answer { json: output.take_fallback(), ..Answer::default() };
    let context = match ProjectContext::find(&folders[0]) {
        Ok(context) => context,
        Err(error) => return fallback(error),
    };
    let name = event.as_ref().map(|event| event.name.clone()).unwrap_or_default();
    let log = context.log.for_event(&context.project.id, &name);
    let answer = event.and_then(|event| {
        let hook = Hook { context, event, payload, folders, began };
        hook.answer(&registry, output, watchdog)
    });
    answer.inspect_err(|error| log.write(Level::Error, None, error.to_string())).unwrap_or_else(fallback)
}

/// Returns the folder that Claude Code names as the session's, and the current folder, if that is another. A
/// project could set the variable that names the first, and a command could change the second.
fn session_folders(cwd: PathBuf) -> Vec<PathBuf> {
    let current = Some(cwd.clone()).filter(|cwd| cwd.is_absolute());
    let named = session_folder(cwd);
    let current = current.filter(|current| *current != named);
    std::iter::once(named).chain(current).collect()
}

/// Returns the guards' reply to a tool call of whose project nothing is known but its folders.
fn guards_fallback(registry: &GateRegistry, event: &Event, folders: &[PathBuf]) -> Option<String> {
    let mut gates: Vec<Layer> = Vec::new();
    for gate in folders.iter().flat_map(|folder| registry.gates_in(folder)) {
        let is_known = |known: &Layer| (&known.name, known.on_failure) == (&gate.name, gate.on_failure);
        if !gates.iter().any(is_known) {
            gates.push(gate);
        }
    }
    let guards = gates.into_iter().chain(Layer::embedded());
    let guards: Vec<Layer> = guards.filter(Layer::is_guard).collect();
    fallback_reply(&guards, event, NOT_IN_TIME).to_json(&event.name)
}

/// Reads standard input. After an error, what was read so far is tried.
fn read_payload() -> Vec<u8> {
    let mut payload = Vec::new();
    let mut input = std::io::stdin().lock().take(MAX_PAYLOAD_BYTES);
    for _ in 0..MAX_READ_ERRORS {
        if input.read_to_end(&mut payload).is_ok() {
            break;
        }
    }
    payload
}

/// What a hook process has to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Duty {
    /// All layers.
    All,
    /// Only the layers that guard tool calls, and only their refusals and questions: Interleaf is switched
    /// off in the environment, which a project can set, or another registration answers the event, which
    /// could be one that the project brings along. Two refusals do no harm.
    Guards,
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

/// An event with everything that is known of it before a layer runs.
struct Hook {
    context: ProjectContext,
    event: Event,
    /// The event as it was read.
    payload: Vec<u8>,
    /// The folder that Claude Code names, and the current one if that is another.
    folders: Vec<PathBuf>,
    began: Instant,
}

impl Hook {
    fn answer(self, registry: &GateRegistry, output: &OneReply, watchdog: &Watchdog) -> Result<Answer> {
        let is_tool_call = self.event.tool_call().is_some();
        if self.context.config.disabled && !is_tool_call {
            self.note_switched_off();
            return Ok(Answer::default());
        }
        let files = self.context.file_layers_for_hook(registry);
        let has_unchecked_files = files.has_unchecked_files();
        let own_files = is_tool_call.then(|| own_files::describe(&self.context, &files, &self.event));
        let mut roster = Roster::with_files(Layer::embedded(), files, &self.context.config);
        if let Some(own_files) = own_files {
            roster.set_for_guard(own_files::SETTING, &own_files);
        }
        if is_tool_call && let Some(folder) = self.context.memory_folder() {
            roster.set_default_for_guard(MEMORY_FOLDER_SETTING, &folder.into());
        }
        if !has_unchecked_files && self.needs_nothing(&roster) {
            return Ok(Answer::default());
        }
        let duty = self.duty(&roster);
        if duty == Duty::Guards && !is_tool_call {
            return Ok(Answer::default());
        }
        if duty == Duty::Guards {
            roster.retain(Layer::is_guard);
        }
        let current = self.folders.get(1).filter(|_| is_tool_call);
        let gates = current.and_then(|folder| CurrentGates::find(folder, &self.context, registry));
        let max_deadline = gates.iter().map(|gates| &gates.roster).chain([&roster]);
        let max_deadline = max_deadline.map(|roster| max_deadline_of(roster, &self.event)).max();
        let max_deadline = max_deadline.unwrap_or_default();
        watchdog.set_timeout(max_deadline + TIME_AFTER_DEADLINES);
        let guards = gates.iter().flat_map(|gates| gates.roster.guards()).chain(roster.guards());
        let fallback = fallback_reply(guards, &self.event, NOT_IN_TIME);
        let fallback = fallback.to_json(&self.event.name);
        output.set_fallback(fallback.clone());
        let log = self.log();
        let mut answer = self.run(duty, &roster, gates.as_ref(), max_deadline).unwrap_or_else(|error| {
            log.write(Level::Error, None, error.to_string());
            Answer { json: fallback, ..Answer::default() }
        });
        if let Some(follow_up) = &mut answer.follow_up {
            follow_up.needs_compilation |= has_unchecked_files;
        }
        Ok(answer)
    }

    /// Notes at the start, each prompt and the end of a session that Interleaf is switched off in it.
    /// Whatever hooks or commands read its transcript later, perhaps after it was resumed with Interleaf on,
    /// leave it alone. Without the note, the session's next event tries again.
    fn note_switched_off(&self) {
        let marks = matches!(
            self.event.kind,
            EventKind::SessionStart { .. } | EventKind::UserPrompt { .. } | EventKind::SessionEnd { .. }
        );
        if marks {
            let _ = self.context.switched_off().add(&self.event.common.session_id);
        }
    }

    /// Tells whether neither a layer nor the host does anything at this event.
    fn needs_nothing(&self, roster: &Roster) -> bool {
        self.event.kind == EventKind::Other
            && self.event.parse_issue.is_none()
            && roster.notice.is_none()
            && roster.answering(event_name(&self.event)).is_empty()
    }

    /// Finds out what this process has to answer. An event that no layer of the roster answers needs no
    /// claim.
    fn duty(&self, roster: &Roster) -> Duty {
        let Self { context, event, payload, .. } = self;
        let claims = || {
            let caller = Caller::from_variable(std::env::var_os(CALLER_VARIABLE).as_deref());
            event_claim::claim(&context.folders.state, payload, caller, context.clock.now())
        };
        let is_free = || roster.answering(event_name(event)).is_empty() || claims();
        if !context.config.disabled && is_free() { Duty::All } else { Duty::Guards }
    }

    /// Runs the layers, and beside them the gates of the current folder.
    fn run(
        self,
        duty: Duty,
        roster: &Roster,
        gates: Option<&CurrentGates>,
        max_deadline: Duration,
    ) -> Result<Answer> {
        let verdict = |event: &Event, began| gates.map(|gates| gates.answer(event, began, max_deadline));
        let log = self.log();
        let Self { context, event, folders, began, .. } = self;
        let session = &event.common.session_id;
        let host = context.host_context(&event.name, session, event.transcript(), began + max_deadline)?;
        if let Some(issue) = &event.parse_issue {
            let name = if event.name.is_empty() { "unnamed" } else { &event.name };
            log.write(Level::Warn, None, format!("unexpected {name} event: {issue}"));
        }
        let (log, state) = (host.log.clone(), host.state.clone());
        let guards_only = duty == Duty::Guards;
        let pipeline = Pipeline { roster, config: &context.config, host, began, guards_only };
        let mut used_sandbox = None;
        let ((reply, record), verdict) = thread::scope(|scope| {
            let verdict = gates.is_some().then(|| scope.spawn(|| verdict(&event, began)));
            let answer = pipeline.answer_and_record(&event, || {
                let sandbox = Arc::new(Sandbox::new(Some(&context.folders.cache))?);
                used_sandbox = Some(sandbox.clone());
                Ok(sandbox)
            });
            (answer, verdict.and_then(|verdict| verdict.join().ok().flatten()))
        });
        let mut reply = reply.with_verdict_of(verdict.unwrap_or_default());
        if duty == Duty::All {
            project_notice::add(&mut reply, &event, &context);
            record_notice::add(&mut reply, &event, &context);
        }
        let json = reply.to_json(&event.name);
        let log_entry = record.map(|record| (log, record));
        let needs_compilation =
            used_sandbox.is_some_and(|sandbox| needs_compilation(&sandbox, roster, &event));
        let folder = folders.into_iter().next().unwrap_or_default();
        let follow_up = FollowUp { context, folder, event, state, needs_compilation, duty };
        Ok(Answer { json, log_entry, follow_up: Some(follow_up) })
    }

    fn log(&self) -> Log {
        let log = self.context.log.for_event(&self.context.project.id, &self.event.name);
        log.for_session(&self.event.common.session_id)
    }
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
