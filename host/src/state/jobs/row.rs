//! A job as it lies in its row.

use rusqlite::Row;

use super::{Job, JobRecord, Progress};

/// What [`standing`] reads.
pub(super) const COLUMNS: &str = "layer, id, kind, payload, submitted_at, session, agent, transcript, status, attempt, due_at, error, settled_at";

/// Reads the columns of [`COLUMNS`], the first of which is at `from`.
pub(super) fn standing(row: &Row, from: usize) -> rusqlite::Result<JobRecord> {
    let [layer, id, kind, payload] = [0, 1, 2, 3].map(|at| row.get(from + at));
    let (session, agent, transcript) = (row.get(from + 5)?, row.get(from + 6)?, row.get(from + 7)?);
    let (layer, id, kind, payload, at) = (layer?, id?, kind?, payload?, row.get(from + 4)?);
    let job = Job { layer, id, kind, payload, at, session, agent, transcript };
    let progress = match row.get_ref(from + 8)?.as_str()? {
        "waiting" => Progress::Waiting,
        "running" => Progress::Running,
        "done" => Progress::Done,
        _ => Progress::Failed,
    };
    let (attempts, due_at, error) = (row.get(from + 9)?, row.get(from + 10)?, row.get(from + 11)?);
    let settled_at = row.get(from + 12)?;
    Ok(JobRecord { job, progress, attempts, due_at, error, settled_at })
}
