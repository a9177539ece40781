//! A flush: reads what was said since the last one, judges it and writes memories.
//!
//! A flush can be interrupted anywhere and is then repeated. So it first fixes its input ([`Batch`]), finds
//! the same in it every time, writes each memory under a key, and removes captures and records its progress
//! after everything is written.

use interleaf_layer::Result;
use interleaf_layer::job::Job;
use interleaf_layer::jobs;
use serde_json::Value;

use crate::batch::Batch;
use crate::drafting::{self, Drafted, Known};
use crate::finding::{Finding, Retirement};
use crate::host::{self, HostModel, ProjectMemories};
use crate::progress::Progress;
use crate::rules::Mined;
use crate::schedule::{self, FlushRequest};
use crate::settings::Settings;
use crate::transcript::Transcript;
use crate::triage::{self, Triaged};
use crate::writer::{MemoryWriter, WriteOutcome};
use crate::{flush_report, merge_summaries, rule_input};
use interleaf_layer::memory::Category;

/// Runs the job.
///
/// # Errors
/// When the host cannot do its part now: then the job comes back.
pub fn run(job: &Job) -> Result<()> {
    let request: FlushRequest = serde_json::from_str(&job.payload).unwrap_or_default();
    let settings = host::settings();
    let batch = Batch::load(job, &request)?;
    let mut more = batch.more;
    if batch.has_news() {
        let (report, settled) = save(job, &batch, &settings)?;
        more |= settled < batch.captures.len();
        interleaf_layer::log::decision(&report);
    }
    batch.close(job)?;
    match more {
        true => schedule_next(job, &request, &batch),
        false => Ok(()),
    }
}

/// Judges the batch and writes what it taught. Returns the report for the log and the number of captures it
/// handled.
fn save(job: &Job, batch: &Batch, settings: &Settings) -> Result<(Value, usize)> {
    let policies = host::category_policies()?;
    let mined = rule_input::apply_rules(job, batch, settings).only(|category| policies.is_enabled(category));
    let unread = batch.unread();
    let triaged = triage::triage(&unread, settings);
    let findings: Vec<Finding> = mined.finds.iter().chain(&mined.summary).cloned().collect();
    let known =
        Known { findings: &findings, saved: &mined.saved, memories: &ProjectMemories, policies: &policies };
    let drafted = ask_model(&unread, &triaged, known, job, settings);
    let settled = mined.settled.clone();
    let plan = match &drafted {
        Some(drafted) => WritePlan {
            findings: drafted.findings.clone(),
            retirements: drafted.retirements.clone(),
            max_memories: settings.max_drafts,
        },
        None => WritePlan { findings, retirements: Vec::new(), max_memories: settings.max_memories },
    };
    let outcomes = write(job, mined, plan, settings.promote)?;
    jobs::settle_captures(&settled)?;
    let report = flush_report::report(batch, &triaged, drafted.as_ref(), &outcomes, settings.explain);
    Ok((report, settled.len()))
}

/// What to write, besides per-change memories and failures without a fix.
struct WritePlan {
    findings: Vec<Finding>,
    retirements: Vec<Retirement>,
    /// Maximum number of memories that the session may leave behind.
    max_memories: usize,
}

/// Writes the best findings, per-change memories, failures without a fix, retirements and the summary.
fn write(job: &Job, mined: Mined, plan: WritePlan, promote: bool) -> Result<Vec<WriteOutcome>> {
    let mut writer = MemoryWriter::new(&job.session_id, promote)?;
    let (summaries, findings): (Vec<Finding>, Vec<Finding>) =
        plan.findings.into_iter().partition(|finding| finding.category == Category::SessionSummary);
    writer.write_best(findings, plan.max_memories)?;
    writer.retire(&plan.retirements)?;
    for (name, finding) in mined.once {
        // A design can change; the files that a change touched first stay a good place to look.
        match name.starts_with("choices/") {
            true => writer.write_latest(&name, finding)?,
            false => writer.write_once(&name, finding)?,
        }
    }
    // The key names the captures in it: another memory of the same flush would have others.
    if let Some(finding) = mined.captured {
        writer.write_once(&format!("captures/{}", finding.key), finding)?;
    }
    if let Some(summary) = summaries.into_iter().next().filter(|_| job.agent_id.is_none()) {
        writer.write_summary(&merge_summaries::merge(writer.summary(), summary))?;
    }
    Ok(writer.outcomes)
}

/// Asks the model. Returns `None` if there was nothing to ask, or if it answered nothing and the rules decide
/// alone.
fn ask_model(
    transcript: &Transcript,
    triaged: &[Triaged],
    known: Known<'_>,
    job: &Job,
    settings: &Settings,
) -> Option<Drafted> {
    let wanted = |triaged: &&Triaged| triaged.triggered && known.policies.is_enabled(triaged.category);
    let triggered = triaged.iter().filter(wanted).count();
    if !settings.model || triggered == 0 {
        return None;
    }
    let drafted = drafting::draft(transcript, triaged, known, &job.session_id, settings, &HostModel);
    (drafted.failed.len() < triggered).then_some(drafted)
}

/// Schedules another flush at once, because this one did not read everything.
fn schedule_next(job: &Job, request: &FlushRequest, batch: &Batch) -> Result<()> {
    let progress = Progress { count: batch.progress.count + 1, ..Progress::default() };
    let id = schedule::flush_id(&job.session_id, job.agent_id.as_deref(), &progress);
    host::submit_flush(id, request.to_json(), 0)
}
