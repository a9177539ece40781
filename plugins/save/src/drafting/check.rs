//! What code can see of a draft before anybody is asked to verify it: whether it quotes what was said, whose words it
//! is made of, whether its numbers were said.

use crate::find::{Category, Evidence, Find, Origin};
use crate::standing::{About, Ended, Standing};

use super::answer::{Draft, End, Pointer};
use super::echo::Echoes;
use super::excerpt::Excerpt;
use super::refusal::Unfit;
use super::{key, numbers, quotes};

/// Tags that only words of the session itself may carry, because they make a memory a rule.
pub(super) const RULING: [&str; 2] = ["cheat-sheet", "convention"];

/// What a draft is held against.
pub(super) struct Against<'a, 't> {
    pub category: Category,
    pub session: &'a str,
    pub excerpt: &'a Excerpt<'t>,
    pub echoes: &'a Echoes,
    /// The memories that the model was shown, in the order of its numbers.
    pub standing: &'a [Standing],
}

impl Against<'_, '_> {
    /// The draft as a find, or why it is none.
    pub fn check(&self, draft: &Draft) -> Result<Find, Unfit> {
        let quoted = quotes::found(&draft.quotes, self.excerpt)?;
        let about = draft.about.and_then(|pointer| self.about(pointer));
        let shown = self.shown(about.as_ref().map(|about| &about.memory));
        self.check_numbers(&draft.says(), &shown)?;
        let own = quoted.iter().all(|(_, voice)| voice.is_own());
        let echo = draft.says().into_iter().any(|text| self.echoes.are_in(text));
        let origin = if draft.tool || !own || echo { Origin::ToolOutput } else { Origin::Assistant };
        let evidence = quoted.into_iter().map(|(evidence, _)| evidence).collect();
        Ok(Find { about, ..self.find(draft, origin, evidence, &shown) })
    }

    /// The end of a memory, or why it has not come. What only a tool says ends nothing.
    pub fn ended(&self, end: &End) -> Result<Ended, Unfit> {
        let memory =
            self.standing.get(end.known).ok_or_else(|| Unfit::new("it names no memory that was shown"))?;
        let quoted = quotes::found(&end.quotes, self.excerpt)?;
        self.check_numbers(&[&end.why], &self.shown(Some(memory)))?;
        let own = quoted.iter().all(|(_, voice)| voice.is_own());
        if !own || end.says().any(|text| self.echoes.are_in(text)) {
            return Err(Unfit::new("only a tool says that it came to its end"));
        }
        let evidence = quoted.into_iter().map(|(evidence, _)| evidence).collect();
        Ok(Ended { memory: memory.clone(), event: end.event, why: end.why.clone(), evidence })
    }

    fn about(&self, pointer: Pointer) -> Option<About> {
        let memory = self.standing.get(pointer.known).filter(|memory| memory.category == self.category)?;
        Some(About { memory: memory.clone(), intent: pointer.intent })
    }

    /// What a draft may take its numbers from: the excerpt, and the memory that it is about.
    fn shown(&self, about: Option<&Standing>) -> String {
        let known = about.map(|memory| format!("\n{}\n{}", memory.title, memory.text)).unwrap_or_default();
        self.excerpt.words() + &known
    }

    fn check_numbers(&self, says: &[&str], shown: &str) -> Result<(), Unfit> {
        match numbers::invented(says.iter().copied(), shown) {
            Some(number) => Err(Unfit::of("a number of it stands nowhere in the excerpt", &number)),
            None => Ok(()),
        }
    }

    fn find(&self, draft: &Draft, origin: Origin, evidence: Vec<Evidence>, shown: &str) -> Find {
        let rules = |tag: &String| RULING.contains(&tag.as_str());
        let tags = draft.tags.iter().filter(|tag| origin == Origin::Assistant || !rules(tag));
        let files = draft.files.iter().filter(|file| shown.contains(file.as_str()));
        Find {
            category: self.category,
            title: (!draft.title.is_empty()).then(|| draft.title.clone()),
            text: draft.text.clone(),
            content: draft.content.clone(),
            tags: tags.cloned().collect(),
            files: files.cloned().collect(),
            confidence: draft.confidence,
            importance: draft.importance,
            origin,
            score: (draft.confidence + draft.importance) / 2.0,
            about: None,
            key: key::of(self.session, self.category, &evidence),
            evidence,
        }
    }
}
