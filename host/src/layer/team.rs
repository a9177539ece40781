//! The layers from files, held against the lock: which run, which cannot, and which wait for a person to look at them.

use super::trust::{ApprovalStore, seen_file};
use super::{AcceptedLayer, DigestCache, FileScope, Layer, LayerCandidate, LayerFiles, LayerFolders};
use crate::config::Config;
use crate::dirs::Folders;

/// The layers of a team and of a person's own.
#[derive(Debug, Default)]
pub struct FileLayers {
    /// What was accepted and is there; of one name only the first, the person's own.
    pub accepted: Vec<Layer>,
    /// Gates with a pinned answer whose accepted file is not there, and why.
    pub missing_gates: Vec<(Layer, String)>,
    /// Every file on the shelf, and how it stands.
    pub candidates: Vec<(LayerCandidate, ApprovalStatus)>,
    /// What could not be read, and files that cannot be layers.
    pub warnings: Vec<String>,
}

/// How a file stands with its reader.
#[derive(Debug, Clone, PartialEq)]
pub enum ApprovalStatus {
    /// Its digest was accepted.
    Accepted(Box<AcceptedLayer>),
    /// Another digest was accepted under its name.
    Changed {
        /// The digest it has now.
        digest: String,
        /// What was accepted last.
        previous: Box<AcceptedLayer>,
    },
    /// Nothing was accepted under its name.
    New {
        /// Its digest.
        digest: String,
    },
    /// It cannot be read, and why.
    Unreadable(String),
}

impl ApprovalStatus {
    /// Its digest, if it could be read.
    pub fn digest(&self) -> Option<&str> {
        match self {
            Self::Accepted(accepted) => Some(&accepted.digest),
            Self::Changed { digest, .. } | Self::New { digest } => Some(digest),
            Self::Unreadable(_) => None,
        }
    }

    /// What was accepted under its name before.
    pub fn previous(&self) -> Option<&AcceptedLayer> {
        match self {
            Self::Accepted(previous) | Self::Changed { previous, .. } => Some(previous),
            Self::New { .. } | Self::Unreadable(_) => None,
        }
    }

    /// In a word.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Accepted(_) => "accepted",
            Self::Changed { .. } => "changed",
            Self::New { .. } => "new",
            Self::Unreadable(_) => "unreadable",
        }
    }

    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Self::Accepted(_) => "accepted".to_owned(),
            Self::Changed { .. } => "changed since you accepted it".to_owned(),
            Self::New { .. } => "new, and not accepted".to_owned(),
            Self::Unreadable(why) => format!("cannot be read: {why}"),
        }
    }

    /// Whether it may run.
    pub const fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted(_))
    }

    /// Whether a person has still to decide.
    pub fn is_pending(&self) -> bool {
        matches!(self, Self::Changed { .. } | Self::New { .. })
    }
}

impl FileLayers {
    /// Looks at the shelf and holds it against what was accepted for the project of this id.
    pub fn find(folders: &Folders, places: &LayerFolders, project: &str, config: &Config) -> Self {
        let shelf = LayerFiles::find(places, config);
        let trust = ApprovalStore::read(folders, project);
        let mut team = Self { warnings: shelf.warnings, ..Self::default() };
        team.warnings.extend(trust.notes().iter().cloned());
        if !shelf.candidates.is_empty() {
            let mut seen = DigestCache::read(&seen_file(folders, project));
            let judged = shelf.candidates.into_iter().map(|offer| (trust.standing(&offer, &mut seen), offer));
            team.candidates = judged.map(|(standing, offer)| (offer, standing)).collect();
            seen.save();
        }
        team.take_accepted(&trust);
        team.miss_gates(&trust);
        team
    }

    fn take_accepted(&mut self, trust: &ApprovalStore) {
        for (offer, standing) in &self.candidates {
            let ApprovalStatus::Accepted(accepted) = standing else { continue };
            if self.accepted.iter().all(|layer| layer.name != offer.name.as_str()) {
                self.accepted.push(Layer::accepted(accepted, trust.component_path(&accepted.digest)));
            }
        }
    }

    /// A gate that was accepted and has no accepted file now still answers as pinned.
    fn miss_gates(&mut self, trust: &ApprovalStore) {
        for whose in [FileScope::User, FileScope::Project] {
            for gate in trust.approvals(whose).newest().into_iter().filter(|gate| gate.has_failure_answer()) {
                let there =
                    self.candidates.iter().find(|(offer, _)| offer.name == gate.name && offer.scope == whose);
                if let Some(why) = why_gone(gate, there.map(|(_, standing)| standing)) {
                    self.missing_gates.push((Layer::accepted(gate, trust.component_path(&gate.digest)), why));
                }
            }
        }
    }

    /// A line for the person about what waits for them; `None` if nothing does.
    pub fn notice(&self) -> Option<String> {
        let waiting = self.pending_notices();
        (!waiting.is_empty()).then(|| format!("interleaf: {}", waiting.join("; ")))
    }

    /// What waits for a person, a sentence each: files to be looked at, and gates that are gone.
    pub fn pending_notices(&self) -> Vec<String> {
        let open = self.candidates.iter().filter(|(_, standing)| standing.is_pending());
        let told = open.map(|(offer, standing)| open_notice(offer, standing));
        let is_open = |name: &str| {
            self.candidates.iter().any(|(offer, standing)| offer.name == name && standing.is_pending())
        };
        let gone = self.missing_gates.iter().filter(|(gate, _)| !is_open(&gate.name));
        told.chain(gone.map(|(gate, why)| format!("gate {} does not run: {why}", gate.name))).collect()
    }
}

fn why_gone(gate: &AcceptedLayer, standing: Option<&ApprovalStatus>) -> Option<String> {
    let name = &gate.name;
    match standing {
        Some(ApprovalStatus::Accepted(_)) => None,
        Some(ApprovalStatus::Changed { .. } | ApprovalStatus::New { .. }) => Some(format!(
            "its file was changed and the change is not accepted; look at it with interleaf layer accept {name}"
        )),
        Some(ApprovalStatus::Unreadable(error)) => Some(format!("its file cannot be read: {error}")),
        None => Some(format!(
            "its file {} is missing; if it is to go, interleaf layer revoke {name}",
            gate.file.display()
        )),
    }
}

fn open_notice(offer: &LayerCandidate, standing: &ApprovalStatus) -> String {
    let name = &offer.name;
    let what = match standing {
        ApprovalStatus::Changed { .. } => "was changed since it was accepted",
        _ => "is new here",
    };
    format!("layer {name} {what} and does not run; look at it with interleaf layer accept {name}")
}
