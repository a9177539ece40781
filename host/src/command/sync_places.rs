//! Which places `interleaf sync` uses: those in use, the one that the configuration names, and those that are
//! in use and take no part.

use std::io::Write;

use clap::ValueEnum as _;
use interleaf_text::for_terminal;
use serde_json::json;

use super::output::{Output, shell_word};
use crate::config::PLACES;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;
use crate::replica::{Replica, ReplicaKind};

/// A place that is in use, and with which an exchange does nothing.
pub(super) struct IdlePlace {
    /// Its name.
    pub name: String,
    /// Whether the settings or the remote no longer lead there.
    is_former: bool,
}

/// Returns the places to exchange memories with.
pub(super) fn chosen(
    context: &ProjectContext,
    to: Option<ReplicaKind>,
) -> Result<Vec<Box<dyn Replica + '_>>> {
    let accepted = match to {
        Some(kind) => return Ok(vec![context.replica(kind)?]),
        None => context.accepted_replicas()?,
    };
    match (accepted.is_empty(), configured(context)) {
        (false, _) => Ok(accepted),
        (true, Some(kind)) => Ok(vec![context.replica(kind)?]),
        (true, None) => Err(no_place(context)?),
    }
}

/// Returns the kind of place that the configuration names.
fn configured(context: &ProjectContext) -> Option<ReplicaKind> {
    let place = context.config.sync.place.as_deref()?;
    ReplicaKind::from_str(place, false).ok()
}

/// Returns the places in use that are not among the chosen ones: all if a chosen one is new, otherwise those
/// that are no longer the place of this project.
pub(super) fn idle(context: &ProjectContext, chosen: &[Box<dyn Replica + '_>]) -> Result<Vec<IdlePlace>> {
    let mut names: Vec<String> = accepted(context)?;
    let is_new = chosen.iter().any(|replica| !names.iter().any(|name| name == replica.place()));
    names.retain(|name| !chosen.iter().any(|replica| replica.place() == name));
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let current = context.places();
    let places = names.into_iter().map(|name| IdlePlace { is_former: !current.contains(&name), name });
    Ok(places.filter(|place| is_new || place.is_former).collect())
}

/// Says which places are in use besides, and how to stop using them.
pub(super) fn print_idle(places: &[IdlePlace], out: &mut Output) -> anyhow::Result<()> {
    for IdlePlace { name, is_former } in places {
        let name = for_terminal(name);
        match is_former {
            true => writeln!(out, "Still in use, but no longer the place of this project: {name}")?,
            false => writeln!(out, "Also in use: {name}")?,
        }
        writeln!(out, "  To stop using it: interleaf sync --stop {}", shell_word(&name))?;
    }
    Ok(())
}

/// No longer uses the place of this name or kind, or all places, also those that are no longer there.
pub(super) fn stop(
    name: Option<&str>,
    kind: Option<ReplicaKind>,
    as_json: bool,
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    let used = accepted(context)?;
    let place = |kind| context.replica(kind).map(|replica| replica.place().to_owned());
    let kind = kind.or(name.and_then(|name| ReplicaKind::from_str(name, false).ok()));
    let wanted = match (kind, name) {
        (Some(kind), _) => Some(place(kind)?),
        (None, name) => name.map(str::to_owned),
    };
    let is_wanted = |place: &&String| wanted.as_ref().is_none_or(|wanted| *place == wanted);
    let stopped: Vec<&String> = used.iter().filter(is_wanted).collect();
    if let Some(wanted) = wanted.as_deref().filter(|_| stopped.is_empty()) {
        return Err(not_in_use(wanted, &used).into());
    }
    if stopped.is_empty() && !as_json {
        writeln!(out, "No place is in use.")?;
    }
    for place in stopped {
        context.replica_records().set_accepted(place, false)?;
        match as_json {
            true => out.json(&json!({ "place": place, "in_use": false }))?,
            false => writeln!(out, "No longer exchanged: {}", for_terminal(place))?,
        }
    }
    Ok(())
}

/// Returns the error of a place that is not in use.
fn not_in_use(wanted: &str, used: &[String]) -> Error {
    match used {
        [] => Error::not_found(format!("{wanted} is not in use, and no other place is")),
        used => Error::not_found(format!("{wanted} is not in use"))
            .hint(format!("name one that is: {}", used.join("; "))),
    }
}

fn accepted(context: &ProjectContext) -> Result<Vec<String>> {
    Ok(context.replica_records().accepted()?.into_iter().map(|record| record.place).collect())
}

/// Returns the error of a project for which no place was accepted, or only one that is not its place any
/// more.
fn no_place(context: &ProjectContext) -> Result<Error> {
    let accepted = accepted(context)?;
    let what = match accepted.first() {
        Some(other) => format!("you accepted {other}, which is no longer the place of this project"),
        None => "no place was chosen to exchange memories with".to_owned(),
    };
    let places = PLACES.join(", ");
    let choose =
        format!("to see what would go: interleaf sync --to PLACE --dry-run; the places are {places}");
    Ok(Error::invalid(what).hint(match accepted.first() {
        Some(other) => {
            format!("{choose}; to stop using the former one: interleaf sync --stop {}", shell_word(other))
        }
        None => choose,
    }))
}
