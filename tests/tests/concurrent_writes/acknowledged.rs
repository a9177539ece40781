//! The changes that the program acknowledged to any of the writers.

use std::sync::Mutex;

/// One change that was acknowledged.
#[derive(Debug, Clone)]
pub enum Acknowledged {
    /// There is a new memory.
    Created { id: String },
    /// The history of a memory has this reason, once.
    Changed { id: String, reason: String },
    /// The same, in the entry that made this version.
    ChangedTo { id: String, version: u64, reason: String },
    /// A memory had this status in this version, whoever gave it.
    HadStatus { id: String, version: u64, status: String },
    /// The history of a memory has one entry more that begins so.
    Counted { id: String, what: &'static str },
}

/// Everything that was acknowledged, and the reasons of what was refused.
#[derive(Default)]
pub struct Journal {
    changes: Mutex<Vec<Acknowledged>>,
    refused: Mutex<Vec<String>>,
    ids: Mutex<Vec<String>>,
}

impl Journal {
    pub fn acknowledge(&self, change: Acknowledged) {
        if let Acknowledged::Created { id } = &change {
            self.ids.lock().expect("nobody panics here").push(id.clone());
        }
        self.changes.lock().expect("nobody panics here").push(change);
    }

    pub fn refuse(&self, reason: String) {
        self.refused.lock().expect("nobody panics here").push(reason);
    }

    /// The ids that are known so far.
    pub fn ids(&self) -> Vec<String> {
        self.ids.lock().expect("nobody panics here").clone()
    }

    pub fn all_changes(&self) -> Vec<Acknowledged> {
        self.changes.lock().expect("nobody panics here").clone()
    }

    pub fn all_refused(&self) -> Vec<String> {
        self.refused.lock().expect("nobody panics here").clone()
    }

    /// How often something of each kind was acknowledged, and how often refused.
    pub fn counts(&self) -> [(&'static str, usize); 6] {
        let changes = self.all_changes();
        let count = |kind: fn(&Acknowledged) -> bool| changes.iter().filter(|change| kind(change)).count();
        [
            ("created", count(|change| matches!(change, Acknowledged::Created { .. }))),
            ("changed", count(|change| matches!(change, Acknowledged::Changed { .. }))),
            ("changed to a version", count(|change| matches!(change, Acknowledged::ChangedTo { .. }))),
            ("status", count(|change| matches!(change, Acknowledged::HadStatus { .. }))),
            ("counted", count(|change| matches!(change, Acknowledged::Counted { .. }))),
            ("refused", self.all_refused().len()),
        ]
    }
}
