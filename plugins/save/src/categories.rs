//! How the person wants each category kept, asked once a flush.

use crate::find::Category;

/// Characters of a description that a model is told.
const LONGEST: usize = 300;

/// How the categories are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Categories {
    unwanted: Vec<Category>,
    descriptions: Vec<(Category, String)>,
}

impl Categories {
    /// All of them wanted, and nothing said of any.
    pub const fn all() -> Self {
        Self { unwanted: Vec::new(), descriptions: Vec::new() }
    }

    /// Adds a category: whether memories of it are to be written, and what belongs into it.
    #[must_use]
    pub fn with(mut self, category: Category, wanted: bool, description: &str) -> Self {
        if !wanted {
            self.unwanted.push(category);
        }
        let line = description.split_whitespace().collect::<Vec<_>>().join(" ");
        let line: String = line.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
        self.descriptions.push((category, line));
        self
    }

    /// Whether memories of it are to be drafted and written.
    pub fn are_wanted(&self, category: Category) -> bool {
        !self.unwanted.contains(&category)
    }

    /// What belongs into it, on one line; none where nobody said.
    pub fn description(&self, category: Category) -> Option<&str> {
        let mut known = self.descriptions.iter().filter(|(of, line)| *of == category && !line.is_empty());
        known.next().map(|(_, line)| line.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_one_short_line_and_what_is_not_spoken_of_is_wanted() {
        let long = format!("one\n\ntwo\u{1b} {}", "x".repeat(1_000));
        let categories = Categories::all().with(Category::Decision, false, &long);

        assert!(!categories.are_wanted(Category::Decision) && categories.are_wanted(Category::Runbook));
        let line = categories.description(Category::Decision).unwrap();
        assert!(line.starts_with("one two xxx") && line.chars().count() == LONGEST, "{line}");
        assert_eq!(categories.description(Category::Runbook), None);
    }
}
