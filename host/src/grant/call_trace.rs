//! The trace of a layer: every host call with its arguments and its result, for an author who wants to see
//! the details of a run.
//!
//! With a trace, the sandbox links [`TracedHost`], which wraps the host functions. A hook has no trace, so
//! nothing is recorded or formatted there, and the host functions themselves contain no tracing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::wit_json::{kebab_case, to_json};
use super::{LayerHost, ReadMemory};
use crate::sandbox::bindings::{
    jobs, llm, log, memory, project, sessions, settings, state, transcript, types,
};
use crate::sandbox::{HostFunctions, LayerFailure, RunOutcome};

/// The traces of all layers that ran. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Trace(Arc<Mutex<Vec<LayerTrace>>>);

/// The calls and the reply of one layer in one event.
#[derive(Debug, Clone)]
pub struct LayerTrace {
    /// The layer's name.
    pub layer: String,
    /// The layer's own reply as JSON with the contract's names, or the reason why there is none.
    pub reply: Result<Value, LayerFailure>,
    /// Its host calls, in order.
    pub calls: Vec<HostCall>,
    /// The duration of each phase.
    pub phases: PhaseTimes,
    /// The largest amount of memory that the layer held, in bytes.
    pub peak_memory: usize,
}

/// One host call.
#[derive(Debug, Clone, PartialEq)]
pub struct HostCall {
    /// The interface, such as `memory`.
    pub interface: &'static str,
    /// The function, such as `about-files`.
    pub function: String,
    /// Names and values of the arguments, in order, with the contract's names.
    pub arguments: Vec<(String, Value)>,
    /// The result; `null` for none.
    pub result: Value,
    /// The duration of the call.
    pub duration: Duration,
}

/// The duration of each phase of a layer's run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseTimes {
    /// Mapping its compiled code.
    pub load: Duration,
    /// Linking it to the host functions.
    pub link: Duration,
    /// From its instantiation to its reply, host calls included.
    pub run: Duration,
}

impl Trace {
    /// Records the outcome of a layer that took `load` to load, and returns its reply and the memories that
    /// it read.
    ///
    /// # Errors
    /// The layer's failure.
    pub fn record(
        &self,
        layer: &str,
        load: Duration,
        outcome: RunOutcome<TracedHost>,
    ) -> Result<(types::Reply, HashMap<String, ReadMemory>), LayerFailure> {
        let RunOutcome { reply, host, peak_memory, link_time: link, total_time } = outcome;
        let trace = LayerTrace {
            layer: layer.to_owned(),
            reply: reply.as_ref().map(to_json).map_err(Clone::clone),
            calls: host.calls,
            phases: PhaseTimes { load, link, run: total_time.saturating_sub(link) },
            peak_memory,
        };
        drop(self.0.lock().map(|mut traces| traces.push(trace)));
        reply.map(|reply| (reply, host.inner.finish()))
    }

    /// Removes and returns the traces so far.
    pub fn take(&self) -> Vec<LayerTrace> {
        self.0.lock().map(|mut traces| std::mem::take(&mut *traces)).unwrap_or_default()
    }
}

/// Host functions that record every call.
pub struct TracedHost {
    inner: LayerHost,
    calls: Vec<HostCall>,
}

impl TracedHost {
    /// Wraps these host functions.
    pub fn new(inner: LayerHost) -> Self {
        Self { inner, calls: Vec::new() }
    }

    fn record<R: serde::Serialize>(
        &mut self,
        interface: &'static str,
        function: &str,
        arguments: Vec<(String, Value)>,
        call: impl FnOnce(&mut LayerHost) -> R,
    ) -> R {
        let start = Instant::now();
        let result = call(&mut self.inner);
        let duration = start.elapsed();
        let (function, json) = (kebab_case(function), to_json(&result));
        self.calls.push(HostCall { interface, function, arguments, result: json, duration });
        result
    }
}

/// Implements the host functions: each records the call and forwards it. A function without a row is a
/// compile error.
macro_rules! traced {
    ($($interface:ident {
        $($function:ident($($argument:ident: $ty:ty),*) -> $result:ty;)*
    })*) => {$(
        impl $interface::Host for TracedHost {
            $(fn $function(&mut self, $($argument: $ty),*) -> $result {
                let arguments = vec![
                    $((kebab_case(stringify!($argument)), to_json(&$argument)),)*
                ];
                self.record(stringify!($interface), stringify!($function), arguments, |inner| {
                    $interface::Host::$function(inner, $($argument),*)
                })
            })*
        }
    )*};
}

type Answer<T> = Result<T, types::Error>;

traced! {
    memory {
        search(query: String, filter: memory::Filter, limit: u32) -> Answer<Vec<memory::Hit>>;
        list(filter: memory::Filter, order: memory::Order, limit: u32) -> Answer<Vec<memory::Memory>>;
        suggest(query: String, filter: memory::Filter, limit: u32) -> Answer<Vec<memory::Hit>>;
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
        existing_paths(paths: Vec<String>) -> Answer<Vec<String>>;
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
    sessions {
        episodes(command_line: String, output: String, limit: u32) -> Answer<Vec<sessions::Episode>>;
        search(query: String, limit: u32) -> Answer<Vec<sessions::Hit>>;
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
