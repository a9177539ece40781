//! A flush: what was said since the last one is read, judged and written down.
//!
//! It may be cut off anywhere and be repeated. So it first fixes what it works on (its batch), finds the same in it every
//! time, writes each memory under a key, and takes captures off the queue and moves on only when all is written.

use serde_json::Value;

use crate::batch::{self, Stretch};
use crate::bindings::exports::interleaf::layer::job::Job;
use crate::bindings::interleaf::layer::jobs;
use crate::bindings::interleaf::layer::types::Error;
use crate::drafting::{self, Drafted, Known};
use crate::find::{Category, Find};
use crate::keep::Keeper;
use crate::model::Host;
use crate::progress::Progress;
use crate::rules::Mined;
use crate::settings::Settings;
use crate::talk::Talk;
use crate::triage::{self, Triaged};
use crate::when::{self, Order};
use crate::{host, mining, report, whole};

/// Does the job.
///
/// # Errors
/// Where the host cannot do its part now: then the job comes back.
pub fn run(job: &Job) -> Result<(), Error> {
    let order: Order = serde_json::from_str(&job.payload).unwrap_or_default();
    let settings = host::settings();
    let stretch = batch::fixed(job, &order)?;
    let mut more = stretch.more;
    if stretch.is_news() {
        let (report, settled) = save(job, &stretch, &settings)?;
        more |= settled < stretch.captures.len();
        host::tell(&report);
    }
    batch::close(job, &stretch)?;
    match more {
        true => go_on(job, &order, &stretch),
        false => Ok(()),
    }
}

/// Judges the stretch and writes down what it taught; returns what the log tells of it, and how many captures were dealt
/// with.
fn save(job: &Job, stretch: &Stretch, settings: &Settings) -> Result<(Value, usize), Error> {
    let mined = mining::mined(job, stretch, settings);
    let fresh = stretch.fresh();
    let triaged = triage::triage(&fresh, settings);
    let known: Vec<Find> = mined.finds.iter().chain(&mined.summary).cloned().collect();
    let before = Known { finds: &known, saved: &mined.saved };
    let drafted = drafted(&fresh, &triaged, before, job, settings);
    let most = if drafted.is_some() { settings.drafts } else { settings.memories };
    let finds = drafted.as_ref().map_or(known, |drafted| drafted.finds.clone());
    let settled = mined.settled.clone();
    let written = write(job, stretch, mined, finds, most, settings.promote)?;
    jobs::settle_captures(&settled)?;
    let report = report::of(stretch, &triaged, drafted.as_ref(), &written, settings.explain);
    Ok((report, settled.len()))
}

/// Writes down the best of the finds, what belongs to a change, what has no remedy, and the summary.
fn write(
    job: &Job,
    stretch: &Stretch,
    mined: Mined,
    finds: Vec<Find>,
    most: usize,
    promote: bool,
) -> Result<Vec<(String, Find)>, Error> {
    let mut keeper = Keeper::of(&job.session_id, promote)?;
    let (summaries, finds): (Vec<Find>, Vec<Find>) =
        finds.into_iter().partition(|find| find.category == Category::SessionSummary);
    keeper.best(finds, most)?;
    for (name, find) in mined.once {
        // A design may be changed; what a change touched first is where to look.
        match name.starts_with("choices/") {
            true => keeper.latest(&name, find)?,
            false => keeper.once(&name, find)?,
        }
    }
    // Named after the captures in it: the next memory of the same flush, if there is one, has others.
    mined.captured.map_or(Ok(()), |find| keeper.once(&format!("captures/{}", find.key), find))?;
    if let Some(summary) = summaries.into_iter().next().filter(|_| job.agent_id.is_none()) {
        let whole = whole::whole(keeper.summarised(), summary);
        keeper.summary(&whole, stretch.progress.count)?;
    }
    Ok(keeper.written)
}

/// What the model makes of it; none where nothing is asked of it.
fn drafted(
    talk: &Talk,
    triaged: &[Triaged],
    known: Known<'_>,
    job: &Job,
    settings: &Settings,
) -> Option<Drafted> {
    let asked = settings.model && triaged.iter().any(|triaged| triaged.triggered);
    let drafted = asked.then(|| drafting::draft(talk, triaged, known, &job.session_id, settings, &Host))?;
    // A model that answered nothing at all leaves it to the rules.
    let heard = drafted.failed.len() < triaged.iter().filter(|triaged| triaged.triggered).count();
    heard.then_some(drafted)
}

/// More is there than one flush reads.
fn go_on(job: &Job, order: &Order, stretch: &Stretch) -> Result<(), Error> {
    let progress = Progress { count: stretch.progress.count + 1, ..Progress::default() };
    let id = when::id(&job.session_id, job.agent_id.as_deref(), &progress);
    host::put_off(id, order.to_json(), 0)
}
