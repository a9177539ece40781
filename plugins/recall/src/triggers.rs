//! English and German phrases that ask about the past. They make recall show more memories.
//!
//! A phrase belongs here if it does not occur in ordinary prompts. "previous" alone and "what is the …" do,
//! so they are not listed.

/// What a prompt asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// A decision, a lesson or a failure of the past.
    Question,
    /// The state of the work; the newest memories answer it.
    Continuation,
}

const QUESTIONS: [&str; 29] = [
    "why did we",
    "why do we",
    "what was the decision",
    "what did we decide",
    "what have we decided",
    "what was the",
    "what were the",
    "remind me",
    "previously we",
    "we previously",
    "previous session",
    "previous decision",
    "the blocker",
    "what was blocking",
    "what happened with",
    "what did i learn",
    "what did we learn",
    "what went wrong",
    "recall the",
    "recall what",
    "do you remember",
    "we postponed",
    "warum haben wir",
    "was haben wir",
    "was war die",
    "was war der",
    "erinner mich",
    "erinnerst du dich",
    "was ist schiefgelaufen",
];

const CONTINUATIONS: [&str; 14] = [
    "continue from",
    "continue where",
    "last time",
    "last session",
    "where was i",
    "where were we",
    "where was we",
    "pick up where",
    "where did we leave",
    "where we left",
    "letztes mal",
    "letzte mal",
    "wo waren wir",
    "mach weiter wo",
];

/// Returns what the prompt asks for. A phrase of the person's settings counts as a question; blank ones are
/// ignored.
pub fn find(prompt: &str, own_phrases: &[String]) -> Option<Trigger> {
    let prompt = normalize(prompt);
    let has = |phrase: &str| prompt.contains(&format!(" {phrase} "));
    if CONTINUATIONS.iter().any(|phrase| has(phrase)) {
        return Some(Trigger::Continuation);
    }
    let mut own_phrases = own_phrases.iter().filter(|phrase| !phrase.trim().is_empty());
    let is_own = own_phrases.any(|phrase| has(normalize(phrase).trim()));
    (is_own || QUESTIONS.iter().any(|phrase| has(phrase))).then_some(Trigger::Question)
}

/// Returns the words in lower case with a space before and after each, so that phrases match whole words
/// only.
fn normalize(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_that_ask_about_the_past_are_found_in_any_case_and_punctuation() {
        assert_eq!(find("Why did we choose sqlite?", &[]), Some(Trigger::Question));
        assert_eq!(find("so... WHAT DID WE DECIDE: x or y", &[]), Some(Trigger::Question));
        assert_eq!(find("hi! where were we?", &[]), Some(Trigger::Continuation));
        assert_eq!(find("Was haben wir zu den Links beschlossen?", &[]), Some(Trigger::Question));
    }

    #[test]
    fn ordinary_prompts_do_not_ask_about_the_past() {
        for prompt in [
            "go to the previous line",
            "what is the time",
            "reminder: ship it",
            "the blockers list",
            "a recallthe b",
        ] {
            assert_eq!(find(prompt, &[]), None, "{prompt}");
        }
    }

    #[test]
    fn a_phrase_from_the_settings_counts_as_a_question() {
        let own = ["laut Protokoll".to_owned(), " ".to_owned()];

        assert_eq!(find("Was gilt laut protokoll?", &own), Some(Trigger::Question));
        assert_eq!(find("Was gilt?", &own), None);
    }
}
