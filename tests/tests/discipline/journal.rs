//! What was said to be done, by all processes.

use std::sync::Mutex;

/// One change that was acknowledged.
#[derive(Debug, Clone)]
pub enum Kept {
    /// There is a new memory.
    Made { id: String },
    /// The history of a memory has this reason, once.
    Changed { id: String, reason: String },
    /// The same, in the entry that made this version.
    ChangedTo { id: String, version: u64, reason: String },
    /// A memory had this status in this version, whoever gave it.
    Stood { id: String, version: u64, status: String },
    /// The history of a memory has one entry more that begins so.
    Counted { id: String, what: &'static str },
}

/// Everything that was acknowledged, and the reasons of what was refused.
#[derive(Default)]
pub struct Journal {
    kept: Mutex<Vec<Kept>>,
    refused: Mutex<Vec<String>>,
    ids: Mutex<Vec<String>>,
}

impl Journal {
    pub fn keep(&self, kept: Kept) {
        if let Kept::Made { id } = &kept {
            self.ids.lock().expect("nobody panics here").push(id.clone());
        }
        self.kept.lock().expect("nobody panics here").push(kept);
    }

    pub fn refuse(&self, reason: String) {
        self.refused.lock().expect("nobody panics here").push(reason);
    }

    /// The ids that are known so far.
    pub fn ids(&self) -> Vec<String> {
        self.ids.lock().expect("nobody panics here").clone()
    }

    pub fn all_kept(&self) -> Vec<Kept> {
        self.kept.lock().expect("nobody panics here").clone()
    }

    pub fn all_refused(&self) -> Vec<String> {
        self.refused.lock().expect("nobody panics here").clone()
    }

    pub fn acknowledged(&self) -> usize {
        self.all_kept().len()
    }

    pub fn refused(&self) -> usize {
        self.all_refused().len()
    }
}
