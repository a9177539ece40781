//! The questions, and the table that their answers make.

use std::io::{BufRead, Write};

use crate::command::output::Output;
use crate::config::ClientKind;
use crate::project_context::ProjectContext;

/// Where Ollama listens.
const OLLAMA: &str = "http://localhost:11434/v1";

/// What is to be written.
#[derive(Debug, Default)]
pub(super) struct Choice {
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
pub(super) fn ask(context: &ProjectContext, out: &mut Output) -> anyhow::Result<Choice> {
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
            None => writeln!(out, "One of: {}", ClientKind::WORDS.join(", "))?,
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
