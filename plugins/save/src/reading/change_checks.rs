//! Checks of a model's changes, without a model: the lines that a change cites exist and say what it says,
//! its numbers and code were said, and its words decide its origin.

use std::collections::BTreeSet;

use interleaf_classifier::stable_hash;
use interleaf_classifier::words::{likeness, stems};
use interleaf_layer::memory::{Category, LifecycleEvent};
use serde_json::{Value, json};

use super::RefusalReason;
use super::change::{Change, Operation};
use super::invented_numbers::invented_number;
use super::phrase_sources::PhraseSources;
use super::session_lines::{Line, SessionLines, Speaker};
use crate::finding::{
    CHEAT_SHEET_TAG, Evidence, Finding, Intent, Origin, RULE_TAG, Retirement, TENTATIVE_TAG, Target,
};
use crate::known_memory::KnownMemory;
use crate::programs::programs;

/// Minimum share of a text's content words that the lines around those that it cites must hold. A short
/// sentence needs words from elsewhere to stand alone; then fewer are enough, if most are said somewhere in
/// the session, or if at most two are the model's own.
const MIN_SHARED_WORDS: f32 = 0.5;
const MIN_CITED_WORDS: f32 = 0.2;
const MIN_SAID_WORDS: f32 = 0.6;
const MAX_OWN_WORDS: usize = 2;

/// Minimum share of the words of a piece of code that must have been said.
const MIN_SAID_CODE: f32 = 0.6;

/// Minimum likeness of a text that completes a memory.
const MIN_LIKENESS: f32 = 0.5;

/// Maximum length of a quote, in characters.
const MAX_QUOTE_CHARS: usize = 600;
/// Minimum number of letters of a quote.
const MIN_QUOTE_LETTERS: usize = 2;

/// Checks the changes that one answer proposes.
pub struct ChangeChecker<'a> {
    /// The session's id.
    pub session_id: &'a str,
    /// The lines that the model saw.
    pub lines: &'a SessionLines,
    /// Who said the phrases of the changes first.
    pub sources: &'a PhraseSources,
    /// The memories that the model saw.
    pub known: &'a [KnownMemory],
    /// The cursor of the first entry that no flush has saved.
    pub saved_until: u64,
}

/// The lines that a change cites.
struct Cited<'a> {
    lines: Vec<&'a Line>,
    /// The texts of these lines and of their neighbours.
    around: String,
}

impl Cited<'_> {
    /// Tells whether the person says it, and whether that is certain; none if the person does not.
    fn is_certain(&self) -> Option<bool> {
        let person = self.lines.iter().filter(|line| line.speaker == Speaker::User);
        person.map(|line| line.is_certain).reduce(|one, other| one || other)
    }

    fn has(&self, speakers: &[Speaker]) -> bool {
        self.lines.iter().any(|line| speakers.contains(&line.speaker))
    }

    /// Tells whether the person or the assistant says it.
    fn is_own(&self) -> bool {
        self.has(&[Speaker::User, Speaker::Assistant])
    }
}

impl ChangeChecker<'_> {
    /// Returns the change as a finding, or the reason for its refusal.
    pub fn check(&self, change: &Change) -> Result<Finding, RefusalReason> {
        let memory = self.replaced(change)?;
        let category = memory.map(|memory| memory.category).or(change.category);
        let category = category.ok_or(RefusalReason::new("it has no category"))?;
        let cited = self.cited(change)?;
        self.check_claims(change, &cited, memory)?;
        let origin = self.origin(change, category, &cited);
        if memory.is_some() && origin != Origin::Assistant {
            return Err(RefusalReason::new("only a tool says that a memory is to be replaced"));
        }
        if memory.is_some() && cited.is_certain() == Some(false) {
            return Err(RefusalReason::new("it is not certain that a person says so"));
        }
        let about =
            memory.map(|memory| Target { memory: memory.clone(), intent: intent(memory, &change.text) });
        Ok(Finding { about, ..self.finding(change, category, origin, &cited) })
    }

    /// Returns the end of a memory, or the reason for its refusal.
    pub fn check_retirement(&self, change: &Change, index: usize) -> Result<Retirement, RefusalReason> {
        let memory = self.known(index)?;
        let cited = self.cited(change)?;
        self.check_claims(change, &cited, Some(memory))?;
        if cited.is_certain() == Some(false) {
            return Err(RefusalReason::new("it is not certain that a person says so"));
        }
        if !cited.is_own() || self.sources.is_from_tool(&change.why) {
            return Err(RefusalReason::new("only a tool says that its subject ended"));
        }
        let (event, why) = (end_of(memory.category), change.why.clone());
        Ok(Retirement { memory: memory.clone(), event, why, evidence: evidence(&cited, &change.why) })
    }

    fn known(&self, index: usize) -> Result<&KnownMemory, RefusalReason> {
        self.known.get(index).ok_or(RefusalReason::new("it names a memory that was not shown"))
    }

    fn replaced(&self, change: &Change) -> Result<Option<&KnownMemory>, RefusalReason> {
        match change.operation {
            Operation::Replace(index) => self.known(index).map(Some),
            Operation::Add | Operation::Retire(_) => Ok(None),
        }
    }

    fn cited(&self, change: &Change) -> Result<Cited<'_>, RefusalReason> {
        let lines: Vec<&Line> = change.from.iter().filter_map(|number| self.lines.line(*number)).collect();
        if lines.is_empty() {
            return Err(RefusalReason::new("it cites no line of the session"));
        }
        if lines.iter().all(|line| line.cursor < self.saved_until) {
            return Err(RefusalReason::new("all of it was said before the last save"));
        }
        let near: BTreeSet<usize> =
            change.from.iter().flat_map(|number| number.saturating_sub(1)..=number + 1).collect();
        let around = near.into_iter().filter_map(|number| self.lines.line(number));
        let around = around.map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
        Ok(Cited { lines, around })
    }

    /// Checks that the change claims nothing that was not said.
    fn check_claims(
        &self,
        change: &Change,
        cited: &Cited,
        memory: Option<&KnownMemory>,
    ) -> Result<(), RefusalReason> {
        let old = memory.map(|memory| format!("{}\n{}", memory.title, memory.text)).unwrap_or_default();
        let shown = format!("{}\n{old}", self.lines.text());
        if let Some(number) = invented_number(change.claims().into_iter(), &shown) {
            return Err(RefusalReason::with_words("it contains a number that nobody said", &number));
        }
        if let Some(code) = invented_code(change, &shown) {
            return Err(RefusalReason::with_words("it contains code that nobody said", &code));
        }
        let text = if change.text.is_empty() { &change.why } else { &change.text };
        let text = stems(text);
        let count = |said: &str| text.intersection(&stems(said)).count();
        let (near, said) = (count(&format!("{}\n{old}", cited.around)), count(&shown));
        let share = |count: usize| count as f32 / text.len().max(1) as f32;
        let is_cited = share(near) >= MIN_SHARED_WORDS;
        let is_completed = share(said) >= MIN_SAID_WORDS || text.len() - near <= MAX_OWN_WORDS;
        match is_cited || share(near) >= MIN_CITED_WORDS && is_completed {
            true => Ok(()),
            false => Err(RefusalReason::new("the lines that it cites do not say it")),
        }
    }

    /// Returns the origin: a tool's if neither the person nor the assistant says it, or if a tool said its
    /// words first. An error text is always a tool's, so it does not count, nor does what a runbook quotes.
    fn origin(&self, change: &Change, category: Category, cited: &Cited) -> Origin {
        let without_error = |text: &str| {
            let text = match change.error.is_empty() {
                true => text.to_owned(),
                false => text.replace(&change.error, " "),
            };
            if category == Category::Runbook { without_quotations(&text) } else { text }
        };
        let is_echo = change.claims().iter().any(|text| self.sources.is_from_tool(&without_error(text)));
        if cited.is_own() && !is_echo { Origin::Assistant } else { Origin::ToolOutput }
    }

    fn finding(&self, change: &Change, category: Category, origin: Origin, cited: &Cited) -> Finding {
        let evidence = evidence(cited, &change.text);
        let shown = self.lines.text();
        let files = change.files.iter().filter(|file| shown.contains(file.as_str()));
        let mut tags = tags(change, category, origin, cited);
        if origin == Origin::Assistant {
            tags.extend(programs(&change.text));
        }
        Finding {
            category,
            title: (!change.title.is_empty()).then(|| change.title.clone()),
            text: change.text.clone(),
            content: content(category, change),
            tags,
            files: files.cloned().collect(),
            cues: change.cues.clone(),
            confidence: 0.9,
            importance: importance(category),
            origin,
            score: importance(category),
            about: None,
            key: key(self.session_id, category, &evidence),
            evidence,
        }
    }
}

/// Returns a text without what stands in quotation marks.
fn without_quotations(text: &str) -> String {
    let parts = text.split(['"', '“', '”', '„', '«', '»']);
    parts.step_by(2).collect::<Vec<_>>().join(" ")
}

/// Returns whether a text completes a memory, which is then changed in place, or takes the place of one that
/// no longer holds: another number is another fact.
fn intent(memory: &KnownMemory, text: &str) -> Intent {
    let digits = |text: &str| -> BTreeSet<String> {
        let runs = text.split(|letter: char| !letter.is_ascii_digit()).filter(|run| !run.is_empty());
        runs.map(str::to_owned).collect()
    };
    let keeps_numbers = digits(&memory.text).is_subset(&digits(text));
    match keeps_numbers && likeness(&stems(&memory.text), &stems(text)) >= MIN_LIKENESS {
        true => Intent::Update,
        false => Intent::Supersede,
    }
}

/// Returns the tags of a rule that the person stated. What a tool said is no rule.
fn tags(change: &Change, category: Category, origin: Origin, cited: &Cited) -> Vec<String> {
    match cited.is_certain() {
        Some(true) if origin == Origin::Assistant => {}
        Some(false) => return vec![TENTATIVE_TAG.to_owned()],
        _ => return Vec::new(),
    }
    let is_rule = category == Category::Preference;
    let tags = [is_rule.then_some(RULE_TAG), change.always.then_some(CHEAT_SHEET_TAG)];
    tags.into_iter().flatten().map(str::to_owned).collect()
}

/// Returns the content that the category's schema asks for, of what the change says.
fn content(category: Category, change: &Change) -> Value {
    let or_text = |text: &String| if text.is_empty() { change.text.clone() } else { text.clone() };
    let said = |text: &String| (!text.is_empty()).then(|| text.clone());
    let topic = if change.title.is_empty() { &change.text } else { &change.title };
    match category {
        Category::Preference => json!({
            "topic": topic, "value": change.text, "reason": said(&change.why),
            "strength": if change.always { "strong" } else { "default" },
        }),
        Category::Decision => {
            let refused = said(&change.instead_of).map(|option| json!([{ "option": option }]));
            json!({
                "status": "accepted", "decision": change.text, "rationale": [or_text(&change.why)],
                "alternatives": refused,
            })
        }
        Category::Constraint => json!({
            "kind": "limitation", "rule": change.text, "impact": [or_text(&change.why)], "severity": "medium",
            "active": true,
        }),
        Category::TechDebt => json!({
            "status": "open", "priority": "medium", "description": change.text,
            "reason_deferred": or_text(&change.why),
        }),
        Category::Runbook => json!({
            "trigger": if change.error.is_empty() { topic } else { &change.error },
            "symptoms": said(&change.error).into_iter().collect::<Vec<_>>(),
            "steps": [or_text(&change.fix)], "verification": "the same command passes",
            "root_cause": said(&change.why),
        }),
        _ => json!({}),
    }
}

/// Returns how much depends on a memory of a category, from 0 to 1.
const fn importance(category: Category) -> f32 {
    match category {
        Category::Preference | Category::Constraint | Category::Runbook => 0.75,
        Category::Decision => 0.7,
        Category::TechDebt => 0.6,
        _ => 0.5,
    }
}

/// Returns how the subject of a memory of this category ends.
const fn end_of(category: Category) -> LifecycleEvent {
    match category {
        Category::TechDebt | Category::Blocker => LifecycleEvent::Resolved,
        Category::Constraint => LifecycleEvent::Removed,
        Category::Decision | Category::Preference => LifecycleEvent::Reversed,
        _ => LifecycleEvent::Deprecated,
    }
}

/// Returns the first code in backticks of which most words were not shown. A command is often put together
/// from parts that were said, with a placeholder for what differs.
fn invented_code(change: &Change, shown: &str) -> Option<String> {
    let words = |text: &str| -> BTreeSet<String> {
        let words =
            text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.chars().count() > 1);
        words.map(str::to_lowercase).collect()
    };
    let known = words(shown);
    let is_invented = |span: &&str| {
        let words = words(span);
        let said = words.intersection(&known).count() as f32;
        !words.is_empty() && said < MIN_SAID_CODE * words.len() as f32
    };
    let spans = [&change.text, &change.fix].into_iter().flat_map(|text| text.split('`').skip(1).step_by(2));
    spans.map(str::trim).find(is_invented).map(str::to_owned)
}

/// Returns quotes of the cited lines: those of the person and the assistant, or of tools if there are none.
fn evidence(cited: &Cited, text: &str) -> Vec<Evidence> {
    let about = stems(text);
    let is_own = cited.is_own();
    let quoted = cited.lines.iter().filter(|line| match line.speaker {
        Speaker::User | Speaker::Assistant => is_own,
        Speaker::Pasted | Speaker::Tool => !is_own,
        Speaker::Call => false,
    });
    let quotes = quoted.map(|line| Evidence { quote: quote(&line.text, &about), cursor: line.cursor });
    let letters = |quote: &str| quote.chars().filter(|letter| letter.is_alphanumeric()).count();
    quotes.filter(|evidence| letters(&evidence.quote) >= MIN_QUOTE_LETTERS).collect()
}

/// Returns a line, or of a long one the sentence that is most like the text.
fn quote(line: &str, about: &BTreeSet<String>) -> String {
    if line.chars().count() <= MAX_QUOTE_CHARS {
        return line.to_owned();
    }
    let sentences = interleaf_classifier::sentences(line).into_iter();
    let best = sentences.max_by(|a, b| likeness(&stems(a), about).total_cmp(&likeness(&stems(b), about)));
    best.unwrap_or(line).chars().take(MAX_QUOTE_CHARS).collect()
}

/// Returns the key of a finding with this evidence. A model asked again phrases the same finding differently
/// but cites the same words.
fn key(session: &str, category: Category, evidence: &[Evidence]) -> String {
    let first = evidence.iter().min_by_key(|evidence| evidence.cursor);
    let (cursor, quote) = first.map_or((0, ""), |evidence| (evidence.cursor, evidence.quote.as_str()));
    format!("{session}/{}/{cursor}/{:016x}", category.as_str(), stable_hash(quote))
}
