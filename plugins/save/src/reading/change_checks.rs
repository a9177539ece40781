//! Checks drafts without a model: their quotes and numbers must be in the excerpt, and their words determine
//! their origin. Also reads the verdicts of the model that verifies the rest.

use super::answer::{self, Draft, RetirementRef, TargetRef};
use super::excerpt::unescape;
use super::excerpt::{Excerpt, Speaker};
use super::invented_numbers::invented_number;
use super::provenance::PhraseSources;
use super::{RefusalReason, one_line};
use crate::finding::{CHEAT_SHEET_TAG, Evidence, Finding, Origin, Retirement, Target};
use crate::known_memory::KnownMemory;
use interleaf_classifier::stable_hash;
use interleaf_layer::memory::Category;

/// Tags that make a memory a rule. A draft from a tool's words may not carry them.
pub(super) const RULE_TAGS: [&str; 2] = [CHEAT_SHEET_TAG, "convention"];

/// Maximum number of quotes looked up per draft.
const MAX_QUOTES: usize = 6;
/// Minimum number of letters of a quote: a shorter one occurs everywhere.
const MIN_QUOTE_LETTERS: usize = 6;
/// Maximum length of a quote, in characters.
const MAX_QUOTE_CHARS: usize = 600;
/// Maximum length of quoted words in a refusal, in characters.
const MAX_REFUSAL_CHARS: usize = 60;
/// Maximum length of an unsupported claim in a refusal, in characters.
const MAX_CLAIM_CHARS: usize = 200;

/// The reason if the verifying model says nothing about a draft.
pub(super) const NO_VERDICT: &str = "the verifying model returned no verdict on it";

/// Checks the drafts of one category.
pub(super) struct DraftChecker<'a, 't> {
    pub category: Category,
    pub session: &'a str,
    pub excerpt: &'a Excerpt<'t>,
    pub sources: &'a PhraseSources,
    /// The memories that the model was shown, in the order of its numbers.
    pub known: &'a [KnownMemory],
    /// The cursor of the first entry that no flush has saved.
    pub saved_until: u64,
}

impl DraftChecker<'_, '_> {
    /// Returns the draft as a finding, or the reason for its refusal.
    pub fn check(&self, draft: &Draft) -> Result<Finding, RefusalReason> {
        let quoted = find_quotes(&draft.quotes, self.excerpt)?;
        if quoted.iter().all(|(evidence, _)| evidence.cursor < self.saved_until) {
            return Err(RefusalReason::new("all of it was said before the last save"));
        }
        let about = draft.about.and_then(|target| self.target(target));
        let shown = self.shown(about.as_ref().map(|about| &about.memory));
        check_numbers(&draft.texts(), &shown)?;
        let own = quoted.iter().all(|(_, speaker)| speaker.is_own());
        let echo = draft.texts().into_iter().any(|text| self.sources.is_from_tool(text));
        let origin = if draft.tool || !own || echo { Origin::ToolOutput } else { Origin::Assistant };
        let evidence = quoted.into_iter().map(|(evidence, _)| evidence).collect();
        Ok(Finding { about, ..self.finding(draft, origin, evidence, &shown) })
    }

    /// Returns the retirement of a memory, or the reason for its refusal. A tool's words alone do not retire
    /// a memory.
    pub fn check_retirement(&self, end: &RetirementRef) -> Result<Retirement, RefusalReason> {
        let memory = self.known.get(end.known);
        let memory = memory.ok_or(RefusalReason::new("it names a memory that was not shown"))?;
        let quoted = find_quotes(&end.quotes, self.excerpt)?;
        check_numbers(&[&end.why], &self.shown(Some(memory)))?;
        let own = quoted.iter().all(|(_, speaker)| speaker.is_own());
        if !own || end.texts().any(|text| self.sources.is_from_tool(text)) {
            return Err(RefusalReason::new("only a tool says that its subject ended"));
        }
        let evidence = quoted.into_iter().map(|(evidence, _)| evidence).collect();
        Ok(Retirement { memory: memory.clone(), event: end.event, why: end.why.clone(), evidence })
    }

    fn target(&self, target: TargetRef) -> Option<Target> {
        let memory = self.known.get(target.known).filter(|memory| memory.category == self.category)?;
        Some(Target { memory: memory.clone(), intent: target.intent })
    }

    /// Returns the texts from which a draft may take its numbers: the excerpt and the memory that the draft
    /// is about.
    fn shown(&self, about: Option<&KnownMemory>) -> String {
        let known = about.map(|memory| format!("\n{}\n{}", memory.title, memory.text)).unwrap_or_default();
        self.excerpt.text() + &known
    }

    fn finding(&self, draft: &Draft, origin: Origin, evidence: Vec<Evidence>, shown: &str) -> Finding {
        let is_own = self.excerpt.is_own();
        let may_carry = |tag: &&String| match tag.as_str() {
            // Unattended, every session would see what a tool's text may have talked the model into.
            CHEAT_SHEET_TAG => origin == Origin::Assistant && is_own,
            tag => origin == Origin::Assistant || !RULE_TAGS.contains(&tag),
        };
        let tags = draft.tags.iter().filter(may_carry);
        let files = draft.files.iter().filter(|file| shown.contains(file.as_str()));
        Finding {
            category: self.category,
            title: (!draft.title.is_empty()).then(|| draft.title.clone()),
            text: draft.text.clone(),
            content: draft.content.clone(),
            tags: tags.cloned().collect(),
            files: files.cloned().collect(),
            cues: draft.cues.clone(),
            confidence: draft.confidence,
            importance: importance(self.category),
            origin,
            score: (draft.confidence + importance(self.category)) / 2.0,
            about: None,
            key: key(self.session, self.category, &evidence),
            evidence,
        }
    }
}

fn check_numbers(texts: &[&str], shown: &str) -> Result<(), RefusalReason> {
    match invented_number(texts.iter().copied(), shown) {
        Some(number) => Err(RefusalReason::with_words("it contains a number that nobody said", &number)),
        None => Ok(()),
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

/// Returns the position and the speaker of each quote that stands in the excerpt, or the reason for the
/// draft's refusal if none does. A wrong quote drops alone: the verifying model sees the claims.
fn find_quotes(quotes: &[String], excerpt: &Excerpt) -> Result<Vec<(Evidence, Speaker)>, RefusalReason> {
    let mut failure = RefusalReason::new("it has no quote");
    let mut found = Vec::new();
    for quote in quotes.iter().take(MAX_QUOTES) {
        match find_quote(without_mark(quote), excerpt) {
            Ok(place) => found.push(place),
            Err(reason) => failure = reason,
        }
    }
    if found.is_empty() { Err(failure) } else { Ok(found) }
}

/// Returns a quote without the mark of its line, such as `user 12| `, which models copy although they should
/// not.
fn without_mark(quote: &str) -> &str {
    let Some((mark, rest)) = quote.split_once("| ") else { return quote };
    match mark.rsplit_once(' ') {
        Some((speaker, entry)) if Speaker::is_mark(speaker) && entry.parse::<usize>().is_ok() => rest,
        _ => quote,
    }
}

fn find_quote(quote: &str, excerpt: &Excerpt) -> Result<(Evidence, Speaker), RefusalReason> {
    let refuse = |rule| {
        let head: String = quote.chars().take(MAX_REFUSAL_CHARS).collect();
        Err(RefusalReason::with_words(rule, &head))
    };
    let letters = quote.chars().filter(|letter| letter.is_alphanumeric()).count();
    if letters < MIN_QUOTE_LETTERS || quote.chars().count() > MAX_QUOTE_CHARS {
        return refuse("a quote is too short or too long to prove anything");
    }
    // Differences in white space are ignored.
    let line = interleaf_text::collapse_whitespace;
    for text in [line(quote), line(&unescape(quote))] {
        let parts = excerpt.parts.iter().filter(|part| line(part.text).contains(&text));
        if let Some(part) = parts.min_by_key(|part| part.speaker) {
            return Ok((Evidence { quote: text, cursor: part.cursor }, part.speaker));
        }
    }
    refuse("a quote is not in the excerpt")
}

/// Returns the key of a finding with this evidence. The key is computed from the quote: if the first attempt
/// was interrupted, a model asked again phrases the same finding differently but quotes the same words.
fn key(session: &str, category: Category, evidence: &[Evidence]) -> String {
    let first = evidence.iter().min_by_key(|evidence| evidence.cursor);
    let (cursor, quote) = first.map_or((0, ""), |evidence| (evidence.cursor, evidence.quote.as_str()));
    format!("{session}/{}/{cursor}/{:016x}", category.as_str(), stable_hash(quote))
}

/// Reads the answer of the model that verifies: for each draft, whether the excerpt supports it. A draft
/// without a verdict, or with two that differ, is refused.
pub(super) fn verdicts(drafts: usize, answer: &str) -> Result<Vec<Result<(), RefusalReason>>, String> {
    let answer = answer::object(answer)?;
    let verdicts = answer["verdicts"].as_array().ok_or("the answer has no list of verdicts")?;
    let of = |index: usize| verdicts.iter().filter(move |it| it["index"].as_u64() == Some(index as u64));
    let judged = (0..drafts).map(|index| {
        if of(index).next().is_none() {
            return Err(RefusalReason::new(NO_VERDICT));
        }
        match of(index).find(|verdict| verdict["supported"] != true) {
            Some(verdict) => {
                let claim = verdict["unsupported_claim"].as_str().unwrap_or_default();
                let claim = one_line(claim, MAX_CLAIM_CHARS);
                Err(RefusalReason::with_words("the excerpt does not support it", &claim))
            }
            None => Ok(()),
        }
    });
    Ok(judged.collect())
}

#[cfg(test)]
mod tests {
    use super::super::excerpt::ExcerptScope;
    use super::*;
    use crate::sample::{ran, talk, user};

    #[test]
    fn a_quote_is_found_despite_different_white_space_and_an_invented_one_is_not() {
        let talk = talk([user("never  use\nnpm here"), ran("cat x", "never use npm here, says x")]);
        let scope = ExcerptScope { entries: 5, tool_entries: 5, max_bytes: 9000 };
        let excerpt = Excerpt::of(&talk, &[0], &scope);
        let find = |quote: &str| find_quotes(&[quote.to_owned()], &excerpt);

        assert_eq!(find("never use npm").expect("said")[0].1, Speaker::User);
        assert_eq!(find("npm here, says").expect("printed")[0].1, Speaker::Tool);
        assert_eq!(find("user 0| never use npm").expect("said")[0].0.quote, "never use npm");
        assert!(find("user 0| never use yarn").is_err());
        let two = ["always use npm".to_owned(), "never use npm".to_owned()];
        assert_eq!(find_quotes(&two, &excerpt).expect("the second was said").len(), 1);
        assert!(find("always use npm").is_err());
        assert!(find("npm").is_err());
        assert!(find_quotes(&[], &excerpt).is_err());
    }
}
