//! Saving with a model: one draft for each triggered category, from an excerpt around its evidence; what the drafts
//! quote is looked up, what they claim is verified, and only then they are finds.
//!
//! What a model answers is as little trusted as the transcript: it may have followed words that a tool gave back.

mod model;

pub use model::{Model, Prompt, Tier};

use crate::find::{Category, Find};
use crate::settings::Settings;
use crate::talk::Talk;
use crate::triage::Triaged;

/// A draft that is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What it was to be.
    pub category: Category,
    /// What it called itself.
    pub title: String,
    /// Why not.
    pub why: String,
}

/// What came of the drafts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drafted {
    /// What is to be written: what the rules found, in the model's words where it said the same, and what it found
    /// besides; best first.
    pub finds: Vec<Find>,
    /// What is not.
    pub refused: Vec<Refusal>,
    /// Categories for which the model could not be asked, and why; what the rules found there stands.
    pub failed: Vec<(Category, String)>,
}

/// Drafts what was triggered. `known` is what the rules found.
pub fn draft(
    _talk: &Talk,
    _triaged: &[Triaged],
    known: &[Find],
    _session: &str,
    _settings: &Settings,
    _model: &dyn Model,
) -> Drafted {
    Drafted { finds: known.to_vec(), ..Drafted::default() }
}
