//! `interleaf layer check`: whether a component keeps the contract, what it needs and what of that it is not granted.
//! Nothing of it runs. For people, and for CI: exit code 0 where it can run with these grants, 1 where it cannot, 2
//! where the file is no component.

use std::io::Write;
use std::time::Instant;

use serde::Serialize;

use super::compile_progress;
use super::component_file::File;
use crate::command::output::Output;
use crate::contract::{Inspection, Mismatch, inspect};
use crate::error::{Error, Result};
use crate::grant::LayerHost;
use crate::layer::{Grants, Layer, Need};
use crate::sandbox::Sandbox;

/// Checks a component.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit code: 0 it can run with these grants, 1 it has faults or lacks a grant, 2 the file is no \
                        component."
)]
pub struct Args {
    #[command(flatten)]
    file: File,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was found.
#[derive(Serialize)]
struct Report {
    name: String,
    digest: String,
    #[serde(flatten)]
    inspection: Inspection,
    /// What it is granted.
    grants: Grants,
    /// What it needs and is not granted, with the line that would.
    missing: Vec<Missing>,
    /// Milliseconds; none where it was not compiled.
    compile_ms: Option<u64>,
    /// Whether it can run with these grants.
    can_run: bool,
}

#[derive(Serialize)]
struct Missing {
    need: Need,
    line: &'static str,
}

/// Checks it.
pub fn run(args: &Args, out: &mut Output) -> anyhow::Result<()> {
    let report = check(&args.file)?;
    match args.json {
        true => out.json(&report)?,
        false => print(&report, out)?,
    }
    verdict(&report)
}

fn check(file: &File) -> Result<Report> {
    let wasm = file.bytes()?;
    let mut inspection = inspect(&wasm).map_err(|error| error.context(file.path().display()))?;
    let layer = file.layer(wasm, inspection.answers.clone())?;
    let unmet = inspection.needs.iter().filter(|need| !need.is_met_by(&layer.grants));
    let missing: Vec<Missing> =
        unmet.map(|need| Missing { need: *need, line: need.grant_setting() }).collect();
    let compiled = inspection.mismatches.is_empty().then(|| compile(&layer, inspection.size));
    let compile_ms = match compiled {
        Some(Ok(took)) => Some(took),
        Some(Err(error)) => {
            inspection.mismatches.push(refused(error));
            None
        }
        None => None,
    };
    let can_run = inspection.mismatches.is_empty() && missing.is_empty();
    Ok(Report {
        name: layer.name.to_string(),
        digest: format!("sha256:{}", layer.digest),
        inspection,
        grants: layer.grants,
        missing,
        compile_ms,
        can_run,
    })
}

/// Compiles it and sees whether it can be linked. Returns the milliseconds that compiling took.
fn compile(layer: &Layer, size: usize) -> Result<u64> {
    let sandbox = Sandbox::new(None)?;
    let began = Instant::now();
    compile_progress::compile(layer, size, &sandbox)?;
    let took = began.elapsed().as_millis() as u64;
    let loaded = sandbox.load(layer)?;
    sandbox.check_imports::<LayerHost>(&loaded).map(|()| took)
}

/// What only the sandbox finds out.
fn refused(error: Error) -> Mismatch {
    Mismatch { interface: "sandbox".to_owned(), function: None, what: error.message, next: error.hint }
}

fn verdict(report: &Report) -> anyhow::Result<()> {
    let count = |number: usize, one: &str| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{number} {one}s")),
    };
    let lacks =
        [count(report.inspection.mismatches.len(), "fault"), count(report.missing.len(), "missing grant")];
    let lacks: Vec<String> = lacks.into_iter().flatten().collect();
    if report.can_run {
        return Ok(());
    }
    Err(Error::unavailable(format!("{} cannot run here: {}", report.name, lacks.join(", "))).into())
}

fn print(report: &Report, out: &mut Output) -> anyhow::Result<()> {
    let found = &report.inspection;
    let verdict = if report.can_run { "can run here" } else { "cannot run here" };
    writeln!(out, "{}: {verdict}", out.strong(&report.name))?;
    let list = |names: Vec<&str>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let compile = report.compile_ms.map_or("not tried".to_owned(), |took| format!("{took} ms"));
    let facts = [
        ("digest", report.digest.clone()),
        ("size", format!("{} bytes", found.size)),
        ("contract", found.contract.clone().unwrap_or("none".to_owned())),
        ("events", list(found.answers.iter().map(|event| event.as_str()).collect())),
        ("needs", list(found.needs.iter().map(|need| need.as_str()).collect())),
        ("granted", report.grants.summary()),
        ("wasi", wasi(&found.imports)),
        ("compile", compile),
    ];
    for (name, value) in facts {
        writeln!(out, "  {} {value}", out.faint(&format!("{name:<8}")))?;
    }
    missing(report, out)?;
    faults(&found.mismatches, out)
}

/// The interfaces of WASI, by package: `cli (environment, exit), io (streams)`.
fn wasi(imports: &[String]) -> String {
    let mut packages: Vec<(&str, Vec<&str>)> = Vec::new();
    for import in imports.iter().filter_map(|import| import.strip_prefix("wasi:")) {
        let name = import.split_once('@').map_or(import, |(name, _)| name);
        let (package, interface) = name.split_once('/').unwrap_or((name, ""));
        match packages.iter_mut().find(|(known, _)| *known == package) {
            Some((_, interfaces)) => interfaces.push(interface),
            None => packages.push((package, vec![interface])),
        }
    }
    let told = packages.iter().map(|(package, interfaces)| format!("{package} ({})", interfaces.join(", ")));
    if packages.is_empty() { "none".to_owned() } else { told.collect::<Vec<_>>().join(", ") }
}

fn missing(report: &Report, out: &mut Output) -> anyhow::Result<()> {
    if report.missing.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nIt needs what it is not granted. Add to [layers.{}.grants]:", report.name)?;
    for missing in &report.missing {
        writeln!(out, "  {}", missing.line)?;
    }
    Ok(())
}

fn faults(faults: &[Mismatch], out: &mut Output) -> anyhow::Result<()> {
    if !faults.is_empty() {
        writeln!(out, "\nWhat keeps it from running:")?;
    }
    for (at, fault) in faults.iter().enumerate() {
        writeln!(out, "  {fault}")?;
        // Once for all faults with the same remedy.
        let again = faults.get(at + 1).is_some_and(|other| other.next == fault.next);
        if let Some(next) = fault.next.as_deref().filter(|_| !again) {
            writeln!(out, "    {} {next}", out.faint("next:"))?;
        }
    }
    Ok(())
}
