//! The events that a layer can answer, one module each with the type `Event` and the trait `Handler`.
//!
//! A layer implements the handlers of the events it answers and names those events in
//! [`export_layer!`](crate::export_layer).

use serde::de::DeserializeOwned;

use crate::Result;
pub use crate::bindings::interleaf::layer::types::Common;

/// Declares the module of one event. Its submodule `generated` holds the bindings of the event's world; only
/// `export_layer!` uses it.
macro_rules! event {
    ($(#[$docs:meta])* $event:ident, $world:literal) => {
        $(#[$docs])*
        pub mod $event {
            #[doc(hidden)]
            #[allow(missing_docs, unsafe_code, unused_imports, clippy::all)]
            pub mod generated {
                generate!($world);
            }

            pub use generated::exports::interleaf::layer::$event::Event;

            /// Answers this event.
            pub trait Handler {
                /// Returns the layer's reply. Most replies are [silent](crate::Reply::silent).
                ///
                /// # Errors
                /// Any error that prevents the reply. The host logs it, and the hook continues without this
                /// layer.
                fn handle(event: Event) -> crate::Result<crate::Reply>;
            }

            impl<T: Handler> generated::exports::interleaf::layer::$event::Guest for T {
                fn handle(event: Event) -> crate::Result<crate::Reply> {
                    <T as Handler>::handle(event)
                }
            }
        }
    };
}

/// Generates the bindings of one event's world; types and imported functions are those of `crate::bindings`.
macro_rules! generate {
    ($world:literal) => {
        wit_bindgen::generate!({
            path: "wit",
            world: $world,
            additional_derives: [PartialEq, Default],
            pub_export_macro: true,
            with: {
                "interleaf:layer/types@0.1.0": crate::bindings::interleaf::layer::types,
                "interleaf:layer/types@0.1.0/error": crate::Error,
                "interleaf:layer/memory@0.1.0": crate::bindings::interleaf::layer::memory,
                "interleaf:layer/llm@0.1.0": crate::bindings::interleaf::layer::llm,
                "interleaf:layer/project@0.1.0": crate::bindings::interleaf::layer::project,
                "interleaf:layer/state@0.1.0": crate::bindings::interleaf::layer::state,
                "interleaf:layer/transcript@0.1.0": crate::bindings::interleaf::layer::transcript,
                "interleaf:layer/sessions@0.1.0": crate::bindings::interleaf::layer::sessions,
                "interleaf:layer/jobs@0.1.0": crate::bindings::interleaf::layer::jobs,
                "interleaf:layer/settings@0.1.0": crate::bindings::interleaf::layer::settings,
                "interleaf:layer/log@0.1.0": crate::bindings::interleaf::layer::log,
            },
        });
    };
}

event! {
    /// A session starts, or continues after a resume, a clear or a compaction.
    ///
    /// ```
    /// use interleaf_layer::prelude::*;
    ///
    /// struct Greeting;
    /// export_layer!(Greeting: session_start);
    ///
    /// impl session_start::Handler for Greeting {
    ///     fn handle(event: session_start::Event) -> Result<Reply> {
    ///         Ok(Reply::silent().with_notice(format!("a session begins: {}", event.source)))
    ///     }
    /// }
    /// # let event = session_start::Event { source: "startup".to_owned(), ..Default::default() };
    /// # assert!(!<Greeting as session_start::Handler>::handle(event).unwrap().is_silent());
    /// ```
    session_start, "interleaf:layer/on-session-start"
}

event! {
    /// A subagent starts. It does not see the context shown in the main conversation.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let event = subagent_start::Event::default();
    /// assert_eq!(event.common.agent_type, None);
    /// ```
    subagent_start, "interleaf:layer/on-subagent-start"
}

event! {
    /// A prompt was entered.
    ///
    /// ```
    /// use interleaf_layer::prelude::*;
    ///
    /// struct Recall;
    /// export_layer!(Recall: user_prompt);
    ///
    /// impl user_prompt::Handler for Recall {
    ///     fn handle(event: user_prompt::Event) -> Result<Reply> {
    ///         Ok(Reply::memories("Notes", memory::search(&event.prompt, &Filter::unseen(), 3)?))
    ///     }
    /// }
    /// # let event = user_prompt::Event { prompt: "which database?".to_owned(), ..Default::default() };
    /// # assert!(<Recall as user_prompt::Handler>::handle(event).unwrap().is_silent());
    /// ```
    user_prompt, "interleaf:layer/on-user-prompt"
}

event! {
    /// A tool is about to run. See [`Event::read_input`](pre_tool::Event::read_input).
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let event = pre_tool::Event { tool_name: "Bash".to_owned(), ..Default::default() };
    /// # assert_eq!(event.tool_input, "");
    /// ```
    pre_tool, "interleaf:layer/on-pre-tool"
}

event! {
    /// A tool has run.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let event = post_tool::Event { tool_name: "WebFetch".to_owned(), ..Default::default() };
    /// # assert_eq!(event.tool_response, "");
    /// ```
    post_tool, "interleaf:layer/on-post-tool"
}

event! {
    /// A tool that had started failed.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let event = tool_failure::Event { error: "Exit code 2".to_owned(), ..Default::default() };
    /// # assert!(!event.interrupted);
    /// ```
    tool_failure, "interleaf:layer/on-tool-failure"
}

event! {
    /// The assistant has finished its turn.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let event = stop::Event { last_message: Some("Done.".to_owned()), ..Default::default() };
    /// # assert!(!event.continued);
    /// ```
    stop, "interleaf:layer/on-stop"
}

event! {
    /// A subagent has finished.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(subagent_stop::Event::default().last_message, None);
    /// ```
    subagent_stop, "interleaf:layer/on-subagent-stop"
}

event! {
    /// The conversation is about to be compacted.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let event = pre_compact::Event { trigger: "auto".to_owned(), ..Default::default() };
    /// # assert_eq!(event.instructions, None);
    /// ```
    pre_compact, "interleaf:layer/on-pre-compact"
}

event! {
    /// The session has ended. Context in the reply has no effect.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let event = session_end::Event { reason: "logout".to_owned(), ..Default::default() };
    /// # assert_eq!(event.common.session_id, "");
    /// ```
    session_end, "interleaf:layer/on-session-end"
}

event! {
    /// An event of Claude Code without its own interface. Its fields are in `common.raw`.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let event = other_event::Event { name: "Notification".to_owned(), ..Default::default() };
    /// # assert_eq!(event.common.raw, "");
    /// ```
    other_event, "interleaf:layer/on-other-event"
}

/// Deferred work, submitted with [`jobs::submit`](crate::jobs::submit).
///
/// ```
/// use interleaf_layer::prelude::*;
///
/// struct Summary;
/// export_layer!(Summary: job);
///
/// impl job::Handler for Summary {
///     fn run(job: job::Job) -> Result<()> {
///         let text: String = job.read_payload()?;
///         memory::create(&Draft::new(Category::SessionSummary, text).with_key(job.id)).map(drop)
///     }
/// }
/// # let job = job::Job { id: "1".to_owned(), payload: r#""done""#.to_owned(), ..Default::default() };
/// # <Summary as job::Handler>::run(job).unwrap();
/// ```
pub mod job {
    #[doc(hidden)]
    #[allow(missing_docs, unsafe_code, unused_imports, clippy::all)]
    pub mod generated {
        generate!("interleaf:layer/on-job");
    }

    pub use generated::exports::interleaf::layer::job::Job;

    /// Runs jobs.
    pub trait Handler {
        /// Runs the job. A job may run twice, so a second run must do no harm.
        ///
        /// # Errors
        /// Any error that prevents the job's work. The host retries the job later.
        fn run(job: Job) -> crate::Result<()>;
    }

    impl<T: Handler> generated::exports::interleaf::layer::job::Guest for T {
        fn run(job: Job) -> crate::Result<()> {
            <T as Handler>::run(job)
        }
    }
}

impl pre_tool::Event {
    /// Parses the tool's input as a type of your choice.
    ///
    /// ```
    /// use interleaf_layer::prelude::*;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Bash {
    ///     command: String,
    /// }
    ///
    /// let input = r#"{"command": "make", "timeout": 5}"#.to_owned();
    /// let event = pre_tool::Event { tool_input: input, ..Default::default() };
    ///
    /// assert_eq!(event.read_input::<Bash>()?.command, "make");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid), with the path of the key that does not match.
    pub fn read_input<T: DeserializeOwned>(&self) -> Result<T> {
        crate::json::read("tool input", &self.tool_input)
    }
}

impl post_tool::Event {
    /// Parses the tool's input as a type of your choice, like [`pre_tool::Event::read_input`].
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let event = post_tool::Event { tool_input: r#"{"url": "x"}"#.to_owned(), ..Default::default() };
    ///
    /// assert_eq!(event.read_input::<serde_json::Value>()?["url"], "x");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid), with the path of the key that does not match.
    pub fn read_input<T: DeserializeOwned>(&self) -> Result<T> {
        crate::json::read("tool input", &self.tool_input)
    }

    /// Parses the tool's response as a type of your choice.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let tool_response = r#"{"stdout": "ok"}"#.to_owned();
    /// let event = post_tool::Event { tool_response, ..Default::default() };
    ///
    /// assert_eq!(event.read_response::<serde_json::Value>()?["stdout"], "ok");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid), with the path of the key that does not match.
    pub fn read_response<T: DeserializeOwned>(&self) -> Result<T> {
        crate::json::read("tool response", &self.tool_response)
    }
}

impl tool_failure::Event {
    /// Parses the tool's input as a type of your choice, like [`pre_tool::Event::read_input`].
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let event = tool_failure::Event { tool_input: "{}".to_owned(), ..Default::default() };
    ///
    /// assert!(event.read_input::<serde_json::Value>()?.is_object());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid), with the path of the key that does not match.
    pub fn read_input<T: DeserializeOwned>(&self) -> Result<T> {
        crate::json::read("tool input", &self.tool_input)
    }
}

impl job::Job {
    /// Parses the payload as a type of your choice.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let job = job::Job { payload: "[1, 2]".to_owned(), ..Default::default() };
    ///
    /// assert_eq!(job.read_payload::<Vec<u32>>()?, [1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid), with the path of the key that does not match.
    pub fn read_payload<T: DeserializeOwned>(&self) -> Result<T> {
        crate::json::read("payload", &self.payload)
    }
}
