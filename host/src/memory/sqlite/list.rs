//! The first few memories in an order. Session start asks for these on every session, so they come from the
//! ends of indexes: at 10,000 memories a list of five reads a few dozen index entries and five rows.

use super::super::ageing::Age;
use super::super::kinds::Category;
use super::super::record::Memory;
use super::super::store::{Filter, Order};
use super::filter::Condition;
use super::{row, whole};
use crate::clock::Millis;
use crate::error::Result;
use rusqlite::{Connection, params_from_iter};

/// What rows are ordered by, the best greatest: what they weigh now where it counts, moment, number.
type Key = (f64, i64, i64);

/// Where age counts, the best may stand anywhere in the index: so many are looked at from the end of the most important
/// and from the end of the newest. What is neither is not among the best few.
const LOOKED_AT: usize = 32;

pub(super) fn list(
    connection: &Connection,
    filter: &Filter,
    order: Order,
    now: Millis,
    limit: usize,
) -> Result<Vec<Memory>> {
    let mut keys = if filter.tags.is_empty() {
        by_index(connection, filter, order, now, limit)?
    } else {
        by_tag(connection, filter, order, now, limit)?
    };
    let newest_first = |a: &Key, b: &Key| (b.1, b.2).cmp(&(a.1, a.2));
    match order {
        Order::Newest => keys.sort_by(newest_first),
        Order::Importance => keys.sort_by(|a, b| b.0.total_cmp(&a.0).then(newest_first(a, b))),
    }
    keys.dedup();
    keys.truncate(limit);
    keys.into_iter().map(|(_, _, number)| row::read(connection, number)).collect()
}

/// Walks the index of each status and category from its best end, and leaves the merging to the caller: of
/// several categories at once, SQLite would sort every row.
fn by_index(
    connection: &Connection,
    filter: &Filter,
    order: Order,
    now: Millis,
    limit: usize,
) -> Result<Vec<Key>> {
    let categories = if filter.categories.is_empty() { Category::ALL } else { &filter.categories };
    let mut keys = Vec::new();
    for &status in &filter.statuses {
        for &category in categories {
            let from = Source { tables: "memories", condition: Condition::within(filter, status, category) };
            if order == Order::Importance && !category.is_durable() {
                let looked_at = limit.saturating_mul(2).max(LOOKED_AT);
                keys.extend(from.best(connection, order, now, looked_at)?);
                keys.extend(from.best(connection, Order::Newest, now, looked_at)?);
            } else {
                keys.extend(from.best(connection, order, now, limit)?);
            }
        }
    }
    Ok(keys)
}

/// Starts from the rows of the first tag. `CROSS JOIN` is how SQLite is told the order of a join.
fn by_tag(
    connection: &Connection,
    filter: &Filter,
    order: Order,
    now: Millis,
    limit: usize,
) -> Result<Vec<Key>> {
    let mut condition = Condition::of(filter);
    condition.sql = format!("tags.tag = ? AND {}", condition.sql);
    condition.values.insert(0, filter.tags[0].clone().into());
    let from = Source { tables: "tags CROSS JOIN memories ON number = tags.memory", condition };
    from.best(connection, order, now, limit.saturating_mul(2).max(LOOKED_AT))
}

/// Where rows are looked for.
struct Source<'a> {
    tables: &'a str,
    condition: Condition,
}

impl Source<'_> {
    /// The first rows in this order of their stored values, with what they weigh now.
    fn best(&self, connection: &Connection, order: Order, now: Millis, limit: usize) -> Result<Vec<Key>> {
        let best_first = match order {
            Order::Newest => "created_at DESC, number DESC",
            Order::Importance => "importance DESC, created_at DESC, number DESC",
        };
        let sql = format!(
            "SELECT importance, created_at, number, category, updated_at FROM {} WHERE {} ORDER BY {best_first} LIMIT {}",
            self.tables,
            self.condition.sql,
            whole(limit)
        );
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params_from_iter(&self.condition.values))?;
        let mut keys = Vec::new();
        while let Some(row) = rows.next()? {
            let importance: f64 = row.get(0)?;
            let age = Age::of(row::word(row, "category")?, row.get(4)?);
            keys.push((importance * f64::from(age.weight(now)), row.get(1)?, row.get(2)?));
        }
        Ok(keys)
    }
}
