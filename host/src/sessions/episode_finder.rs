//! Finds the episodes of a session: a run that failed, and a later one of the same command that passed. What
//! counts as one is decided in the crate `interleaf_shell`.

use std::collections::BTreeSet;

use interleaf_shell::{Step, episodes};
use rusqlite::Transaction;

use super::shell_runs::stored_run;
use super::stored_text::unpack_column;
use crate::error::Result;

/// Number of runs and edits of an agent that are looked at, the newest: those of a page, and before them more
/// than an episode may span.
const MAX_STEPS: i64 = 500;

/// A step with the number of its run.
struct NumberedStep {
    step: Step,
    run: Option<i64>,
    signature: Option<i64>,
}

/// Finds the episodes that end in the turns that changed, and writes those that are new.
pub(super) fn find(tx: &Transaction, session: i64) -> Result<()> {
    let sql = "SELECT DISTINCT agent FROM turns WHERE session = ? AND is_stale = 1";
    let mut statement = tx.prepare_cached(sql)?;
    let agents = statement.query_map([session], |row| row.get(0))?;
    let agents: BTreeSet<String> = agents.collect::<rusqlite::Result<_>>()?;
    agents.iter().try_for_each(|agent| find_of_agent(tx, session, agent))
}

fn find_of_agent(tx: &Transaction, session: i64, agent: &str) -> Result<()> {
    let numbered = steps(tx, session, agent)?;
    let steps: Vec<Step> = numbered.iter().map(|numbered| numbered.step.clone()).collect();
    let sql =
        "INSERT INTO episodes (session, failed, passed, signature, difference) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO NOTHING";
    let mut insert = tx.prepare_cached(sql)?;
    for episode in episodes(&steps) {
        let (failed, passed) = (&numbered[episode.failed], &numbered[episode.passed]);
        if let (Some(failed_run), Some(passed_run), Some(signature)) =
            (failed.run, passed.run, failed.signature)
        {
            let difference = episode.difference.to_string();
            insert.execute((session, failed_run, passed_run, signature, difference))?;
        }
    }
    Ok(())
}

/// Returns the last steps of an agent, in order.
fn steps(tx: &Transaction, session: i64, agent: &str) -> Result<Vec<NumberedStep>> {
    let sql = "SELECT number, line, outcome, exit_status, signature, error, looks, at, position FROM runs
         WHERE session = ?1 AND agent = ?2
         UNION ALL SELECT NULL, NULL, '', NULL, NULL, NULL, looks, at, position FROM edits
         WHERE session = ?1 AND agent = ?2
         ORDER BY at DESC, position DESC LIMIT ?3";
    let mut statement = tx.prepare_cached(sql)?;
    let mut rows = statement.query((session, agent, MAX_STEPS))?;
    let mut steps = Vec::new();
    while let Some(row) = rows.next()? {
        let looks: i64 = row.get(6)?;
        let (run, signature): (Option<i64>, Option<i64>) = (row.get(0)?, row.get(4)?);
        let step = match run {
            None => Step::Edited,
            Some(_) => match unpack_column(row, 1)? {
                None => Step::Looked,
                Some(line) => {
                    let (outcome, error) = (row.get(2)?, unpack_column(row, 5)?);
                    stored_run(&line, outcome, row.get(3)?, signature, error).map_or(Step::Looked, Step::Run)
                }
            },
        };
        steps.push(NumberedStep { step, run, signature });
        let looked = |_| NumberedStep { step: Step::Looked, run: None, signature: None };
        steps.extend((0..looks).map(looked));
    }
    steps.reverse();
    Ok(steps)
}
