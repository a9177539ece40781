//! `interleaf sync`: exchanges the memories of a project with a replica.

use std::io::{IsTerminal, Write};

use clap::ValueEnum as _;
use indicatif::ProgressBar;
use interleaf_text::for_terminal;
use serde_json::json;

use super::confirm;
use super::output::{Output, print_message};
use super::sync_places::{self, IdlePlace};
use super::sync_report::{Mode, as_json, counted, print_outgoing, print_report, print_untrusted};
use crate::error::Error;
use crate::memory::{Memories, summed};
use crate::project_context::ProjectContext;
use crate::replica::{Exchange, ExchangeReport, Progress, Replica, ReplicaKind};
use crate::worker::record_branches;

/// Exchange memories with your other machines and your team
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The first time, name the place with --to. You see what would go there and are asked. \
    After that, `interleaf sync` is enough. It also looks at what became of the branches on which memories \
    were written.\n\n\
    What others wrote is shown as a quotation until you trust them: interleaf memory trust.\n\n\
    Exit code: 0 the exchange succeeded, even if your role at the place withholds changes; 1 the exchange \
    failed, or something that came in was refused; 2 no place was chosen, or nobody could be asked. \
    Errors are text on standard error, also with --json."
)]
pub struct Args {
    /// The place, which is used from now on
    #[arg(long, value_name = "PLACE")]
    to: Option<ReplicaKind>,
    /// Stop using the place of this kind or name, or all places. What is there stays there
    #[arg(long, value_name = "NAME", conflicts_with = "dry_run")]
    stop: Option<Option<String>>,
    /// Only show what would go and what would come. The place is read and nothing is changed there
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
    /// Print JSON, one line for each place
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Returns the arguments of the first exchange with a place.
    pub fn first(kind: ReplicaKind, yes: bool, dry_run: bool) -> Self {
        Self { to: Some(kind), stop: None, dry_run, yes, json: false }
    }
}

/// Exchanges the memories.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    if let Some(name) = &args.stop {
        return sync_places::stop(name.as_deref(), args.to, args.json, context, out);
    }
    context.project.require_work_tree()?;
    if !args.dry_run {
        look_at_branches(context);
    }
    let memories = context.memories()?.with_actor("interleaf sync");
    let mut replicas = sync_places::chosen(context, args.to)?;
    let idle = sync_places::idle(context, &replicas)?;
    if !args.json {
        sync_places::print_idle(&idle, out)?;
    }
    if !args.dry_run {
        memories.set_own_name(&own_name(context))?;
    }
    let command = Command { args, context, memories: &memories, idle: &idle };
    let (mut refused, mut first_error) = (0, None);
    for replica in &mut replicas {
        match command.exchange(&mut **replica, out) {
            Ok(count) => refused += count,
            // A place that fails does not hold up another one.
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    match (first_error, refused) {
        (Some(error), _) => Err(error),
        (None, 0) => Ok(()),
        (None, refused) => Err(not_taken(refused).into()),
    }
}

/// Finds out what became of the branches on which memories were written. If git fails, the rest goes on.
pub(super) fn look_at_branches(context: &ProjectContext) {
    if let Err(error) = record_branches(context) {
        print_message(&format!("note: cannot find out which branches were merged: {}", error.full()));
    }
}

/// Returns the name that git has for the user; without one, that of their account.
fn own_name(context: &ProjectContext) -> String {
    let account = || std::env::var("USER").or_else(|_| std::env::var("LOGNAME")).unwrap_or_default();
    let name = context.project.user_name().unwrap_or_default();
    if name.is_empty() { account() } else { name }
}

/// The command, and what it does the same with each place.
struct Command<'a> {
    args: &'a Args,
    context: &'a ProjectContext,
    memories: &'a Memories,
    idle: &'a [IdlePlace],
}

impl Command<'_> {
    /// Exchanges the memories with one replica. Returns the number of entries that were refused.
    fn exchange(&self, replica: &mut dyn Replica, out: &mut Output) -> anyhow::Result<usize> {
        let (records, place) = (self.context.replica_records(), replica.place().to_owned());
        if !self.args.json {
            writeln!(out, "Place: {}", for_terminal(&place))?;
        }
        let bar = progress_bar(self.args.json);
        let on_progress = |progress: Progress| {
            bar.set_message(format!("{} received, {} offered", progress.received, progress.offered));
        };
        let memories = self.memories;
        let mut exchange = Exchange { memories, records: &records, replica, on_progress: &on_progress };
        if self.args.dry_run {
            return self.print(&exchange.preview()?, Mode::Preview, &place, out).map(|()| 0);
        }
        let is_new = records.get(&place)?.accepted_at.is_none();
        if is_new && !self.accept(&mut exchange, out)? {
            return Ok(0);
        }
        let report = exchange.run()?;
        bar.finish_and_clear();
        if is_new {
            records.set_accepted(&place, true)?;
        }
        if report.applied.purged > 0 {
            self.context.erase_deleted()?;
        }
        self.print(&report, Mode::Done, &place, out)?;
        Ok(report.applied.refused.len() + report.unreadable.len())
    }

    /// Shows what would go to a place, and asks whether it may.
    fn accept(&self, exchange: &mut Exchange, out: &mut Output) -> anyhow::Result<bool> {
        confirm::require_person("interleaf sync --to")?;
        let kind = self.args.to.and_then(|kind| kind.to_possible_value());
        let to = kind.map_or_else(String::new, |kind| format!(" --to {}", kind.get_name()));
        let noninteractive = format!("interleaf sync{to} --yes{}", confirm::json_option(self.args.json));
        match (self.args.yes, self.args.json) {
            (true, _) => {}
            (false, true) => return Err(not_asked_in_json().hint(noninteractive).into()),
            (false, false) => print_outgoing(&exchange.preview()?, Mode::Preview, out)?,
        }
        let question = "Exchange memories there from now on?";
        let is_accepted = confirm::ask(question, self.args.yes, &noninteractive, out)?;
        if !is_accepted {
            writeln!(out, "Nothing was sent.")?;
        }
        Ok(is_accepted)
    }

    fn print(
        &self,
        report: &ExchangeReport,
        mode: Mode,
        place: &str,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let untrusted = summed(self.memories.untrusted_counts()?, report.applied.quoted.clone());
        if self.args.json {
            let mut value = as_json(report, mode, &untrusted);
            value["place"] = json!(place);
            value["also_in_use"] = self.idle.iter().map(|place| place.name.as_str()).collect();
            return out.json(&value);
        }
        print_report(report, mode, out)?;
        print_untrusted(&untrusted, mode, out)
    }
}

/// Returns what shows how far an exchange is, on a terminal.
fn progress_bar(is_json: bool) -> ProgressBar {
    match std::io::stderr().is_terminal() && !is_json {
        true => ProgressBar::new_spinner(),
        false => ProgressBar::hidden(),
    }
}

fn not_taken(count: usize) -> Error {
    Error::denied(format!(
        "{} not taken; the reasons stand above",
        counted(count, "entry was", "entries were")
    ))
    .hint("the rest was exchanged; what was not taken is tried again with every sync")
}

fn not_asked_in_json() -> Error {
    Error::invalid("nothing was sent: with --json, nobody is asked whether memories may go to a new place")
}
