//! `interleaf layer accept` and `revoke`: approval of layer files.
//!
//! The layer and its grants are shown, and exactly these are accepted. The layer is compiled now, because
//! compiling takes longer than the time limit of a hook.

use std::io::Write;
use std::path::Path;

use super::compile_progress;
use super::component_file::read_component;
use super::layer_review::Review;
use crate::command::config_command;
use crate::command::confirm::{Proposal, parse_digest, record_folders, require_person};
use crate::command::output::Output;
use crate::config::Diagnostic;
use crate::contract::{self, Inspection};
use crate::error::{Error, Result};
use crate::layer::{FailurePolicy, FileScope, Grants, Layer, digest};
use crate::project_context::ProjectContext;
use crate::roster::{AcceptedLayer, ApprovalStatus, ApprovalStore, FileLayers, GateRegistry, LayerCandidate};
use crate::sandbox::Sandbox;

/// Review a layer file of this project or of your own, and accept it
///
/// Shows which events the layer sees and what it may do, as a difference from what you accepted before, and
/// asks. An accepted layer runs from a copy: a change of the file takes effect only once you accept it again.
#[derive(Debug, clap::Args)]
pub struct AcceptArgs {
    /// The layers; all that wait to be accepted if absent
    names: Vec<String>,
    /// Accept without asking, if the file has exactly this digest
    #[arg(long, value_name = "sha256:…", value_parser = parse_digest)]
    digest: Option<String>,
    /// A requested grant to refuse: a power such as `ask`, or all of a key such as `memory`; repeatable
    #[arg(long, value_name = "GRANT")]
    without: Vec<String>,
    /// The answer to tool calls while the layer is missing, changed or failing
    #[arg(long, value_name = "pass|ask|deny", value_parser = parse_failure_policy)]
    on_failure: Option<FailurePolicy>,
    /// Drop the versions that you accepted before. Otherwise they stay accepted, so that switching between
    /// branches asks nothing
    #[arg(long)]
    only: bool,
}

/// Revoke the acceptance of a layer
#[derive(Debug, clap::Args)]
pub struct RevokeArgs {
    /// The layer
    name: String,
}

/// A layer with everything that is accepted with it.
struct PendingApproval<'a> {
    candidate: &'a LayerCandidate,
    previous: Option<&'a AcceptedLayer>,
    wasm: Vec<u8>,
    digest: String,
    inspection: Inspection,
    grants: Grants,
    requested_policy: Option<FailurePolicy>,
    problems: Vec<Diagnostic>,
}

/// Shows each layer, asks, and records the approval.
pub fn accept(args: &AcceptArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    require_person("interleaf layer accept")?;
    let layers = context.file_layers();
    let selected = select(args, &layers)?;
    if selected.is_empty() {
        return Ok(writeln!(out, "No layer waits to be accepted.")?);
    }
    for (candidate, status) in selected {
        let pending = PendingApproval::new(args, context, candidate, status)?;
        pending.review(&context.project.root).print(out)?;
        let proposal = Proposal {
            subject: &format!("layer {}", candidate.name),
            digest: &pending.digest,
            question: "Accept it?",
            command: &format!("interleaf layer accept {}", candidate.name),
        };
        match proposal.is_accepted(args.digest.as_deref(), out)? {
            true => pending.record(args.only, context, out)?,
            false => writeln!(out, "\nNot accepted. The layer does not run.")?,
        }
    }
    Ok(())
}

/// Returns the named layers, or all layers that wait.
fn select<'a>(
    args: &AcceptArgs,
    layers: &'a FileLayers,
) -> Result<Vec<&'a (LayerCandidate, ApprovalStatus)>> {
    if args.digest.is_some() && args.names.len() != 1 {
        return Err(Error::invalid("--digest needs the name of one layer"));
    }
    if args.names.is_empty() {
        return Ok(layers.candidates.iter().filter(|(_, status)| status.is_pending()).collect());
    }
    args.names.iter().map(|name| select_named(args, layers, name)).collect()
}

/// Returns the file with the given digest, otherwise the file that waits, otherwise the first. An accepted
/// file can be accepted again, to change its grants.
fn select_named<'a>(
    args: &AcceptArgs,
    layers: &'a FileLayers,
    name: &str,
) -> Result<&'a (LayerCandidate, ApprovalStatus)> {
    let files: Vec<_> = layers.candidates.iter().filter(|(candidate, _)| candidate.name == name).collect();
    let Some(first) = files.first() else {
        let hint = format!("put it at .claude/layers/{name}.wasm, or set [layers.{name}] file = \"…\"");
        return Err(Error::not_found(format!("there is no file of a layer {name}")).hint(hint));
    };
    let digest = args.digest.as_deref();
    let with_digest = files.iter().find(|(_, status)| digest.is_some() && status.digest() == digest);
    let pending = files.iter().find(|(_, status)| status.is_pending());
    Ok(with_digest.or(pending).unwrap_or(first))
}

impl<'a> PendingApproval<'a> {
    fn new(
        args: &AcceptArgs,
        context: &ProjectContext,
        candidate: &'a LayerCandidate,
        status: &'a ApprovalStatus,
    ) -> Result<Self> {
        let wasm = read_component(&candidate.file)?;
        let inspection = contract::inspect(&wasm).map_err(|error| error.context(&candidate.name))?;
        if let Some(mismatch) = inspection.mismatches.first() {
            let error = Error::invalid(format!("layer {} cannot run here: {mismatch}", candidate.name));
            return Err(error.hint(format!("interleaf layer check {}", candidate.file.display())));
        }
        let loaded = config_command::load(context);
        let problems = loaded.problems_of_layer(&candidate.name);
        check_grants_are_readable(&candidate.name, &problems)?;
        let config = loaded.config.layer(&candidate.name);
        let requested = config.requested_grants.unwrap_or_default();
        let grants = args.without.iter().try_fold(requested, |grants, name| grants.without(name))?;
        let requested_policy = args.on_failure.or(config.on_failure);
        let (previous, digest) = (status.previous(), digest(&wasm));
        Ok(Self { candidate, previous, digest, wasm, inspection, grants, requested_policy, problems })
    }

    fn review<'r>(&'r self, root: &'r Path) -> Review<'r> {
        Review {
            root,
            candidate: self.candidate,
            digest: &self.digest,
            inspection: &self.inspection,
            grants: &self.grants,
            requested_policy: self.requested_policy,
            problems: &self.problems,
            previous: self.previous,
        }
    }

    fn on_failure(&self) -> FailurePolicy {
        FailurePolicy::for_layer(&self.grants, &self.inspection.answers, self.requested_policy)
    }

    /// Stores a copy, compiles it, and records the approval.
    fn record(self, only: bool, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
        let mut approvals = ApprovalStore::read(&context.folders, &context.project.id);
        let accepted = AcceptedLayer {
            name: self.candidate.name.clone(),
            digest: self.digest.clone(),
            file: self.candidate.file.clone(),
            answers: self.inspection.answers.clone(),
            needs: self.inspection.needs.clone(),
            grants: self.grants.clone(),
            on_failure: self.on_failure(),
            accepted_at: context.clock.now(),
        };
        let copy = approvals.store_component(&self.digest, &self.wasm)?;
        let sandbox = Sandbox::new(Some(&context.folders.cache))?;
        let layer = accepted.to_layer(copy);
        compile_progress::compile(&layer, self.wasm.len(), &sandbox)?;
        let scope = self.candidate.scope;
        // First, so that a gate is never accepted without being registered.
        let registered = GateRegistry::read().record(&accepted, scope, &context.project, &context.folders);
        approvals.accept(scope, accepted)?;
        let name = &self.candidate.name;
        if only {
            approvals.revoke_others(self.candidate.scope, name, &self.digest)?;
        }
        let runs = match context.config.layer(name).enabled.allows(&layer) {
            true => "runs from the next event on".to_owned(),
            false => format!("runs once layers.{name}.enabled is no longer false"),
        };
        writeln!(out, "\nAccepted: {name} {runs}. To undo: interleaf layer revoke {name}")?;
        // Where the account's home cannot be written, the layer is accepted all the same: nothing is lost but
        // the answer of a gate in a session whose variables lead to other folders.
        if let Err(error) = registered {
            writeln!(out, "Only sessions with the same folders know that it is accepted: {}", error.full())?;
        }
        record_folders(&context.folders, out)?;
        match other_versions(name, &approvals.other_digests(name, &self.digest)) {
            Some(others) => Ok(writeln!(out, "{others}")?),
            None => Ok(()),
        }
    }
}

/// Refuses to accept a layer whose requested grants cannot be read: it would be accepted with others than its
/// author requests.
fn check_grants_are_readable(name: &str, problems: &[Diagnostic]) -> Result<()> {
    match problems.iter().find(|problem| problem.hides_grants()) {
        None => Ok(()),
        Some(problem) => Err(Error::invalid(format!("the grants of layer {name} cannot be read: {problem}"))
            .hint(format!("correct the file, then run interleaf layer accept {name}"))),
    }
}

/// Returns a sentence about the other accepted versions of a layer, if there are any.
pub(super) fn other_versions(name: &str, digests: &[String]) -> Option<String> {
    let short: Vec<String> = digests.iter().map(|digest| format!("sha256:{}", &digest[..12])).collect();
    (!short.is_empty()).then(|| {
        let versions = if short.len() == 1 { "version stays" } else { "versions stay" };
        format!(
            "{} other {versions} accepted: {}. To drop them: interleaf layer accept {name} --only",
            short.len(),
            short.join(", ")
        )
    })
}

fn parse_failure_policy(name: &str) -> Result<FailurePolicy, String> {
    FailurePolicy::parse(name).ok_or_else(|| format!("use one of: {}", FailurePolicy::NAMES.join(", ")))
}

/// Revokes every approval under this name: the project's and the user's own.
pub fn revoke(args: &RevokeArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    require_person("interleaf layer revoke")?;
    let mut approvals = ApprovalStore::read(&context.folders, &context.project.id);
    let mut revoked = 0;
    for scope in [FileScope::Project, FileScope::User] {
        revoked += approvals.revoke(scope, &args.name)?;
    }
    // A gate that was accepted with other folders is in the registry only.
    let registered = GateRegistry::read().forget(&args.name, &context.project)?;
    revoked = revoked.max(registered);
    if revoked == 0 {
        let error = Error::not_found(format!("no accepted layer is called {}", args.name));
        return Err(error.hint("interleaf layer list").into());
    }
    writeln!(out, "Revoked: {} no longer runs, from the next event on.", args.name)?;
    if Layer::embedded().iter().all(|layer| layer.name != args.name) {
        context.state()?.remove_layer(&args.name)?;
        writeln!(out, "The values and jobs that it stored in this project are deleted.")?;
    }
    Ok(())
}
