//! The client that runs the `claude` program for each request, in a private, empty folder and with the prompt
//! on standard input. `claude/headless` knows the program's arguments and output.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::NamedTempFile;

use super::child_process::{ProcessResult, run};
use super::model_client::{
    CallCost, ClientError, ClientRequest, ClientResponse, ModelClient, Usage, one_line,
};
use crate::claude::headless::{
    CREDENTIAL_VARIABLES, DEFAULT_PROGRAM, HeadlessRequest, HeadlessResult, OVERHEAD_TOKENS,
    is_session_variable, reports_truncation,
};
use crate::dirs::create_private_folder;
use crate::error::Error;
use crate::program_search::ProgramSearch;
use crate::project::Project;

/// Maximum length of a schema in bytes. Linux limits an argument to 128 KiB.
const MAX_ARGUMENT_BYTES: usize = 100 << 10;

/// A client that runs `claude`.
pub(super) struct ClaudeCli {
    program: PathBuf,
    /// The empty folder that it is started in.
    folder: PathBuf,
    /// The work tree of the project, whose programs are never run.
    project: PathBuf,
}

impl ClaudeCli {
    pub fn new(program: Option<&Path>, state: &Path, project: &Path) -> Self {
        let program = program.unwrap_or(Path::new(DEFAULT_PROGRAM)).to_owned();
        Self { program, folder: state.join("claude"), project: project.to_owned() }
    }

    fn command(&self, request: &HeadlessRequest) -> Result<Command, Error> {
        let (program, search) = self.find_program()?;
        let mut command = Command::new(program);
        command
            .env("PATH", search.path_variable())
            .current_dir(self.empty_folder()?)
            .args(request.arguments());
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_session_variable(name)) {
            command.env_remove(name);
        }
        command.env_remove("OLDPWD").env("PWD", &self.folder).envs(request.variables());
        Ok(command)
    }

    /// Returns the program's path, and the folders in which it may look up others. Neither is in the project.
    fn find_program(&self) -> Result<(PathBuf, ProgramSearch), Error> {
        let search = ProgramSearch::outside(Project::locate(&self.project).foreign_work_trees());
        let program = search.find(&self.program).ok_or_else(|| {
            let what = format!("there is no program {} on the PATH", self.program.display());
            Error::unavailable(what).hint("set `llm.program` in your config.toml to its path")
        })?;
        Ok((program, search))
    }

    /// Writes the system prompt into a temporary file that only this user can read. Dropping it removes it.
    fn system_prompt_file(&self, system: &str) -> Result<NamedTempFile, Error> {
        let folder = self.folder.parent().unwrap_or(&self.folder);
        let write = || {
            create_private_folder(folder)?;
            let mut file = tempfile::Builder::new().prefix(".system-prompt-").tempfile_in(folder)?;
            file.write_all(system.as_bytes())?;
            file.flush().map(|()| file)
        };
        write().map_err(|error: std::io::Error| {
            Error::unavailable(format!("cannot write a file in {}: {error}", folder.display()))
        })
    }

    fn empty_folder(&self) -> Result<&Path, Error> {
        let cannot = |why: &dyn std::fmt::Display| {
            Error::unavailable(format!("cannot start the program in {}: {why}", self.folder.display()))
        };
        create_private_folder(&self.folder).map_err(|error| cannot(&error))?;
        let private = fs::Permissions::from_mode(0o700);
        fs::set_permissions(&self.folder, private).map_err(|error| cannot(&error))?;
        match fs::read_dir(&self.folder).map_err(|error| cannot(&error))?.next() {
            None => Ok(&self.folder),
            Some(_) => Err(cannot(&"it is not empty").hint("check its content, then remove it")),
        }
    }
}

impl ModelClient for ClaudeCli {
    fn ask(&self, request: &ClientRequest) -> Result<ClientResponse, ClientError> {
        let &ClientRequest { model, system, schema, max_tokens, .. } = request;
        let nothing = |error| ClientError::new(error, CallCost::Nothing);
        if schema.map_or(0, |schema| schema.to_string().len()) > MAX_ARGUMENT_BYTES {
            let what = format!("the schema has more than {MAX_ARGUMENT_BYTES} bytes");
            return Err(nothing(Error::invalid(what).hint("move long text into the prompt")));
        }
        let file = self.system_prompt_file(system).map_err(nothing)?;
        let request_line = HeadlessRequest { model, system: file.path(), schema, max_tokens };
        let command = self.command(&request_line).map_err(nothing)?;
        let output = run(command, request.prompt.as_bytes(), request.deadline, reports_truncation)
            .map_err(|error| nothing(self.start_error(&error)))?;
        self.read(&output, request)
    }

    fn ready(&self) -> Result<(), Error> {
        self.find_program().map(drop)
    }

    fn overhead_tokens(&self, _schema: bool) -> u32 {
        OVERHEAD_TOKENS
    }
}

impl ClaudeCli {
    fn read(&self, output: &ProcessResult, request: &ClientRequest) -> Result<ClientResponse, ClientError> {
        let name = self.program.display();
        if output.timed_out {
            let error = Error::unavailable(format!("{name} did not answer in time"));
            let hint = "raise `llm.timeout_seconds` in your config.toml if it needs more time";
            return Err(ClientError::new(error.hint(hint), CallCost::Prompt));
        }
        let Some(result) = HeadlessResult::parse(&output.stdout) else {
            let message = without_secrets(&one_line(&String::from_utf8_lossy(&output.stderr)));
            let error = Error::unavailable(format!("{name} gave no result: {message}"));
            return Err(ClientError::new(error.hint(format!("try {name} -p hello")), CallCost::Prompt));
        };
        let input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
        let usage = Usage::read(&result.usage, &input, "output_tokens");
        match result {
            HeadlessResult { truncated: true, .. } => Err(ClientError::truncated(request, "", usage)),
            // The empty text violates the schema as well, so the caller asks for a repair.
            HeadlessResult { schema_mismatch: true, .. } => Ok(ClientResponse { text: String::new(), usage }),
            HeadlessResult { failed: true, text, .. } => {
                let message = without_secrets(&one_line(&text));
                Err(ClientError::new(Error::unavailable(format!("{name}: {message}")), cost(usage)))
            }
            HeadlessResult { text, .. } => Ok(ClientResponse { text, usage }),
        }
    }

    fn start_error(&self, error: &std::io::Error) -> Error {
        Error::unavailable(format!("cannot run {}: {error}", self.program.display()))
            .hint("set `llm.program` in your config.toml to its path")
    }
}

/// Returns the cost of a failed call. The program reports zero tokens if the API refused the request.
fn cost(usage: Usage) -> CallCost {
    match usage {
        Usage { input: Some(0), output: Some(0) } => CallCost::Nothing,
        usage => CallCost::Reported(usage),
    }
}

fn without_secrets(message: &str) -> String {
    let values = CREDENTIAL_VARIABLES
        .iter()
        .filter_map(|name| std::env::var(name).ok())
        .filter(|value| !value.trim().is_empty());
    values.fold(message.to_owned(), |message, value| message.replace(value.trim(), "[the key]"))
}
