//! `interleaf-eval figures` prints the figures of docs/saving.md. It plays the sessions of each recorded
//! project one after another, by rules alone and with a scripted model, and compares the saved and shown
//! memories with the expectations.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::thread;

use anyhow::{Result, bail};
use interleaf_tests::scripted_model::ScriptedModel;
use interleaf_tests::workspace::fixtures;
use serde::Serialize;

use crate::replay::{self, Program};
use crate::report::Report;
use crate::score::Figures;

/// The recorded projects.
const PROJECTS: [&str; 3] = ["atlas-mono", "handbook", "ledger-api"];

/// The head of the table, as in docs/saving.md.
const TABLE_HEAD: &str = "\
| | facts that must be saved | memories that state an expected fact | must not be saved | shown later where \
                          wanted | silent where silence is wanted |
|---|---:|---:|---:|---:|---:|";

/// Prints the figures of docs/saving.md.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// Print one JSON object for each row of the table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    program: Program,
}

/// How memories are drafted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Rules,
    ScriptedModel,
}

/// A row of the table.
#[derive(Debug, Default, Serialize)]
struct Row {
    mode: &'static str,
    figures: Figures,
    /// The row as Markdown.
    markdown: String,
    /// The differences from the expectations, by project.
    #[serde(skip)]
    details: String,
}

/// Plays all projects in both modes and prints the table.
///
/// # Errors
/// If a recording cannot be played, or the scripted model gets no request.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let program = args.program.path()?;
    // Both modes run in parallel, because most of the time goes into processes that wait for each other.
    let rows = thread::scope(|scope| {
        let measure = |mode: Mode| {
            let program = &program;
            scope.spawn(move || mode.measure(program))
        };
        let rows = [Mode::Rules, Mode::ScriptedModel].map(measure);
        rows.map(|row| row.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let rows = rows.into_iter().collect::<Result<Vec<_>>>()?;
    if args.json {
        for row in &rows {
            writeln!(out, "{}", serde_json::to_string(row)?)?;
        }
        return Ok(());
    }
    rows.iter().try_for_each(|row| write!(out, "{}", row.details))?;
    writeln!(out, "{TABLE_HEAD}")?;
    Ok(rows.iter().try_for_each(|row| writeln!(out, "{}", row.markdown))?)
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Self::Rules => "by rules alone",
            Self::ScriptedModel => "with a scripted model",
        }
    }

    fn measure(self, program: &Path) -> Result<Row> {
        let mut row = Row { mode: self.name(), ..Row::default() };
        for project in PROJECTS {
            let (figures, differences) = self.play(program, project)?;
            writeln!(
                row.details,
                "{}\n{differences}",
                markdown_row(&format!("{project}, {}", row.mode), figures)
            )?;
            row.figures += figures;
        }
        row.markdown = markdown_row(row.mode, row.figures);
        Ok(row)
    }

    /// Plays the sessions of one project. Returns the figures, and a line for each difference.
    fn play(self, program: &Path, project: &str) -> Result<(Figures, String)> {
        let model = (self == Self::ScriptedModel).then(|| ScriptedModel::start(project));
        let args = replay::Args {
            folders: vec![fixtures().join("sessions").join(project)],
            check: true,
            llm: model.as_ref().map(ScriptedModel::url),
            ..replay::Args::default()
        };
        let mut ignored = std::io::sink();
        let scores = replay::play(program, &args, &mut Report::new(&mut ignored, true))?;
        if model.is_some_and(|model| model.request_count() == 0) {
            bail!("{project}: the scripted model got no request");
        }
        let (mut figures, mut differences) = (Figures::default(), String::new());
        for score in scores {
            figures += score.figures;
            score.differences.iter().try_for_each(|line| writeln!(differences, "    {line}"))?;
        }
        Ok((figures, differences))
    }
}

fn markdown_row(name: &str, Figures { saved, injected }: Figures) -> String {
    let silent = injected.silent_wanted - injected.noisy;
    format!(
        "| {name} | {} of {} | {} of {} | {} | {} of {} | {silent} of {} |",
        saved.required_saved,
        saved.required,
        saved.expected,
        saved.written,
        saved.forbidden,
        injected.shown + injected.in_view,
        injected.wanted,
        injected.silent_wanted,
    )
}
