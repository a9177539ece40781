//! `interleaf layer accept`: shows what a layer is and asks to do, and lets exactly that run. It is compiled here, once,
//! because a hook has no time for it.

use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

use super::compile_progress;
use super::layer_review::Review;
use super::{offers, only_a_person};
use crate::command::output::Output;
use crate::contract::{self, Inspection};
use crate::dirs::read_file;
use crate::error::{Error, Result};
use crate::layer::{FailurePolicy, FileScope, Grants, digest};
use crate::project_context::ProjectContext;
use crate::roster::{AcceptedLayer, ApprovalStatus, ApprovalStore, LayerCandidate, MAX_COMPONENT_BYTES};
use crate::sandbox::Sandbox;

/// Look at a layer of this project or of your own, and let it run
///
/// Shows what the layer sees and what it asks to do, as a difference from what you accepted before, and asks. What was
/// accepted is kept as a copy: a change of the file runs only once you accept it again.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The layers; all that wait, if none is named
    names: Vec<String>,
    /// Accept without asking, if the file has exactly this digest
    #[arg(long, value_name = "sha256:…", value_parser = a_digest)]
    digest: Option<String>,
    /// Grant it less than it asks for: a power such as `ask`, or everything under a key such as `memory`
    #[arg(long, value_name = "GRANT")]
    without: Vec<String>,
    /// What is answered before a tool runs, should the layer be missing, changed or failing
    #[arg(long, value_name = "pass|ask|deny", value_parser = an_answer)]
    on_failure: Option<FailurePolicy>,
}

/// A layer as it would be accepted.
struct Candidate<'a> {
    offer: &'a LayerCandidate,
    before: Option<&'a AcceptedLayer>,
    wasm: Vec<u8>,
    digest: String,
    inspection: Inspection,
    grants: Grants,
    on_failure: FailurePolicy,
}

/// Shows each layer, asks, and accepts.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    only_a_person("accept")?;
    let team = context.team();
    let chosen = choose(args, &team)?;
    if chosen.is_empty() {
        return Ok(writeln!(out, "No layer here waits to be accepted.")?);
    }
    for (offer, standing) in chosen {
        let candidate = Candidate::new(args, context, offer, standing)?;
        candidate.review(&context.project.root).print(out)?;
        match candidate.is_agreed(args, out)? {
            true => candidate.accept(context, out)?,
            false => writeln!(out, "\nNot accepted; it does not run.")?,
        }
    }
    Ok(())
}

/// The files to look at: those named, else all that wait.
fn choose<'a>(
    args: &Args,
    team: &'a crate::roster::FileLayers,
) -> Result<Vec<&'a (LayerCandidate, ApprovalStatus)>> {
    if args.digest.is_some() && args.names.len() != 1 {
        return Err(Error::invalid("--digest goes with the name of one layer"));
    }
    if args.names.is_empty() {
        return Ok(team.candidates.iter().filter(|(_, standing)| standing.is_pending()).collect());
    }
    args.names.iter().map(|name| named(args, team, name)).collect()
}

/// Of files with one name the one with the digest, else the one that waits, else the first: accepting again may change
/// its rights.
fn named<'a>(
    args: &Args,
    team: &'a crate::roster::FileLayers,
    name: &str,
) -> Result<&'a (LayerCandidate, ApprovalStatus)> {
    let found = offers(team, name)?;
    let wanted = args.digest.as_deref();
    let by_digest = found.iter().find(|(_, standing)| wanted.is_some() && standing.digest() == wanted);
    let waiting = found.iter().find(|(_, standing)| standing.is_pending());
    Ok(by_digest.or(waiting).copied().unwrap_or(found[0]))
}

impl<'a> Candidate<'a> {
    fn new(
        args: &Args,
        context: &ProjectContext,
        offer: &'a LayerCandidate,
        standing: &'a ApprovalStatus,
    ) -> Result<Self> {
        let wasm = read(offer)?;
        let inspection = contract::inspect(&wasm).map_err(|error| error.context(&offer.name))?;
        if let Some(fault) = inspection.mismatches.first() {
            let error = Error::invalid(format!("layer {} cannot run here: {fault}", offer.name));
            return Err(error.hint(format!("interleaf layer check {} tells more", offer.file.display())));
        }
        let config = context.config.layer(&offer.name);
        let asks = config.requested_grants.unwrap_or_default();
        let grants = args.without.iter().try_fold(asks, |grants, name| grants.without(name))?;
        let on_failure = FailurePolicy::for_layer(&grants, args.on_failure.or(config.on_failure));
        let before = standing.previous();
        Ok(Self { offer, before, digest: digest(&wasm), wasm, inspection, grants, on_failure })
    }

    fn review<'r>(&'r self, root: &'r Path) -> Review<'r> {
        Review {
            root,
            offer: self.offer,
            digest: &self.digest,
            inspection: &self.inspection,
            grants: &self.grants,
            on_failure: self.on_failure,
            before: self.before,
        }
    }

    /// Whether the person wants it: by the digest, or by saying so.
    fn is_agreed(&self, args: &Args, out: &mut Output) -> anyhow::Result<bool> {
        if let Some(wanted) = &args.digest {
            if *wanted == self.digest {
                return Ok(true);
            }
            let error = Error::denied(format!(
                "layer {} has the digest sha256:{}, not sha256:{wanted}",
                self.offer.name, self.digest
            ));
            return Err(error.hint("somebody changed the file; look at it before you accept it").into());
        }
        if !std::io::stdin().is_terminal() {
            let error = Error::invalid("there is no terminal to ask at, so nothing was accepted");
            let name = &self.offer.name;
            let next = format!("interleaf layer accept {name} --digest sha256:{}", self.digest);
            return Err(error.hint(next).into());
        }
        write!(out, "\nLet it run? [y/N] ")?;
        out.flush()?;
        let mut answer = String::new();
        std::io::stdin().lock().read_line(&mut answer)?;
        Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    fn accept(self, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
        let mut trust = ApprovalStore::read(&context.folders, &context.project.id);
        let accepted = AcceptedLayer {
            name: self.offer.name.clone(),
            digest: self.digest.clone(),
            file: self.offer.file.clone(),
            answers: self.inspection.answers.clone(),
            needs: self.inspection.needs.clone(),
            grants: self.grants.clone(),
            on_failure: self.on_failure,
            accepted_at: context.clock.now(),
        };
        let copy = trust.store_component(&self.digest, &self.wasm)?;
        let sandbox = Sandbox::new(Some(&context.folders.cache))?;
        compile_progress::compile(&accepted.to_layer(copy), self.wasm.len(), &sandbox)?;
        trust.accept(self.offer.scope, accepted)?;
        let name = &self.offer.name;
        Ok(writeln!(
            out,
            "\nAccepted: {name} runs from the next event on. To take it back: interleaf layer revoke {name}"
        )?)
    }
}

fn read(offer: &LayerCandidate) -> Result<Vec<u8>> {
    let file = offer.file.display();
    let content = read_file(&offer.file, MAX_COMPONENT_BYTES)
        .map_err(|error| Error::invalid(format!("{file} cannot be read: {error}")))?;
    content.ok_or_else(|| Error::not_found(format!("{file} is not there")))
}

fn a_digest(text: &str) -> Result<String, String> {
    let hex = text.strip_prefix("sha256:").unwrap_or(text).to_lowercase();
    match crate::layer::is_digest(&hex) {
        true => Ok(hex),
        false => {
            Err("a digest is sha256: and 64 hexadecimal digits, as `interleaf layer list` shows it"
                .to_owned())
        }
    }
}

fn an_answer(word: &str) -> Result<FailurePolicy, String> {
    FailurePolicy::parse(word).ok_or_else(|| format!("use one of: {}", FailurePolicy::NAMES.join(", ")))
}

/// Takes it back.
#[derive(Debug, clap::Args)]
pub struct RevokeArgs {
    /// The layer
    name: String,
}

/// Takes back what was accepted under this name, for the project and for the person's own.
pub fn revoke(args: &RevokeArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    only_a_person("revoke")?;
    let mut trust = ApprovalStore::read(&context.folders, &context.project.id);
    let mut revoked = 0;
    for whose in [FileScope::Project, FileScope::User] {
        revoked += trust.revoke(whose, &args.name)?;
    }
    if revoked == 0 {
        let error = Error::not_found(format!("no layer {} was accepted here", args.name));
        return Err(error.hint("interleaf layer list shows what was").into());
    }
    Ok(writeln!(out, "Revoked: {} runs no more from the next event on.", args.name)?)
}
