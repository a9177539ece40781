//! What is promised of large stores.

use super::operations::Operation;
use super::{Store, thousands};

/// The store for which the promises hold, and the one that it is compared with, in memories.
const SIZE: usize = 100_000;
const COMPARED_SIZE: usize = 1_000;

/// Maximum time of an import, in seconds.
const MAX_IMPORT_SECONDS: f64 = 60.0;
/// Maximum peak memory of an import, in MB.
const MAX_IMPORT_MB: f64 = 100.0;
const MB_PER_MIB: f64 = (1 << 20) as f64 / 1e6;

/// Maximum ratio of the times of what writes.
const MAX_RATIO: f64 = 2.0;
/// What writes.
const WRITING: [Operation; 3] = [Operation::Remember, Operation::ToolFailure, Operation::Stop];

/// A promise with the figure that was measured.
pub struct Promise {
    name: String,
    is: f64,
    most: f64,
}

impl Promise {
    /// Creates a promise that a figure is at most this.
    pub fn new(name: impl Into<String>, is: f64, most: f64) -> Self {
        Self { name: name.into(), is, most }
    }

    /// Tells whether it holds. What could not be measured does not.
    pub fn is_held(&self) -> bool {
        self.is <= self.most
    }

    /// Returns a line that tells whether it holds.
    pub fn verdict(&self) -> String {
        let verdict = if self.is_held() { "held    " } else { "NOT HELD" };
        format!("{verdict} {}: {:.1}, promised at most {}", self.name, self.is, self.most)
    }
}

/// Returns the promises that these stores can check.
pub fn of(stores: &[Store]) -> Vec<Promise> {
    let of_size = |size| stores.iter().find(|store| store.size() == size);
    let Some(large) = of_size(SIZE) else { return Vec::new() };
    let name = |what: &str| format!("an import of {} memories, {what}", thousands(SIZE));
    let mut promises = vec![
        Promise::new(name("seconds"), large.import.seconds(), MAX_IMPORT_SECONDS),
        Promise::new(name("MB at its peak"), large.import.peak() * MB_PER_MIB, MAX_IMPORT_MB),
    ];
    if let Some(small) = of_size(COMPARED_SIZE) {
        promises.extend(WRITING.map(|operation| {
            let name = format!(
                "{} with {} memories, in relation to {}",
                operation.name(),
                thousands(SIZE),
                thousands(COMPARED_SIZE)
            );
            Promise::new(name, large.median(operation) / small.median(operation), MAX_RATIO)
        }));
    }
    promises
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::growth::TABLE_HEAD;
    use crate::faults::page::documented;

    #[test]
    fn the_documented_table_holds_every_promise() {
        let Some(rows) = documented(TABLE_HEAD) else { return };
        let column =
            rows[0].iter().position(|size| *size == thousands(SIZE)).expect("the store is documented");
        let figure = |name: &str, column: usize| -> f64 {
            let row = rows.iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("no row for {name}"));
            row[column].parse().expect("a number")
        };

        assert!(figure("`memory import`, s", column) <= MAX_IMPORT_SECONDS);
        assert!(figure("its peak memory, MiB", column) * MB_PER_MIB <= MAX_IMPORT_MB);
        for operation in WRITING {
            let name = format!("{}, ms", operation.name());
            assert!(figure(&name, column + 1) <= MAX_RATIO, "{name}");
            let ratio = figure(&name, column) / figure(&name, 1);
            assert!((ratio - figure(&name, column + 1)).abs() < 0.1, "{name}: {ratio}");
        }
    }

    #[test]
    fn a_figure_above_the_promise_or_none_breaks_it() {
        assert!(Promise::new("x", 2.0, 2.0).is_held());
        assert!(!Promise::new("x", 2.1, 2.0).is_held());
        assert!(!Promise::new("x", f64::NAN, 2.0).is_held());
        assert_eq!(Promise::new("x", 2.14, 2.0).verdict(), "NOT HELD x: 2.1, promised at most 2");
    }
}
