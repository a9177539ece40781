//! `interleaf config accept`: shows how the project describes its categories of memories, one by one and whole, and lets
//! exactly that into the model's prompts.

use std::io::{BufRead, IsTerminal, Write};

use super::{only_a_person, survey};
use crate::command::output::Output;
use crate::config::{CategoryDescriptions, DescriptionApprovals};
use crate::error::{Error, Result};
use crate::layer::is_digest;
use crate::memory::Category;
use crate::project_context::ProjectContext;

/// Look at the project's descriptions of categories of memories, and let them into the model's prompts
///
/// Shows each description, with what you accepted before where it differs, and asks. A change of the file counts only
/// once you accept it again.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Accept without asking, if the descriptions have exactly this digest
    #[arg(long, value_name = "sha256:…", value_parser = a_digest)]
    digest: Option<String>,
}

/// Shows, asks, and accepts.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    only_a_person("accept")?;
    let described = survey(context).descriptions();
    let (mut lock, trouble) = DescriptionApprovals::read(&context.folders, &context.project.id);
    if let Some(trouble) = trouble {
        return Err(Error::unavailable(trouble).into());
    }
    if described.is_empty() {
        return Ok(writeln!(out, "The project describes no categories of its own.")?);
    }
    if lock.contains(&described) {
        return Ok(writeln!(out, "The project's descriptions of categories were accepted already.")?);
    }
    print(&described, lock.latest(), out)?;
    if !is_agreed(args, &described.digest(), out)? {
        return Ok(writeln!(out, "\nNot accepted; they go into no prompt.")?);
    }
    lock.accept(described, context.clock.now())?;
    Ok(writeln!(
        out,
        "\nAccepted: they count from the next event on. To take it back: interleaf config revoke"
    )?)
}

fn print(
    described: &CategoryDescriptions,
    before: Option<&CategoryDescriptions>,
    out: &mut Output,
) -> anyhow::Result<()> {
    let news = if before.is_some() { "changed since you accepted them" } else { "new" };
    let title = "The project's descriptions of categories of memories";
    writeln!(out, "{} ({news})", out.strong(title))?;
    writeln!(out, "  {} sha256:{}\n", out.faint("digest"), described.digest())?;
    writeln!(
        out,
        "These words would go into the prompts of the language model, and stand beside what it finds:"
    )?;
    for (category, text) in described.iter() {
        let then = before.and_then(|before| before.of(category));
        let mark = if before.is_some() && then != Some(text) { "+" } else { " " };
        writeln!(out, "{mark} - {}: {text}", out.strong(category.as_str()))?;
        if let Some(then) = then.filter(|then| *then != text) {
            writeln!(out, "- - {category}: {then}")?;
        }
    }
    let gone = |category: Category| described.of(category).is_none();
    for (category, text) in
        before.into_iter().flat_map(CategoryDescriptions::iter).filter(|(category, _)| gone(*category))
    {
        writeln!(out, "- - {category}: {text} (no longer)")?;
    }
    Ok(())
}

/// Whether the person wants it: by the digest, or by saying so.
fn is_agreed(args: &Args, digest: &str, out: &mut Output) -> anyhow::Result<bool> {
    if let Some(wanted) = &args.digest {
        if wanted == digest {
            return Ok(true);
        }
        let what = format!("the descriptions have the digest sha256:{digest}, not sha256:{wanted}");
        let error = Error::denied(what).hint("somebody changed the file; look at it before you accept it");
        return Err(error.into());
    }
    if !std::io::stdin().is_terminal() {
        let error = Error::invalid("there is no terminal to ask at, so nothing was accepted");
        return Err(error.hint(format!("interleaf config accept --digest sha256:{digest}")).into());
    }
    write!(out, "\nLet them into the prompts? [y/N] ")?;
    out.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn a_digest(text: &str) -> Result<String, String> {
    let hex = text.strip_prefix("sha256:").unwrap_or(text).to_lowercase();
    match is_digest(&hex) {
        true => Ok(hex),
        false => Err("a digest is sha256: and 64 hexadecimal digits".to_owned()),
    }
}

/// Takes back every set of descriptions that was accepted for this project.
pub fn revoke(context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    only_a_person("revoke")?;
    let (mut lock, _) = DescriptionApprovals::read(&context.folders, &context.project.id);
    match lock.revoke()? {
        0 => Err(Error::not_found("no descriptions of this project were accepted").into()),
        _ => Ok(writeln!(out, "Revoked: the project's descriptions of categories count no more.")?),
    }
}
