//! One event after its hook has run: its subject and the hook's answer.

use interleaf_tests::run::ProcessOutput;
use interleaf_text::{collapse_whitespace, truncate};

use crate::event::Event;
use crate::reply::Reply;

/// Maximum length of a prompt or a command in the line of an event, in characters.
const MAX_SUBJECT_CHARS: usize = 84;

/// One event that was played.
pub struct PlayedEvent {
    /// Its index in the recording.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// Its subject: the prompt, or the tool call.
    pub subject: String,
    reply: Option<Reply>,
    /// The hook's process.
    pub ran: ProcessOutput,
}

impl PlayedEvent {
    /// Reads the output of the hook's process as the client would: the output of a failed hook is ignored.
    pub fn new(number: usize, event: &Event, subject: String, ran: ProcessOutput) -> Self {
        let reply = Some(&ran).filter(|ran| ran.code == Some(0)).and_then(|ran| Reply::read(&ran.out()));
        Self { number, name: event.name().to_owned(), subject, reply, ran }
    }

    /// Returns the text that the model gets.
    pub fn injected(&self) -> String {
        self.reply.as_ref().map(Reply::injected).unwrap_or_default()
    }

    /// Returns the event's title: number, name, and the beginning of its subject.
    pub fn title(&self) -> String {
        let subject = collapse_whitespace(&self.subject);
        let subject = truncate(&subject, MAX_SUBJECT_CHARS);
        format!("#{} {} {subject}", self.number, self.name).trim_end().to_owned()
    }

    /// Returns a line for each request of the hook: first the text for the model, then the actions.
    pub fn lines(&self) -> Vec<String> {
        let injected = self.injected();
        let actions = self.reply.as_ref().map(Reply::actions).unwrap_or_default();
        injected.lines().map(str::to_owned).chain(actions).collect()
    }

    /// Returns a line for each violation of the rules for hooks.
    pub fn faults(&self) -> Vec<String> {
        let code = match self.ran.code {
            Some(0) => None,
            Some(code) => Some(format!("! exit code {code}")),
            None => Some("! ended by a signal, or killed because it hung".to_owned()),
        };
        let is_garbled = self.reply.is_none() && self.ran.code == Some(0) && !self.ran.stdout.is_empty();
        let garbled = is_garbled.then(|| format!("! not a reply: {}", self.ran.out().trim()));
        let stderr = self.ran.err();
        let stderr = stderr.lines().map(|line| format!("! stderr: {line}"));
        code.into_iter().chain(garbled).chain(stderr).collect()
    }
}
