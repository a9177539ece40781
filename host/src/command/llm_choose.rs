//! The choice of a language model: `interleaf llm choose`, and the question that `interleaf init` asks once.
//!
//! The choice is an `[llm]` table in the user's config.toml. A table with a model is never changed; one that
//! chose none is.

use std::io::{IsTerminal, Write};
use std::path::Path;

use super::confirm::{ask_text, require_person};
use super::file_edit::FileEdit;
use super::output::Output;
use crate::config::{ClientKind, Config, user_file};
use crate::error::{Error, Result};
use crate::program_search::ProgramSearch;
use crate::project_context::ProjectContext;

/// The line about the claude program.
const CLAUDE: &str = "claude     the claude program, with its login (not found here)";

/// The address on which Ollama listens by default.
const OLLAMA_URL: &str = "http://localhost:11434/v1";

/// Choose a language model, or none
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The client: claude, anthropic, openai or none; asks if absent
    #[arg(value_parser = parse_client)]
    client: Option<ClientKind>,
    /// The model that reads sessions
    #[arg(long, requires = "client")]
    small: Option<String>,
    /// The model that confirms what would replace or end a memory
    #[arg(long, requires = "client")]
    strong: Option<String>,
    /// The URL of the server
    #[arg(long, requires = "client")]
    base_url: Option<String>,
}

/// The values of the `[llm]` table.
#[derive(Debug, Default)]
struct Choice {
    client: ClientKind,
    base_url: Option<String>,
    small: Option<String>,
    strong: Option<String>,
}

impl Choice {
    /// Formats the table. A JSON string is a valid TOML string.
    fn to_toml(&self) -> String {
        let texts = [("base_url", &self.base_url), ("small", &self.small), ("strong", &self.strong)];
        let lines = texts.into_iter().filter_map(|(name, value)| {
            value.as_ref().map(|value| format!("{name} = {}\n", serde_json::Value::from(value.as_str())))
        });
        format!("[llm]\nclient = \"{}\"\n{}", self.client.as_str(), lines.collect::<String>())
    }
}

/// Writes the choice of the arguments, or asks for it.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    require_person("interleaf llm choose")?;
    let file = user_file(&context.folders);
    if let Some(client) = chosen(context)?.filter(|client| client != ClientKind::None.as_str()) {
        let what = format!("{} has chosen a model already: client = \"{client}\"", file.display());
        return Err(Error::invalid(what).hint("edit its [llm] table, or remove it and choose again").into());
    }
    let choice = match args.client {
        Some(client) => {
            let (base_url, small, strong) = (args.base_url.clone(), args.small.clone(), args.strong.clone());
            Choice { client, base_url, small, strong }
        }
        None if is_terminal() => ask(context, out)?,
        None => {
            return Err(Error::invalid("cannot ask for a model: this is not a terminal")
                .hint("interleaf llm choose claude")
                .into());
        }
    };
    write(&choice, context, out)
}

/// Asks for a model once, after `init`. Without a terminal, and if `is_silent`, prints that no model is
/// configured.
pub fn offer(context: &ProjectContext, is_silent: bool, out: &mut Output) -> anyhow::Result<()> {
    if chosen(context)?.is_some() {
        return Ok(());
    }
    if is_silent || !is_terminal() || crate::claude::is_inside_session() {
        return Ok(writeln!(
            out,
            "\nNo language model: only what you state as a rule for later is saved. To choose one: \
             interleaf llm choose"
        )?);
    }
    let choice = ask(context, out)?;
    write(&choice, context, out)
}

fn is_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

fn ask(context: &ProjectContext, out: &mut Output) -> Result<Choice> {
    let llm = &context.config.llm;
    let search = ProgramSearch::outside(vec![context.project.root.clone()]);
    let has_claude = search.find(Path::new("claude")).is_some();
    let advice =
        if has_claude { "claude     the claude program, with its login (recommended)" } else { CLAUDE };
    let explanation = format!(
        "\nA language model reads each session once when work pauses, and saves what later sessions\n\
         need: about 3,000 tokens a session, cents with a small model or part of your plan's limit.\n\
         What you and the assistant said, without secrets and home folders, then goes to that model.\n\
         Without one, only what you state as a rule for later is saved: \"from now on …\",\n\
         \"remember that …\". The limits are {} tokens per day over all projects and {} per session.\n\n\
         \x20 {advice}\n\
         \x20 anthropic  the Messages API, with the key in ANTHROPIC_API_KEY\n\
         \x20 openai     a server with OpenAI's chat completions: Ollama, vLLM, LM Studio, OpenAI itself\n\
         \x20 none       no model\n",
        llm.daily_tokens, llm.session_tokens,
    );
    let mut question = format!("{explanation}\nWhich model?");
    let usual = if has_claude { ClientKind::Claude } else { ClientKind::None };
    let client = loop {
        match ClientKind::parse(&ask_text(&question, usual.as_str(), out)?.to_lowercase()) {
            Some(client) => break client,
            None => question = format!("Use one of: {}\nWhich model?", ClientKind::NAMES.join(", ")),
        }
    };
    if client != ClientKind::OpenAi {
        return Ok(Choice { client, ..Choice::default() });
    }
    let base_url = Some(ask_text("URL of the server?", OLLAMA_URL, out)?);
    let small = ask_text("Model that reads sessions?", "", out)?;
    let strong = ask_text("Model that confirms changes?", &small, out)?;
    Ok(Choice { client, base_url, small: Some(small), strong: Some(strong) })
}

fn write(choice: &Choice, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let table = choice.to_toml();
    // A choice that the loader would reject must not be written.
    if let Some(warning) = Config::from_user_toml(&table).warnings.first() {
        return Err(Error::invalid(warning.trim_start_matches("config.toml:")).into());
    }
    let file = user_file(&context.folders);
    let mut edit = FileEdit::open(&context.folders.config, &file.display().to_string())?;
    let text = with_table(edit.text(), &table);
    edit.set(text, "sets the language model");
    edit.apply_in_private_folder(&context.folders.config)?;
    let next = match choice.client {
        ClientKind::None => {
            "No model will be called. The agent itself can note down what later sessions need: ask_agent in \
             docs/saving.md."
        }
        _ => "To test it: interleaf llm check. For its usage: interleaf llm.",
    };
    Ok(writeln!(out, "\nWritten to {}. {next}", file.display())?)
}

/// Returns the file with the table: in place of a line that chose none, otherwise at the end.
fn with_table(before: &str, table: &str) -> String {
    let is_none = |line: &str| {
        line.split_once('=').is_some_and(|(name, value)| {
            name.trim() == "client" && value.trim().trim_matches(['"', '\'']) == ClientKind::None.as_str()
        })
    };
    let start = before.lines().position(|line| line.trim() == "[llm]");
    let in_table = |at: usize| start.is_some_and(|start| at > start);
    let place = before.lines().enumerate().position(|(at, line)| in_table(at) && is_none(line));
    if let Some(place) = place {
        let keys = table.trim_start_matches("[llm]\n").trim_end();
        let lines = before.lines().enumerate().map(|(at, line)| if at == place { keys } else { line });
        return lines.collect::<Vec<_>>().join("\n") + "\n";
    }
    let gap = match before {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    format!("{before}{gap}{table}")
}

/// Returns the client that the user's file names, if it has an `[llm]` table.
fn chosen(context: &ProjectContext) -> Result<Option<String>> {
    let file = user_file(&context.folders);
    let edit = FileEdit::open(&context.folders.config, &file.display().to_string())?;
    let table: toml::Table = edit.text().parse().map_err(|error: toml::de::Error| {
        Error::invalid(format!("{} is not valid TOML: {}", file.display(), error.message()))
            .hint("correct it, then try again")
    })?;
    let client = |table: &toml::Value| table.get("client").and_then(toml::Value::as_str).map(str::to_owned);
    Ok(table.get("llm").map(|llm| client(llm).unwrap_or_else(|| ClientKind::None.as_str().to_owned())))
}

fn parse_client(name: &str) -> Result<ClientKind, String> {
    ClientKind::parse(name).ok_or_else(|| format!("use one of: {}", ClientKind::NAMES.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::with_table;

    #[test]
    fn a_choice_takes_the_place_of_none() {
        let table = "[llm]\nclient = \"claude\"\n";
        for (before, after) in [
            ("", "[llm]\nclient = \"claude\"\n"),
            ("a = 1\n", "a = 1\n\n[llm]\nclient = \"claude\"\n"),
            ("[llm]\nclient = \"none\"\n", "[llm]\nclient = \"claude\"\n"),
            (
                "[llm]\n# mine\nclient='none'\ndaily_tokens = 9\n[x]\nclient = \"none\"\n",
                "[llm]\n# mine\nclient = \"claude\"\ndaily_tokens = 9\n[x]\nclient = \"none\"\n",
            ),
        ] {
            assert_eq!(with_table(before, table), after, "{before}");
        }
    }
}
