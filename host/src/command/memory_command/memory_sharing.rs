//! `interleaf memory trust`, `distrust` and `private`: whose memories count here, and which do not leave.

use std::io::Write;

use interleaf_text::for_terminal;
use serde_json::json;

use super::super::confirm;
use super::super::output::{Output, shell_word};
use super::super::sync_report::shown;
use crate::clock::{Millis, format_date};
use crate::error::{Error, Result};
use crate::memory::{Author, Memories};
use crate::project_context::ProjectContext;

/// Trust authors of memories that came in, so that their rules count
#[derive(Debug, clap::Args)]
pub struct TrustArgs {
    /// The author, by name or device; without one, the authors are listed
    authors: Vec<String>,
    /// All known authors
    #[arg(long, conflicts_with = "authors")]
    all: bool,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

/// No longer trust an author: their memories are quoted again
#[derive(Debug, clap::Args)]
pub struct DistrustArgs {
    /// The author, by name or device
    #[arg(required = true)]
    authors: Vec<String>,
}

/// Keep a memory here: it does not go to other machines or people
#[derive(Debug, clap::Args)]
pub struct PrivateArgs {
    /// The id, or its first four characters or more
    id: String,
    /// Let it go again
    #[arg(long)]
    off: bool,
}

/// Lists the authors, or trusts some.
pub fn trust(args: &TrustArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memories = context.memories()?.with_actor("interleaf memory trust");
    if args.authors.is_empty() && !args.all {
        return list(&memories, args.json, out);
    }
    confirm::require_person("interleaf memory trust")?;
    let chosen = chosen(&memories, &args.authors)?;
    for author in &chosen {
        writeln!(out, "{}", for_terminal(&shown(author)))?;
    }
    let question = "Trust what they wrote as if you or your assistant had?";
    if !confirm::ask(question, args.yes, &trust_unasked(args), out)? {
        return Ok(writeln!(out, "Nothing was changed.")?);
    }
    memories.trust(&devices(chosen))?;
    Ok(writeln!(out, "Trusted from now on, in this project.")?)
}

/// Returns the command that trusts the same authors without asking.
fn trust_unasked(args: &TrustArgs) -> String {
    let authors: Vec<String> = args.authors.iter().map(|author| shell_word(author)).collect();
    match args.all {
        true => "interleaf memory trust --all --yes".to_owned(),
        false => format!("interleaf memory trust {} --yes", authors.join(" ")),
    }
}

/// No longer trusts some authors.
pub fn distrust(args: &DistrustArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memories = context.memories()?.with_actor("interleaf memory distrust");
    let authors = chosen(&memories, &args.authors)?;
    let names: Vec<String> = authors.iter().map(|author| for_terminal(&shown(author))).collect();
    memories.distrust(&devices(authors))?;
    Ok(writeln!(out, "No longer trusted: {}. What they wrote is quoted again.", names.join(", "))?)
}

/// Keeps a memory here, or lets it go.
pub fn private(args: &PrivateArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memories = context.memories()?.with_actor("interleaf memory private");
    let memory = memories.set_private(&args.id, !args.off)?;
    let title = for_terminal(&memory.title);
    match args.off {
        true => Ok(writeln!(out, "It goes out with the next sync: {title}")?),
        false => Ok(writeln!(out, "It stays here: {title}")?),
    }
}

fn list(memories: &Memories, as_json: bool, out: &mut Output) -> anyhow::Result<()> {
    let (own, counts) = (memories.device()?, memories.untrusted_counts()?);
    let mut authors = memories.authors()?;
    authors.retain(|(author, since)| author.device != own || since.is_some());
    let quoted = |author: &Author| {
        counts.iter().find(|(known, _)| known.device == author.device).map_or(0, |found| found.1)
    };
    if as_json {
        return authors.iter().try_for_each(|(author, since)| {
            out.json(&json!({
                "device": author.device, "name": author.name, "trusted_at": since, "quoted": quoted(author),
            }))
        });
    }
    if authors.is_empty() {
        return Ok(writeln!(out, "No memory of another author came in.")?);
    }
    for (author, since) in &authors {
        let state = match since {
            Some(since) => format!("trusted since {}", format_date(*since)),
            None => format!("not trusted; memories that are quoted: {}", quoted(author)),
        };
        writeln!(out, "{}: {state}", for_terminal(&shown(author)))?;
    }
    Ok(())
}

/// Returns the authors with these names or devices; all if none is given.
fn chosen(memories: &Memories, wanted: &[String]) -> Result<Vec<Author>> {
    let own = memories.device()?;
    let known: Vec<(Author, Option<Millis>)> = memories.authors()?;
    let others = known.into_iter().map(|(author, _)| author);
    // To trust the own device by its id says that a backup was restored.
    let others = others.filter(|author| author.device != own || wanted.contains(&author.device));
    let others: Vec<Author> = others.collect();
    if wanted.is_empty() {
        return Ok(others);
    }
    wanted.iter().map(|text| find(&others, text)).collect()
}

fn find(authors: &[Author], text: &str) -> Result<Author> {
    let fits = |author: &&Author| author.device == text || author.name.eq_ignore_ascii_case(text);
    let found: Vec<&Author> = authors.iter().filter(fits).collect();
    match found.as_slice() {
        [author] => Ok((*author).clone()),
        [] => Err(Error::not_found(format!("no author is called `{}`", text.escape_debug()))
            .hint("interleaf memory trust lists the authors")),
        many => {
            let devices: Vec<&str> = many.iter().map(|author| author.device.as_str()).collect();
            Err(Error::invalid(format!("several authors are called `{}`", text.escape_debug()))
                .hint(format!("name a device: {}", devices.join(", "))))
        }
    }
}

fn devices(authors: Vec<Author>) -> Vec<String> {
    authors.into_iter().map(|author| author.device).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_to_trust_names_the_authors_as_a_shell_reads_them() {
        let of = |authors: &[&str], all| {
            let authors = authors.iter().map(ToString::to_string).collect();
            trust_unasked(&TrustArgs { authors, all, yes: false, json: false })
        };

        assert_eq!(
            of(&["Ada", "6871e3e1d6821afe"], false),
            "interleaf memory trust Ada 6871e3e1d6821afe --yes"
        );
        assert_eq!(of(&["Ada O'Hara"], false), r"interleaf memory trust 'Ada O'\''Hara' --yes");
        assert_eq!(of(&[], true), "interleaf memory trust --all --yes");
    }
}
