//! Listening to a layer: every host call with its arguments and its result, for the author who asks what it did.
//!
//! Who listens puts [`TracedHost`] around the host functions, and the sandbox links that instead. A hook never does, so
//! nothing is written down, formatted or asked there. The host functions themselves know nothing of it.

mod words;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::LayerHost;
use crate::memory::Memory;
use crate::sandbox::bindings::{jobs, llm, log, memory, project, settings, state, transcript, types};
use crate::sandbox::{HostFunctions, LayerFailure, RunOutcome};

/// What was heard of every layer that ran. Clones hear the same.
#[derive(Debug, Clone, Default)]
pub struct Trace(Arc<Mutex<Vec<LayerTrace>>>);

/// One layer's part in one event.
#[derive(Debug, Clone)]
pub struct LayerTrace {
    /// The layer.
    pub layer: String,
    /// Its reply as it gave it, in the words of the contract, or why there is none.
    pub reply: Result<Value, LayerFailure>,
    /// Its host calls, in order.
    pub calls: Vec<HostCall>,
    /// How long each phase took.
    pub phases: PhaseTimes,
    /// The most memory it held, in bytes.
    pub peak_memory: usize,
}

/// One host call.
#[derive(Debug, Clone, PartialEq)]
pub struct HostCall {
    /// The interface, such as `memory`.
    pub interface: &'static str,
    /// The function, such as `search`.
    pub function: String,
    /// What it was given, by name and in order, in the words of the contract.
    pub arguments: Vec<(String, Value)>,
    /// What it gave back; `null` for nothing.
    pub result: Value,
    /// How long it took.
    pub took: Duration,
}

/// How long a layer took, phase by phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseTimes {
    /// Mapping its compiled code.
    pub load: Duration,
    /// Linking it to the host functions.
    pub link: Duration,
    /// From its instantiation to its answer, host calls included.
    pub run: Duration,
}

/// The reply and the memories read for it.
type Said = Result<(types::Reply, HashMap<String, Memory>), LayerFailure>;

impl Trace {
    /// Writes down what came of a layer whose code took `load` to map, and hands the answer on.
    pub fn note(&self, layer: &str, load: Duration, outcome: RunOutcome<TracedHost>) -> Said {
        let RunOutcome { reply, powers, peak_memory, linked, took } = outcome;
        let turn = LayerTrace {
            layer: layer.to_owned(),
            reply: reply.as_ref().map(words::of).map_err(Clone::clone),
            calls: powers.calls,
            phases: PhaseTimes { load, link: linked, run: took.saturating_sub(linked) },
            peak_memory,
        };
        drop(self.0.lock().map(|mut turns| turns.push(turn)));
        reply.map(|reply| (reply, powers.granted.finish()))
    }

    /// What was heard since the last time this was asked.
    pub fn take(&self) -> Vec<LayerTrace> {
        self.0.lock().map(|mut turns| std::mem::take(&mut *turns)).unwrap_or_default()
    }
}

/// The host functions with somebody listening.
pub struct TracedHost {
    granted: LayerHost,
    calls: Vec<HostCall>,
}

impl TracedHost {
    /// Listens to these.
    pub fn new(granted: LayerHost) -> Self {
        Self { granted, calls: Vec::new() }
    }

    fn hear<R: serde::Serialize>(
        &mut self,
        interface: &'static str,
        function: &str,
        arguments: Vec<(String, Value)>,
        call: impl FnOnce(&mut LayerHost) -> R,
    ) -> R {
        let began = Instant::now();
        let result = call(&mut self.granted);
        let took = began.elapsed();
        let (function, told) = (words::kebab(function), words::of(&result));
        self.calls.push(HostCall { interface, function, arguments, result: told, took });
        result
    }
}

/// Hands every function on. One that is missing here does not compile.
macro_rules! heard {
    ($($interface:ident {
        $($function:ident($($argument:ident: $ty:ty),*) -> $result:ty;)*
    })*) => {$(
        impl $interface::Host for TracedHost {
            $(fn $function(&mut self, $($argument: $ty),*) -> $result {
                let arguments = vec![
                    $((words::kebab(stringify!($argument)), words::of(&$argument)),)*
                ];
                self.hear(stringify!($interface), stringify!($function), arguments, |granted| {
                    $interface::Host::$function(granted, $($argument),*)
                })
            })*
        }
    )*};
}

type Answer<T> = Result<T, types::Error>;

heard! {
    memory {
        search(query: String, filter: memory::Filter, limit: u32) -> Answer<Vec<memory::Hit>>;
        list(filter: memory::Filter, order: memory::Order, limit: u32) -> Answer<Vec<memory::Memory>>;
        get(id: String) -> Answer<memory::Memory>;
        about_files(paths: Vec<String>, filter: memory::Filter, limit: u32) -> Answer<Vec<memory::Memory>>;
        create(draft: memory::Draft) -> Answer<memory::WriteResult>;
        update(id: String, version: u64, patch: memory::Patch) -> Answer<u64>;
        assess(draft: memory::Draft, event: Option<memory::LifecycleEvent>) -> Answer<memory::Assessment>;
        resolve(proposal: memory::Proposal) -> Answer<memory::Resolution>;
        categories() -> Answer<Vec<memory::CategoryPolicy>>;
        retire(id: String, version: u64, reason: String) -> Answer<()>;
    }
    llm {
        complete(requests: Vec<llm::Request>) -> Vec<Answer<llm::Completion>>;
    }
    project {
        name() -> Answer<String>;
        branch() -> Answer<Option<String>>;
        default_branch() -> Answer<Option<String>>;
        recent_subjects(limit: u32) -> Answer<Vec<String>>;
        commits_since(hash: String) -> Answer<Vec<project::Commit>>;
        changed_files() -> Answer<Vec<String>>;
        relative_path(path: String) -> Answer<Option<String>>;
    }
    state {
        get(scope: state::Scope, key: String) -> Answer<Option<String>>;
        set(scope: state::Scope, key: String, value: String) -> Answer<()>;
        swap(scope: state::Scope, key: String, expected: Option<String>, value: String) -> Answer<bool>;
        remove(scope: state::Scope, key: String) -> Answer<()>;
    }
    transcript {
        read(cursor: u64, limit: u32) -> Answer<transcript::Page>;
    }
    jobs {
        push_capture(capture: jobs::Capture) -> Answer<bool>;
        captures(limit: u32) -> Answer<Vec<jobs::Waiting>>;
        settle_captures(ids: Vec<String>) -> Answer<()>;
        submit(request: jobs::Request) -> Answer<bool>;
    }
    settings {
        get() -> String;
    }
    log {
        write(level: log::Level, message: String) -> ();
    }
}

impl types::Host for TracedHost {}
impl HostFunctions for TracedHost {}
