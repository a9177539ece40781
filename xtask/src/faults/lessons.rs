//! Sessions that teach something: their transcripts in two turns, and the events that their client sends.

use interleaf_tests::random::Random;
use interleaf_tests::transcript_builder::TranscriptBuilder;
use serde_json::{Value, json};

/// Number of words of each part of a session. No other session has them: what is alike is one memory.
const WORDS: usize = 8;

/// A session of two turns.
pub struct Lesson {
    /// The id of the session.
    pub session: String,
    /// The words of a failure that is mended.
    mended: Vec<String>,
    /// The words of a rule.
    rule: Vec<String>,
    /// The words of a failure that nobody mends.
    unmended: Vec<String>,
}

/// What happens in a session, in its order.
pub enum Step {
    /// The transcript gets these lines.
    Said(String),
    /// The client sends this event.
    Event(&'static str, Value),
}

impl Lesson {
    /// Creates a session whose words depend on the source of random numbers.
    pub fn new(number: usize, random: &mut Random) -> Self {
        let mut words = || random.words(WORDS).split(' ').map(str::to_owned).collect();
        let session = format!("5e551011-0000-4000-8000-{number:012}");
        Self { session, mended: words(), rule: words(), unmended: words() }
    }

    /// Returns a word that only the rule has.
    pub fn rule_word(&self) -> &str {
        &self.rule[0]
    }

    /// Returns what happens.
    pub fn steps(&self) -> Vec<Step> {
        let prompt = |text: &str| Step::Event("UserPromptSubmit", json!({ "prompt": text }));
        let [ask, rule] = [format!("please run {}", self.mended[..3].join(" ")), self.rule()];
        vec![
            Step::Event("SessionStart", json!({ "source": "startup" })),
            prompt(&ask),
            Step::Said(self.first_turn(&ask).lines()),
            Step::Event("PostToolUse", after_command(&format!("make {}", self.mended[0]))),
            Step::Event("PostToolUseFailure", self.failed_command()),
            stop(),
            prompt(&rule),
            Step::Said(TranscriptBuilder::new().user(&rule).assistant("Understood.").lines()),
            stop(),
            Step::Event("SessionEnd", json!({ "reason": "other" })),
        ]
    }

    /// Returns a rule that is said to last, which the rules save.
    fn rule(&self) -> String {
        let [bad, a, b, good, c, d, e, f] = &self.rule[..] else { unreachable!("there are eight") };
        format!("from now on never use {bad} for {a} {b}, always use {good}: {bad} makes {c} {d} of {e} {f}")
    }

    /// Returns a turn with a failure and the package that mended it, which the rules save as a fact.
    fn first_turn(&self, ask: &str) -> TranscriptBuilder {
        let [target, a, b, package, c, ..] = &self.mended[..] else { unreachable!("there are eight") };
        let error = format!("error: {package} not found by {c}\nmake: *** [{a}:7: {target}] Error 1");
        TranscriptBuilder::new()
            .user(ask)
            .failure(&format!("make {target}"), &error)
            .command(&format!("pip install {package}"), "")
            .command(&format!("make {target}"), &format!("{b}: 12 passed"))
            .assistant(&format!("`make {target}` passes."))
    }

    /// Returns a failure that nobody mends: the hook notes it down, and no memory is made of it.
    fn failed_command(&self) -> Value {
        let (package, words) = (&self.unmended[0], self.unmended[1..].join(" "));
        let error = format!("Exit code 101\nerror[E0382]: {words}\n --> src/{package}.rs:4:5");
        json!({
            "tool_name": "Bash", "tool_use_id": "t2", "is_interrupt": false,
            "tool_input": { "command": format!("{package}-build {package}") }, "error": error,
        })
    }
}

fn stop() -> Step {
    Step::Event("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "done" }))
}

fn after_command(command: &str) -> Value {
    json!({
        "tool_name": "Bash", "tool_use_id": "t1", "tool_input": { "command": command },
        "tool_response": { "stdout": "12 passed", "stderr": "", "interrupted": false },
    })
}
