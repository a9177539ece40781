//! Lists of memories, and filters as SQL conditions. Every session start lists memories, so rows are read
//! from the ends of indexes: among 10,000 memories, a list of five reads a few dozen index entries and five
//! rows.

use super::{row_mapping, sql_limit};
use crate::clock::Millis;
use crate::error::Result;
use crate::memory::branches::{ON_ANY_BRANCH, OUTRANKED_BRANCH_FACTOR};
use crate::memory::category::Category;
use crate::memory::recency::Recency;
use crate::memory::record::{Memory, Origin, Status};
use crate::memory::store::{Filter, Order, OwnMemories};
use crate::memory::write_rules::{TENTATIVE_TAG, normalize_tag};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

/// Minimum number of rows to read from each index if age counts. Rows are then read from the most important
/// and from the newest end, because a row that is neither important nor new is not among the best few.
const MIN_ROWS_WITH_AGE: usize = 32;

/// Number of rows, beyond those that are wanted, whose use and branch are read. These are in no index, and
/// change the order of memories that are about equally important.
const SPARE_ROWS: usize = 16;

/// Sort key of rows, the greatest first: importance weighted by age and use, time of creation, row number.
type SortKey = (f64, i64, i64);

pub(super) fn list(
    connection: &Connection,
    filter: &Filter,
    order: Order,
    now: Millis,
    limit: usize,
) -> Result<Vec<Memory>> {
    let mut keys = if filter.tags.is_empty() {
        keys_by_index(connection, filter, order, now, limit)?
    } else {
        keys_by_tag(connection, filter, order, now, limit)?
    };
    sort(&mut keys, order);
    keys.dedup();
    if order == Order::Importance {
        keys.truncate(limit.saturating_add(SPARE_ROWS));
        weigh(connection, &mut keys, &filter.outranked_branches)?;
        sort(&mut keys, order);
    }
    keys.truncate(limit);
    row_mapping::read_all(connection, keys.into_iter().map(|(_, _, number)| number))
}

fn sort(keys: &mut [SortKey], order: Order) {
    let newest_first = |a: &SortKey, b: &SortKey| (b.1, b.2).cmp(&(a.1, a.2));
    match order {
        Order::Newest => keys.sort_by(newest_first),
        Order::Oldest => keys.sort_by(|a, b| newest_first(b, a)),
        Order::Importance => keys.sort_by(|a, b| b.0.total_cmp(&a.0).then(newest_first(a, b))),
    }
}

/// Weighs the importance of rows by how often sessions followed them, and by their branch.
fn weigh(connection: &Connection, keys: &mut [SortKey], outranked_branches: &[String]) -> Result<()> {
    let sql = "SELECT uses, followed, branch, category FROM memories WHERE number = ?";
    let mut statement = connection.prepare_cached(sql)?;
    keys.iter_mut().try_for_each(|(importance, _, number)| {
        *importance *= statement.query_row([*number], |row| Ok(weight(row, outranked_branches)))??;
        Ok(())
    })
}

fn weight(row: &Row, outranked_branches: &[String]) -> Result<f64> {
    let branch: Option<String> = row.get(2)?;
    let is_outranked = branch.is_some_and(|branch| outranked_branches.contains(&branch))
        && !ON_ANY_BRANCH.contains(&row_mapping::parse_word(row, 3)?);
    let branch = if is_outranked { OUTRANKED_BRANCH_FACTOR } else { 1.0 };
    Ok(f64::from(row_mapping::usefulness(row, 0)?.weight() * branch))
}

/// Reads the index of each status and category from its best end. A condition on several categories would
/// make SQLite sort every row, so each has a query of its own. SQLite merges them and stops at the limit,
/// except where age counts.
fn keys_by_index(
    connection: &Connection,
    filter: &Filter,
    order: Order,
    now: Millis,
    limit: usize,
) -> Result<Vec<SortKey>> {
    let is_wanted =
        |category: &&Category| filter.categories.is_empty() || filter.categories.contains(category);
    let (mut keys, mut merged) = (Vec::new(), KeyQuery { tables: "memories", conditions: Vec::new() });
    for &status in &filter.statuses {
        for &category in Category::ALL.iter().filter(is_wanted) {
            let condition = Condition::for_status_and_category(filter, status, category);
            if order != Order::Importance || category.is_durable() {
                merged.conditions.push(condition);
                continue;
            }
            let query = KeyQuery { tables: "memories", conditions: vec![condition] };
            let limit = limit.saturating_mul(2).max(MIN_ROWS_WITH_AGE);
            keys.extend(query.first(connection, order, now, limit)?);
            keys.extend(query.first(connection, Order::Newest, now, limit)?);
        }
    }
    keys.extend(merged.first(connection, order, now, limit.saturating_add(SPARE_ROWS))?);
    Ok(keys)
}

/// Starts from the rows of the first tag. `CROSS JOIN` fixes the join order in SQLite.
fn keys_by_tag(
    connection: &Connection,
    filter: &Filter,
    order: Order,
    now: Millis,
    limit: usize,
) -> Result<Vec<SortKey>> {
    let mut condition = Condition::new(filter);
    condition.sql = format!("tags.tag = ? AND {}", condition.sql);
    condition.values.insert(0, normalize_tag(&filter.tags[0]).into());
    let tables = "tags CROSS JOIN memories ON number = tags.memory";
    let query = KeyQuery { tables, conditions: vec![condition] };
    query.first(connection, order, now, limit.saturating_mul(2).max(MIN_ROWS_WITH_AGE))
}

struct KeyQuery<'a> {
    tables: &'a str,
    /// Each row meets at most one of them.
    conditions: Vec<Condition>,
}

impl KeyQuery<'_> {
    /// Returns the keys of the first rows in this order of their stored values.
    fn first(
        &self,
        connection: &Connection,
        order: Order,
        now: Millis,
        limit: usize,
    ) -> Result<Vec<SortKey>> {
        let order_by = match order {
            Order::Newest => "created_at DESC, number DESC",
            Order::Oldest => "created_at, number",
            Order::Importance => "importance DESC, created_at DESC, number DESC",
        };
        if self.conditions.is_empty() {
            return Ok(Vec::new());
        }
        let select = |condition: &Condition| {
            let columns = "importance, created_at, number, category, updated_at";
            format!("SELECT {columns} FROM {} WHERE {}", self.tables, condition.sql)
        };
        let selects: Vec<String> = self.conditions.iter().map(select).collect();
        let sql = format!("{} ORDER BY {order_by} LIMIT {}", selects.join(" UNION ALL "), sql_limit(limit));
        let values = self.conditions.iter().flat_map(|condition| &condition.values);
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        let mut keys = Vec::new();
        while let Some(row) = rows.next()? {
            let importance: f64 = row.get(0)?;
            let recency = Recency::new(row_mapping::parse_word(row, 3)?, row.get(4)?);
            keys.push((importance * f64::from(recency.weight(now)), row.get(1)?, row.get(2)?));
        }
        Ok(keys)
    }
}

/// A condition on a row of `memories`, with the values of its parameters. Values are always bound; only the
/// fixed words of enums are part of the SQL.
pub(super) struct Condition {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Condition {
    /// Returns all conditions of a filter.
    pub(super) fn new(filter: &Filter) -> Self {
        let mut condition = Self::without_status_and_category(filter);
        condition.one_of("status", filter.statuses.iter().map(|status| status.as_str()));
        if !filter.categories.is_empty() {
            condition.one_of("category", filter.categories.iter().map(|category| category.as_str()));
        }
        condition
    }

    /// Returns the conditions within one status and category, in the order of the index columns.
    fn for_status_and_category(filter: &Filter, status: Status, category: Category) -> Self {
        let mut condition = Self::without_status_and_category(filter);
        condition.and(&format!("status = '{status}' AND category = '{category}'"), None);
        condition
    }

    fn without_status_and_category(filter: &Filter) -> Self {
        let mut condition = Self { sql: "TRUE".to_owned(), values: Vec::new() };
        for tag in &filter.tags {
            let tagged = "number IN (SELECT memory FROM tags WHERE tag = ?)";
            condition.and(tagged, Some(Value::Text(normalize_tag(tag))));
        }
        if !filter.branches.is_empty() {
            condition.and_names("branch IS NULL OR branch IN", &filter.branches);
        }
        if !filter.excluded_branches.is_empty() {
            let on_any = ON_ANY_BRANCH.map(|category| format!("'{category}'")).join(", ");
            let holds = format!("branch IS NULL OR category IN ({on_any}) OR branch NOT IN");
            condition.and_names(&holds, &filter.excluded_branches);
        }
        if let Some(since) = filter.since {
            condition.and("created_at >= ?", Some(Value::Integer(since)));
        }
        if let Some(time) = filter.updated_before {
            condition.and("updated_at < ?", Some(Value::Integer(time)));
        }
        if let Some(time) = filter.status_before {
            condition.and("status_since < ?", Some(Value::Integer(time)));
        }
        if !filter.origins.is_empty() {
            condition.one_of("origin", filter.origins.iter().copied().map(Origin::as_str));
        }
        if filter.certain_only {
            // Faster than a look into the table of tags for each row.
            condition.and(&format!("instr(tags, '\"{TENTATIVE_TAG}\"') = 0"), None);
        }
        if !filter.excluded_ids.is_empty() {
            let ids: Vec<String> = filter.excluded_ids.iter().cloned().collect();
            condition.and_names("id NOT IN", &ids);
        }
        if let Some(own) = &filter.excluded_own {
            condition.exclude_own(own);
        }
        condition
    }

    /// Excludes what a session saved itself and still knows. The session is looked for in the JSON text of
    /// the source, where nothing else can look like it.
    fn exclude_own(&mut self, own: &OwnMemories) {
        let summary = Category::SessionSummary;
        let session = serde_json::json!({ "session": own.session }).to_string();
        self.and(
            &format!("(instr(source, ?) = 0 OR (category <> '{summary}' AND created_at < ?))"),
            Some(Value::Text(session[1..session.len() - 1].to_owned())),
        );
        self.values.push(Value::Integer(own.known_since));
    }

    fn and(&mut self, sql: &str, value: Option<Value>) {
        self.sql.push_str(" AND ");
        self.sql.push_str(sql);
        self.values.extend(value);
    }

    /// Requires what `sql` says of a list of names, which follows it.
    fn and_names(&mut self, sql: &str, names: &[String]) {
        let names = serde_json::Value::from_iter(names.iter().map(String::as_str));
        let condition = format!("({sql} (SELECT value FROM json_each(?)))");
        self.and(&condition, Some(Value::Text(names.to_string())));
    }

    /// Requires that the column holds one of these words. Without words, no row matches.
    fn one_of(&mut self, column: &str, words: impl Iterator<Item = &'static str>) {
        let words: Vec<String> = words.map(|word| format!("'{word}'")).collect();
        self.and(&format!("{column} IN ({})", words.join(", ")), None);
    }
}
