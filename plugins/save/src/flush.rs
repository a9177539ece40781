//! A flush: reads the entries since the last flush, finds memories in them and writes them.
//!
//! A flush can be interrupted at any point and is then repeated. So it first records its input
//! ([`FlushInput`]), finds the same memories in it every time, and writes each memory under a key. It removes
//! captures and records its progress only after everything is written.

use interleaf_layer::job::Job;
use interleaf_layer::jobs;
use interleaf_layer::{Error, Result};
use serde_json::Value;

use crate::drafting::{self, Drafted, Known};
use crate::finding::Finding;
use crate::flush_input::FlushInput;
use crate::host::{self, HostModel, ProjectMemories};
use crate::progress::Progress;
use crate::rules::Mined;
use crate::schedule::{self, FlushRequest};
use crate::settings::Settings;
use crate::triage;
use crate::writer::{MemoryWriter, WriteOutcome};
use crate::{flush_report, rule_input, summary_text};
use interleaf_layer::memory::Category;

/// Runs the job.
///
/// # Errors
/// Fails if a host function fails; the host then retries the job.
pub fn run(job: &Job) -> Result<()> {
    let request: FlushRequest = serde_json::from_str(&job.payload).unwrap_or_default();
    let settings = host::settings();
    let input = FlushInput::load(job, &request)?;
    let more = input.more || input.has_grown;
    if input.has_new_input() {
        let saved = save(job, &input, &settings)?;
        interleaf_layer::log::decision(&saved.report);
        if let Some(reason) = saved.model_is_away.filter(|_| job.attempt < MAX_MODEL_ATTEMPTS) {
            // What the rules found is written; the next attempt adds what the model finds.
            return Err(Error::Unavailable(format!("the model could not be asked: {reason}")));
        }
    }
    input.close(job)?;
    match more {
        true => schedule_next(job, &request, &input),
        false => Ok(()),
    }
}

/// Number of attempts at a flush after which the rules decide alone, because the model does not come back.
/// The host makes no more attempts either.
const MAX_MODEL_ATTEMPTS: u32 = 5;

/// What came of a flush.
struct Saved {
    /// For the log.
    report: Value,
    /// Why the model gave no answer, if it may give one later.
    model_is_away: Option<String>,
}

/// Finds and writes the memories that the input holds.
fn save(job: &Job, input: &FlushInput, settings: &Settings) -> Result<Saved> {
    let policies = host::category_policies()?;
    let mined = rule_input::apply_rules(job, input, settings).only(|category| policies.is_enabled(category));
    // What was read before was judged then.
    let mut triaged = triage::triage(&mined.work.clone().since(input.progress.end), settings);
    triaged.retain(|triaged| may_be_drafted(triaged.category, job, input, settings));
    let findings: Vec<Finding> = mined.finds.iter().chain(&mined.summary).cloned().collect();
    let known = Known {
        findings: &findings,
        saved: &mined.saved,
        memories: &ProjectMemories,
        policies: &policies,
        saved_until: input.progress.end,
    };
    let model = HostModel::default();
    // If no category triggered, or every request failed, the rules decide alone.
    let asked = drafting::asked(&triaged, &known, settings).len();
    let drafted = (asked > 0)
        .then(|| drafting::draft(&input.transcript, &triaged, known, &job.session_id, settings, &model))
        .filter(|drafted| drafted.failed.len() < asked);
    // What failed is in the record; a capture of it needs no memory.
    let settled: Vec<String> = input.captures.iter().map(|capture| capture.id.clone()).collect();
    let limit = if drafted.is_some() { settings.max_drafts } else { settings.max_memories };
    let found =
        drafted.clone().unwrap_or_else(|| Drafted { findings: findings.clone(), ..Drafted::default() });
    let outcomes = write(MemoryWriter::new(&job.session_id, settings.promote)?, job, mined, found, limit)?;
    jobs::settle_captures(&settled)?;
    let report = flush_report::report(input, &triaged, drafted.as_ref(), &outcomes, settings.explain);
    let model_is_away = model.absence();
    Ok(Saved { report, model_is_away })
}

/// Tells whether a model may be asked about a category: of a subagent, whose prompts are another agent's
/// words, only about runbooks; of sessions without OpenSpec skills nothing, if the settings say so.
fn may_be_drafted(category: Category, job: &Job, input: &FlushInput, settings: &Settings) -> bool {
    let is_wanted = !settings.only_with_skills || input.has_skills();
    is_wanted && (job.agent_id.is_none() || category == Category::Runbook)
}

/// Writes the best findings, up to `limit` memories of the session, and besides them facts, per-change
/// memories, retirements and the summary.
fn write(
    mut writer: MemoryWriter,
    job: &Job,
    mined: Mined,
    found: Drafted,
    limit: usize,
) -> Result<Vec<WriteOutcome>> {
    let (summaries, findings): (Vec<Finding>, Vec<Finding>) =
        found.findings.into_iter().partition(|finding| finding.category == Category::SessionSummary);
    writer.write_best(findings, limit)?;
    writer.retire(&found.retirements)?;
    for (name, finding) in mined.once {
        // A design can change later. The list of files that a change touched is written once, because the
        // first files stay the best starting point.
        match name.starts_with("choices/") {
            true => writer.write_latest(&name, finding)?,
            false => drop(writer.write_once(&name, finding)?),
        }
    }
    for fact in &mined.facts {
        writer.write_fact(fact)?;
    }
    if let Some(summary) = summaries.into_iter().next().filter(|_| job.agent_id.is_none()) {
        writer.write_summary(&summary_text::merge(writer.summary(), summary))?;
    }
    Ok(writer.outcomes)
}

/// Schedules another flush at once, because this one did not read everything.
fn schedule_next(job: &Job, request: &FlushRequest, input: &FlushInput) -> Result<()> {
    let progress = Progress { count: input.progress.count + 1, ..Progress::default() };
    let id = schedule::flush_id(&job.session_id, job.agent_id.as_deref(), &progress);
    host::submit_flush(id, request.to_json(), 0)
}
