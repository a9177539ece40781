//! The third round: what a second model finds in the excerpt.

use super::{Batch, Batches, Rounds, Supported};
use crate::drafting::excerpt::{Around, Excerpt};
use crate::drafting::model::Prompt;
use crate::drafting::refusal::Unfit;
use crate::drafting::{prompts, verify};
use crate::find::{Category, Find};
use crate::standing::Ended;

/// What a draft is verified with: what it quotes, with what was said shortly before and after.
const VERIFYING: Around = Around { reach: 5, tools: 2, room: 7_000 };

impl Rounds<'_> {
    /// What is supported. Where nobody can be asked, nothing of it is.
    pub fn verify(&mut self, checked: Batches) -> Supported {
        let mut supported = Supported::default();
        if !self.settings.verify {
            supported.finds = checked.into_values().flat_map(|batch| batch.finds).collect();
            return supported;
        }
        let questions = checked.iter().map(|(category, batch)| self.question(*category, batch));
        let prompts: Vec<Prompt> = questions.collect();
        for ((category, batch), answer) in checked.into_iter().zip(self.complete(&prompts)) {
            let drafts = batch.finds.len() + batch.ended.len();
            match answer.and_then(|answer| verify::verdicts(drafts, &answer)) {
                Ok(verdicts) => self.judge(category, batch, verdicts, &mut supported),
                Err(why) => {
                    self.drafted.failed.push((category, format!("the drafts were not verified: {why}")));
                }
            }
        }
        supported
    }

    fn judge(
        &mut self,
        category: Category,
        batch: Batch,
        mut verdicts: Vec<Result<(), Unfit>>,
        supported: &mut Supported,
    ) {
        let ends = verdicts.split_off(batch.finds.len());
        for (find, verdict) in batch.finds.into_iter().zip(verdicts) {
            self.judge_find(find, verdict, supported);
        }
        for (ended, verdict) in batch.ended.into_iter().zip(ends) {
            match verdict {
                Ok(()) => add(&mut supported.ended, ended),
                Err(why) => self.refuse(category, &ended.why, why),
            }
        }
    }

    /// Keeps a draft that is supported; of the rules' finds, one that is not is noted.
    fn judge_find(&mut self, find: Find, verdict: Result<(), Unfit>, supported: &mut Supported) {
        let rules = self.known.finds.iter().any(|known| known.key == find.key);
        match verdict {
            Ok(()) if rules => {}
            Ok(()) => supported.finds.push(find),
            Err(why) => {
                self.refuse(find.category, find.title.as_deref().unwrap_or(&find.text), why);
                self.wrong.extend(rules.then_some(find.key));
            }
        }
    }

    fn question(&self, category: Category, batch: &Batch) -> Prompt {
        let finds = batch.finds.iter().flat_map(|find| &find.evidence);
        let ends = batch.ended.iter().flat_map(|ended| &ended.evidence);
        let cursors: Vec<u64> = finds.chain(ends).map(|it| it.cursor).collect();
        let excerpt = Excerpt::of(self.talk, &cursors, &VERIFYING);
        prompts::verify(category, &batch.finds, &batch.ended, &excerpt)
    }
}

/// Two prompts may have shown the same memory.
fn add(all: &mut Vec<Ended>, ended: Ended) {
    if all.iter().all(|known| known.memory.id != ended.memory.id) {
        all.push(ended);
    }
}
