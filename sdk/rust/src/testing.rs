//! An in-memory host for unit tests. A layer runs in ordinary `cargo test`, without a component and without
//! Interleaf.
//!
//! Each thread has its own host, which is empty until a test fills it; [`Host::new`] replaces it with a new
//! one. All grants are given, and there are no limits.
//!
//! The in-memory host stores memories, values, captures and jobs like the real host, but without ranking,
//! redaction and write rules: [`search`](crate::memory::search) finds memories that share words with the
//! query. Run the built component with `interleaf layer run` to see the real behavior.
//!
//! ```
//! use interleaf_layer::prelude::*;
//! use interleaf_layer::testing::Host;
//!
//! struct Recall;
//!
//! impl user_prompt::Handler for Recall {
//!     fn handle(event: user_prompt::Event) -> Result<Reply> {
//!         Ok(Reply::memories("Notes", memory::search(&event.prompt, &Filter::unseen(), 3)?))
//!     }
//! }
//!
//! let host = Host::new();
//! let id = host.add_memory(Category::Decision, "We chose SQLite");
//!
//! let prompt = "why did we choose SQLite?".to_owned();
//! let event = user_prompt::Event { prompt, ..Default::default() };
//! let reply = <Recall as user_prompt::Handler>::handle(event)?;
//!
//! assert_eq!(reply.context.unwrap().items[0].content, Content::Memory(id));
//! # Ok::<(), Error>(())
//! ```

pub(crate) mod functions;
pub(crate) mod memory_functions;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::Result;
use crate::jobs::{Capture, Request};
use crate::llm::{Completion, Request as LlmRequest};
use crate::log::Level;
use crate::memory::{Category, Draft, Memory, Status};
use crate::sessions::Episode;
use crate::state::Scope;
use crate::transcript::{Ending, Entry, Kind, Role};

/// The root of the in-memory host's project.
pub const PROJECT_ROOT: &str = "/project";

thread_local! {
    static CURRENT: RefCell<Host> = RefCell::new(Host::empty());
}

/// A function that a test sets as the language model.
type Model = Rc<dyn Fn(&LlmRequest) -> Result<Completion>>;

/// The host of this thread.
///
/// ```
/// use interleaf_layer::prelude::*;
/// use interleaf_layer::testing::Host;
///
/// let host = Host::new();
/// host.set_settings(r#"{"memories": 5}"#);
///
/// assert_eq!(settings::table().integer("memories", 0..=20), Some(5));
/// ```
#[derive(Clone)]
pub struct Host(Rc<RefCell<Contents>>);

/// The contents of a host.
#[derive(Default)]
struct Contents {
    settings: Option<String>,
    /// Each memory with the key under which it was written.
    memories: Vec<(Option<String>, Memory)>,
    values: BTreeMap<(u8, String), String>,
    branch: Option<String>,
    recent_subjects: Vec<String>,
    transcript: Vec<Entry>,
    episodes: Vec<Episode>,
    captures: Vec<Capture>,
    jobs: Vec<Request>,
    log: Vec<(Level, String)>,
    model: Option<Model>,
}

impl Host {
    /// Creates an empty host and replaces this thread's host with it.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// # use interleaf_layer::testing::Host;
    /// state::set(Scope::Session, "key", "value")?;
    /// Host::new();
    ///
    /// assert_eq!(state::get(Scope::Session, "key")?, None);
    /// # Ok::<(), Error>(())
    /// ```
    #[expect(clippy::new_without_default, reason = "a default value would not replace the thread's host")]
    pub fn new() -> Self {
        let host = Self::empty();
        CURRENT.with(|current| current.replace(host.clone()));
        host
    }

    fn empty() -> Self {
        Self(Rc::default())
    }

    /// Returns the host of this thread.
    fn current() -> Self {
        CURRENT.with(|current| current.borrow().clone())
    }

    /// Sets the layer's settings: a JSON object.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// interleaf_layer::testing::Host::new().set_settings(r#"{"strict": true}"#);
    /// assert_eq!(settings::table().switch("strict"), Some(true));
    /// ```
    pub fn set_settings(&self, json: &str) {
        self.0.borrow_mut().settings = Some(json.to_owned());
    }

    /// Adds a memory and returns its id.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let host = interleaf_layer::testing::Host::new();
    /// let id = host.add_memory(Category::Runbook, "make deploy needs a clean tree");
    ///
    /// assert_eq!(memory::get(&id)?.category, Category::Runbook);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn add_memory(&self, category: Category, text: &str) -> String {
        self.add(&Draft::new(category, text), |_| {})
    }

    /// Adds a memory after `change` has set its other fields, and returns its id.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let host = interleaf_layer::testing::Host::new();
    /// host.add_memory_with(Category::Constraint, "Never force push", |memory| {
    ///     memory.is_project_rule = true;
    /// });
    ///
    /// assert!(memory::list(&Filter::new(), Order::Newest, 1)?[0].is_project_rule);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn add_memory_with(
        &self,
        category: Category,
        text: &str,
        change: impl FnOnce(&mut Memory),
    ) -> String {
        self.add(&Draft::new(category, text), change)
    }

    fn add(&self, draft: &Draft, change: impl FnOnce(&mut Memory)) -> String {
        let mut contents = self.0.borrow_mut();
        let number = contents.memories.len() + 1;
        let mut memory = Memory {
            id: format!("memory-{number}"),
            category: draft.category,
            title: draft
                .title
                .clone()
                .unwrap_or_else(|| draft.text.lines().next().unwrap_or_default().to_owned()),
            text: draft.text.clone(),
            content: draft.content.clone().unwrap_or_else(|| "{}".to_owned()),
            tags: draft.tags.clone(),
            related_files: draft.related_files.clone(),
            confidence: draft.confidence,
            importance: draft.importance,
            origin: draft.origin,
            branch: None,
            created_at: number as i64,
            updated_at: number as i64,
            status: Status::Active,
            superseded_by: None,
            confirmed: false,
            version: 1,
            is_project_rule: false,
        };
        change(&mut memory);
        let id = memory.id.clone();
        contents.memories.push((draft.key.clone(), memory));
        id
    }

    /// Returns the texts of the active memories, oldest first.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let host = interleaf_layer::testing::Host::new();
    /// memory::create(&Draft::new(Category::Learning, "The cart rounds down"))?;
    ///
    /// assert_eq!(host.memories(), ["The cart rounds down"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn memories(&self) -> Vec<String> {
        let contents = self.0.borrow();
        let active = contents.memories.iter().filter(|(_, memory)| memory.status == Status::Active);
        active.map(|(_, memory)| memory.text.clone()).collect()
    }

    /// Sets the current branch.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// interleaf_layer::testing::Host::new().set_branch("main");
    /// assert_eq!(project::branch()?.as_deref(), Some("main"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn set_branch(&self, branch: &str) {
        self.0.borrow_mut().branch = Some(branch.to_owned());
    }

    /// Adds a commit with this subject to the branch.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// interleaf_layer::testing::Host::new().add_commit("Round up in the cart");
    /// assert_eq!(project::recent_subjects(9)?, ["Round up in the cart"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn add_commit(&self, subject: &str) {
        self.0.borrow_mut().recent_subjects.insert(0, subject.to_owned());
    }

    /// Adds an episode, which every failure finds.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// # use interleaf_layer::sessions::Episode;
    /// # let (session_id, command, difference, failed_on) = Default::default();
    /// let episode = Episode { session_id, command, difference, failed_at: 1, passed_at: 2, failed_on };
    /// interleaf_layer::testing::Host::new().add_episode(episode);
    /// assert_eq!(sessions::episodes("make", "error", 9)?.len(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn add_episode(&self, episode: Episode) {
        self.0.borrow_mut().episodes.push(episode);
    }

    /// Adds an entry to the transcript.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// interleaf_layer::testing::Host::new().say(Role::Assistant, "Done.");
    /// assert_eq!(transcript::read(0, 9)?.entries.len(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn say(&self, role: Role, text: &str) {
        let transcript = &mut self.0.borrow_mut().transcript;
        let cursor = transcript.len() as u64;
        transcript.push(Entry {
            role,
            kind: if role == Role::Tool { Kind::ToolResult } else { Kind::Text },
            tool: None,
            call: None,
            text: text.to_owned(),
            ending: Ending::Fine,
            certain: true,
            at: cursor as i64,
            cursor,
        });
    }

    /// Sets a function as the language model. It returns the text of the answer.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// interleaf_layer::testing::Host::new().set_model(|_| Ok("yes".to_owned()));
    /// assert_eq!(llm::ask(llm::Request::new("Judge.", "Is it so?"))?.text, "yes");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn set_model(&self, answer: impl Fn(&LlmRequest) -> Result<String> + 'static) {
        let completion = |text| Completion { text, input_tokens: 0, output_tokens: 0 };
        let model = move |request: &LlmRequest| answer(request).map(completion);
        self.0.borrow_mut().model = Some(Rc::new(model));
    }

    /// Returns the pending captures, oldest first.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let host = interleaf_layer::testing::Host::new();
    /// jobs::push_capture(&jobs::Capture { id: "1".to_owned(), payload: "{}".to_owned() })?;
    ///
    /// assert_eq!(host.captures().len(), 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn captures(&self) -> Vec<Capture> {
        self.0.borrow().captures.clone()
    }

    /// Returns the submitted jobs, in order.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let host = interleaf_layer::testing::Host::new();
    /// jobs::submit(&jobs::Request::new("1", "flush"))?;
    ///
    /// assert_eq!(host.jobs()[0].kind, "flush");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn jobs(&self) -> Vec<Request> {
        self.0.borrow().jobs.clone()
    }

    /// Returns the lines of the log, in order.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let host = interleaf_layer::testing::Host::new();
    /// log::info("3 rules");
    ///
    /// assert_eq!(host.log(), [(Level::Info, "3 rules".to_owned())]);
    /// ```
    pub fn log(&self) -> Vec<(Level, String)> {
        self.0.borrow().log.clone()
    }
}

fn value_key(scope: Scope, key: &str) -> (u8, String) {
    (scope as u8, key.to_owned())
}
