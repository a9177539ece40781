//! The client that runs the `claude` program for each request, in a private, empty folder and with the prompt
//! on standard input. Its arguments and output are known to `claude/headless`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::child_process::{ProcessResult, run};
use super::model_client::{
    CallCost, ClientError, ClientRequest, ClientResponse, ModelClient, Usage, one_line,
};
use crate::claude::headless::{
    CREDENTIAL_VARIABLES, DEFAULT_PROGRAM, HeadlessRequest, HeadlessResult, OVERHEAD_TOKENS,
    is_session_variable, reports_truncation,
};
use crate::dirs::{create_private_folder, real_path};
use crate::error::Error;

/// An argument may have 128 KiB on Linux.
const MAX_ARGUMENT_BYTES: usize = 100 << 10;

/// The client.
pub(super) struct ClaudeCli {
    program: PathBuf,
    /// Where it is started. Nothing lies in it.
    folder: PathBuf,
    /// The work tree of the project, from which no program is taken.
    project: PathBuf,
}

impl ClaudeCli {
    pub fn new(program: Option<&Path>, state: &Path, project: &Path) -> Self {
        let program = program.unwrap_or(Path::new(DEFAULT_PROGRAM)).to_owned();
        Self { program, folder: state.join("claude"), project: project.to_owned() }
    }

    fn command(&self, asked: &HeadlessRequest) -> Result<Command, Error> {
        let mut command = Command::new(self.found()?);
        command.current_dir(self.empty_folder()?).args(asked.arguments());
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_session_variable(name)) {
            command.env_remove(name);
        }
        command.env_remove("OLDPWD").env("PWD", &self.folder).envs(asked.variables());
        Ok(command)
    }

    /// The program's path. A name is looked up on the `PATH`, in absolute folders outside of the project.
    fn found(&self) -> Result<PathBuf, Error> {
        if self.program.is_absolute() {
            return Ok(self.program.clone());
        }
        let project = real_path(&self.project);
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let usable = |folder: &PathBuf| folder.is_absolute() && !real_path(folder).starts_with(&project);
        let mut programs =
            std::env::split_paths(&folders).filter(usable).map(|folder| folder.join(&self.program));
        programs.find(|file| is_program(file)).ok_or_else(|| {
            let what = format!("there is no program {} on the PATH", self.program.display());
            Error::unavailable(what).hint("`llm.program` in your config.toml can name its path")
        })
    }

    fn empty_folder(&self) -> Result<&Path, Error> {
        let cannot = |why: &dyn std::fmt::Display| {
            Error::unavailable(format!(
                "{} cannot be used to start the program in: {why}",
                self.folder.display()
            ))
        };
        create_private_folder(&self.folder).map_err(|error| cannot(&error))?;
        let private = fs::Permissions::from_mode(0o700);
        fs::set_permissions(&self.folder, private).map_err(|error| cannot(&error))?;
        match fs::read_dir(&self.folder).map_err(|error| cannot(&error))?.next() {
            None => Ok(&self.folder),
            Some(_) => Err(cannot(&"it is not empty").hint("see what lies there, and remove it")),
        }
    }
}

impl ModelClient for ClaudeCli {
    fn ask(&self, request: &ClientRequest) -> Result<ClientResponse, ClientError> {
        let &ClientRequest { model, system, schema, max_tokens, .. } = request;
        let nothing = |error| ClientError::new(error, CallCost::Nothing);
        if system.len() + schema.map_or(0, |schema| schema.to_string().len()) > MAX_ARGUMENT_BYTES {
            let what = format!("instructions and schema of more than {MAX_ARGUMENT_BYTES} bytes");
            return Err(nothing(Error::invalid(what).hint("put what is long into the prompt")));
        }
        let command =
            self.command(&HeadlessRequest { model, system, schema, max_tokens }).map_err(nothing)?;
        let ended = run(command, request.prompt.as_bytes(), request.deadline, reports_truncation)
            .map_err(|error| nothing(self.unstarted(&error)))?;
        self.read(&ended, request)
    }

    fn ready(&self) -> Result<(), Error> {
        self.found().map(drop)
    }

    fn adds(&self, _schema: bool) -> u32 {
        OVERHEAD_TOKENS
    }
}

impl ClaudeCli {
    fn read(&self, ended: &ProcessResult, request: &ClientRequest) -> Result<ClientResponse, ClientError> {
        let name = self.program.display();
        if ended.late {
            let error = Error::unavailable(format!("{name} did not answer in time"));
            let hint = "`llm.timeout_seconds` in your config.toml is how long it may take";
            return Err(ClientError::new(error.hint(hint), CallCost::Prompt));
        }
        let Some(said) = HeadlessResult::parse(&ended.stdout) else {
            let words = without_secrets(&one_line(&String::from_utf8_lossy(&ended.stderr)));
            let error = Error::unavailable(format!("{name} gave no result: {words}"));
            return Err(ClientError::new(error.hint(format!("try {name} -p hello")), CallCost::Prompt));
        };
        let input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
        let usage = Usage::read(&said.usage, &input, "output_tokens");
        match said {
            said if said.truncated => Err(ClientError::truncated(request.model, request.max_tokens, usage)),
            // Not an answer, but words that do not match either: they are repaired as such.
            said if said.schema_mismatch => Ok(ClientResponse { text: String::new(), usage }),
            said if said.failed => {
                let words = without_secrets(&one_line(&said.text));
                Err(ClientError::new(Error::unavailable(format!("{name}: {words}")), cost(usage)))
            }
            said => Ok(ClientResponse { text: said.text, usage }),
        }
    }

    fn unstarted(&self, error: &std::io::Error) -> Error {
        Error::unavailable(format!("{} cannot be run: {error}", self.program.display()))
            .hint("`llm.program` in your config.toml can name its path")
    }
}

/// The program says zero where the API refused.
fn cost(usage: Usage) -> CallCost {
    match usage {
        Usage { input: Some(0), output: Some(0) } => CallCost::Nothing,
        usage => CallCost::Told(usage),
    }
}

fn without_secrets(words: &str) -> String {
    let values = CREDENTIAL_VARIABLES
        .iter()
        .filter_map(|name| std::env::var(name).ok())
        .filter(|value| !value.trim().is_empty());
    values.fold(words.to_owned(), |words, value| words.replace(value.trim(), "[the key]"))
}

fn is_program(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}
