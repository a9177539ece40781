//! Checks every stored memory against the current write rules. A store may hold memories of an older version
//! of the program, which recognized fewer secrets and had fewer rules.

use super::category::Category;
use super::record::{Memory, Status};
use super::{Memories, content, write_rules};
use crate::error::Result;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;

/// A write rule that a memory or a category breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Id of the memory, or name of a category that holds too many.
    pub id: String,
    /// The violation.
    pub message: String,
    /// Command that resolves it.
    pub hint: String,
}

impl Memories {
    /// Checks every memory and returns their number, with all violations.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read.
    pub fn verify(&self) -> Result<(u64, Vec<Violation>)> {
        let (mut checked, mut violations, mut statuses) = (0, Vec::new(), HashMap::new());
        let mut successions = Vec::new();
        self.for_each(&mut |memory| {
            checked += 1;
            statuses.insert(memory.id.clone(), memory.status);
            successions.extend(memory.supersedes.iter().map(|old| (memory.id.clone(), old.clone())));
            violations.extend(self.check_memory(&memory));
            Ok(())
        })?;
        for (new, old) in successions {
            if [&new, &old].iter().all(|id| statuses.get(*id) == Some(&Status::Active)) {
                let message = format!("the memory is active, although `{new}` supersedes it");
                violations.push(violation(&old, message, "retire"));
            }
        }
        violations.extend(self.overfull_categories()?);
        Ok((checked, violations))
    }

    /// Returns why not every memory can be read; `None` if all can.
    pub fn readability_problem(&self) -> Option<String> {
        self.for_each(&mut |_| Ok(())).err().map(|error| error.message)
    }

    fn check_memory(&self, memory: &Memory) -> Option<Violation> {
        let id = &memory.id;
        let valid = match write_rules::validate(memory.clone(), &self.redactor) {
            Ok(valid) => valid,
            Err(error) => return Some(violation(id, error.message, "update")),
        };
        if words_of(&valid) != words_of(memory) || self.history_holds_secrets(memory) {
            let message = "the memory contains a secret, a home folder or an invisible character".to_owned();
            return Some(violation(id, message, "retire"));
        }
        let content = content::check(memory.category, &memory.content);
        content.err().map(|error| violation(id, error.message, "update"))
    }

    /// Tells whether the history contains text that the current rules redact.
    fn history_holds_secrets(&self, memory: &Memory) -> bool {
        let texts =
            memory.changes.iter().flat_map(|change| std::iter::once(&change.what).chain(change.was.values()));
        texts.into_iter().any(|text| matches!(self.redactor.redact(text), Cow::Owned(_)))
    }

    /// Returns the categories that hold more memories than their maximum.
    fn overfull_categories(&self) -> Result<Vec<Violation>> {
        let check = |category: Category, count: u64| {
            let max = self.policy.of(category).max_kept;
            (max > 0 && count > max).then(|| Violation {
                id: category.to_string(),
                message: format!(
                    "the category holds {count} memories, and categories.{category}.max_kept is {max}"
                ),
                hint: format!("interleaf memory list -c {category}, then retire what no longer holds"),
            })
        };
        let counts = self.counts()?.into_iter().filter(|(_, status, _)| *status == Status::Active);
        Ok(counts.filter_map(|(category, _, count)| check(category, count)).collect())
    }
}

/// Returns all fields of a memory that redaction and normalization may change.
fn words_of(memory: &Memory) -> (&str, &str, &Value, [&[String]; 3]) {
    let lists: [&[String]; 3] = [&memory.tags, &memory.related_files, &memory.asked_as];
    (&memory.title, &memory.text, &memory.content, lists)
}

fn violation(id: &str, message: String, verb: &str) -> Violation {
    Violation { id: id.to_owned(), message, hint: format!("interleaf memory {verb} {id}") }
}
