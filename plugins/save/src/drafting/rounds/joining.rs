//! The end of the rounds: what the rules found and what the model drafted, as one.

use super::{Rounds, Supported};
use crate::drafting::refusal::Unfit;
use crate::drafting::{Drafted, merge};
use crate::find::Find;
use crate::rules::is_saved;

impl Rounds<'_> {
    /// What is to be written.
    pub fn join(mut self, supported: Supported) -> Drafted {
        let known = self.known.finds.iter().filter(|find| !self.wrong.contains(&find.key));
        let mut finds: Vec<Find> = known.cloned().collect();
        for draft in supported.finds.into_iter().filter(|draft| !is_saved(self.known.saved, draft)) {
            merge::put(&mut finds, draft);
        }
        for find in merge::best(&mut finds, self.settings.drafts) {
            let title = find.title.as_deref().unwrap_or(&find.text);
            self.refuse(find.category, title, Unfit::new("the session left as many as it may"));
        }
        merge::promote(&mut finds, self.settings.promote);
        // What has a successor ends by it.
        let mut ended = supported.ended;
        ended.retain(|ended| !finds.iter().any(|find| replaces(find, &ended.memory.id)));
        Drafted { finds, ended, ..self.drafted }
    }
}

fn replaces(find: &Find, id: &str) -> bool {
    find.about.as_ref().is_some_and(|about| about.memory.id == id)
}
