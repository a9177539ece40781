//! What became of a finding or a retirement, for the log.

use interleaf_layer::Error;
use interleaf_layer::memory::{Resolution, ResolutionAction};

use crate::finding::{Evidence, Finding, Retirement};
use crate::host;
use interleaf_layer::memory::Category;

/// Maximum attempts when another process changes the memory at the same time.
pub(super) const MAX_ATTEMPTS: usize = 4;

/// What became of a finding or a retirement.
pub struct WriteOutcome {
    /// What the host did.
    pub action: ResolutionAction,
    /// The memory that now holds the finding, or that was retired.
    pub id: Option<String>,
    /// The memory that it superseded.
    pub superseded: Option<String>,
    /// The rule that decided. Contains nobody's words.
    pub because: String,
    /// The category.
    pub category: Category,
    /// How likely the finding was worth saving.
    pub score: Option<f32>,
    /// The quotes that support it.
    pub evidence: Vec<Evidence>,
}

impl WriteOutcome {
    /// The outcome of a finding.
    pub(super) fn of_finding(finding: &Finding, resolved: Resolution) -> Self {
        let Resolution { action, id, superseded, reason: because } = resolved;
        let (category, evidence) = (finding.category, finding.evidence.clone());
        Self { action, id, superseded, because, category, score: Some(finding.score), evidence }
    }

    /// The outcome of a retirement.
    pub(super) fn of_retirement(retirement: &Retirement, resolved: Resolution) -> Self {
        let Resolution { action, id, superseded, reason: because } = resolved;
        let (category, evidence) = (retirement.memory.category, retirement.evidence.clone());
        Self { action, id, superseded, because, category, score: None, evidence }
    }

    /// Tells whether a memory was changed.
    pub fn is_written(&self) -> bool {
        self.action != ResolutionAction::Skipped
    }

    /// The action's name in the contract.
    pub const fn action(&self) -> &'static str {
        match self.action {
            ResolutionAction::Created => "create",
            ResolutionAction::Updated => "update",
            ResolutionAction::Retired => "retire",
            ResolutionAction::Superseded => "supersede",
            ResolutionAction::Skipped => "nothing",
        }
    }
}

/// No action, and why.
pub(super) fn nothing(id: Option<&str>, because: &str) -> Resolution {
    let id = id.map(str::to_owned);
    Resolution { action: ResolutionAction::Skipped, id, superseded: None, reason: because.to_owned() }
}

/// Logs what the host's rules refuse.
pub(super) fn refused(finding: &Finding, error: &Error) -> Resolution {
    log_refusal(&format!("a {} was not written", finding.category.as_str()), error);
    nothing(None, &refusal(error))
}

pub(super) fn log_refusal(what: &str, error: &Error) {
    interleaf_layer::log::warn(&format!("{what}: {}", error.message()));
}

pub(super) fn refusal(error: &Error) -> String {
    format!("the host refused it ({})", host::error_kind(error))
}

/// Another process changed the memory at every attempt.
pub(super) fn lost_race(id: Option<&str>) -> Resolution {
    nothing(id, &format!("another process changed the memory during {MAX_ATTEMPTS} attempts"))
}
