//! A flush: reads the entries since the last flush, finds memories in them and writes them.
//!
//! A flush can be interrupted at any point and is then repeated. So it first records its input
//! ([`FlushInput`]), finds the same memories in it every time, and writes each memory under a key. It removes
//! captures and records its progress only after everything is written.

use interleaf_layer::job::Job;
use interleaf_layer::jobs;
use interleaf_layer::memory::Category;
use interleaf_layer::{Error, Result};
use serde_json::Value;

use crate::finding::Finding;
use crate::flush_input::FlushInput;
use crate::host::{self, HostModel, ProjectMemories, RecordedPrompts};
use crate::progress::Progress;
use crate::reading::{self, Known, Reading};
use crate::rules::Found;
use crate::schedule::{self, FlushRequest};
use crate::settings::{CategoryPolicies, Settings};
use crate::statements::repetition::repeated;
use crate::summary::summary_text;
use crate::writer::{MemoryWriter, WriteOutcome};
use crate::{flush_report, rule_input};

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
            // What the rules found is written; the next attempt adds what the model reads.
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
    let mut found =
        rule_input::apply_rules(job, input, settings).only(|category| policies.is_enabled(category));
    let model = HostModel::default();
    let reading = read(job, input, settings, &policies, &model);
    let candidates = found.candidates.len();
    if reading.is_answered {
        // A model has seen what was repeated, too, and what only says when.
        found.explicit.retain(|finding| finding.category != Category::Learning);
    } else {
        let repeated = repeated(&found.candidates, &RecordedPrompts { session: &job.session_id });
        found.explicit.extend(repeated);
    }
    // What failed is in the record; a capture of it needs no memory.
    let settled: Vec<String> = input.captures.iter().map(|capture| capture.id.clone()).collect();
    let outcomes =
        write(MemoryWriter::new(&job.session_id, settings.promote)?, job, found, &reading, settings)?;
    jobs::settle_captures(&settled)?;
    let report = flush_report::report(input, candidates, &reading, &outcomes, settings.explain);
    Ok(Saved { report, model_is_away: model.absence() })
}

/// Has the model read the session, if there is one: of a subagent, whose prompts are another agent's words,
/// only for runbooks; sessions without OpenSpec skills not at all, if the settings say so.
fn read(
    job: &Job,
    input: &FlushInput,
    settings: &Settings,
    policies: &CategoryPolicies,
    model: &HostModel,
) -> Reading {
    if !settings.model || settings.only_with_skills && !input.has_skills() {
        return Reading::default();
    }
    let is_wanted = |category: &Category| {
        policies.is_enabled(*category) && (job.agent_id.is_none() || *category == Category::Runbook)
    };
    let categories: Vec<Category> = reading::CATEGORIES.into_iter().filter(is_wanted).collect();
    let known = Known {
        session_id: &job.session_id,
        memories: &ProjectMemories,
        saved_until: input.progress.end,
        policies,
        categories: &categories,
    };
    reading::read(&input.transcript, known, settings, model)
}

/// Writes what was found, up to the session's limit, and besides it facts, per-change memories, retirements
/// and the summary.
fn write(
    mut writer: MemoryWriter,
    job: &Job,
    found: Found,
    reading: &Reading,
    settings: &Settings,
) -> Result<Vec<WriteOutcome>> {
    // Where a model read the session, its words say better what the person stated. But an explicit act is
    // saved even if the model leaves it out: nothing in a session can talk it away.
    let is_read = |finding: &Finding| reading.findings.iter().any(|read| shares_evidence(read, finding));
    let stated = found.explicit.iter().filter(|finding| !is_read(finding));
    let findings = reading.findings.iter().chain(stated).cloned().collect();
    let limit = if reading.is_answered { settings.max_drafts } else { settings.max_memories };
    writer.write_best(findings, limit)?;
    writer.retire(&reading.retirements)?;
    for (name, finding) in found.once {
        // A design can change later. The list of files that a change touched is written once, because the
        // first files stay the best starting point.
        match name.starts_with("choices/") {
            true => writer.write_latest(&name, finding)?,
            false => drop(writer.write_once(&name, finding)?),
        }
    }
    for fact in &found.facts {
        writer.write_fact(fact)?;
    }
    if let Some(summary) = found.summary.filter(|_| job.agent_id.is_none()) {
        let summary = summary_text::with_told(summary, reading.summary.as_ref());
        writer.write_summary(&summary_text::merge(writer.summary(), summary))?;
    }
    Ok(writer.outcomes)
}

/// Tells whether two findings rest on the same words.
fn shares_evidence(one: &Finding, other: &Finding) -> bool {
    let same = |quote: &str, other: &str| quote.contains(other) || other.contains(quote);
    one.evidence.iter().any(|evidence| {
        other
            .evidence
            .iter()
            .any(|known| known.cursor == evidence.cursor && same(&known.quote, &evidence.quote))
    })
}

/// Schedules another flush at once, because this one did not read everything.
fn schedule_next(job: &Job, request: &FlushRequest, input: &FlushInput) -> Result<()> {
    let progress = Progress { count: input.progress.count + 1, ..Progress::default() };
    let id = schedule::flush_id(&job.session_id, job.agent_id.as_deref(), &progress);
    host::submit_flush(id, request.to_json(), 0)
}
