//! The harness: runs one or more layers on an event, with the memories, settings, project facts and time that
//! a test sets in code. It returns the reply, the memories and the log. Layers run in the same pipeline and
//! sandbox as in a hook; only their environment is artificial.
//!
//! ```no_run
//! use interleaf::harness::{Harness, event};
//!
//! let wasm = std::fs::read("target/wasm32-wasip2/release/my_layer.wasm")?;
//! let outcome = Harness::component("my-layer", wasm)?
//!     .grants(r#"{"memory": "read"}"#)?
//!     .remember("decision", "We page with cursors, never with offsets")?
//!     .send(&event::prompt("how do we page through the ledger?"))?;
//! assert!(outcome.context().contains("cursors"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fixed_project;
mod real_environment;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use crate::claude::sample_event as event;
use fixed_project::FixedProject;

use crate::claude::{Event, Reply, Transcript};
use crate::clock::{Clock, Millis};
use crate::config::Config;
use crate::contract::inspect;
use crate::database::Database;
use crate::error::{Error, Result};
use crate::grant::{HostContext, LayerTrace, ProjectInfo, SHARED_OWNER, Trace};
use crate::layer::{Grants, Layer};
use crate::llm::Model;
pub use crate::llm::{Completion, CompletionRequest};
use crate::log::{Level, Log, LogLine};
use crate::memory::{Category, Draft, Filter, Memories, Memory, Order, Origin, SqliteStore};
use crate::pipeline::{Pipeline, max_deadline};
use crate::project::Project;
use crate::redact::Redactor;
use crate::roster::Roster;
use crate::sandbox::Sandbox;
use crate::sessions::{RECORD_FILE, Record, TranscriptSource};
use crate::state::{Scope, State};

/// Time limit for recording a session.
const RECORDING_TIME: Duration = Duration::from_secs(60);

/// The time in the harness unless a test sets another one, in milliseconds since the Unix epoch: 2026-01-01,
/// noon, UTC.
const DEFAULT_TIME: Millis = 1_767_268_800_000;

/// Time added to every deadline. Deadlines are set for people who wait and for optimized programs. A test on
/// a busy machine needs more time, and should fail only because of the layer.
const EXTRA_TIME: Duration = Duration::from_secs(2);

/// Maximum number of jobs in one call of [`Harness::run_jobs`]. More jobs mean that they submit each other
/// endlessly.
const MAX_JOBS: usize = 100;

/// Time limit for one job, overhead included.
const JOB_TIME: Duration = Duration::from_secs(600);

/// One or more layers, and the environment in which they run. State and memories are kept from one event to
/// the next.
///
/// Methods that take `self` set the environment up; [`send`](Self::send) and [`run_jobs`](Self::run_jobs) run
/// the layers.
pub struct Harness {
    sandbox: Arc<Sandbox>,
    layers: Vec<Layer>,
    config: Config,
    database: Database,
    fixed_project: FixedProject,
    /// A real project, which replaces the fixed one.
    project: Option<Project>,
    model: Option<Arc<dyn Model>>,
    transcript: Option<Transcript>,
    record: Option<Record>,
    redactor: Redactor,
    log: Log,
    clock: Clock,
    trace: Option<Trace>,
}

/// The outcome of an event, or of a run of jobs.
#[derive(Debug)]
pub struct Outcome {
    /// The hook's reply; empty after jobs.
    pub reply: Reply,
    /// The log so far, failures of layers included.
    pub log: Vec<LogLine>,
    /// The active memories after the run, newest first.
    pub memories: Vec<Memory>,
    /// The trace of each layer that ran: its own reply, its host calls, the duration of its phases and its
    /// memory use. Empty unless [`Harness::trace`] was called. A layer that could not be loaded is only in
    /// the log.
    pub traces: Vec<LayerTrace>,
    /// The time to compile the layers. A hook never spends it.
    pub compile_time: Duration,
    /// The longest deadline of a layer in a hook. The harness waits longer.
    pub deadline: Duration,
}

impl Outcome {
    /// Returns the context that the model would see; empty if there is none.
    pub fn context(&self) -> &str {
        self.reply.context.as_deref().unwrap_or_default()
    }
}

impl Harness {
    /// Creates a harness with the embedded layer of this name and its declared grants.
    ///
    /// # Errors
    /// `NotFound` if no embedded layer has this name.
    pub fn embedded(name: &str) -> Result<Self> {
        let layer = Layer::embedded().into_iter().find(|layer| layer.name == name);
        let layer = layer.ok_or_else(|| Error::not_found(format!("no embedded layer is called {name}")))?;
        Self::layer(layer)
    }

    /// Creates a harness with this component as a layer without grants.
    ///
    /// # Errors
    /// `Invalid` if the bytes are not a component.
    pub fn component(name: &str, wasm: Vec<u8>) -> Result<Self> {
        let inspection =
            inspect(&wasm).map_err(|error| error.context("not a component that can run here"))?;
        let answers = inspection.answers;
        let harness = Self::layer(Layer { answers, ..Layer::new(name, wasm, [], Grants::default()) })?;
        harness.layers.iter().try_for_each(|layer| harness.sandbox.load(layer).map(drop))?;
        Ok(harness)
    }

    /// Creates a harness with this layer.
    ///
    /// # Errors
    /// `Unavailable` if the machine cannot run compiled WebAssembly.
    pub fn layer(layer: Layer) -> Result<Self> {
        let clock = Clock::Fixed(DEFAULT_TIME);
        Ok(Self {
            sandbox: Arc::new(Sandbox::new(None)?),
            layers: vec![layer],
            config: Config::default(),
            database: Database::in_memory()?,
            fixed_project: FixedProject::default(),
            project: None,
            model: None,
            transcript: None,
            record: None,
            redactor: Redactor::default(),
            log: Log::in_memory(clock),
            clock,
            trace: None,
        })
    }

    /// Adds the layers of another harness.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.layers.extend(other.layers);
        self
    }

    /// Replaces the grants of every layer so far. `json` is written as in the configuration, but in JSON, for
    /// example `{"memory": "read", "state": true}`.
    ///
    /// # Errors
    /// `Invalid` for a grant that does not exist.
    pub fn grants(mut self, json: &str) -> Result<Self> {
        let grants = serde_json::from_str(json)
            .map_err(|error| Error::invalid(format!("grants: {error}")))
            .and_then(Grants::from_json)?;
        self.layers.iter_mut().for_each(|layer| layer.grants = grants.clone());
        Ok(self)
    }

    /// Configures the layers as the user's `config.toml` would.
    ///
    /// # Errors
    /// `Invalid` with the first warning about the configuration.
    pub fn config(mut self, toml: &str) -> Result<Self> {
        self.config = Config::from_user_toml(toml);
        match self.config.warnings.first() {
            None => Ok(self),
            Some(warning) => Err(Error::invalid(warning)),
        }
    }

    /// Stores a memory with the assistant as its origin. `category` is a name such as `decision`.
    ///
    /// # Errors
    /// `Invalid` for an unknown category; otherwise the error of the write rule that refuses the memory.
    pub fn remember(self, category: &str, text: &str) -> Result<Self> {
        let category: Category = category.parse()?;
        self.draft(Draft::new(category, text.to_owned(), Origin::Assistant))
    }

    /// Stores a memory.
    ///
    /// # Errors
    /// The error of the write rule that refuses the memory.
    pub fn draft(self, draft: Draft) -> Result<Self> {
        self.memories().remember(draft)?;
        Ok(self)
    }

    /// Sets a value of the project that all layers share.
    ///
    /// # Errors
    /// `Invalid` for a key that is empty or too long, `OverBudget` for a value that is too large.
    pub fn shared_value(self, key: &str, value: &str) -> Result<Self> {
        State::new(self.database.clone(), self.clock).set(Scope::Project, SHARED_OWNER, key, value)?;
        Ok(self)
    }

    /// Sets the language model: a function from a request to its answer.
    #[must_use]
    pub fn model(
        mut self,
        answer: impl Fn(&CompletionRequest) -> Result<Completion> + Send + Sync + 'static,
    ) -> Self {
        self.model = Some(Arc::new(answer));
        self
    }

    /// Records an earlier session of the project from its transcript. `folder` keeps the record.
    ///
    /// # Errors
    /// `Unavailable` if the transcript or the record cannot be used.
    pub fn recorded_session(mut self, folder: &Path, id: &str, transcript: &Path) -> Result<Self> {
        let record = Record::at(folder.join(RECORD_FILE), self.redactor.clone(), self.clock);
        let source = TranscriptSource { session: id, agent: "", path: transcript };
        record.take(&source, Instant::now() + RECORDING_TIME)?;
        self.record = Some(record);
        Ok(self)
    }

    /// Sets the transcript of the session: lines of JSON as Claude Code writes them.
    #[must_use]
    pub fn transcript(mut self, lines: &str) -> Self {
        self.transcript = Some(Transcript::from_lines(lines));
        self
    }

    /// Sets the time, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn at_time(mut self, time: Millis) -> Self {
        self.clock = Clock::Fixed(time);
        self
    }

    /// Runs the layers on an event. [`event`] has sample events as Claude Code writes them.
    ///
    /// # Errors
    /// `Invalid` if `event` is not an event. The failure of a layer is in the outcome's log.
    pub fn send(&self, event: &str) -> Result<Outcome> {
        let event = Event::parse(event.as_bytes())?;
        let roster = Roster::new(self.layers.clone(), &self.config);
        // In a hook, the layers are already compiled, so deadlines do not include compiling.
        let compile_start = Instant::now();
        for layer in &self.layers {
            let stack_bytes = self.config.layer(&layer.name).limits.stack_bytes as usize;
            self.sandbox.load_with_stack(layer, stack_bytes)?;
        }
        let compile_time = compile_start.elapsed();
        let (began, deadline) = (Instant::now() + EXTRA_TIME, max_deadline(&roster, &event));
        let host = self.host_context(&event.name, began + deadline);
        let pipeline = Pipeline { roster: &roster, config: &self.config, host, began, guards_only: false };
        let reply = pipeline.answer(&event, || Ok(self.sandbox.clone()));
        self.outcome(reply, compile_time, deadline)
    }

    /// Runs the jobs that layers have submitted, due or not, and the jobs that these submit in turn.
    ///
    /// # Errors
    /// `Invalid` if jobs submit each other endlessly. The failure of a job is in the outcome's log.
    pub fn run_jobs(&self) -> Result<Outcome> {
        let roster = Roster::new(self.layers.clone(), &self.config);
        let tomorrow = Clock::Fixed(self.clock.now() + 24 * 3_600_000);
        let state = State::new(self.database.clone(), tomorrow);
        for _ in 0..MAX_JOBS {
            let Some(claimed) = state.claim("harness", JOB_TIME)? else {
                return self.outcome(Reply::default(), Duration::ZERO, Duration::ZERO);
            };
            let began = Instant::now() + EXTRA_TIME;
            let host = self.host_context("job", began + JOB_TIME);
            let pipeline =
                Pipeline { roster: &roster, config: &self.config, host, began, guards_only: false };
            match pipeline.run_job(&claimed, &self.sandbox) {
                Ok(()) => state.finish(&claimed)?,
                Err(error) => {
                    self.log.write(Level::Error, Some(&claimed.job.layer), error.to_string());
                    state.fail(&claimed, &error.message, None)?
                }
            };
        }
        Err(Error::invalid(format!("still had jobs after running {MAX_JOBS}")))
    }

    fn outcome(&self, reply: Reply, compile_time: Duration, deadline: Duration) -> Result<Outcome> {
        let memories = self.memories().list(&Filter::default(), Order::Newest, usize::MAX)?;
        let traces = self.trace.as_ref().map(Trace::take).unwrap_or_default();
        Ok(Outcome { reply, log: self.log.lines(), memories, traces, compile_time, deadline })
    }

    fn host_context(&self, event: &str, deadline: Instant) -> HostContext {
        let project: Arc<dyn ProjectInfo> = match &self.project {
            Some(project) => Arc::new(project.clone().with_deadline(deadline)),
            None => Arc::new(self.fixed_project.clone()),
        };
        HostContext {
            memories: self.memories(),
            state: State::new(self.database.clone(), self.clock).with_redactor(self.redactor.clone()),
            model: self.model.clone(),
            transcript: self.transcript.clone(),
            record: self.record.clone(),
            project,
            log: self.log.for_event("", event),
            clock: self.clock,
            trace: self.trace.clone(),
        }
    }

    fn memories(&self) -> Memories {
        let store = Arc::new(SqliteStore::new(self.database.clone()));
        Memories::new(store, self.redactor.clone(), self.clock).with_policy(self.config.policy.clone())
    }
}
