//! The first round: one request for each category.

use super::Rounds;
use crate::drafting::answer::{self, Answer};
use crate::drafting::model::Prompt;
use crate::drafting::prompts::{self, Material};
use crate::find::{Category, Evidence};
use crate::standing::Standing;
use crate::talk::{Kind, Role};
use crate::triage::Triaged;

/// Memories that a prompt shows of what stands (about 80 tokens each).
const MOST_KNOWN: usize = 8;

impl Rounds<'_> {
    /// Asks, and reads the answers.
    pub fn ask(&mut self, asked: &[&Triaged]) -> Vec<(Category, Answer)> {
        for triaged in asked {
            let standing = self.look_up(triaged);
            self.standing.insert(triaged.category, standing);
        }
        let prompts: Vec<Prompt> = asked.iter().map(|it| self.prompt(it)).collect();
        let answers = self.complete(&prompts);
        let mut read = Vec::new();
        for (triaged, answer) in asked.iter().zip(answers) {
            match answer.and_then(|text| answer::read(triaged.category, &text)) {
                Ok(answer) => read.push((triaged.category, answer)),
                Err(why) => self.drafted.failed.push((triaged.category, why)),
            }
        }
        read
    }

    /// What the model saw that the words did not tell: people state a limit or a habit in more ways than a list of
    /// phrases can hold, and whoever summarises a session reads all that the person said anyway.
    pub fn also(
        &self,
        triaged: &[Triaged],
        asked: &[&Triaged],
        answers: &[(Category, Answer)],
    ) -> Vec<Triaged> {
        let told = |category| answers.iter().any(|(_, answer)| answer.also.contains(&category));
        let new = triaged
            .iter()
            .filter(|it| told(it.category) && !asked.iter().any(|one| one.category == it.category));
        let said =
            self.talk.entries.iter().filter(|entry| entry.role == Role::User && entry.kind == Kind::Text);
        let evidence: Vec<Evidence> =
            said.map(|entry| Evidence { quote: String::new(), cursor: entry.cursor }).collect();
        new.map(|it| Triaged { triggered: true, evidence: evidence.clone(), ..it.clone() }).collect()
    }

    fn prompt(&self, triaged: &Triaged) -> Prompt {
        let category = triaged.category;
        let material = Material {
            category,
            description: self.known.categories.description(category),
            candidates: self.candidates(category),
            saved: self.known.saved,
            known: self.standing.get(&category).map_or(&[], Vec::as_slice),
            excerpt: &self.excerpt(triaged),
        };
        prompts::draft(&material, self.settings.tier(category))
    }

    /// What stands of a category. A summary is written anew for each session; who writes it reads all that the person
    /// said, and so is the one to see that work put off in an earlier session is done.
    fn look_up(&self, triaged: &Triaged) -> Vec<Standing> {
        let categories = match triaged.category {
            Category::SessionSummary => &[Category::TechDebt, Category::Blocker][..],
            _ => std::slice::from_ref(&triaged.category),
        };
        let words = triaged.evidence.iter().map(|evidence| self.words(evidence));
        let words: Vec<&str> = words.filter(|words| !words.is_empty()).collect();
        self.known.memories.standing(categories, &words, MOST_KNOWN)
    }

    fn words<'e>(&'e self, evidence: &'e Evidence) -> &'e str {
        let entry = || self.talk.entries.iter().find(|entry| entry.cursor == evidence.cursor);
        match evidence.quote.as_str() {
            "" => entry().map_or("", |entry| &entry.text),
            quote => quote,
        }
    }
}
