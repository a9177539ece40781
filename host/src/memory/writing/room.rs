//! How many memories of a category there may be, and what happens to one too many: what is about a moment makes room,
//! what holds until somebody changes it does not.

use super::super::Memories;
use super::super::ageing::Age;
use super::super::kinds::Category;
use super::super::record::Memory;
use super::super::relevance::Query;
use super::super::store::{Filter, Order, Transaction};
use crate::error::{Error, Result};
use serde_json::Value;

/// The fields of a session's summary that are asked about before it goes (seed 003).
const TELLING: [&str; 3] = ["completed", "blockers", "next_actions"];

/// How well another memory must cover an item for the item to be found there.
const COVERED: f32 = 0.5;

/// A memory that was retired to make room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evicted {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it holds that no other active memory does. It is kept with the retired one until that is deleted.
    pub unique_items: Vec<String>,
}

impl Evicted {
    /// The sentence for whoever wrote what it made room for.
    pub fn brief(&self) -> String {
        format!("memory `{}` ({}) was retired to make room", self.id, self.title)
    }

    /// The same for whoever looks after the memories, with what would be lost.
    pub fn warning(&self) -> String {
        format!("{} and holds what no other does: {}", self.brief(), self.unique_items.join("; "))
    }
}

impl Memories {
    /// That one more can be written. What is about a moment always can: an older one goes.
    pub(super) fn check_room(&self, step: &dyn Transaction, category: Category) -> Result<()> {
        let most = self.policy.of(category).max_kept;
        if most == 0 || !category.is_durable() || step.active(category)? < most {
            return Ok(());
        }
        Err(Error::over_budget(format!(
            "there are {most} memories of the category {category}, and that is the most"
        ))
        .hint(format!("retire one that no longer holds, or raise categories.{category}.max_kept")))
    }

    /// Retires what is one too many, but not what came just now.
    pub(super) fn make_room(
        &self,
        step: &dyn Transaction,
        category: Category,
        came: Option<&str>,
    ) -> Result<Vec<Evicted>> {
        let most = self.policy.of(category).max_kept;
        let mut evicted = Vec::new();
        if most == 0 || category.is_durable() {
            return Ok(evicted);
        }
        while step.active(category)? > most {
            let Some(weakest) = self.weakest(step, category, came)? else { break };
            let unique_items = self.only_in(step, &weakest)?;
            let (id, title) = (weakest.id.clone(), weakest.title.clone());
            self.retire_in(step, weakest, &format!("made room: {most} of {category} are kept"))?;
            evicted.push(Evicted { id, title, unique_items });
        }
        Ok(evicted)
    }

    /// The oldest summary; of other categories the one that weighs least by now.
    fn weakest(
        &self,
        step: &dyn Transaction,
        category: Category,
        came: Option<&str>,
    ) -> Result<Option<Memory>> {
        let except = came.map(str::to_owned).into_iter().collect();
        let (now, filter) =
            (self.clock.now(), Filter { categories: vec![category], except, ..Filter::default() });
        let all = step.list(&filter, Order::Newest, now, usize::MAX)?;
        if category == Category::SessionSummary {
            return Ok(all.into_iter().next_back());
        }
        let weight = |memory: &Memory| memory.importance * Age::of(category, memory.updated_at).weight(now);
        // The oldest of equals, which the list has last.
        Ok(all.into_iter().rev().min_by(|a, b| weight(a).total_cmp(&weight(b))))
    }

    /// The items of a summary that no other active memory says.
    fn only_in(&self, step: &dyn Transaction, summary: &Memory) -> Result<Vec<String>> {
        let others = Filter { except: [summary.id.clone()].into(), ..Filter::default() };
        let mut unique_items = Vec::new();
        for item in items(summary) {
            if step.search(&Query::new(item), &others, COVERED, 1)?.is_empty() {
                unique_items.push(item.to_owned());
            }
        }
        Ok(unique_items)
    }
}

/// What a summary tells, item by item; of one in words only, line by line.
fn items(summary: &Memory) -> Vec<&str> {
    let fields = TELLING.iter().filter_map(|field| summary.content[*field].as_array()).flatten();
    let items: Vec<&str> = fields.filter_map(Value::as_str).collect();
    if items.is_empty() {
        summary.text.lines().filter(|line| !line.trim().is_empty()).collect()
    } else {
        items
    }
}
