//! The choice of a language model: `interleaf llm choose`, and the question that `interleaf init` asks once.
//!
//! The choice is an `[llm]` table in the user's config.toml. An existing table is never changed.

use std::io::{IsTerminal, Write};

use super::confirm::{ask_text, require_person};
use super::file_edit::FileEdit;
use super::output::Output;
use crate::config::{ClientKind, Config, user_file};
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;

/// The address on which Ollama listens by default.
const OLLAMA_URL: &str = "http://localhost:11434/v1";

/// Choose a language model, or none
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The client: claude, anthropic, openai or none; asks if absent
    #[arg(value_parser = parse_client)]
    client: Option<ClientKind>,
    /// The model that writes drafts
    #[arg(long, requires = "client")]
    small: Option<String>,
    /// The model that makes judgments
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
    if has_choice(context)? {
        let what = format!("{} already has an [llm] table", file.display());
        return Err(Error::invalid(what).hint("edit it, or remove it and choose again").into());
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
    if has_choice(context)? {
        return Ok(());
    }
    if is_silent || !is_terminal() || crate::claude::is_inside_session() {
        return Ok(writeln!(
            out,
            "\nNo language model: memories are saved by rules alone. To choose one: interleaf llm choose"
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
    let explanation = format!(
        "\nBesides the rules, a language model can write memories from your sessions. \
         Excerpts of the sessions\nthen leave this machine, without secrets and home folders, \
         unless the server is your own. The limits\n\
         are {} tokens per day over all projects and {} per session: \
         cents with small models, or part of the\nlimit of your plan.\n\n\
         \x20 none       rules alone\n\
         \x20 claude     the claude program, with its login\n\
         \x20 anthropic  the Messages API, with the key in ANTHROPIC_API_KEY\n\
         \x20 openai     a server with OpenAI's chat completions: Ollama, vLLM, LM Studio, OpenAI itself\n",
        llm.daily_tokens, llm.session_tokens,
    );
    let mut question = format!("{explanation}\nWhich model?");
    let client = loop {
        match ClientKind::parse(&ask_text(&question, "none", out)?.to_lowercase()) {
            Some(client) => break client,
            None => question = format!("Use one of: {}\nWhich model?", ClientKind::NAMES.join(", ")),
        }
    };
    if client != ClientKind::OpenAi {
        return Ok(Choice { client, ..Choice::default() });
    }
    let base_url = Some(ask_text("URL of the server?", OLLAMA_URL, out)?);
    let small = ask_text("Model that writes drafts?", "", out)?;
    let strong = ask_text("Model that makes judgments?", &small, out)?;
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
    let before = edit.text();
    let gap = match before {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let text = format!("{before}{gap}{table}");
    edit.set(text, "sets the language model");
    edit.apply_in_private_folder(&context.folders.config)?;
    let next = match choice.client {
        ClientKind::None => "No model will be called.",
        _ => "To test it: interleaf llm check. For its usage: interleaf llm.",
    };
    Ok(writeln!(out, "\nWritten to {}. {next}", file.display())?)
}

/// Tells whether the user's file has an `[llm]` table.
fn has_choice(context: &ProjectContext) -> Result<bool> {
    let file = user_file(&context.folders);
    let edit = FileEdit::open(&context.folders.config, &file.display().to_string())?;
    let table: toml::Table = edit.text().parse().map_err(|error: toml::de::Error| {
        Error::invalid(format!("{} is not valid TOML: {}", file.display(), error.message()))
            .hint("correct it, then try again")
    })?;
    Ok(table.contains_key("llm"))
}

fn parse_client(name: &str) -> Result<ClientKind, String> {
    ClientKind::parse(name).ok_or_else(|| format!("use one of: {}", ClientKind::NAMES.join(", ")))
}
