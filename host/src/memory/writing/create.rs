//! Creates memories: a draft becomes a memory unless an active, an archived or a recently retired memory says
//! the same.

use super::capacity::Evicted;
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::memory::draft::Draft;
use crate::memory::record::{Change, Memory, Origin, SCHEMA_VERSION, Source, Status};
use crate::memory::store::Transaction;
use crate::memory::{Memories, citations, memory_id, near_duplicate, write_rules};

/// Time for which the text of a retired memory cannot be written again: 24 hours. Without it, the next
/// session would learn the text again.
pub(super) const RESURRECTION_GUARD_MS: Millis = 24 * 3_600_000;

/// The result of writing a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteResult {
    /// Id of the memory that contains the draft's statement.
    pub id: String,
    /// Whether that memory is new.
    pub outcome: WriteOutcome,
    /// Memories that were retired to make room for it.
    pub evicted: Vec<Evicted>,
}

/// Whether a draft became a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteOutcome {
    /// The memory was written.
    Created,
    /// An active memory says the same already, and nothing was written.
    Duplicate,
}

impl Memories {
    /// Writes a memory, unless an active one says the same.
    ///
    /// # Errors
    /// `invalid` if the draft exceeds a limit; `denied` if its origin may not carry one of its tags or
    /// its category is switched off; `conflict` if its id is taken, or a memory that was retired in
    /// the last 24 hours or archived says the same; `over-budget` if its category is full;
    /// `unavailable` if the store cannot be written.
    pub fn remember(&self, draft: Draft) -> Result<WriteResult> {
        self.validate_and_insert(self.memory_from_draft(draft, "written")?)
    }

    /// Writes a new memory even if another one says the same. What was forgotten lately stays forgotten.
    ///
    /// # Errors
    /// As [`remember`](Self::remember).
    pub fn remember_again(&self, draft: Draft) -> Result<WriteResult> {
        let memory = self.validate(self.memory_from_draft(draft, "written")?)?;
        self.write(|tx| {
            write_rules::check_write_enabled(&memory, &self.policy)?;
            self.check_resurrection(tx, &memory, None)?;
            self.insert(tx, memory)
        })
    }

    /// Normalizes, redacts and checks a new memory, and looks up what it names in the working tree.
    ///
    /// # Errors
    /// As for [`remember`](Self::remember), as far as they concern the memory alone.
    pub(in crate::memory) fn validate(&self, memory: Memory) -> Result<Memory> {
        Ok(self.with_citations(write_rules::validate(memory, &self.redactor)?))
    }

    /// Looks up what a memory names in the working tree.
    pub(super) fn with_citations(&self, memory: Memory) -> Memory {
        let citations = self.project_root.as_deref().map(|root| citations::find(root, &memory));
        Memory { citations: citations.unwrap_or_default(), ..memory }
    }

    /// Validates a new memory and writes it unless it is a duplicate.
    pub(in crate::memory) fn validate_and_insert(&self, memory: Memory) -> Result<WriteResult> {
        let memory = self.validate(memory)?;
        self.write(|tx| self.insert_unless_duplicate(tx, memory))
    }

    /// Writes a validated memory within a transaction unless it is a duplicate.
    pub(in crate::memory) fn insert_unless_duplicate(
        &self,
        tx: &dyn Transaction,
        memory: Memory,
    ) -> Result<WriteResult> {
        write_rules::check_write_enabled(&memory, &self.policy)?;
        if let Some(id) = self.find_duplicate(tx, &memory, None)? {
            return Ok(WriteResult { id, outcome: WriteOutcome::Duplicate, evicted: Vec::new() });
        }
        self.insert(tx, memory)
    }

    /// Writes a memory that is not a duplicate, if its category has room.
    pub(in crate::memory) fn insert(&self, tx: &dyn Transaction, mut memory: Memory) -> Result<WriteResult> {
        if memory.status == Status::Active {
            self.check_capacity(tx, memory.category)?;
            self.check_succession(tx, &memory)?;
        }
        if let Some(existing) = tx.get(&memory.id)? {
            return Err(id_taken(&existing));
        }
        // The transaction alone knows the author. An imported history stands before the last entry.
        if let Some(written) = memory.changes.last_mut() {
            written.author = Some(tx.own_author()?);
        }
        tx.insert(&memory)?;
        // A new memory is not evicted at once. An imported one from long ago may be.
        let protected = (memory.created_at == memory.updated_at).then_some(memory.id.as_str());
        let evicted = self.evict_surplus(tx, memory.category, protected)?;
        Ok(WriteResult { id: memory.id, outcome: WriteOutcome::Created, evicted })
    }

    /// Returns the memory for a draft. Its history begins with `change`.
    pub(in crate::memory) fn memory_from_draft(&self, draft: Draft, change: &str) -> Result<Memory> {
        let (now, by) = (self.clock.now(), self.actor.to_string());
        Ok(Memory {
            schema_version: SCHEMA_VERSION.to_owned(),
            id: draft.id.map_or_else(memory_id::random, Ok)?,
            category: draft.category,
            title: draft.title.unwrap_or_default(),
            text: draft.text,
            content: draft.content,
            tags: draft.tags,
            related_files: draft.related_files,
            asked_as: draft.asked_as,
            citations: Vec::new(),
            confidence: draft.confidence,
            importance: draft.importance,
            origin: draft.origin,
            source: self.with_commit(draft.source, draft.origin),
            // A creation time in the future would make it the newest memory for too long.
            created_at: draft.created_at.map_or(now, |time| time.min(now)),
            updated_at: now,
            status: Status::Active,
            status_since: now,
            status_reason: None,
            confirmed_at: None,
            supersedes: Vec::new(),
            superseded_by: None,
            changes: vec![Change { at: now, what: change.to_owned(), by, ..Change::default() }],
            version: 1,
            uses: 0,
            followed: 0,
        })
    }

    /// Adds the commit that is checked out. What an import holds was written elsewhere.
    fn with_commit(&self, source: Source, origin: Origin) -> Source {
        let is_new = origin != Origin::Imported && source.commit.is_none();
        let head = self.head.as_ref().filter(|_| is_new).and_then(|head| head());
        Source { commit: head.or(source.commit), ..source }
    }

    /// Returns the active memory, other than `except`, that says the same as a new one.
    ///
    /// # Errors
    /// As [`check_resurrection`](Self::check_resurrection), if no active memory says the same.
    pub(super) fn find_duplicate(
        &self,
        tx: &dyn Transaction,
        memory: &Memory,
        except: Option<&str>,
    ) -> Result<Option<String>> {
        let similar = self.similar_memories(tx, memory, except)?;
        let is_duplicate =
            |other: &&Memory| other.status == Status::Active && near_duplicate::is_redundant(memory, other);
        match similar.iter().find(is_duplicate) {
            Some(other) => Ok(Some(other.id.clone())),
            None => resurrection_error(&similar, memory).map_or(Ok(None), Err),
        }
    }

    /// Refuses a memory whose text is that of a retired or archived memory other than `except`.
    ///
    /// # Errors
    /// `conflict` if such a memory was retired in the last 24 hours or is archived.
    pub(in crate::memory) fn check_resurrection(
        &self,
        tx: &dyn Transaction,
        memory: &Memory,
        except: Option<&str>,
    ) -> Result<()> {
        resurrection_error(&self.similar_memories(tx, memory, except)?, memory).map_or(Ok(()), Err)
    }

    /// Returns the memories that may say the same. A memory that is not active has no duplicates.
    fn similar_memories(
        &self,
        tx: &dyn Transaction,
        memory: &Memory,
        except: Option<&str>,
    ) -> Result<Vec<Memory>> {
        if memory.status != Status::Active {
            return Ok(Vec::new());
        }
        let mut similar = tx.similar(&memory.text, self.clock.now() - RESURRECTION_GUARD_MS)?;
        similar.retain(|other| Some(other.id.as_str()) != except);
        Ok(similar)
    }
}

/// Returns the error for the first of the similar memories that is not active and has the same text.
/// Category, title and origin do not matter, because a memory is forgotten for its statement.
fn resurrection_error(similar: &[Memory], memory: &Memory) -> Option<Error> {
    let is_same = |other: &&Memory| {
        other.status != Status::Active && near_duplicate::is_duplicate(&other.text, &memory.text)
    };
    let other = similar.iter().find(is_same)?;
    let id = memory_id::id_for_command(&other.id);
    Some(match other.status {
        Status::Archived => Error::conflict(format!("memory `{id}` says the same and is archived"))
            .hint(format!("bring it back: interleaf memory unarchive {id}")),
        _ => {
            Error::conflict(format!("memory `{id}` says the same and was forgotten within the last 24 hours"))
                .hint(format!("if it is true after all: interleaf memory restore {id}"))
        }
    })
}

/// Returns the error for an id that exists already. A create never overwrites a memory of any status.
fn id_taken(existing: &Memory) -> Error {
    let id = memory_id::id_for_command(&existing.id);
    let error = Error::conflict(format!("memory `{id}` exists already and is {}", existing.status));
    error.hint(match existing.status {
        Status::Active => format!("change it: interleaf memory update {id}"),
        Status::Retired => format!("bring it back: interleaf memory restore {id}"),
        Status::Archived => format!("bring it back: interleaf memory unarchive {id}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::memory::test_support::{
        DAY, NOW, TestStore, active, draft, draft_of, memories, refused, remember,
    };
    use crate::memory::{Category, Filter, Origin, Policy};
    use serde_json::json;

    #[test]
    fn a_field_of_another_category_is_refused_by_name() {
        let content = json!({ "decision": "pnpm", "rationale": ["CI rejects npm"], "severity": "high" });
        let error = refused(
            memories().remember(Draft { content, ..draft_of(Category::Decision, "Use pnpm") }),
            ErrorKind::Invalid,
        );

        assert!(error.message.contains("severity"), "{error}");
    }

    #[test]
    fn a_memory_has_one_to_twelve_tags() {
        let memories = memories();
        let bare = remember(&memories, draft("The migrations run before the tests"));
        let tags =
            |count: usize| Draft { tags: (0..count).map(|n| format!("t{n}")).collect(), ..draft("a b c") };

        assert_eq!(bare.tags, ["learning"]);
        assert!(
            memories
                .search_with_min_relevance(0.0, "learning", &Filter::default(), 9)
                .expect("searched")
                .is_empty()
        );
        refused(memories.remember(tags(13)), ErrorKind::Invalid);
        assert_eq!(remember(&memories, tags(12)).tags.len(), 12);
    }

    #[test]
    fn only_a_person_raises_confidence_above_nine_tenths() {
        let memories = memories();
        let confidence_of = |confidence, origin, text: &str| {
            remember(&memories, Draft { confidence, origin, ..draft(text) }).confidence
        };

        assert_eq!(confidence_of(1.0, Origin::Assistant, "the first thing"), 0.9);
        assert_eq!(confidence_of(0.1, Origin::ToolOutput, "a second matter"), 0.7);
        assert_eq!(confidence_of(1.0, Origin::Person, "something third"), 1.0);
        assert_eq!(confidence_of(0.3, Origin::Person, "and number four"), 0.3);

        let memory = remember(&memories, draft("what was found out"));
        let confirmed = memories.confirm(&memory.id).expect("confirmed");
        assert_eq!((confirmed.confidence, confirmed.origin), (1.0, Origin::Person));
        assert_eq!(confirmed.confirmed_at, Some(NOW));
    }

    #[test]
    fn a_create_never_overwrites_a_memory_of_any_status() {
        let memories = memories();
        let named = |text: &str| Draft { id: Some("mine".into()), ..draft(text) };
        memories.remember(named("first")).expect("written");

        assert!(refused(memories.remember(named("second")), ErrorKind::Conflict).message.contains("active"));
        memories.archive("mine", None, "old").expect("archived");
        assert!(refused(memories.remember(named("third")), ErrorKind::Conflict).message.contains("archived"));
        memories.unarchive("mine", None, "new").expect("back");
        memories.retire("mine", None, "wrong").expect("retired");
        let error = refused(memories.remember(named("fourth")), ErrorKind::Conflict);
        assert_eq!(error.hint.as_deref(), Some("bring it back: interleaf memory restore mine"));
    }

    #[test]
    fn a_forgotten_text_is_refused_for_a_day_in_any_wording() {
        let store = TestStore::new();
        let text = "The vendor API allows 10 requests a second, by design";
        let memory = remember(&store.after(0), draft_of(Category::Constraint, text));
        store.after(0).retire(&memory.id, None, "wrong").expect("retired");

        let again = [
            draft_of(Category::Constraint, text),
            draft_of(Category::Learning, "By design, the vendor API allows 10 requests a second"),
            Draft {
                title: Some("Another title".into()),
                tags: vec!["other".into()],
                ..draft_of(Category::Constraint, text)
            },
            Draft {
                id: Some("another".into()),
                origin: Origin::Person,
                ..draft_of(Category::Constraint, text)
            },
        ];
        for draft in again {
            let error = refused(store.after(DAY - 1).remember(draft), ErrorKind::Conflict);
            assert!(error.hint.expect("a hint").contains(&format!("interleaf memory restore {}", memory.id)));
        }
        assert!(active(&store.after(DAY - 1)).is_empty());
        remember(
            &store.after(DAY - 1),
            draft_of(Category::Constraint, "The vendor API allows 20 requests a second, by design"),
        );
        remember(&store.after(DAY + 1), draft_of(Category::Constraint, text));
    }

    #[test]
    fn restoring_brings_a_forgotten_memory_back_with_its_history() {
        let memories = memories();
        let memory = remember(&memories, draft("Run the migrations before the tests"));
        memories.retire(&memory.id, None, "wrong").expect("retired");

        let back = memories.restore(&memory.id, None, "it was right").expect("restored");

        assert_eq!((back.status, back.version, back.status_reason), (Status::Active, 3, None));
        let what: Vec<&str> = back.changes.iter().map(|change| change.what.as_str()).collect();
        assert_eq!(what, ["written", "retired: wrong", "restored: it was right"]);
    }

    #[test]
    fn an_archived_text_is_not_written_again() {
        let memories = memories();
        let memory = remember(&memories, draft("Run the migrations before the tests"));
        memories.archive(&memory.id, None, "old").expect("archived");

        let error = refused(memories.remember(draft("Run the migrations before tests")), ErrorKind::Conflict);

        assert!(error.hint.expect("a hint").contains("unarchive"));
    }

    #[test]
    fn a_disabled_category_refuses_all_writes_and_auto_capture_those_of_layers() {
        let mut policy = Policy::default();
        policy.of_mut(Category::Decision).enabled = false;
        policy.of_mut(Category::Learning).auto_capture = false;
        let memories = memories().with_policy(policy);
        let mut by_layer = draft("found out by a layer");
        by_layer.source.layer = Some("save".into());

        assert!(
            refused(memories.remember(draft_of(Category::Decision, "a")), ErrorKind::Denied)
                .message
                .contains("decision.enabled")
        );
        assert!(
            refused(memories.remember(by_layer), ErrorKind::Denied).message.contains("learning.auto_capture")
        );
        remember(&memories, draft("found out by hand"));
    }

    #[test]
    fn titles_in_any_script_get_distinct_ids_and_are_found_and_deduplicated() {
        let titles = ["배포 절차", "部署流程", "Telepítési lépések", "🚀🔥", "🚀🎉"];
        let memories = memories();
        let named = |title: &str| Draft { title: Some(title.to_owned()), ..draft(title) };
        let ids: std::collections::HashSet<String> =
            titles.iter().map(|title| remember(&memories, named(title)).id).collect();

        assert_eq!(ids.len(), titles.len());
        for title in titles {
            let found = memories.search_with_min_relevance(0.0, title, &Filter::default(), 1).expect("found");
            assert_eq!(found[0].memory.title, title);
            let again = memories.remember(named(title)).expect("known");
            assert_eq!((again.outcome, &again.id), (WriteOutcome::Duplicate, &found[0].memory.id));
        }
    }

    #[test]
    fn a_reason_has_one_to_three_hundred_characters() {
        let memories = memories();
        let memory = remember(&memories, draft("a thing"));

        for reason in [String::new(), " \n".into(), "x".repeat(301)] {
            let error = refused(memories.retire(&memory.id, None, &reason), ErrorKind::Invalid);
            assert!(error.message.contains("reason"), "{error}");
        }
        memories.retire(&memory.id, None, &"ß".repeat(300)).expect("retired");
    }
}
