//! Memories of the project: search, read, write. Needs the grant `memory`.
//!
//! A layer sees only memories of the categories that it may read. What it writes passes the host's rules:
//! secrets are removed, quotes are checked, and a draft that says what a memory says already is not written
//! twice.
//!
//! ```
//! use interleaf_layer::prelude::*;
//! use interleaf_layer::testing::Host;
//!
//! let host = Host::new();
//! host.add_memory(Category::Constraint, "Never force push to main");
//!
//! let hits = memory::search("may I force push?", &Filter::new().category(Category::Constraint), 3)?;
//!
//! assert_eq!(hits[0].memory.text, "Never force push to main");
//! # Ok::<(), Error>(())
//! ```

use crate::Result;
pub use crate::bindings::interleaf::layer::memory::{
    AllowedActions, Assessment, Candidate, Category, CategoryPolicy, Draft, Filter, Hit, Intent,
    LifecycleEvent, Memory, MemoryVersion, Order, Origin, Patch, Proposal, Quote, Resolution,
    ResolutionAction, Similarity, Status, WriteResult,
};
use crate::host::memory as host;

/// Confidence of a [`Draft::new`].
const DEFAULT_CONFIDENCE: f32 = 0.8;

/// Importance of a [`Draft::new`].
const DEFAULT_IMPORTANCE: f32 = 0.5;

/// Returns the memories that fit the query, best first, `limit` at most. None is below the host's floor of
/// relevance.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// # fn handle() -> Result<Reply> {
/// let hits = memory::search("which database?", &Filter::unseen(), 3)?;
/// # Ok(Reply::memories("Databases", hits))
/// # }
/// # handle().unwrap();
/// ```
///
/// # Errors
/// [`Error::Denied`](crate::Error::Denied) without a grant for one of the filter's categories.
pub fn search(query: &str, filter: &Filter, limit: u32) -> Result<Vec<Hit>> {
    host::search(query, filter, limit)
}

/// Returns the memories that the filter lets through, in this order, `limit` at most.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// let newest = memory::list(&Filter::new().category(Category::Decision), Order::Newest, 5)?;
/// # assert!(newest.is_empty());
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Denied`](crate::Error::Denied) without a grant for one of the filter's categories.
pub fn list(filter: &Filter, order: Order, limit: u32) -> Result<Vec<Memory>> {
    host::list(filter, order, limit)
}

/// Returns the memory with this id.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// assert!(matches!(memory::get("unknown"), Err(Error::NotFound(_))));
/// ```
///
/// # Errors
/// [`Error::NotFound`](crate::Error::NotFound) where no memory that this layer may read has the id.
pub fn get(id: &str) -> Result<Memory> {
    host::get(id)
}

/// Returns the memories that name one of these files, the most important first: in their related files, and
/// after those in their text. A path is relative to the project's root.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// let known = memory::about_files(&["src/cart.rs".to_owned()], &Filter::unseen(), 2)?;
/// # assert!(known.is_empty());
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Denied`](crate::Error::Denied) without a grant for one of the filter's categories.
pub fn about_files(paths: &[String], filter: &Filter, limit: u32) -> Result<Vec<Memory>> {
    host::about_files(paths, filter, limit)
}

/// Writes a draft, unless a memory says it already or has its key.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// let draft = Draft::new(Category::Learning, "The cart rounds down").with_key("cart/rounding");
///
/// let WriteResult::Created(id) = memory::create(&draft)? else { panic!("it is new") };
/// assert_eq!(memory::create(&draft)?, WriteResult::DuplicateOf(id));
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Denied`](crate::Error::Denied) without a grant to write this category;
/// [`Error::Invalid`](crate::Error::Invalid) for a draft that breaks a rule, such as a quote that is not in
/// the transcript.
pub fn create(draft: &Draft) -> Result<WriteResult> {
    host::create(draft)
}

/// Changes a memory and returns its new version.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// # let host = interleaf_layer::testing::Host::new();
/// # host.add_memory(Category::Learning, "The cart rounds down");
/// let known = memory::list(&Filter::new(), Order::Newest, 1)?.remove(0);
///
/// let patch = Patch { importance: Some(0.9), ..Patch::new("It cost a customer money") };
/// assert_eq!(memory::update(&known.id, known.version, &patch)?, known.version + 1);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Conflict`](crate::Error::Conflict) where `version` is no longer the present one.
pub fn update(id: &str, version: u64, patch: &Patch) -> Result<u64> {
    host::update(id, version, patch)
}

/// Retires a memory that no longer holds. It stays readable and can be restored.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// # let host = interleaf_layer::testing::Host::new();
/// # let id = host.add_memory(Category::Blocker, "The mirror is down");
/// let known = memory::get(&id)?;
/// memory::retire(&id, known.version, "The mirror is back")?;
///
/// assert_eq!(memory::get(&id)?.status, Status::Retired);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Conflict`](crate::Error::Conflict) where `version` is no longer the present one.
pub fn retire(id: &str, version: u64, reason: &str) -> Result<()> {
    host::retire(id, version, reason)
}

/// Returns what the stored memories say about a draft: which one it is about, how near it is, what may be
/// done.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// let assessment = memory::assess(&Draft::new(Category::Decision, "We use SQLite"), None)?;
/// # assert_eq!(assessment.allowed, interleaf_layer::memory::AllowedActions::CreateOnly);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`create`].
pub fn assess(draft: &Draft, event: Option<LifecycleEvent>) -> Result<Assessment> {
    host::assess(draft, event)
}

/// Does about a draft what the host's table of resolution says, and returns what was done.
///
/// ```
/// use interleaf_layer::memory::{ResolutionAction, Intent, Proposal};
/// # use interleaf_layer::prelude::*;
///
/// let resolved = memory::resolve(&Proposal {
///     draft: Draft::new(Category::Decision, "We use SQLite"),
///     intent: Intent::Create,
///     event: None,
///     target: None,
///     reason: "The person decided it".to_owned(),
/// })?;
/// assert_eq!(resolved.action, ResolutionAction::Created);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`create`], and [`Error::Conflict`](crate::Error::Conflict) where the `target` has changed since
/// it was read.
pub fn resolve(proposal: &Proposal) -> Result<Resolution> {
    host::resolve(proposal)
}

/// Returns how the person wants each category kept.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// let enabled = memory::categories()?.into_iter().filter(|category| category.enabled);
/// # assert_eq!(enabled.count(), Category::ALL.len());
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Denied`](crate::Error::Denied) without the grant `memory`.
pub fn categories() -> Result<Vec<CategoryPolicy>> {
    host::categories()
}

/// Returns the most relevant hits, best first, each memory once and with its best relevance, `limit` at most.
///
/// For layers that ask several queries.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// # let host = interleaf_layer::testing::Host::new();
/// # host.add_memory(Category::Runbook, "make deploy needs a clean tree");
/// let mut hits = memory::search("make deploy", &Filter::new(), 2)?;
/// hits.extend(memory::search("deploy", &Filter::new(), 2)?);
///
/// assert_eq!(memory::best(hits, 2).len(), 1);
/// # Ok::<(), Error>(())
/// ```
pub fn best(mut hits: Vec<Hit>, limit: u32) -> Vec<Hit> {
    hits.sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
    let mut shown = std::collections::HashSet::new();
    hits.retain(|hit| shown.insert(hit.memory.id.clone()));
    hits.truncate(limit as usize);
    hits
}

/// Names and the whole set.
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

/// Conditions, all of which must hold. Each method adds one.
///
/// ```
/// use interleaf_layer::prelude::*;
///
/// let filter = Filter::unseen().category(Category::Decision).category(Category::Constraint).tag("auth");
///
/// assert_eq!(filter.categories, [Category::Decision, Category::Constraint]);
/// ```
impl Filter {
    /// Lets every memory through.
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

    /// Lets only memories through that this conversation, or this subagent, was not shown yet.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert!(Filter::unseen().unseen);
    /// ```
    pub fn unseen() -> Self {
        Self { unseen: true, ..Self::new() }
    }

    /// Lets memories of this category through, besides those of the categories named before.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Filter::new().category(Category::Runbook).categories, [Category::Runbook]);
    /// ```
    #[must_use]
    pub fn category(self, category: Category) -> Self {
        self.categories([category])
    }

    /// Lets memories of these categories through, besides those of the categories named before.
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

    /// Requires this tag, besides the tags named before.
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

    /// Requires this branch, or none at all.
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

    /// Lets memories of this origin through, besides those of the origins named before.
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

/// Claims.
impl Memory {
    /// Returns a hit of this relevance, a share from 0 to 1: for memories that a layer listed instead of
    /// searching.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// # let host = interleaf_layer::testing::Host::new();
    /// # host.add_memory(Category::Context, "The webhook poller is half done");
    /// let newest = memory::list(&Filter::unseen(), Order::Newest, 3)?;
    /// let hits = newest.into_iter().map(|memory| memory.into_hit(0.5));
    ///
    /// assert!(!Reply::memories("Where work stands", hits).is_silent());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_hit(self, relevance: f32) -> Hit {
        Hit { memory: self, relevance }
    }
}

/// Constructors.
impl Draft {
    /// Proposes this text: the assistant's words, confidence 0.8, importance 0.5. Set other fields with
    /// `Draft { tags, ..Draft::new(category, text) }`.
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
            confidence: DEFAULT_CONFIDENCE,
            importance: DEFAULT_IMPORTANCE,
            origin: Origin::Assistant,
            key: None,
            quotes: Vec::new(),
        }
    }

    /// Gives the draft a key: however often this layer writes a draft of one key, it is written once.
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
    /// Changes nothing yet; `reason` is one line of at most 300 characters for the memory's history.
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
