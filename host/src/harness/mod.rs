//! The harness: runs one layer (or several) on an event, with memories, settings, facts about the project and the
//! time given in code, and hands back what it answered, wrote and logged. Layers run through the same pipeline and
//! sandbox as in a hook; only the surroundings are made up.
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

mod facts;
mod outcome;
mod surroundings;

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use crate::claude::sample_event as event;
use facts::Fixed;
pub use outcome::Outcome;

use crate::claude::{Event, Reply, Transcript};
use crate::clock::{Clock, Millis};
use crate::config::Config;
use crate::contract::inspect;
use crate::database::Database;
use crate::error::{Error, Result};
use crate::grant::{HostContext, ProjectInfo, SHARED_OWNER, Trace};
use crate::layer::{Grants, Layer, Roster};
use crate::llm::Model;
pub use crate::llm::{Completion, CompletionRequest};
use crate::log::{Level, Log};
use crate::memory::{Category, Draft, Filter, Memories, Order, Origin, SqliteStore};
use crate::pipeline::{Pipeline, max_deadline};
use crate::project::Project;
use crate::redact::Redactor;
use crate::sandbox::Sandbox;
use crate::state::{Scope, State};

/// What time it is in the harness unless a test says otherwise: 2026-01-01, noon.
const NOON: Millis = 1_767_268_800_000;

/// Time on top of every deadline. Deadlines are made for people who wait and programs that are optimised; a test on a
/// busy machine is neither, and should fail for what a layer does.
const PATIENCE: Duration = Duration::from_secs(2);

/// More jobs than this in one go are none that end.
const MOST_JOBS: usize = 100;

/// One layer or several, and the world they are run in. State and memories last from one event to the next.
pub struct Harness {
    sandbox: Arc<Sandbox>,
    layers: Vec<Layer>,
    config: Config,
    database: Database,
    facts: Fixed,
    model: Option<Arc<dyn Model>>,
    transcript: Option<Transcript>,
    /// The project itself, in the place of facts about one.
    project: Option<Project>,
    redactor: Redactor,
    log: Log,
    clock: Clock,
    trace: Option<Trace>,
}

impl Harness {
    /// With the layer of this name that comes with Interleaf, and the grants it declares.
    ///
    /// # Errors
    /// `NotFound` when there is none.
    pub fn embedded(name: &str) -> Result<Self> {
        let layer = Layer::embedded().into_iter().find(|layer| layer.name == name);
        let layer = layer.ok_or_else(|| Error::not_found(format!("no embedded layer is called {name}")))?;
        Self::empty()?.with(layer)
    }

    /// With a layer of one's own, which is granted nothing yet.
    ///
    /// # Errors
    /// `Invalid` when the bytes are no component.
    pub fn component(name: &str, wasm: Vec<u8>) -> Result<Self> {
        let inspection =
            inspect(&wasm).map_err(|error| error.context("not a component that can run here"))?;
        let answers = inspection.answers;
        let harness = Self::layer(Layer { answers, ..Layer::new(name, wasm, [], Grants::default()) })?;
        harness.layers.iter().try_for_each(|layer| harness.sandbox.load(layer).map(drop))?;
        Ok(harness)
    }

    /// With a layer as it was put together elsewhere.
    ///
    /// # Errors
    /// `Unavailable` when the machine cannot run compiled WebAssembly.
    pub fn layer(layer: Layer) -> Result<Self> {
        Self::empty()?.with(layer)
    }

    /// Adds the layers of another harness, to run beside this one's.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.layers.extend(other.layers);
        self
    }

    fn empty() -> Result<Self> {
        let clock = Clock::Fixed(NOON);
        Ok(Self {
            sandbox: Arc::new(Sandbox::new(None)?),
            layers: Vec::new(),
            config: Config::default(),
            database: Database::in_memory()?,
            facts: Fixed::default(),
            model: None,
            transcript: None,
            project: None,
            redactor: Redactor::default(),
            log: Log::in_memory(clock),
            clock,
            trace: None,
        })
    }

    fn with(mut self, layer: Layer) -> Result<Self> {
        self.layers.push(layer);
        Ok(self)
    }

    /// Grants every layer so far these and nothing else, written as in the configuration, in JSON.
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
    /// `Invalid` with what the configuration would be told off for.
    pub fn config(mut self, toml: &str) -> Result<Self> {
        self.config = Config::from_user_toml(toml);
        match self.config.warnings.first() {
            None => Ok(self),
            Some(note) => Err(Error::invalid(note)),
        }
    }

    /// Puts a memory of the assistant's into the store.
    ///
    /// # Errors
    /// As the store's write rules have it.
    pub fn remember(self, category: &str, text: &str) -> Result<Self> {
        let category: Category = category.parse()?;
        self.draft(Draft::new(category, text.to_owned(), Origin::Assistant))
    }

    /// Puts a memory into the store.
    ///
    /// # Errors
    /// As the store's write rules have it.
    pub fn draft(self, draft: Draft) -> Result<Self> {
        self.memories().remember(draft)?;
        Ok(self)
    }

    /// Sets a value of the project that all layers share.
    ///
    /// # Errors
    /// `Invalid` for a key that cannot be one, `OverBudget` for a value that is too large.
    pub fn shared_value(self, key: &str, value: &str) -> Result<Self> {
        State::new(self.database.clone(), self.clock).set(Scope::Project, SHARED_OWNER, key, value)?;
        Ok(self)
    }

    /// The language model: what it answers to a request.
    #[must_use]
    pub fn model(
        mut self,
        answer: impl Fn(&CompletionRequest) -> Result<Completion> + Send + Sync + 'static,
    ) -> Self {
        self.model = Some(Arc::new(answer));
        self
    }

    /// What was said and done so far: the lines of a transcript as Claude Code writes it.
    #[must_use]
    pub fn transcript(mut self, lines: &str) -> Self {
        self.transcript = Some(Transcript::from_lines(lines));
        self
    }

    /// What time it is, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn at_time(mut self, moment: Millis) -> Self {
        self.clock = Clock::Fixed(moment);
        self
    }

    /// Sends an event, as Claude Code writes it, through the layers.
    ///
    /// # Errors
    /// `Invalid` when it is not an event. What goes wrong inside a layer is in the outcome's log.
    pub fn send(&self, event: &str) -> Result<Outcome> {
        let event = Event::parse(event.as_bytes())?;
        let roster = Roster::new(self.layers.clone(), &self.config);
        // Compiled beforehand, as a hook finds it: a deadline is for running.
        let compiling = Instant::now();
        for layer in &self.layers {
            self.sandbox
                .load_with_stack(layer, self.config.layer(&layer.name).limits.stack_bytes as usize)?;
        }
        let compile_time = compiling.elapsed();
        let (began, allowed) = (Instant::now() + PATIENCE, max_deadline(&roster, &event));
        let host = self.host(&event.name, began + allowed);
        let pipeline = Pipeline { roster: &roster, config: &self.config, host, began };
        let reply = pipeline.answer(&event, || Ok(self.sandbox.clone()));
        let memories = self.memories().list(&Filter::default(), Order::Newest, usize::MAX)?;
        let traces = self.trace.as_ref().map(Trace::take).unwrap_or_default();
        Ok(Outcome { reply, log: self.log.lines(), memories, traces, compile_time, deadline: allowed })
    }

    /// Does the jobs that layers put off, due or not, and those that these put off in their turn.
    ///
    /// # Errors
    /// `Invalid` where jobs breed without end. A job that fails is in the outcome's log.
    pub fn run_jobs(&self) -> Result<Outcome> {
        let roster = Roster::new(self.layers.clone(), &self.config);
        let tomorrow = Clock::Fixed(self.clock.now() + 24 * 3_600_000);
        let state = State::new(self.database.clone(), tomorrow);
        for _ in 0..MOST_JOBS {
            let Some(claimed) = state.claim("harness", Duration::from_secs(600))? else {
                return self.outcome();
            };
            let began = Instant::now() + PATIENCE;
            let host = self.host("job", began + Duration::from_secs(600));
            let pipeline = Pipeline { roster: &roster, config: &self.config, host, began };
            let done = pipeline.run_job(&claimed, &self.sandbox);
            if let Err(error) = &done {
                self.log.write(Level::Error, Some(&claimed.job.layer), error.to_string());
            }
            match done {
                Ok(()) => state.finish(&claimed)?,
                Err(error) => state.fail(&claimed, &error.message, None)?,
            };
        }
        Err(Error::invalid(format!("{MOST_JOBS} jobs, and more of them")))
    }

    /// What there is after jobs: nobody is answered.
    fn outcome(&self) -> Result<Outcome> {
        let memories = self.memories().list(&Filter::default(), Order::Newest, usize::MAX)?;
        let traces = self.trace.as_ref().map(Trace::take).unwrap_or_default();
        let (reply, log) = (Reply::default(), self.log.lines());
        Ok(Outcome { reply, log, memories, traces, compile_time: Duration::ZERO, deadline: Duration::ZERO })
    }

    fn host(&self, event: &str, deadline: Instant) -> HostContext {
        let project: Arc<dyn ProjectInfo> = match &self.project {
            Some(project) => Arc::new(project.clone().with_deadline(deadline)),
            None => Arc::new(self.facts.clone()),
        };
        HostContext {
            memories: self.memories(),
            state: State::new(self.database.clone(), self.clock).with_redactor(self.redactor.clone()),
            model: self.model.clone(),
            transcript: self.transcript.clone(),
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
