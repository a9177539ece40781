//! How much of the model a layer has had: in this event, kept here, and on this day (UTC), kept in the project's state
//! for all its processes. A call is reserved before it is made, with the most that it can take, and settled afterwards
//! with what it took; a process that dies in between has spent the reservation.

use serde::{Deserialize, Serialize};

use super::tally::{MODEL, Tally};
use super::{HostContext, LayerIdentity};
use crate::clock::format_date;
use crate::error::{Error, Result};
use crate::layer::ModelGrant;
use crate::llm::{Completion, CompletionRequest};
use crate::state::Scope;

/// Calls and tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Spent {
    calls: u32,
    tokens: u32,
}

/// What was spent on which day.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Day {
    day: String,
    #[serde(flatten)]
    spent: Spent,
}

impl Spent {
    /// With a call more, unless that is too much.
    fn and(self, tokens: u32, most: Spent, span: &str) -> Result<Self> {
        let now = Self { calls: self.calls.saturating_add(1), tokens: self.tokens.saturating_add(tokens) };
        if now.calls > most.calls {
            return Err(Error::over_budget(format!(
                "the {} model calls of this {span} are used up",
                most.calls
            )));
        }
        if now.tokens > most.tokens {
            return Err(Error::over_budget(format!(
                "a model call of up to {tokens} tokens, where {} of the {} tokens of this {span} are left",
                most.tokens.saturating_sub(self.tokens),
                most.tokens
            )));
        }
        Ok(now)
    }

    /// With `took` in the place of `reserved`.
    fn settled(self, reserved: u32, took: u32) -> Self {
        Self { tokens: self.tokens.saturating_sub(reserved).saturating_add(took), ..self }
    }
}

/// One layer's allowance in one event.
pub(super) struct Allowance<'a> {
    pub(super) grant: ModelGrant,
    pub(super) event: &'a mut Spent,
    pub(super) host: &'a HostContext,
    pub(super) layer: &'a LayerIdentity,
}

impl Allowance<'_> {
    /// Reserves the most that a request can take; returns how many tokens that is.
    ///
    /// # Errors
    /// `OverBudget`, with the figure, where the event or the day does not allow it; `Unavailable` where it cannot be
    /// written down.
    pub(super) fn reserve(&mut self, request: &CompletionRequest) -> Result<u32> {
        let (tokens, grant) = (request.max_total_tokens(), self.grant);
        let event = self.event.and(tokens, Spent { calls: grant.calls, tokens: grant.tokens }, "event")?;
        let daily = Spent { calls: grant.daily_calls, tokens: grant.daily_tokens };
        self.today(|spent| spent.and(tokens, daily, "day"))?;
        *self.event = event;
        Ok(tokens)
    }

    /// Counts what a call really took. One that failed took no tokens, as far as anybody can tell.
    ///
    /// # Errors
    /// `Unavailable` where it cannot be written down; the reservation then stands for the day.
    pub(super) fn settle(&mut self, reserved: u32, answer: &Result<Completion>) -> Result<()> {
        let took =
            answer.as_ref().map_or(0, |answer| answer.input_tokens.saturating_add(answer.output_tokens));
        *self.event = self.event.settled(reserved, took);
        self.today(|spent| Ok(spent.settled(reserved, took)))
    }

    fn today(&self, next: impl Fn(Spent) -> Result<Spent>) -> Result<()> {
        let today = format_date(self.host.clock.now());
        let (state, key) = (&self.host.state, self.layer.name.as_str());
        Tally { state, scope: Scope::Project, owner: MODEL, key }.change(|known: Day| {
            let spent = if known.day == today { known.spent } else { Spent::default() };
            Ok(Day { day: today.clone(), spent: next(spent)? })
        })
    }
}
