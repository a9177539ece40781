//! Choosing a model: `interleaf llm choose`, and the question that `init` asks once. The choice is a table of its own in the
//! person's config.toml; what stands there already is never touched.

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

use super::init::file_edit::Edit;
use super::output::Output;
use crate::config::{ClientKind, Config};
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;

/// Chooses a model.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The client: claude, anthropic, openai or none; without it you are asked
    #[arg(value_parser = a_client)]
    client: Option<ClientKind>,
    /// The model for drafts
    #[arg(long, requires = "client")]
    small: Option<String>,
    /// The model for judgement
    #[arg(long, requires = "client")]
    strong: Option<String>,
    /// Where the server is
    #[arg(long, requires = "client")]
    base_url: Option<String>,
}

/// Asks, unless the arguments say it, and writes.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    only_a_person()?;
    let file = file(context);
    if is_there(context)? {
        let what = format!("there is an [llm] already in {}", file.display());
        return Err(Error::invalid(what).hint("change it there, or remove it and choose again").into());
    }
    let choice = match args.client {
        Some(client) => {
            let (base_url, small, strong) = (args.base_url.clone(), args.small.clone(), args.strong.clone());
            Choice { client, base_url, small, strong }
        }
        None if is_terminal() => ask(context, out)?,
        None => {
            return Err(Error::invalid("there is no terminal to ask at")
                .hint("interleaf llm choose claude")
                .into());
        }
    };
    write(&choice, context, out)
}

/// What `init` does about it: asks on a terminal, once, and says otherwise that there is no model.
pub fn offer(context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    if is_there(context)? {
        return Ok(());
    }
    if !is_terminal() || crate::claude::is_inside_session() {
        return Ok(writeln!(
            out,
            "\nNo language model: what is saved is found by rules alone. To choose one: interleaf llm choose"
        )?);
    }
    let choice = ask(context, out)?;
    write(&choice, context, out)
}

fn only_a_person() -> Result<()> {
    match crate::claude::is_inside_session() {
        false => Ok(()),
        true => {
            Err(Error::denied("interleaf llm choose is for a person, and this is a session of Claude Code")
                .hint("run it in a terminal of your own"))
        }
    }
}

fn is_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

fn write(choice: &Choice, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let table = choice.table();
    // Whatever the loader would complain of is not written in the first place.
    if let Some(note) = Config::from_user_toml(&table).warnings.first() {
        return Err(Error::invalid(note.trim_start_matches("config.toml:")).into());
    }
    let file = file(context);
    let mut edit = Edit::open(&context.folders.config, &file.display().to_string())?;
    let before = edit.text().to_owned();
    let gap = match before.as_str() {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    edit.set(format!("{before}{gap}{table}"), "chose a model");
    crate::dirs::create_private_folder(&context.folders.config).map_err(|error| {
        Error::unavailable(format!("{} cannot be made: {error}", context.folders.config.display()))
    })?;
    edit.apply()?;
    let next = match choice.client {
        ClientKind::None => "No model is asked.",
        _ => "interleaf llm check asks it for a word; interleaf llm shows what it takes.",
    };
    Ok(writeln!(out, "\nWritten into {}. {next}", file.display())?)
}

fn file(context: &ProjectContext) -> PathBuf {
    context.folders.config.join("config.toml")
}

/// Whether the person's file has said anything of a model.
fn is_there(context: &ProjectContext) -> Result<bool> {
    let file = file(context);
    let unreadable = |cause: String| {
        Error::invalid(format!("{} is not understood: {cause}", file.display()))
            .hint("mend it, then try again")
    };
    let edit = Edit::open(&context.folders.config, &file.display().to_string())?;
    let table: toml::Table =
        edit.text().parse().map_err(|error: toml::de::Error| unreadable(error.message().to_owned()))?;
    Ok(table.contains_key("llm"))
}

fn a_client(word: &str) -> Result<ClientKind, String> {
    ClientKind::parse(word).ok_or_else(|| format!("use one of: {}", ClientKind::NAMES.join(", ")))
}

/// Where Ollama listens.
const OLLAMA: &str = "http://localhost:11434/v1";

/// What is to be written.
#[derive(Debug, Default)]
struct Choice {
    pub client: ClientKind,
    pub base_url: Option<String>,
    pub small: Option<String>,
    pub strong: Option<String>,
}

impl Choice {
    /// The table as TOML, whose basic strings are written as JSON's.
    pub fn table(&self) -> String {
        let texts = [("base_url", &self.base_url), ("small", &self.small), ("strong", &self.strong)];
        let lines = texts.into_iter().filter_map(|(name, value)| {
            value.as_ref().map(|value| format!("{name} = {}\n", serde_json::Value::from(value.as_str())))
        });
        format!("[llm]\nclient = \"{}\"\n{}", self.client.as_str(), lines.collect::<String>())
    }
}

/// Asks on the terminal.
fn ask(context: &ProjectContext, out: &mut Output) -> anyhow::Result<Choice> {
    let llm = &context.config.llm;
    writeln!(
        out,
        "\nA language model can write down what a session taught, beside the rules that always do. Excerpts of your sessions\n\
         then leave this machine, unless the server is your own, with secrets and home folders taken out. It may take {}\n\
         tokens a day over all projects and {} a session: cents with small models, or a part of your plan's limit.\n\n\
         \x20 none       rules alone\n\
         \x20 claude     the claude program, with whatever it is logged in with\n\
         \x20 anthropic  the Messages API, with the key in ANTHROPIC_API_KEY\n\
         \x20 openai     a server with OpenAI's chat completions: Ollama, vLLM, LM Studio, OpenAI itself\n",
        llm.daily_tokens, llm.session_tokens,
    )?;
    let client = loop {
        match ClientKind::parse(&question("Which model?", "none", out)?.to_lowercase()) {
            Some(client) => break client,
            None => writeln!(out, "One of: {}", ClientKind::NAMES.join(", "))?,
        }
    };
    if client != ClientKind::OpenAi {
        return Ok(Choice { client, ..Choice::default() });
    }
    let base_url = Some(question("Where is the server?", OLLAMA, out)?);
    let small = question("The model for drafts?", "", out)?;
    let strong = question("The model for judgement?", &small, out)?;
    Ok(Choice { client, base_url, small: Some(small), strong: Some(strong) })
}

fn question(question: &str, usual: &str, out: &mut Output) -> Result<String, std::io::Error> {
    let usual_shown = if usual.is_empty() { String::new() } else { format!(" [{usual}]") };
    write!(out, "{question}{usual_shown} ")?;
    out.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(Some(answer.trim()).filter(|answer| !answer.is_empty()).unwrap_or(usual).to_owned())
}
