//! The changes that the program has acknowledged to the writers.

use std::sync::Mutex;

/// One change that was acknowledged.
#[derive(Debug, Clone)]
pub enum Acknowledged {
    /// A memory was created.
    Created { id: String },
    /// The history of a memory has one entry with this reason.
    Changed { id: String, reason: String },
    /// The entry that made this version has this reason.
    ChangedTo { id: String, version: u64, reason: String },
    /// A memory had this status in this version.
    HadStatus { id: String, version: u64, status: String },
    /// The history of a memory has one more entry that begins with this text.
    Counted { id: String, what: &'static str },
}

/// All acknowledged changes, and the reasons of refused ones.
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

    /// Returns the ids created so far.
    pub fn ids(&self) -> Vec<String> {
        self.ids.lock().expect("nobody panics here").clone()
    }

    pub fn all_changes(&self) -> Vec<Acknowledged> {
        self.changes.lock().expect("nobody panics here").clone()
    }

    pub fn all_refused(&self) -> Vec<String> {
        self.refused.lock().expect("nobody panics here").clone()
    }

    /// Returns the number of acknowledged changes of each kind, and of refusals.
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
