//! Existing memories, with the fields that a flush needs.

use interleaf_layer::memory::Category;

/// An existing memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownMemory {
    /// The host's id. Prompts do not contain it.
    pub id: String,
    /// The version that was read.
    pub version: u64,
    /// The category.
    pub category: Category,
    /// The title, one line.
    pub title: String,
    /// The text.
    pub text: String,
}

/// Looks up known memories.
pub trait MemoryLookup {
    /// Returns at most `limit` memories of these categories: those that match one of the texts, then the
    /// newest.
    fn known(&self, categories: &[Category], texts: &[&str], limit: usize) -> Vec<KnownMemory>;
}

/// A project without memories.
pub struct NoMemories;

impl MemoryLookup for NoMemories {
    fn known(&self, _: &[Category], _: &[&str], _: usize) -> Vec<KnownMemory> {
        Vec::new()
    }
}
