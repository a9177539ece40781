//! `interleaf layer check`: checks a component against the contract and its grants, without running it.

use std::io::Write;
use std::time::Instant;

use interleaf_text::for_terminal;
use serde::Serialize;

use super::compile_progress;
use super::component_file::ComponentFile;
use crate::command::output::{Output, count};
use crate::config::Diagnostic;
use crate::contract::{Inspection, Mismatch, inspect};
use crate::error::{Error, Result};
use crate::grant::LayerHost;
use crate::layer::{Grants, Layer, MissingGrant, Need};
use crate::sandbox::Sandbox;

const HELP: &str = "Exit code: 0 it can run with these grants, 1 it or its configuration has faults, or it \
                    lacks a grant, 2 the file is not a component.";

/// Check a component against the contract and its grants, without running it
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(flatten)]
    component: ComponentFile,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    name: String,
    digest: String,
    #[serde(flatten)]
    inspection: Inspection,
    grants: Grants,
    missing: Vec<MissingGrant>,
    /// The settings of the layer that are ignored, each with its file, its line and the reason.
    ignored: Vec<String>,
    /// `None` if the component was not compiled.
    compile_ms: Option<u64>,
    can_run: bool,
}

/// Checks the component, and prints the report.
///
/// # Errors
/// `Unavailable` if the component cannot run with these grants.
pub fn run(args: &Args, out: &mut Output) -> anyhow::Result<()> {
    let report = check(&args.component)?;
    match args.json {
        true => out.json(&report)?,
        false => print(&report, out)?,
    }
    if report.can_run {
        return Ok(());
    }
    let problems = [
        (report.ignored.len(), "ignored setting"),
        (report.inspection.mismatches.len(), "fault"),
        (report.missing.len(), "missing grant"),
    ];
    let problems = problems.into_iter().filter(|(number, _)| *number > 0);
    let problems: Vec<String> = problems.map(|(number, noun)| count(number, noun)).collect();
    Err(Error::unavailable(format!("{} cannot run here: {}", report.name, problems.join(", "))).into())
}

fn check(component: &ComponentFile) -> Result<Report> {
    let wasm = component.read()?;
    let mut inspection = inspect(&wasm).map_err(|error| error.context(component.path().display()))?;
    let layer = component.layer(wasm, inspection.answers.clone())?;
    let problems = component.config_problems();
    // What is missing is not known while the grants cannot be read.
    let missing = match problems.iter().any(Diagnostic::hides_grants) {
        true => Vec::new(),
        false => Need::missing(&inspection.needs, &layer.grants),
    };
    let compiled = inspection.mismatches.is_empty().then(|| compile(&layer, inspection.size));
    let compile_ms = match compiled {
        Some(Ok(duration)) => Some(duration),
        Some(Err(error)) => {
            inspection.mismatches.push(sandbox_mismatch(error));
            None
        }
        None => None,
    };
    let can_run = inspection.mismatches.is_empty() && missing.is_empty() && problems.is_empty();
    Ok(Report {
        name: layer.name.to_string(),
        digest: format!("sha256:{}", layer.digest),
        inspection,
        grants: layer.grants,
        missing,
        ignored: problems.iter().map(Diagnostic::to_string).collect(),
        compile_ms,
        can_run,
    })
}

/// Compiles the component and checks that it can be linked. Returns the compile time in milliseconds.
fn compile(layer: &Layer, size: usize) -> Result<u64> {
    let sandbox = Sandbox::new(None)?;
    let began = Instant::now();
    compile_progress::compile(layer, size, &sandbox)?;
    let duration = began.elapsed().as_millis() as u64;
    let loaded = sandbox.load(layer)?;
    sandbox.check_imports::<LayerHost>(&loaded).map(|()| duration)
}

/// Converts an error of compiling or linking to a fault.
fn sandbox_mismatch(error: Error) -> Mismatch {
    Mismatch { interface: "sandbox".to_owned(), function: None, message: error.message, hint: error.hint }
}

fn print(report: &Report, out: &mut Output) -> anyhow::Result<()> {
    let inspection = &report.inspection;
    let verdict = if report.can_run { "can run here" } else { "cannot run here" };
    writeln!(out, "{}: {verdict}", out.bold(&for_terminal(&report.name)))?;
    let list = |names: Vec<&str>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let compile = report.compile_ms.map_or("not tried".to_owned(), |duration| format!("{duration} ms"));
    let facts = [
        ("digest", report.digest.clone()),
        ("size", format!("{} bytes", inspection.size)),
        ("contract", inspection.contract.clone().unwrap_or("none".to_owned())),
        ("events", list(inspection.answers.iter().map(|event| event.as_str()).collect())),
        ("needs", list(inspection.needs.iter().map(|need| need.as_str()).collect())),
        ("granted", report.grants.summary()),
        ("wasi", wasi_interfaces(&inspection.imports)),
        ("compile", compile),
    ];
    for (name, value) in facts {
        writeln!(out, "  {} {}", out.faint(&format!("{name:<8}")), for_terminal(&value))?;
    }
    print_ignored(report, out)?;
    print_missing(report, out)?;
    print_faults(&inspection.mismatches, out)
}

/// Formats the imported WASI interfaces by package: `cli (environment, exit), io (streams)`.
fn wasi_interfaces(imports: &[String]) -> String {
    let mut packages: Vec<(&str, Vec<&str>)> = Vec::new();
    for import in imports.iter().filter_map(|import| import.strip_prefix("wasi:")) {
        let name = import.split_once('@').map_or(import, |(name, _)| name);
        let (package, interface) = name.split_once('/').unwrap_or((name, ""));
        match packages.iter_mut().find(|(known, _)| *known == package) {
            Some((_, interfaces)) => interfaces.push(interface),
            None => packages.push((package, vec![interface])),
        }
    }
    let lists = packages.iter().map(|(package, interfaces)| format!("{package} ({})", interfaces.join(", ")));
    if packages.is_empty() { "none".to_owned() } else { lists.collect::<Vec<_>>().join(", ") }
}

fn print_ignored(report: &Report, out: &mut Output) -> anyhow::Result<()> {
    if !report.ignored.is_empty() {
        writeln!(out, "\nIgnored settings:")?;
    }
    for problem in &report.ignored {
        writeln!(out, "  {}", for_terminal(problem))?;
    }
    Ok(())
}

fn print_missing(report: &Report, out: &mut Output) -> anyhow::Result<()> {
    if report.missing.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nGrants are missing. Add to [layers.{}.grants]:", for_terminal(&report.name))?;
    for missing in &report.missing {
        writeln!(out, "  {}", missing.line)?;
    }
    Ok(())
}

fn print_faults(faults: &[Mismatch], out: &mut Output) -> anyhow::Result<()> {
    if !faults.is_empty() {
        writeln!(out, "\nFaults:")?;
    }
    for (index, fault) in faults.iter().enumerate() {
        writeln!(out, "  {}", for_terminal(&fault.to_string()))?;
        // Neighboring faults with the same remedy share one line.
        let is_repeated = faults.get(index + 1).is_some_and(|other| other.hint == fault.hint);
        if let Some(next) = fault.hint.as_deref().filter(|_| !is_repeated) {
            writeln!(out, "    {} {}", out.faint("next:"), for_terminal(next))?;
        }
    }
    Ok(())
}
