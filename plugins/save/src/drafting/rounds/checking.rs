//! The second round: what code can see of the drafts.

use super::{Batches, Rounds};
use crate::drafting::answer::{Answer, Draft};
use crate::drafting::check::Against;
use crate::drafting::echo::Echoes;
use crate::drafting::refusal::Unfit;
use crate::find::{Category, Find};
use crate::triage::Triaged;

impl Rounds<'_> {
    /// The drafts that are fit to be verified.
    pub fn check(&mut self, asked: &[&Triaged], answers: Vec<(Category, Answer)>) -> Batches {
        let drafts = answers.iter().flat_map(|(_, answer)| &answer.drafts).flat_map(Draft::says);
        let ends = answers.iter().flat_map(|(_, answer)| &answer.ended).flat_map(|end| end.says());
        let echoes = Echoes::of(drafts.chain(ends), self.talk);
        let mut checked = Batches::new();
        for (category, answer) in answers {
            let Some(triaged) = asked.iter().find(|it| it.category == category) else { continue };
            self.check_one(triaged, &answer, &echoes, &mut checked);
        }
        checked.retain(|_, batch| !(batch.finds.is_empty() && batch.ended.is_empty()));
        checked
    }

    fn check_one(&mut self, triaged: &Triaged, answer: &Answer, echoes: &Echoes, checked: &mut Batches) {
        let (category, excerpt) = (triaged.category, self.excerpt(triaged));
        let standing = self.standing.get(&category).cloned().unwrap_or_default();
        let against =
            Against { category, session: self.session, excerpt: &excerpt, echoes, standing: &standing };
        let batch = checked.entry(category).or_default();
        for draft in &answer.drafts {
            match against.check(draft) {
                Ok(find) => batch.finds.push(find),
                Err(why) => self.refuse(category, &draft.title, why),
            }
        }
        for title in &answer.over {
            self.refuse(category, title, Unfit::new("there were too many"));
        }
        batch.finds.extend(self.doubted(category, &answer.wrong));
        // Without somebody who verifies it, nothing ends.
        for end in answer.ended.iter().filter(|_| self.settings.verify) {
            match against.ended(end) {
                Ok(ended) => batch.ended.push(ended),
                Err(why) => self.refuse(category, &end.why, why),
            }
        }
    }

    /// The rules' finds that the drafting model says are wrong. They fall only if who verifies says so too: a transcript
    /// that talks a small model into it loses nobody's words.
    fn doubted(&self, category: Category, wrong: &[usize]) -> Vec<Find> {
        let verified = self.settings.verify;
        let known = self.candidates(category).into_iter().enumerate();
        known.filter(|(at, _)| verified && wrong.contains(at)).map(|(_, find)| find.clone()).collect()
    }
}
