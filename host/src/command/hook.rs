//! `interleaf hook`: answers one event of Claude Code, read from standard input.
//!
//! A hook never harms the session: whatever goes wrong, standard output is empty or one JSON object, standard error
//! is empty, and the exit code is 0, within the deadline. What went wrong is in the log.

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
use crate::project_context::ProjectContext;
use crate::roster::{Member, Roster};
use crate::sandbox::Sandbox;
use crate::state::State;
use crate::watchdog::Watchdog;
use crate::worker;

/// A payload larger than this is not read to its end, in bytes. The client sets no limit of its own; the largest
/// seen was 600 kB.
const LARGEST: u64 = 64 << 20;

/// The process ends this long after it began while its event is unknown.
const UNKNOWN_EVENT_TIMEOUT: Duration = Duration::from_millis(1_500);

/// The process ends this long after the last deadline of its layers.
const TIME_AFTER_DEADLINES: Duration = Duration::from_millis(250);

/// What asking for jobs that are due may take.
const ASKING: Duration = Duration::from_millis(100);

/// Whether the words of the command line are the call of a hook. Words behind it that are not known are no error: one
/// that ends with 2 would drop a prompt and keep a tool from running.
pub fn is_called(words: &[OsString]) -> bool {
    let asks_for_help = words.iter().any(|word| word == "--help" || word == "-h");
    words.first().is_some_and(|word| word == "hook") && !asks_for_help
}

/// Answers the event on standard input and ends the process.
pub fn run() -> ! {
    let began = Instant::now();
    panic::set_hook(Box::new(|_| {}));
    let reply = Arc::new(OneReply::default());
    let stuck = reply.clone();
    let watchdog = Watchdog::start(began, UNKNOWN_EVENT_TIMEOUT, move || {
        stuck.print_and_exit(stuck.take_fallback().as_deref(), || {});
    });
    let answer = panic::catch_unwind(AssertUnwindSafe(|| answer(began, &reply, &watchdog)));
    let failed = |_| Some(Answer { json: reply.take_fallback(), ..Answer::default() });
    let Answer { json, account, left } = answer.unwrap_or_else(failed).unwrap_or_default();
    reply.print_and_exit(json.as_deref(), || {
        // A panic in here must not be the last thing that this process does.
        let _ = panic::catch_unwind(AssertUnwindSafe(|| tell(account, began)));
        let _ = panic::catch_unwind(AssertUnwindSafe(|| left.map(Left::hand_over)));
    })
}

/// Standard output carries one reply: the hook's own, or the fallback that the watchdog prints where the hook is stuck.
#[derive(Default)]
struct OneReply {
    fallback: Mutex<Option<String>>,
    is_printed: AtomicBool,
}

impl OneReply {
    /// Sets what is printed if nothing else can be.
    fn set_fallback(&self, json: Option<String>) {
        if let Ok(mut fallback) = self.fallback.lock() {
            *fallback = json;
        }
    }

    /// Returns the fallback, once.
    fn take_fallback(&self) -> Option<String> {
        self.fallback.try_lock().ok()?.take()
    }

    /// Prints the reply, does what was left for afterwards, and ends the process.
    fn print_and_exit(&self, json: Option<&str>, afterwards: impl FnOnce()) -> ! {
        if !self.is_printed.swap(true, Ordering::SeqCst) {
            let mut out = std::io::stdout().lock();
            let _ = out.write_all(json.unwrap_or_default().as_bytes()).and_then(|()| out.flush());
            afterwards();
            std::process::exit(0);
        }
        // The other thread is about to end the process.
        thread::sleep(Duration::from_secs(1));
        std::process::exit(0)
    }
}

/// What is printed, and what the log tells of it afterwards.
#[derive(Default)]
struct Answer {
    json: Option<String>,
    account: Option<(Log, EventRecord)>,
    left: Option<Left>,
}

/// What is left to do, for processes that outlive this one.
struct Left {
    context: ProjectContext,
    folder: PathBuf,
    event: Event,
    state: State,
    /// A layer is not compiled yet.
    compile: bool,
}

impl Left {
    fn hand_over(self) {
        if self.compile {
            background_commands::spawn("compile", &self.folder);
        }
        self.state.extend_deadline(ASKING);
        if worker::should_start(&self.context, &self.state, &self.event) {
            background_commands::spawn("work", &self.folder);
        }
    }
}

/// Writes the line of the event, once nobody waits for this process's words any more.
fn tell(account: Option<(Log, EventRecord)>, began: Instant) {
    let Some((log, mut account)) = account else { return };
    account.ms = round_to_hundredths(began.elapsed().as_secs_f64() * 1000.0);
    log.write_event_record(account);
}

fn answer(began: Instant, output: &OneReply, watchdog: &Watchdog) -> Option<Answer> {
    let mut payload = Vec::new();
    std::io::stdin().lock().take(LARGEST).read_to_end(&mut payload).ok()?;
    let event = Event::parse(&payload);
    let cwd = event.as_ref().map(|event| PathBuf::from(&event.common.cwd)).unwrap_or_default();
    let folder = folder(cwd);
    let context = ProjectContext::find(&folder).ok()?;
    if context.config.disabled || event.as_ref().is_ok_and(|event| answered(event, &folder, &context)) {
        return None;
    }
    let name = event.as_ref().map(|event| event.name.clone()).unwrap_or_default();
    let log = context.log.for_event(&context.project.id, &name);
    let answered = event.and_then(|event| reply(context, event, folder, began, output, watchdog));
    answered.inspect_err(|error| log.write(Level::Error, None, error.to_string())).ok()
}

/// Whether another process answers, because a call that goes before this one is registered for the event too.
fn answered(event: &Event, folder: &Path, context: &ProjectContext) -> bool {
    let caller = Caller::from_variable(std::env::var_os(CALLER_VARIABLE).as_deref());
    if caller == Caller::Machine {
        return false;
    }
    let client = std::env::var("CLAUDE_PID").ok();
    settings_of(folder, context).read_by_client(client.as_deref()).has_earlier_caller(caller, event)
}

/// The settings files of a session that was started in `folder`.
pub(super) fn settings_of(folder: &Path, context: &ProjectContext) -> SettingsFiles {
    let user = user_folder(&|name| std::env::var_os(name));
    SettingsFiles::of(folder, context.project.main_root().as_deref(), user.as_deref())
}

/// Whether code is to be compiled behind this hook's back. A session that begins looks at all layers: one that answers
/// only its end would else be compiled when it is too late.
fn lacks_code(sandbox: &Sandbox, roster: &Roster, event: &Event) -> bool {
    let begins = matches!(event.kind, EventKind::SessionStart { .. });
    let runs = |member: &&Member| member.is_on() && member.unavailable.is_none();
    let mut members = roster.members().iter().filter(|_| begins).filter(runs);
    sandbox.has_uncompiled_layers()
        || members.any(|member| !sandbox.is_probably_compiled(&member.layer.digest))
}

/// The session's project: Claude Code names it, while the current folder follows every `cd`.
pub(super) fn folder(current: PathBuf) -> PathBuf {
    let named = std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let usable = |path: &PathBuf| path.is_absolute() && !path.as_os_str().as_encoded_bytes().contains(&0);
    let found = named.filter(usable).or_else(|| Some(current).filter(usable));
    found.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
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
    let fallback = fallback_reply(&roster, &event, "the hook could not do its work").to_json(&event.name);
    output.set_fallback(fallback.clone());
    let mut host = match context.host_context(&event.name, event.transcript(), began + max_deadline) {
        Ok(host) => host,
        Err(error) => {
            let log =
                context.log.for_event(&context.project.id, &event.name).for_session(&event.common.session_id);
            log.write(Level::Error, None, error.to_string());
            return Ok(Answer { json: fallback, ..Answer::default() });
        }
    };
    host.log = host.log.for_session(&event.common.session_id);
    if let Some(parse_issue) = &event.parse_issue {
        host.log.write(Level::Warn, None, format!("{} was not understood: {parse_issue}", event.name));
    }
    let (log, state) = (host.log.clone(), host.state.clone());
    let pipeline = Pipeline { roster: &roster, config: &context.config, host, began };
    let mut sandbox = None;
    let (reply, account) = pipeline.answer_and_record(&event, || {
        let made = Arc::new(Sandbox::new(Some(&context.folders.cache))?);
        sandbox = Some(made.clone());
        Ok(made)
    });
    let json = reply.to_json(&event.name);
    let compile = sandbox.is_some_and(|sandbox| lacks_code(&sandbox, &roster, &event));
    let left = Some(Left { context, folder, event, state, compile });
    Ok(Answer { json, account: account.map(|account| (log, account)), left })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_hook(line: &str) -> bool {
        is_called(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn a_hook_is_answered_whatever_else_its_call_says() {
        assert!(is_hook("hook") && is_hook("hook --of-a-later-version 7"));
    }

    #[test]
    fn other_commands_and_questions_are_no_hook() {
        for line in ["", "hook --help", "doctor", "memory list hook", "hooks"] {
            assert!(!is_hook(line), "{line}");
        }
    }
}
