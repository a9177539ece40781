//! Decides whether a layer may make a host call: the call must be granted and within the layer's limits. A
//! refusal names the layer, the missing grant, and the line of configuration that would request it. Nothing
//! else in the host makes this decision.

use std::collections::BTreeSet;

use super::{LayerHost, wit_error};
use crate::config::Limits;
use crate::error::{Error, Result};
use crate::layer::{CategorySet, Grants, MemoryGrant, Need};
use crate::memory::Category;
use crate::sandbox::bindings::types;

/// The access that a host call needs.
#[derive(Debug, Clone, Copy)]
pub(super) enum Access<'a> {
    /// Reading memories of any category.
    ReadMemory,
    /// Reading memories of one of these categories.
    ReadCategories(&'a [Category]),
    /// Writing memories of some category.
    WriteMemory,
    /// Writing a memory of this category.
    WriteCategory(Category),
    /// Any function of an interface that is granted as a whole.
    Interface(Need),
}

/// Counts a layer's host calls, their bytes and its lines in the log. Every host function checks it first, so
/// a layer that floods the host gets a typed error.
#[derive(Debug)]
pub(super) struct CallLimiter {
    calls_left: u64,
    lines_left: Option<u64>,
    log_bytes_left: usize,
    limits: Limits,
}

/// Maximum number of bytes that a layer may write to the log per event. All projects share one log of a few
/// megabytes, so a layer that filled it with every event would push the records of all others out.
const MAX_LOG_BYTES: usize = 8 << 10;

/// Whether a layer may write one more line to the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LogRoom {
    /// The line fits.
    Left,
    /// The line is the first that does not fit.
    JustExhausted,
    /// An earlier line did not fit either.
    Exhausted,
}

impl CallLimiter {
    /// Creates a limiter that has counted nothing yet.
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            calls_left: limits.host_calls,
            lines_left: Some(limits.log_lines),
            log_bytes_left: MAX_LOG_BYTES,
            limits,
        }
    }

    /// Counts one call that carries `bytes` into the host.
    ///
    /// # Errors
    /// `OverBudget` if no calls are left or the call is too large.
    fn count_call(&mut self, bytes: usize) -> Result<()> {
        let calls = self.limits.host_calls;
        self.calls_left = self
            .calls_left
            .checked_sub(1)
            .ok_or_else(|| Error::over_budget(format!("the {calls} host calls of this event are used up")))?;
        self.check_size(bytes)
    }

    /// Counts one line of this many bytes for the log.
    pub(super) fn count_line(&mut self, bytes: usize) -> LogRoom {
        let Some(left) = self.lines_left else { return LogRoom::Exhausted };
        self.lines_left = left.checked_sub(1).filter(|_| bytes <= self.log_bytes_left);
        self.log_bytes_left = self.log_bytes_left.saturating_sub(bytes);
        if self.lines_left.is_some() { LogRoom::Left } else { LogRoom::JustExhausted }
    }

    /// Checks how many bytes a call carries into the host or back to the layer.
    ///
    /// # Errors
    /// `OverBudget` if they are more than one call may carry.
    pub(super) fn check_size(&self, bytes: usize) -> Result<()> {
        let limit = self.limits.host_call_bytes;
        if bytes as u64 > limit {
            let message = format!("a host call of {bytes} bytes exceeds the limit of {limit} bytes");
            return Err(Error::over_budget(message));
        }
        Ok(())
    }
}

impl LayerHost {
    /// Counts a host call that carries `bytes`, and checks that the layer was granted this access.
    pub(super) fn begin_call(&mut self, access: Access, bytes: usize) -> Result<(), types::Error> {
        if let Err(error) = self.limiter.count_call(bytes) {
            self.first_exceeded_limit.get_or_insert_with(|| error.message.clone());
            return Err(wit_error(error));
        }
        self.check_access(access)
    }

    /// Checks that the layer was granted this access. For access that is known only in the middle of a call.
    pub(super) fn check_access(&self, access: Access) -> Result<(), types::Error> {
        let grants = &self.layer.grants;
        if access.is_granted(grants) {
            return Ok(());
        }
        let (layer, details, line) = (&self.layer.name, access.details(), access.grant_line(grants));
        Err(types::Error::Denied(format!(
            "layer {layer} was not granted this{details}; \
             to ask for it, add to [layers.{layer}.grants]: {line}"
        )))
    }
}

impl Access<'_> {
    fn is_granted(self, grants: &Grants) -> bool {
        let MemoryGrant { read, write } = &grants.memory;
        match self {
            Self::ReadMemory => *read != CategorySet::None,
            Self::ReadCategories(any) => any.iter().any(|category| read.includes(*category)),
            Self::WriteMemory => *write != CategorySet::None,
            Self::WriteCategory(category) => write.includes(category),
            Self::Interface(need) => need.is_met_by(grants),
        }
    }

    /// Returns the part of the error message that names the categories, if the access is to some only.
    fn details(self) -> String {
        match self {
            Self::ReadCategories(any) => format!(" (to read {})", list(any)),
            Self::WriteCategory(category) => format!(" (to write {category})"),
            Self::ReadMemory | Self::WriteMemory | Self::Interface(_) => String::new(),
        }
    }

    /// Returns the line of configuration that would grant the access in addition to the present grants.
    fn grant_line(self, grants: &Grants) -> String {
        let MemoryGrant { read, write } = grants.memory.clone();
        let extended = match self {
            Self::Interface(need) => return need.grant_setting().to_owned(),
            Self::ReadMemory => MemoryGrant { read: CategorySet::All, write },
            Self::WriteMemory => MemoryGrant { read: CategorySet::All, write: CategorySet::All },
            Self::ReadCategories(any) => MemoryGrant { read: extend(read, any), write },
            Self::WriteCategory(category) => MemoryGrant { read, write: extend(write, &[category]) },
        };
        let value =
            toml::Value::try_from(&extended).map_or_else(|_| String::new(), |value| value.to_string());
        format!("memory = {value}")
    }
}

/// Adds these categories to a set.
fn extend(set: CategorySet, more: &[Category]) -> CategorySet {
    let granted = match set {
        CategorySet::All => return CategorySet::All,
        CategorySet::Only(granted) => granted,
        CategorySet::None => BTreeSet::new(),
    };
    CategorySet::Only(granted.into_iter().chain(more.iter().copied()).collect())
}

fn list(categories: &[Category]) -> String {
    categories.iter().map(Category::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_of_the_log_are_limited_in_number_and_bytes() {
        let mut limits = Limits::default();
        limits.log_lines = 2;
        let mut few = CallLimiter::new(limits);
        let counted = [10, 10, 10, 10].map(|bytes| few.count_line(bytes));
        assert_eq!(counted, [LogRoom::Left, LogRoom::Left, LogRoom::JustExhausted, LogRoom::Exhausted]);

        let mut long = CallLimiter::new(Limits::default());
        let counted = [MAX_LOG_BYTES / 2, MAX_LOG_BYTES, 10].map(|bytes| long.count_line(bytes));
        assert_eq!(counted, [LogRoom::Left, LogRoom::JustExhausted, LogRoom::Exhausted]);
    }

    fn grant_line(grants: serde_json::Value, access: Access) -> String {
        access.grant_line(&Grants::from_json(grants).expect("valid"))
    }

    #[test]
    fn the_grant_line_keeps_what_is_granted_and_adds_only_what_is_missing() {
        assert_eq!(grant_line(json!({}), Access::ReadMemory), r#"memory = "read""#);
        assert_eq!(grant_line(json!({"memory": "read"}), Access::WriteMemory), r#"memory = "write""#);
        assert_eq!(
            grant_line(
                json!({"memory": {"read": ["decision"]}}),
                Access::ReadCategories(&[Category::Constraint])
            ),
            r#"memory = { read = ["decision", "constraint"], write = false }"#
        );
        assert_eq!(
            grant_line(json!({"memory": "read"}), Access::WriteCategory(Category::Learning)),
            r#"memory = { read = true, write = ["learning"] }"#
        );
        assert_eq!(grant_line(json!({}), Access::Interface(Need::Llm)), "llm = true");
    }
}
