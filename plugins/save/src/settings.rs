//! The settings in `[layers.save.settings]`, and the policies of the categories. An invalid value is replaced
//! by its default, so that a typing error affects one setting and not the memories.

use interleaf_layer::llm::Tier;
use interleaf_layer::memory::Category;
use interleaf_layer::settings::Table;

/// Default of the setting `memories`: memories per session by rules, besides the summary.
const DEFAULT_MEMORIES: u64 = 5;
/// Default of the setting `drafts`: memories per session with a model.
const DEFAULT_DRAFTS: u64 = 8;
/// Maximum value of both settings.
const MAX_MEMORIES: u64 = 50;

/// Default delay between flushes, in seconds. Every flush may cost model calls.
const DEFAULT_DEBOUNCE_SECONDS: u64 = 300;
/// Maximum delay between flushes, in seconds: one week.
const MAX_DEBOUNCE_SECONDS: u64 = 7 * 24 * 3600;

/// Maximum length of a category's description in a prompt, in characters.
const MAX_DESCRIPTION_CHARS: usize = 300;

/// The settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// `memories`: maximum number of memories per session by rules, besides the summary.
    pub max_memories: usize,
    /// `drafts`: maximum number of memories per session with a model.
    pub max_drafts: usize,
    /// Delay between flushes, in seconds.
    pub debounce_seconds: u64,
    /// Whether to save only sessions that use OpenSpec skills.
    pub only_with_skills: bool,
    /// Whether to use the model that the person chose.
    pub model: bool,
    /// The model that reads sessions: the small one by default. What would replace or end a memory is always
    /// confirmed by the strong one.
    pub tier: Tier,
    /// Whether to ask the agent at the end of a turn to note down what later sessions need.
    pub ask_agent: bool,
    /// Whether the best memories join the cheat sheet.
    pub promote: bool,
    /// Whether the log also contains quotes from the session.
    pub explain: bool,
}

impl Settings {
    /// Reads the settings from a JSON object.
    pub fn read(json: &str) -> Self {
        let settings = Table::parse(json);
        let number = |name: &str, default: u64, max: u64| settings.integer(name, ..=max).unwrap_or(default);
        let switch = |name: &str, default: bool| settings.switch(name).unwrap_or(default);
        Self {
            max_memories: number("memories", DEFAULT_MEMORIES, MAX_MEMORIES) as usize,
            max_drafts: number("drafts", DEFAULT_DRAFTS, MAX_MEMORIES) as usize,
            debounce_seconds: number("debounce_seconds", DEFAULT_DEBOUNCE_SECONDS, MAX_DEBOUNCE_SECONDS),
            only_with_skills: switch("only_with_skills", false),
            model: switch("model", true),
            tier: if settings.text("tier") == Some("strong") { Tier::Strong } else { Tier::Small },
            ask_agent: switch("ask_agent", false),
            promote: switch("promote", true),
            explain: switch("explain", false),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::read("{}")
    }
}

/// The enabled categories and their descriptions. Read once per flush.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryPolicies {
    disabled: Vec<Category>,
    descriptions: Vec<(Category, String)>,
}

impl CategoryPolicies {
    /// All categories enabled, without descriptions.
    pub const fn all_enabled() -> Self {
        Self { disabled: Vec::new(), descriptions: Vec::new() }
    }

    /// Adds a category's policy.
    #[must_use]
    pub fn with(mut self, category: Category, enabled: bool, description: &str) -> Self {
        if !enabled {
            self.disabled.push(category);
        }
        let line = interleaf_text::collapse_whitespace(description);
        let visible = interleaf_text::strip_invisible(&line);
        self.descriptions.push((category, visible.chars().take(MAX_DESCRIPTION_CHARS).collect()));
        self
    }

    /// Tells whether memories of this category are drafted and written.
    pub fn is_enabled(&self, category: Category) -> bool {
        !self.disabled.contains(&category)
    }

    /// Returns the description of a category, on one line.
    pub fn description(&self, category: Category) -> Option<&str> {
        let mut known = self.descriptions.iter().filter(|(of, line)| *of == category && !line.is_empty());
        known.next().map(|(_, line)| line.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_or_invalid_setting_is_the_default() {
        let broken = r#"{"memories": -1, "drafts": "many", "debounce_seconds": 1e99, "tier": "huge"}"#;

        for json in ["", "{}", "[1]", "null", broken] {
            assert_eq!(Settings::read(json), Settings::default(), "{json}");
        }
    }

    #[test]
    fn settings_are_read() {
        let settings = Settings::read(r#"{"memories": 7, "tier": "strong"}"#);

        assert_eq!((settings.max_memories, settings.tier), (7, Tier::Strong));
        assert_eq!(Settings::default().tier, Tier::Small);
    }

    #[test]
    fn a_description_is_one_short_line_and_an_unknown_category_is_enabled() {
        let long = format!("one\n\ntwo\u{1b} {}", "x".repeat(1_000));
        let policies = CategoryPolicies::all_enabled().with(Category::Decision, false, &long);

        assert!(!policies.is_enabled(Category::Decision) && policies.is_enabled(Category::Runbook));
        let line = policies.description(Category::Decision).expect("described");
        assert!(line.starts_with("one two xxx") && line.chars().count() == MAX_DESCRIPTION_CHARS, "{line}");
        assert_eq!(policies.description(Category::Runbook), None);
    }
}
