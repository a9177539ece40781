//! The first few memories in an order. Session start asks for these on every session, so they come from the
//! ends of indexes: at 10,000 memories a list of five reads a few dozen index entries and five rows.

use super::super::kinds::Category;
use super::super::record::Memory;
use super::super::store::{Filter, Order};
use super::filter::Condition;
use super::{row, whole};
use crate::error::Result;
use rusqlite::{Connection, params_from_iter};

/// What rows are ordered by, the best greatest: importance where it counts, moment, number.
type Key = (f64, i64, i64);

pub(super) fn list(
    connection: &Connection,
    filter: &Filter,
    order: Order,
    limit: usize,
) -> Result<Vec<Memory>> {
    let mut keys = if filter.tags.is_empty() {
        by_index(connection, filter, order, limit)?
    } else {
        by_tag(connection, filter, order, limit)?
    };
    keys.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(b.2.cmp(&a.2)));
    keys.truncate(limit);
    keys.into_iter().map(|(_, _, number)| row::read(connection, number)).collect()
}

/// Walks the index of each status and category from its best end, and leaves the merging to the caller: of
/// several categories at once, SQLite would sort every row.
fn by_index(connection: &Connection, filter: &Filter, order: Order, limit: usize) -> Result<Vec<Key>> {
    let categories = if filter.categories.is_empty() { Category::ALL } else { &filter.categories };
    let mut keys = Vec::new();
    for &status in &filter.statuses {
        for &category in categories {
            let condition = Condition::within(filter, status, category);
            keys.extend(best(connection, "memories", condition, order, limit)?);
        }
    }
    Ok(keys)
}

/// Starts from the rows of the first tag. `CROSS JOIN` is how SQLite is told the order of a join.
fn by_tag(connection: &Connection, filter: &Filter, order: Order, limit: usize) -> Result<Vec<Key>> {
    let mut condition = Condition::of(filter);
    condition.sql = format!("tags.tag = ? AND {}", condition.sql);
    condition.values.insert(0, filter.tags[0].clone().into());
    best(connection, "tags CROSS JOIN memories ON number = tags.memory", condition, order, limit)
}

fn best(
    connection: &Connection,
    from: &str,
    condition: Condition,
    order: Order,
    limit: usize,
) -> Result<Vec<Key>> {
    let (importance, best_first) = match order {
        Order::Newest => ("0.0", "created_at DESC, number DESC"),
        Order::Importance => ("importance", "importance DESC, created_at DESC, number DESC"),
    };
    let sql = format!(
        "SELECT {importance}, created_at, number FROM {from} WHERE {} ORDER BY {best_first} LIMIT {}",
        condition.sql,
        whole(limit)
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let keys = statement
        .query_map(params_from_iter(condition.values), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(keys.collect::<rusqlite::Result<_>>()?)
}
