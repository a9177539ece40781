//! How the run of a command ended, as the record keeps it.

use std::fmt;

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::Serialize;

/// How the run of a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunOutcome {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// The transcript does not prove either: the command stood before a pipe or ran in the background.
    Unknown,
    /// A person stopped it or did not allow it.
    Interrupted,
    /// No result is in the transcript yet.
    Running,
    /// The same, of a command that was started in the background.
    Background,
}

impl RunOutcome {
    const ALL: [Self; 6] =
        [Self::Passed, Self::Failed, Self::Unknown, Self::Interrupted, Self::Running, Self::Background];

    /// Returns the name, as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
            Self::Interrupted => "interrupted",
            Self::Running => "running",
            Self::Background => "background",
        }
    }
}

impl fmt::Display for RunOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl ToSql for RunOutcome {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

impl FromSql for RunOutcome {
    /// Reads the name. One of a newer Interleaf says nothing here.
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        Ok(Self::ALL.into_iter().find(|outcome| outcome.as_str() == name).unwrap_or(Self::Unknown))
    }
}
