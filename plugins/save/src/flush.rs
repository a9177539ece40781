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
use crate::keep::{Done, Keeper};
use crate::memories::Project;
use crate::model::Host;
use crate::progress::Progress;
use crate::rules::Mined;
use crate::settings::Settings;
use crate::standing::Ended;
use crate::talk::Talk;
use crate::triage::{self, Triaged};
use crate::when::{self, Order};
use crate::{host, memories, mining, report, whole};

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
    let categories = memories::categories()?;
    let mined = mining::mined(job, stretch, settings).only(|category| categories.are_wanted(category));
    let fresh = stretch.fresh();
    let triaged = triage::triage(&fresh, settings);
    let finds: Vec<Find> = mined.finds.iter().chain(&mined.summary).cloned().collect();
    let known = Known { finds: &finds, saved: &mined.saved, memories: &Project, categories: &categories };
    let drafted = drafted(&fresh, &triaged, known, job, settings);
    let settled = mined.settled.clone();
    let found = match &drafted {
        Some(drafted) => {
            Found { finds: drafted.finds.clone(), ended: drafted.ended.clone(), most: settings.drafts }
        }
        None => Found { finds, ended: Vec::new(), most: settings.memories },
    };
    let done = write(job, mined, found, settings.promote)?;
    jobs::settle_captures(&settled)?;
    let report = report::of(stretch, &triaged, drafted.as_ref(), &done, settings.explain);
    Ok((report, settled.len()))
}

/// What is to be written, of everything but what belongs to a change or has no remedy.
struct Found {
    finds: Vec<Find>,
    ended: Vec<Ended>,
    /// Most memories that the session may leave behind.
    most: usize,
}

/// Writes down the best of the finds, what belongs to a change, what has no remedy, what came to its end, and the summary.
fn write(job: &Job, mined: Mined, found: Found, promote: bool) -> Result<Vec<Done>, Error> {
    let mut keeper = Keeper::of(&job.session_id, promote)?;
    let (summaries, finds): (Vec<Find>, Vec<Find>) =
        found.finds.into_iter().partition(|find| find.category == Category::SessionSummary);
    keeper.best(finds, found.most)?;
    keeper.end(&found.ended)?;
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
        keeper.summary(&whole::whole(keeper.summarised(), summary))?;
    }
    Ok(keeper.done)
}

/// What the model makes of it; none where nothing is asked of it.
fn drafted(
    talk: &Talk,
    triaged: &[Triaged],
    known: Known<'_>,
    job: &Job,
    settings: &Settings,
) -> Option<Drafted> {
    let wanted = |triaged: &&Triaged| triaged.triggered && known.categories.are_wanted(triaged.category);
    let triggered = triaged.iter().filter(wanted).count();
    let asked = settings.model && triggered > 0;
    let drafted = asked.then(|| drafting::draft(talk, triaged, known, &job.session_id, settings, &Host))?;
    // A model that answered nothing at all leaves it to the rules.
    (drafted.failed.len() < triggered).then_some(drafted)
}

/// More is there than one flush reads.
fn go_on(job: &Job, order: &Order, stretch: &Stretch) -> Result<(), Error> {
    let progress = Progress { count: stretch.progress.count + 1, ..Progress::default() };
    let id = when::id(&job.session_id, job.agent_id.as_deref(), &progress);
    host::put_off(id, order.to_json(), 0)
}
