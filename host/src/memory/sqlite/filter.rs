//! A filter as SQL. Values are always bound; only the closed words of [`kinds`](crate::memory::kinds) are
//! written out.

use super::super::kinds::{Category, Origin, Status};
use super::super::store::Filter;
use rusqlite::types::Value;

/// A condition on a row of `memories`, and the values of its question marks.
pub(super) struct Condition {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Condition {
    /// All that a filter asks for.
    pub(super) fn of(filter: &Filter) -> Self {
        let mut condition = Self::beyond_place(filter);
        condition.one_of("status", filter.statuses.iter().map(|status| status.as_str()), false);
        condition.one_of("category", filter.categories.iter().map(|category| category.as_str()), true);
        condition
    }

    /// The same within one status and category, as the indexes are ordered.
    pub(super) fn within(filter: &Filter, status: Status, category: Category) -> Self {
        let mut condition = Self::beyond_place(filter);
        condition.and(&format!("status = '{status}' AND category = '{category}'"), None);
        condition
    }

    /// All that does not depend on status and category.
    fn beyond_place(filter: &Filter) -> Self {
        let mut condition = Self { sql: "TRUE".to_owned(), values: Vec::new() };
        for tag in &filter.tags {
            let tagged = "number IN (SELECT memory FROM tags WHERE tag = ?)";
            condition.and(tagged, Some(Value::Text(tag.clone())));
        }
        if let Some(branch) = &filter.branch {
            condition.and("(branch IS NULL OR branch = ?)", Some(Value::Text(branch.clone())));
        }
        if let Some(since) = filter.since {
            condition.and("created_at >= ?", Some(Value::Integer(since)));
        }
        condition.one_of("origin", filter.origins.iter().copied().map(Origin::as_str), true);
        if !filter.except.is_empty() {
            let ids = serde_json::Value::from_iter(filter.except.iter().map(String::as_str));
            condition.and("id NOT IN (SELECT value FROM json_each(?))", Some(Value::Text(ids.to_string())));
        }
        condition
    }

    fn and(&mut self, sql: &str, value: Option<Value>) {
        self.sql.push_str(" AND ");
        self.sql.push_str(sql);
        self.values.extend(value);
    }

    /// The column holds one of these words. No words at all mean any, or none.
    fn one_of(&mut self, column: &str, words: impl Iterator<Item = &'static str>, none_means_any: bool) {
        let words: Vec<String> = words.map(|word| format!("'{word}'")).collect();
        if !(words.is_empty() && none_means_any) {
            self.and(&format!("{column} IN ({})", words.join(", ")), None);
        }
    }
}
