//! Asks the agent, when it is about to stop, to note down what later sessions need: a way without a language
//! model of one's own. Off unless the setting `ask_agent` is on.

use interleaf_layer::Result;
use interleaf_layer::state::Scope;

use crate::host;
use crate::rules::{self, Found};
use crate::session::Surroundings;
use crate::transcript::{Ending, Kind, Role, Transcript};

/// The state key of [`Asked`].
const ASKED_KEY: &str = "asked";

/// Minimum time between two requests of a session, in milliseconds.
const MIN_INTERVAL_MS: i64 = 20 * 60_000;

/// What the agent is asked.
pub const REQUEST: &str = "Before you stop: did the person state a rule, correct you, choose something or \
                           name a limit in this part of the session, or did you find the fix of a failure \
                           that will come again? Save each that a later session needs and cannot read from \
                           the code, in one or two sentences, with `interleaf remember`. If there is \
                           nothing, just stop.";

/// When the agent was asked last, and up to where the session was looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
struct Asked {
    at: i64,
    cursor: u64,
}

/// Tells whether to ask now: something happened since the last request that may be worth a memory, and the
/// request was long enough ago.
///
/// # Errors
/// Fails if the host cannot read the transcript or the state.
pub fn is_due() -> Result<bool> {
    let asked: Asked = host::stored(Scope::Session, ASKED_KEY)?;
    let now = interleaf_layer::now_ms();
    if now - asked.at < MIN_INTERVAL_MS {
        return Ok(false);
    }
    let (entries, cursor, _) = host::read_transcript(asked.cursor, None)?;
    let is_due = has_happened(&Transcript { entries });
    let at = if is_due { now } else { asked.at };
    host::store(Scope::Session, ASKED_KEY, &Asked { at, cursor })?;
    Ok(is_due)
}

/// Tells whether the person stated something, said something to a refused call, or a failure passed later.
fn has_happened(transcript: &Transcript) -> bool {
    let entries = &transcript.entries;
    let refusal = entries.iter().position(|entry| entry.ending == Ending::Interrupted);
    let is_told = refusal.is_some_and(|at| {
        entries[at..].iter().any(|entry| entry.role == Role::User && entry.kind == Kind::Text)
    });
    let Found { candidates, facts, .. } = rules::find(transcript, &Surroundings::default());
    is_told || !candidates.is_empty() || !facts.is_empty()
}

#[cfg(test)]
mod tests {
    use super::has_happened;
    use crate::sample_script::transcript;

    #[test]
    fn a_choice_a_refusal_with_words_and_a_failure_that_passed_are_worth_asking() {
        for script in [
            "u: we decided to go with Postgres, because one database is less to operate\na: ok",
            "u: push it\n$ git push\n! The user doesn't want to proceed\nu: not before the tests pass\na: ok",
            "u: go\n$ python a.py\n- SyntaxError: bad\n$ python3 a.py\n+ ok\na: done",
        ] {
            assert!(has_happened(&transcript(script)), "{script}");
        }
        for script in ["u: what is this?\na: A parser.", "u: run the tests\n$ make test\n+ ok\na: They pass."]
        {
            assert!(!has_happened(&transcript(script)), "{script}");
        }
    }
}
