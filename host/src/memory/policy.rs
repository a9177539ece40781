//! What the person decided about memories as a whole: which categories there are, how many of each are kept and
//! for how long. Plain data; the configuration fills it in, the write rules and the upkeep heed it.

use super::kinds::Category;

/// How memories are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    categories: [CategoryPolicy; Category::ALL.len()],
    /// Days that a retired memory is kept before it is deleted.
    pub grace_days: u64,
    /// Whether it is archived then, instead of deleted.
    pub archive_retired: bool,
}

/// How memories of one category are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryPolicy {
    /// Whether there are memories of it: if not, none is written and no layer finds any.
    pub enabled: bool,
    /// Whether layers write any by themselves.
    pub auto_capture: bool,
    /// What belongs into it, for whoever has to tell.
    pub description: String,
    /// Days without a change after which one is retired; 0 is never.
    pub retention_days: u64,
    /// How many are active at most; 0 is without limit.
    pub max_kept: u64,
}

impl Policy {
    /// What holds for a category.
    pub fn of(&self, category: Category) -> &CategoryPolicy {
        &self.categories[category as usize]
    }

    /// The same, to be changed.
    pub fn of_mut(&mut self, category: Category) -> &mut CategoryPolicy {
        &mut self.categories[category as usize]
    }
}

impl Default for Policy {
    /// The defaults of seed 003: five session summaries, each for 90 days; everything else for ever; 30 days of
    /// grace. The seed's hundred memories a category were what a folder of files could bear; a search here does not
    /// mind ten thousand, so there is no limit until somebody sets one. And what was forgotten is deleted in the end,
    /// not archived: that is what forgetting means.
    fn default() -> Self {
        let categories = std::array::from_fn(|place| CategoryPolicy::of(Category::ALL[place]));
        Self { categories, grace_days: 30, archive_retired: false }
    }
}

impl CategoryPolicy {
    /// What somebody says belongs into it, where that is not what is meant anyway.
    pub fn custom_description(&self, category: Category) -> Option<&str> {
        (self.description != description(category)).then_some(self.description.as_str())
    }

    /// How long and how many, in words.
    pub fn summary(&self) -> String {
        let most = if self.max_kept > 0 { format!("at most {}", self.max_kept) } else { String::new() };
        let days =
            if self.retention_days > 0 { format!("{} days", self.retention_days) } else { String::new() };
        match (self.enabled, most.as_str(), days.as_str()) {
            (false, ..) => "switched off".to_owned(),
            (true, "", "") => "all".to_owned(),
            (true, most, "") => most.to_owned(),
            (true, "", days) => days.to_owned(),
            (true, most, days) => format!("{most}, {days}"),
        }
    }

    fn of(category: Category) -> Self {
        let (retention_days, max_kept) = match category {
            Category::SessionSummary => (90, 5),
            _ => (0, 0),
        };
        let description = description(category).to_owned();
        Self { enabled: true, auto_capture: true, description, retention_days, max_kept }
    }
}

/// What a category holds, unless somebody says otherwise.
const fn description(category: Category) -> &'static str {
    match category {
        Category::SessionSummary => "what a session set out to do, what came of it and what is open",
        Category::Decision => "a choice and its reason: why this and not that",
        Category::Runbook => "a failure that can come back, and the cure that worked",
        Category::Constraint => "a limit that cannot be changed from here",
        Category::TechDebt => "work that was put off, and why",
        Category::Preference => "how things are to be done here",
        Category::Learning => "something found out",
        Category::Context => "how things stand",
        Category::Blocker => "what stops the work at present",
    }
}
