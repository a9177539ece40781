//! The policy for memories, as the configuration sets it: which categories are enabled, how many memories
//! each may hold and for how long, when a retired memory is deleted, and how many tokens may be wasted. Plain
//! data; the write rules and `writing/retention.rs` apply it. The defaults per category are in `category.rs`.

use super::category::Category;
use super::relevance::WastedTokensByOccasion;

/// Days for which a retired memory is kept before it is deleted.
const DEFAULT_GRACE_DAYS: u64 = 30;

/// The policy for all memories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    categories: [CategoryPolicy; Category::ALL.len()],
    /// Days for which a retired memory is kept before it is deleted.
    pub grace_days: u64,
    /// Whether a retired memory is archived after the grace period instead of deleted.
    pub archive_retired: bool,
    /// Tokens that hooks may waste where no memory is needed.
    pub wasted_tokens: WastedTokensByOccasion,
}

/// The policy for memories of one category.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryPolicy {
    /// Whether the category is enabled. If not, nothing is written to it and layers find nothing in it.
    pub enabled: bool,
    /// Whether layers may write to it on their own.
    pub auto_capture: bool,
    /// Description of the category, part of a model's prompt.
    pub description: String,
    /// Days without a change after which a memory is retired; 0 means never.
    pub retention_days: u64,
    /// Maximum number of active memories; 0 means no limit.
    pub max_kept: u64,
}

impl Policy {
    /// Returns the policy of a category.
    pub fn of(&self, category: Category) -> &CategoryPolicy {
        &self.categories[category as usize]
    }

    /// Returns the policy of a category, mutably.
    pub fn of_mut(&mut self, category: Category) -> &mut CategoryPolicy {
        &mut self.categories[category as usize]
    }
}

impl Default for Policy {
    fn default() -> Self {
        let categories = std::array::from_fn(|index| CategoryPolicy::default_of(Category::ALL[index]));
        Self {
            categories,
            grace_days: DEFAULT_GRACE_DAYS,
            archive_retired: false,
            wasted_tokens: WastedTokensByOccasion::default(),
        }
    }
}

impl CategoryPolicy {
    /// Returns the description if it differs from the default one.
    pub fn custom_description(&self, category: Category) -> Option<&str> {
        (self.description != category.properties().description).then_some(self.description.as_str())
    }

    /// Describes how many memories are kept and for how long, for example `at most 5, 90 days`.
    pub fn summary(&self) -> String {
        if !self.enabled {
            return "switched off".to_owned();
        }
        let count = (self.max_kept > 0).then(|| format!("at most {}", self.max_kept));
        let days = (self.retention_days > 0).then(|| format!("{} days", self.retention_days));
        let limits: Vec<String> = count.into_iter().chain(days).collect();
        if limits.is_empty() { "all".to_owned() } else { limits.join(", ") }
    }

    fn default_of(category: Category) -> Self {
        let properties = category.properties();
        Self {
            enabled: true,
            auto_capture: true,
            description: properties.description.to_owned(),
            retention_days: properties.retention_days,
            max_kept: properties.max_kept,
        }
    }
}
