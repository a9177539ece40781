//! The outcome of a finding or a retirement, for the log.

use interleaf_layer::Error;
use interleaf_layer::memory::{Resolution, ResolutionAction};

use crate::finding::{Evidence, Finding, Retirement};
use interleaf_layer::memory::Category;

/// Maximum number of attempts if another process changes the memory at the same time.
pub(super) const MAX_ATTEMPTS: usize = 4;

/// The outcome of a finding or a retirement.
pub struct WriteOutcome {
    /// What the host did. The reason contains no words of the session.
    pub resolution: Resolution,
    /// The category.
    pub category: Category,
    /// The finding's score, from 0 to 1; none for a retirement.
    pub score: Option<f32>,
    /// The quotes that support it.
    pub evidence: Vec<Evidence>,
}

impl WriteOutcome {
    /// Returns the outcome of a finding.
    pub(super) fn of_finding(finding: &Finding, resolution: Resolution) -> Self {
        let (category, evidence) = (finding.category, finding.evidence.clone());
        Self { resolution, category, score: Some(finding.score), evidence }
    }

    /// Returns the outcome of a retirement.
    pub(super) fn of_retirement(retirement: &Retirement, resolution: Resolution) -> Self {
        let (category, evidence) = (retirement.memory.category, retirement.evidence.clone());
        Self { resolution, category, score: None, evidence }
    }

    /// Tells whether a memory was written.
    pub fn is_written(&self) -> bool {
        self.resolution.action != ResolutionAction::Skipped
    }

    /// Returns the action's name in the contract.
    pub const fn action(&self) -> &'static str {
        match self.resolution.action {
            ResolutionAction::Created => "create",
            ResolutionAction::Updated => "update",
            ResolutionAction::Retired => "retire",
            ResolutionAction::Superseded => "supersede",
            ResolutionAction::Skipped => "nothing",
        }
    }
}

/// Returns a resolution without an action, with the reason.
pub(super) fn nothing(id: Option<&str>, because: &str) -> Resolution {
    let id = id.map(str::to_owned);
    Resolution { action: ResolutionAction::Skipped, id, superseded: None, reason: because.to_owned() }
}

/// Logs that the host's rules refuse a finding, and returns the resolution.
pub(super) fn refused(finding: &Finding, error: &Error) -> Resolution {
    log_refusal(&format!("a {} was not written", finding.category.as_str()), error);
    nothing(None, &refusal(error))
}

pub(super) fn log_refusal(what: &str, error: &Error) {
    interleaf_layer::log::warn(&format!("{what}: {}", error.message()));
}

pub(super) fn refusal(error: &Error) -> String {
    format!("the host refused it ({})", error.kind())
}

/// Returns the resolution if another process changed the memory during every attempt.
pub(super) fn lost_race(id: Option<&str>) -> Resolution {
    nothing(id, &format!("another process changed the memory during {MAX_ATTEMPTS} attempts"))
}
