//! The layers from files, held against the lock: which run, which cannot, and which wait for a person to look at them.

use super::trust::{Trust, seen_file};
use super::{Accepted, Layer, Offer, Places, Seen, Shelf, Whose};
use crate::config::Config;
use crate::dirs::Folders;

/// The layers of a team and of a person's own.
#[derive(Debug, Default)]
pub struct Team {
    /// What was accepted and is there; of one name only the first, the person's own.
    pub ready: Vec<Layer>,
    /// Gates with a pinned answer whose accepted file is not there, and why.
    pub gone: Vec<(Layer, String)>,
    /// Every file on the shelf, and how it stands.
    pub shelf: Vec<(Offer, Standing)>,
    /// What could not be read, and files that cannot be layers.
    pub notes: Vec<String>,
}

/// How a file stands with its reader.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// Its digest was accepted.
    Accepted(Box<Accepted>),
    /// Another digest was accepted under its name.
    Changed {
        /// The digest it has now.
        digest: String,
        /// What was accepted last.
        before: Box<Accepted>,
    },
    /// Nothing was accepted under its name.
    New {
        /// Its digest.
        digest: String,
    },
    /// It cannot be read, and why.
    Unreadable(String),
}

impl Standing {
    /// Its digest, if it could be read.
    pub fn digest(&self) -> Option<&str> {
        match self {
            Self::Accepted(accepted) => Some(&accepted.digest),
            Self::Changed { digest, .. } | Self::New { digest } => Some(digest),
            Self::Unreadable(_) => None,
        }
    }

    /// What was accepted under its name before.
    pub fn before(&self) -> Option<&Accepted> {
        match self {
            Self::Accepted(before) | Self::Changed { before, .. } => Some(before),
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
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Changed { .. } | Self::New { .. })
    }
}

impl Team {
    /// Looks at the shelf and holds it against what was accepted for the project of this id.
    pub fn find(folders: &Folders, places: &Places, project: &str, config: &Config) -> Self {
        let shelf = Shelf::look(places, config);
        let trust = Trust::read(folders, project);
        let mut team = Self { notes: shelf.notes, ..Self::default() };
        team.notes.extend(trust.notes().iter().cloned());
        if !shelf.offers.is_empty() {
            let mut seen = Seen::read(&seen_file(folders, project));
            let judged = shelf.offers.into_iter().map(|offer| (trust.standing(&offer, &mut seen), offer));
            team.shelf = judged.map(|(standing, offer)| (offer, standing)).collect();
            seen.keep();
        }
        team.take_accepted(&trust);
        team.miss_gates(&trust);
        team
    }

    fn take_accepted(&mut self, trust: &Trust) {
        for (offer, standing) in &self.shelf {
            let Standing::Accepted(accepted) = standing else { continue };
            if self.ready.iter().all(|layer| layer.name != offer.name.as_str()) {
                self.ready.push(Layer::accepted(accepted, trust.copy(&accepted.digest)));
            }
        }
    }

    /// A gate that was accepted and has no accepted file now still answers as pinned.
    fn miss_gates(&mut self, trust: &Trust) {
        for whose in [Whose::Person, Whose::Project] {
            for gate in trust.lock(whose).newest().into_iter().filter(|gate| gate.is_pinned()) {
                let there =
                    self.shelf.iter().find(|(offer, _)| offer.name == gate.name && offer.whose == whose);
                if let Some(why) = why_gone(gate, there.map(|(_, standing)| standing)) {
                    self.gone.push((Layer::accepted(gate, trust.copy(&gate.digest)), why));
                }
            }
        }
    }

    /// A line for the person about what waits for them; `None` if nothing does.
    pub fn notice(&self) -> Option<String> {
        let waiting = self.waiting();
        (!waiting.is_empty()).then(|| format!("interleaf: {}", waiting.join("; ")))
    }

    /// What waits for a person, a sentence each: files to be looked at, and gates that are gone.
    pub fn waiting(&self) -> Vec<String> {
        let open = self.shelf.iter().filter(|(_, standing)| standing.is_open());
        let told = open.map(|(offer, standing)| open_notice(offer, standing));
        let is_open =
            |name: &str| self.shelf.iter().any(|(offer, standing)| offer.name == name && standing.is_open());
        let gone = self.gone.iter().filter(|(gate, _)| !is_open(&gate.name));
        told.chain(gone.map(|(gate, why)| format!("gate {} does not run: {why}", gate.name))).collect()
    }
}

fn why_gone(gate: &Accepted, standing: Option<&Standing>) -> Option<String> {
    let name = &gate.name;
    match standing {
        Some(Standing::Accepted(_)) => None,
        Some(Standing::Changed { .. } | Standing::New { .. }) => Some(format!(
            "its file was changed and the change is not accepted; look at it with interleaf layer accept {name}"
        )),
        Some(Standing::Unreadable(error)) => Some(format!("its file cannot be read: {error}")),
        None => Some(format!(
            "its file {} is missing; if it is to go, interleaf layer revoke {name}",
            gate.file.display()
        )),
    }
}

fn open_notice(offer: &Offer, standing: &Standing) -> String {
    let name = &offer.name;
    let what = match standing {
        Standing::Changed { .. } => "was changed since it was accepted",
        _ => "is new here",
    };
    format!("layer {name} {what} and does not run; look at it with interleaf layer accept {name}")
}
