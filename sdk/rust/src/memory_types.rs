//! Constructors and names of the types of [`memory`](crate::memory), which the contract defines.

use crate::memory::{Category, Draft, Filter, Hit, LifecycleEvent, Memory, Origin, Patch};

/// Confidence of a [`Draft::new`].
const DEFAULT_CONFIDENCE: f32 = 0.8;

/// Importance of a [`Draft::new`].
const DEFAULT_IMPORTANCE: f32 = 0.5;

/// Names, and the list of all categories.
impl Category {
    /// All categories.
    pub const ALL: [Self; 9] = [
        Self::SessionSummary,
        Self::Decision,
        Self::Runbook,
        Self::Constraint,
        Self::TechDebt,
        Self::Preference,
        Self::Learning,
        Self::Context,
        Self::Blocker,
    ];

    /// Returns the name that the configuration and the command line use.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Category::TechDebt.as_str(), "tech_debt");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SessionSummary => "session_summary",
            Self::Decision => "decision",
            Self::Runbook => "runbook",
            Self::Constraint => "constraint",
            Self::TechDebt => "tech_debt",
            Self::Preference => "preference",
            Self::Learning => "learning",
            Self::Context => "context",
            Self::Blocker => "blocker",
        }
    }

    /// Returns the category of this name.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Category::from_name("decision"), Some(Category::Decision));
    /// assert_eq!(Category::from_name("Decision"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.as_str() == name)
    }
}

/// Names, and the list of all lifecycle events.
impl LifecycleEvent {
    /// All lifecycle events.
    pub const ALL: [Self; 5] =
        [Self::Resolved, Self::Removed, Self::Reversed, Self::Superseded, Self::Deprecated];

    /// Returns the name, as in the contract.
    ///
    /// ```
    /// # use interleaf_layer::memory::LifecycleEvent;
    /// assert_eq!(LifecycleEvent::Resolved.as_str(), "resolved");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Resolved => "resolved",
            Self::Removed => "removed",
            Self::Reversed => "reversed",
            Self::Superseded => "superseded",
            Self::Deprecated => "deprecated",
        }
    }
}

/// Methods that build a filter. A memory must meet all conditions; each method adds one.
///
/// ```
/// use interleaf_layer::prelude::*;
///
/// let filter = Filter::unseen().category(Category::Decision).category(Category::Constraint).tag("auth");
///
/// assert_eq!(filter.categories, [Category::Decision, Category::Constraint]);
/// ```
impl Filter {
    /// Creates a filter that matches every memory.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert!(!Filter::new().unseen);
    /// ```
    pub const fn new() -> Self {
        Self {
            categories: Vec::new(),
            tags: Vec::new(),
            branch: None,
            since: None,
            origins: Vec::new(),
            unseen: false,
        }
    }

    /// Creates a filter that matches only memories not yet shown in this conversation, or to this subagent.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert!(Filter::unseen().unseen);
    /// ```
    pub fn unseen() -> Self {
        Self { unseen: true, ..Self::new() }
    }

    /// Matches memories of this category, besides those of the categories added before.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Filter::new().category(Category::Runbook).categories, [Category::Runbook]);
    /// ```
    #[must_use]
    pub fn category(self, category: Category) -> Self {
        self.categories([category])
    }

    /// Matches memories of these categories, besides those of the categories added before.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Filter::new().categories([Category::Decision, Category::Constraint]).categories.len(), 2);
    /// ```
    #[must_use]
    pub fn categories(mut self, categories: impl IntoIterator<Item = Category>) -> Self {
        self.categories.extend(categories);
        self
    }

    /// Requires this tag, in any spelling, besides the tags added before.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Filter::new().tag("auth").tags, ["auth"]);
    /// ```
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Matches memories of this branch and memories without a branch.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Filter::new().branch("fix/typo").branch.as_deref(), Some("fix/typo"));
    /// ```
    #[must_use]
    pub fn branch(mut self, branch: impl Into<String>) -> Self {
        self.branch = Some(branch.into());
        self
    }

    /// Requires creation at or after this moment, in milliseconds since the Unix epoch.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// const WEEK_MS: i64 = 7 * 24 * 60 * 60 * 1_000;
    ///
    /// assert!(Filter::new().since(interleaf_layer::now_ms() - WEEK_MS).since.is_some());
    /// ```
    #[must_use]
    pub const fn since(mut self, moment_ms: i64) -> Self {
        self.since = Some(moment_ms);
        self
    }

    /// Matches memories of this origin, besides those of the origins added before.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Filter::new().origin(Origin::Person).origins, [Origin::Person]);
    /// ```
    #[must_use]
    pub fn origin(mut self, origin: Origin) -> Self {
        self.origins.push(origin);
        self
    }
}

/// Conversion.
impl Memory {
    /// Returns a hit with this relevance, from 0 to 1: for memories that a layer listed instead of searching
    /// for them.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// # let host = interleaf_layer::testing::Host::new();
    /// # host.add_memory(Category::Context, "The webhook poller is half done");
    /// let newest = memory::list(&Filter::unseen(), Order::Newest, 3)?;
    /// let hits = newest.into_iter().map(|memory| memory.into_hit(0.5));
    ///
    /// assert!(!Reply::memories("Current work", hits).is_silent());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_hit(self, relevance: f32) -> Hit {
        Hit { memory: self, relevance }
    }
}

/// Constructors.
impl Draft {
    /// Creates a draft of this text with origin assistant, confidence 0.8 and importance 0.5. Set other
    /// fields with `Draft { tags, ..Draft::new(category, text) }`.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let draft = Draft { importance: 0.9, ..Draft::new(Category::Learning, "The cart rounds down") };
    ///
    /// assert_eq!((draft.origin, draft.confidence), (Origin::Assistant, 0.8));
    /// ```
    pub fn new(category: Category, text: impl Into<String>) -> Self {
        Self {
            category,
            title: None,
            text: text.into(),
            content: None,
            tags: Vec::new(),
            related_files: Vec::new(),
            asked_as: Vec::new(),
            confidence: DEFAULT_CONFIDENCE,
            importance: DEFAULT_IMPORTANCE,
            origin: Origin::Assistant,
            key: None,
            quotes: Vec::new(),
        }
    }

    /// Sets the draft's key. Of several drafts with one key, only the first is written.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Draft::new(Category::Learning, "…").with_key("a").key.as_deref(), Some("a"));
    /// ```
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }
}

/// Constructors.
impl Patch {
    /// Creates a patch without changes. `reason` is one line of at most 300 characters for the memory's
    /// history.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let patch = Patch { text: Some("The cart rounds up".to_owned()), ..Patch::new("It was fixed") };
    /// # assert_eq!(patch.tags, None);
    /// ```
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            title: None,
            text: None,
            content: None,
            tags: None,
            related_files: None,
            confidence: None,
            importance: None,
            origin: Origin::Assistant,
            quotes: Vec::new(),
            reason: reason.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTRACT: &str = include_str!("../wit/imports.wit");

    /// Returns the cases of an enum of the contract, as names with underscores.
    fn cases(name: &str) -> Vec<String> {
        let (_, after) = CONTRACT.split_once(&format!("enum {name} {{")).expect("the enum");
        let (cases, _) = after.split_once('}').expect("its end");
        cases.split(',').map(|case| case.trim().replace('-', "_")).collect()
    }

    #[test]
    fn the_lists_hold_every_case_of_the_contract() {
        assert_eq!(Category::ALL.map(Category::as_str).to_vec(), cases("category"));
        assert_eq!(LifecycleEvent::ALL.map(LifecycleEvent::as_str).to_vec(), cases("lifecycle-event"));
    }
}
