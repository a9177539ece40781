//! The quota of the language model that a layer may use in one event (counted here) and in one day, UTC
//! (counted in the project's state, for all processes).
//!
//! Before a call is made, the largest number of tokens that it can use is reserved; afterward the reservation
//! is replaced by the tokens that it used. If the process dies in between, the reservation counts as used.

use serde::{Deserialize, Serialize};

use super::shared_counter::{MODEL_USAGE, SharedCounter};
use super::{HostContext, LayerIdentity};
use crate::clock::format_date;
use crate::error::{Error, Result};
use crate::layer::ModelGrant;
use crate::llm::{Completion, CompletionRequest};
use crate::state::Scope;

/// Calls and tokens that were used, or a limit on them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ModelUsage {
    calls: u32,
    tokens: u32,
}

/// The usage of one day.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct DailyUsage {
    day: String,
    #[serde(flatten)]
    usage: ModelUsage,
}

impl ModelUsage {
    /// Adds one call of up to this many tokens, unless that exceeds the limit of this period.
    fn add_call(self, tokens: u32, limit: Self, period: &str) -> Result<Self> {
        let usage = Self { calls: self.calls.saturating_add(1), tokens: self.tokens.saturating_add(tokens) };
        if usage.calls > limit.calls {
            let message = format!("the {} model calls of this {period} are used up", limit.calls);
            return Err(Error::over_budget(message));
        }
        if usage.tokens > limit.tokens {
            return Err(Error::over_budget(format!(
                "a model call may take {tokens} tokens, \
                 but only {} of the {} tokens of this {period} are left",
                limit.tokens.saturating_sub(self.tokens),
                limit.tokens
            )));
        }
        Ok(usage)
    }

    /// Replaces reserved tokens by the tokens that were used.
    fn corrected(self, reserved: u32, used: u32) -> Self {
        Self { tokens: self.tokens.saturating_sub(reserved).saturating_add(used), ..self }
    }
}

/// One layer's quota in one event.
pub(super) struct ModelQuota<'a> {
    pub(super) grant: ModelGrant,
    pub(super) event_usage: &'a mut ModelUsage,
    pub(super) host: &'a HostContext,
    pub(super) layer: &'a LayerIdentity,
}

impl ModelQuota<'_> {
    /// Reserves the largest number of tokens that a request can use, and returns it.
    ///
    /// # Errors
    /// `OverBudget`, with the numbers, if the event or the day does not allow it; `Unavailable` if the
    /// database cannot be used.
    pub(super) fn reserve(&mut self, request: &CompletionRequest) -> Result<u32> {
        let (tokens, grant) = (request.max_total_tokens(), self.grant);
        let event_limit = ModelUsage { calls: grant.calls, tokens: grant.tokens };
        let event_usage = self.event_usage.add_call(tokens, event_limit, "event")?;
        let daily_limit = ModelUsage { calls: grant.daily_calls, tokens: grant.daily_tokens };
        self.update_today(|usage| usage.add_call(tokens, daily_limit, "day"))?;
        *self.event_usage = event_usage;
        Ok(tokens)
    }

    /// Replaces the reservation by the tokens that the call used. A failed call counts as using no tokens,
    /// because no number is known.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used; the reservation then counts for the day.
    pub(super) fn correct(&mut self, reserved: u32, answer: &Result<Completion>) -> Result<()> {
        let used =
            answer.as_ref().map_or(0, |answer| answer.input_tokens.saturating_add(answer.output_tokens));
        *self.event_usage = self.event_usage.corrected(reserved, used);
        self.update_today(|usage| Ok(usage.corrected(reserved, used)))
    }

    fn update_today(&self, change: impl Fn(ModelUsage) -> Result<ModelUsage>) -> Result<()> {
        let today = format_date(self.host.clock.now());
        let (state, key) = (&self.host.state, self.layer.name.as_str());
        let counter = SharedCounter { state, scope: Scope::Project, owner: MODEL_USAGE, key };
        counter.update(|stored: DailyUsage| {
            let usage = if stored.day == today { stored.usage } else { ModelUsage::default() };
            Ok(DailyUsage { day: today.clone(), usage: change(usage)? })
        })
    }
}
