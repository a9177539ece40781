//! Whether what is kept is still lawful: a store may come from an older version, which knew fewer secrets and fewer rules.

use super::kinds::{Category, Status};
use super::record::Memory;
use super::{Memories, content, rules};
use crate::error::Result;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;

/// One thing that is wrong with one memory, or with a category of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The memory; of too many, the category.
    pub id: String,
    /// What.
    pub what: String,
    /// What to do about it.
    pub next: String,
}

impl Memories {
    /// Looks at every memory: how many there were, and what is wrong.
    ///
    /// # Errors
    /// `unavailable` where the store cannot be read.
    pub fn verify(&self) -> Result<(u64, Vec<Violation>)> {
        let (mut checked, mut flaws, mut status) = (0, Vec::new(), HashMap::new());
        let mut succeeded = Vec::new();
        self.each(&mut |memory| {
            checked += 1;
            status.insert(memory.id.clone(), memory.status);
            succeeded.extend(memory.supersedes.iter().map(|old| (memory.id.clone(), old.clone())));
            flaws.extend(self.flaw(&memory));
            Ok(())
        })?;
        for (new, old) in succeeded {
            let both = [&new, &old].iter().all(|id| status.get(*id) == Some(&Status::Active));
            flaws.extend(
                both.then(|| flaw(&old, format!("`{new}` came in its place, and it is active"), "retire")),
            );
        }
        flaws.extend(self.overfull()?);
        Ok((checked, flaws))
    }

    fn flaw(&self, memory: &Memory) -> Option<Violation> {
        let id = &memory.id;
        let lawful = match rules::lawful(memory.clone(), &self.redactor) {
            Ok(lawful) => lawful,
            Err(error) => return Some(flaw(id, error.message, "update")),
        };
        if said(&lawful) != said(memory) || self.history_tells_too_much(memory) {
            let what = "it holds a secret, a home folder or an invisible character".to_owned();
            return Some(flaw(id, what, "retire"));
        }
        content::check(memory.category, &memory.content).err().map(|error| flaw(id, error.message, "update"))
    }

    /// Whether something stands in the history that would not be written there today.
    fn history_tells_too_much(&self, memory: &Memory) -> bool {
        let texts =
            memory.changes.iter().flat_map(|change| std::iter::once(&change.what).chain(change.was.values()));
        texts.into_iter().any(|text| matches!(self.redactor.redact(text), Cow::Owned(_)))
    }

    /// Categories with more than there may be.
    fn overfull(&self) -> Result<Vec<Violation>> {
        let over = |category: Category, count: u64| {
            let most = self.policy.of(category).max_kept;
            (most > 0 && count > most).then(|| Violation {
                id: category.to_string(),
                what: format!("there are {count}, and categories.{category}.max_kept is {most}"),
                next: format!("interleaf memory list -c {category}, and retire what no longer holds"),
            })
        };
        let counts = self.counts()?.into_iter().filter(|(_, status, _)| *status == Status::Active);
        Ok(counts.filter_map(|(category, _, count)| over(category, count)).collect())
    }
}

/// Everything that a memory says.
fn said(memory: &Memory) -> (&str, &str, &Value, &[String], &[String]) {
    (&memory.title, &memory.text, &memory.content, &memory.tags, &memory.related_files)
}

fn flaw(id: &str, what: String, verb: &str) -> Violation {
    Violation { id: id.to_owned(), what, next: format!("interleaf memory {verb} {id}") }
}
