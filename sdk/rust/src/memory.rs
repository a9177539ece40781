//! Searches, reads and writes the project's memories. Needs the grant `memory`.
//!
//! A layer sees only memories of the categories that it may read. The host's rules apply to every write:
//! secrets are removed, quotes are checked, and a draft that repeats an existing memory is not written.
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

/// Returns the memories that match the query, best first, at most `limit`. None is below the host's minimum
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

/// Returns the memories that may fit the query but do not reach the minimum relevance of [`search`], best
/// first, at most `limit`. The host shows such a memory as a line, its title and id, and the model can ask
/// for the rest.
///
/// ```
/// # use interleaf_layer::prelude::*;
/// # fn handle() -> Result<Reply> {
/// let mut hits = memory::search("which database?", &Filter::unseen(), 3)?;
/// hits.extend(memory::suggest("which database?", &Filter::unseen(), 3)?);
/// # Ok(Reply::memories("Databases", hits))
/// # }
/// # handle().unwrap();
/// ```
///
/// # Errors
/// [`Error::Denied`](crate::Error::Denied) without a grant for one of the filter's categories.
pub fn suggest(query: &str, filter: &Filter, limit: u32) -> Result<Vec<Hit>> {
    host::suggest(query, filter, limit)
}

/// Returns the memories that match the filter, in this order, at most `limit`.
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
/// [`Error::NotFound`](crate::Error::NotFound) if no memory that this layer may read has the id.
pub fn get(id: &str) -> Result<Memory> {
    host::get(id)
}

/// Returns the memories that name one of these files: first those with a related file, then those that name
/// it in their text, the most important first. A path is relative to the project's root.
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

/// Writes a draft, unless a memory with the same text or the same key exists.
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
/// [`Error::Conflict`](crate::Error::Conflict) if `version` is not the current one.
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
/// [`Error::Conflict`](crate::Error::Conflict) if `version` is not the current one.
pub fn retire(id: &str, version: u64, reason: &str) -> Result<()> {
    host::retire(id, version, reason)
}

/// Compares a draft with the stored memories: returns the memory that it is about, their similarity, and the
/// allowed actions.
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

/// Applies the host's resolution table to a draft, and returns the action taken.
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
/// Those of [`create`], and [`Error::Conflict`](crate::Error::Conflict) if the `target` has changed since
/// it was read.
pub fn resolve(proposal: &Proposal) -> Result<Resolution> {
    host::resolve(proposal)
}

/// Returns the person's policy for each category.
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

/// Returns the most relevant hits, best first, each memory once with its best relevance, at most `limit`.
///
/// For layers that send several queries.
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
