//! Phrases by which a person asks for the past, so that more is shown.
//!
//! The seed's list (cs-memory: eight phrases and those its code added) without the ones that fire on ordinary
//! prompts: a bare "previous" and "what is the …" say nothing about earlier sessions. German beside English.

/// What kind of past is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// What was decided, learned or went wrong.
    Question,
    /// Where work stands; the newest notes are an answer.
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

/// The kind of past that the prompt asks for. `own` are phrases of the user's; they count as questions.
pub fn find(prompt: &str, own: &[String]) -> Option<Trigger> {
    let prompt = normalise(prompt);
    let holds = |phrase: &str| prompt.contains(&format!(" {phrase} "));
    if CONTINUATIONS.iter().any(|phrase| holds(phrase)) {
        return Some(Trigger::Continuation);
    }
    let own = own.iter().map(|phrase| normalise(phrase).trim().to_owned()).any(|phrase| holds(&phrase));
    (own || QUESTIONS.iter().any(|phrase| holds(phrase))).then_some(Trigger::Question)
}

/// The phrases under `triggers` in the layer's settings.
pub fn own(settings: &str) -> Vec<String> {
    let settings: serde_json::Value = serde_json::from_str(settings).unwrap_or_default();
    let phrases = settings["triggers"].as_array().into_iter().flatten();
    phrases
        .filter_map(|phrase| phrase.as_str())
        .filter(|phrase| !phrase.trim().is_empty())
        .map(str::to_owned)
        .collect()
}

/// Lower case, words apart by one space, and a space at both ends: phrases match whole words only.
fn normalise(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_that_ask_for_the_past_are_found_in_any_case_and_punctuation() {
        assert_eq!(find("Why did we choose sqlite?", &[]), Some(Trigger::Question));
        assert_eq!(find("so... WHAT DID WE DECIDE: x or y", &[]), Some(Trigger::Question));
        assert_eq!(find("hi! where were we?", &[]), Some(Trigger::Continuation));
        assert_eq!(find("Was haben wir zu den Links beschlossen?", &[]), Some(Trigger::Question));
    }

    #[test]
    fn ordinary_prompts_do_not_ask_for_the_past() {
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
    fn a_user_s_own_phrases_count() {
        let own = own(r#"{"triggers": ["laut Protokoll", "", 7]}"#);

        assert_eq!(find("Was gilt laut protokoll?", &own), Some(Trigger::Question));
        assert_eq!(find("Was gilt?", &own), None);
    }
}
