//! What code can see of a draft before anybody is asked to verify it: whether it quotes what was said, whose words it
//! is made of, whether its numbers were said.

use serde_json::Value;

use crate::find::{Category, Evidence, Find, Origin};

use super::answer::Draft;
use super::echo::Echoes;
use super::excerpt::Excerpt;
use super::{key, numbers, quotes};

/// Tags that only words of the session itself may carry, because they make a memory a rule.
pub(super) const RULING: [&str; 2] = ["cheat-sheet", "convention"];

/// What a draft is held against.
pub(super) struct Against<'a, 't> {
    pub category: Category,
    pub session: &'a str,
    pub excerpt: &'a Excerpt<'t>,
    pub echoes: &'a Echoes,
}

impl Against<'_, '_> {
    /// The draft as a find, or why it is none.
    pub fn check(&self, draft: &Draft) -> Result<Find, String> {
        let quoted = quotes::found(&draft.quotes, self.excerpt)?;
        let shown = self.excerpt.words();
        if let Some(number) = numbers::invented(draft.says().into_iter(), &shown) {
            return Err(format!("its number {number} stands nowhere in the excerpt"));
        }
        let own = quoted.iter().all(|(_, voice)| voice.is_own());
        let echo = draft.says().into_iter().any(|text| self.echoes.are_in(text));
        let origin = if draft.tool || !own || echo { Origin::ToolOutput } else { Origin::Assistant };
        let evidence = quoted.into_iter().map(|(evidence, _)| evidence).collect();
        Ok(self.find(draft, origin, evidence, &shown))
    }

    fn find(&self, draft: &Draft, origin: Origin, evidence: Vec<Evidence>, shown: &str) -> Find {
        let rules = |tag: &String| RULING.contains(&tag.as_str());
        let tags = draft.tags.iter().filter(|tag| origin == Origin::Assistant || !rules(tag));
        let files = draft.files.iter().filter(|file| shown.contains(file.as_str()));
        Find {
            category: self.category,
            title: (!draft.title.is_empty()).then(|| draft.title.clone()),
            text: draft.text.clone(),
            content: if draft.content.is_object() {
                draft.content.clone()
            } else {
                Value::Object(Default::default())
            },
            tags: tags.cloned().collect(),
            files: files.cloned().collect(),
            confidence: draft.confidence,
            importance: draft.importance,
            origin,
            score: (draft.confidence + draft.importance) / 2.0,
            key: key::of(self.session, self.category, &evidence),
            evidence,
        }
    }
}
