//! What must hold for any input. The fuzz targets in `fuzz/` call these functions with made-up bytes, and a
//! test calls them with every input of the corpus.
//!
//! A function panics if its property is violated. Bytes that are not UTF-8 are read as a hook reads them,
//! with broken characters replaced.

#[cfg(test)]
mod corpus_tests;
mod session_data;

use std::borrow::Cow;
use std::path::Path;

use interleaf::claude::settings::{HOOKED_EVENTS, HookCommand, Settings};
use interleaf::config::LoadedConfig;
use interleaf::pipeline::fuzzing::merge;
use interleaf::redact::redact;
use interleaf_shell::{Call, Reported, Run, Step, episodes};
use serde_json::Value;

pub use session_data::{client_elements, hook_input, transcript_lines};

/// A property, to be called with an input.
pub type Property = fn(&[u8]);

/// All properties with the names of their fuzz targets, which are those of their folders in the corpus.
pub const PROPERTIES: [(&str, Property); 9] = [
    ("client_elements", client_elements),
    ("hook_input", hook_input),
    ("layer_reply", layer_reply),
    ("redaction", redaction),
    ("settings_document", settings_document),
    ("shell_line", shell_line),
    ("shell_run", shell_run),
    ("toml_configuration", toml_configuration),
    ("transcript_lines", transcript_lines),
];

/// The path of a program in a registered hook.
const PROGRAM: &str = "/opt/interleaf/bin/interleaf";

/// Events that accept different parts of a reply, and one that does not exist.
const EVENTS: [&str; 6] =
    ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "SessionEnd", "no such \"event\"\n"];

/// Maximum length of a text of which redaction leaves nothing to a second time, in bytes.
const MAX_STABLE_BYTES: usize = 4 << 10;

/// Maximum length of an input that is also read many times in a row, in bytes.
const MAX_REPEATED_BYTES: usize = 64;

/// Length of the text that repeats it, in bytes: so long that the fuzzer's time limit for an input is
/// exceeded if the time grows with the square of the length.
const REPETITION_BYTES: usize = 128 << 10;

/// Redacting a redacted text changes nothing, no line disappears outside a secret, JSON stays JSON, and a
/// repetition of the input takes no longer than its length needs.
pub fn redaction(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let once = redact(&text);

    // A longer text can be made to need more passes than it gets.
    if text.len() <= MAX_STABLE_BYTES {
        assert_eq!(redact(&once), once, "a second time, from {text:?}");
    }
    if serde_json::from_str::<Value>(&text).is_ok() {
        assert!(serde_json::from_str::<Value>(&once).is_ok(), "{text:?} became {once:?}");
    }
    if !once.contains("[SECRET:") && !once.contains('~') {
        assert_eq!(once, text, "nothing is left out without a marker");
    }
    if (1..=MAX_REPEATED_BYTES).contains(&text.len()) {
        // A text with secrets is read again after each pass, within a limit of its own.
        let has_secret = matches!(redact(&text.repeat(MAX_STABLE_BYTES / text.len())), Cow::Owned(_));
        if !has_secret {
            let _ = redact(&text.repeat(REPETITION_BYTES / text.len()));
        }
    }
}

/// Registering and unregistering hooks leaves every other value of the file as it was.
pub fn settings_document(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(mut settings) = Settings::parse(&text) else { return };
    // A number may be beyond the range of this reader, which only compares values.
    let is_in_range = serde_json::from_str::<Value>(settings.text().trim_start_matches('\u{feff}')).is_ok();
    if !is_in_range {
        return;
    }
    let before = other_values(settings.text());
    let empty_lists = settings.empty_lists();
    let registered = settings.register(HookCommand::Program(PROGRAM), &HOOKED_EVENTS);

    assert_eq!(other_values(settings.text()), before, "registering, from {text:?}");
    if registered.is_ok() {
        assert_eq!(settings.registered_events().len(), HOOKED_EVENTS.len(), "from {text:?}");
    }
    settings.unregister(&empty_lists);
    assert!(settings.registered_events().is_empty(), "from {text:?}");
    assert_eq!(other_values(settings.text()), before, "unregistering, from {text:?}");
}

/// Returns the values of a settings file except its hooks, which registering changes.
fn other_values(text: &str) -> Value {
    let text = text.trim_start_matches('\u{feff}');
    let mut values: Value = serde_json::from_str(text).expect("an edited file is still JSON");
    values.as_object_mut().expect("an edited file is still an object").remove("hooks");
    values
}

/// A configuration is read, or its problems are named on lines that it has, in words that a terminal can
/// show.
pub fn toml_configuration(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let loaded = LoadedConfig::from_text(Path::new("config.toml"), &text);
    let lines = 1 + text.bytes().filter(|&byte| byte == b'\n').count();

    for diagnostic in loaded.diagnostics {
        assert!(diagnostic.line.is_none_or(|line| (1..=lines).contains(&line)), "{diagnostic} in {text:?}");
        let is_printable = !diagnostic.message.contains(|c: char| c.is_control() && c != '\n');
        assert!(is_printable, "{:?} in {text:?}", diagnostic.message);
    }
}

/// A shell line is read: every command has a program, and the words of a simple line are all there.
pub fn shell_line(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let commands = interleaf_shell::commands(&text);

    assert!(commands.iter().all(|command| !command.program.is_empty()), "from {text:?}");
    for command in &commands {
        let _ = (topics::is_irreversible(command), command.text());
    }
    let _ = interleaf_shell::output_files(&text);
}

/// A run of any line with any output is read: it has a program, its error line is short, and it is like
/// itself unless it has loops. What failed and passed with nothing changed is no episode.
pub fn shell_run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (line, output) = text.split_once('\u{1}').unwrap_or((&text, &text));
    let run = |reported| Run::read(&Call { line, output, reported, in_background: false });
    let Some((failed, passed)) = run(Reported::Failed).zip(run(Reported::Succeeded)) else { return };

    assert!(!failed.program().is_empty(), "from {line:?}");
    assert!(failed.line.is_compound || failed.line.is_like(&passed.line), "{line:?}");
    let error = failed.failure.as_ref().map_or("", |failure| &failure.line);
    assert!(error.chars().count() <= 160, "{error:?}");
    let steps = [failed, passed].map(Step::Run);
    assert_eq!(episodes(&steps), [], "from {line:?}");
}

/// Whatever layers reply, the client gets one JSON object on one line or nothing, a refusal is never lost,
/// and no layer's text ends an element of the client.
pub fn layer_reply(input: &[u8]) {
    let text = String::from_utf8_lossy(input);

    for event in EVENTS {
        let Some(json) = merge(event, &text).to_json(event) else { continue };
        assert!(!json.contains('\n'), "{json:?}");
        let printed: Value = serde_json::from_str(&json).expect("a reply is JSON");
        assert!(printed.is_object(), "{json:?}");
        let output = &printed["hookSpecificOutput"];
        for text in [&printed["systemMessage"], &printed["reason"], &output["permissionDecisionReason"]] {
            assert!(!text.as_str().unwrap_or_default().contains("</"), "{json:?}");
        }
    }
    let is_refused = text.lines().any(|line| line.starts_with("deny "));
    assert!(!is_refused || is_denied(&text), "a refusal is lost: {text:?}");
}

/// Tells whether layers with these replies deny a tool call.
fn is_denied(replies: &str) -> bool {
    let printed = merge("PreToolUse", replies).to_json("PreToolUse").unwrap_or_default();
    let printed: Value = serde_json::from_str(&printed).unwrap_or_default();
    printed["hookSpecificOutput"]["permissionDecision"] == "deny"
}
