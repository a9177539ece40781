//! The occasions of searches.

use crate::memory::word_enum::word_enum;

word_enum! {
    /// The occasion of a search. A command or an error message shares words with a memory in another way than
    /// a prompt does.
    #[derive(Default)]
    Occasion, "occasion" {
        /// A person's words.
        #[default]
        Prompt = "prompt",
        /// A tool call that is about to run.
        Command = "command",
        /// The error of a tool call.
        Failure = "failure",
        /// The start of a session: the subjects of the newest commits.
        Start = "start",
    }
}

impl Occasion {
    /// Tells whether sentence vectors are compared at this occasion. The model was made for sentences: it
    /// finds the memory for a command or a failure less often than the words do.
    pub(super) fn compares_vectors(self) -> bool {
        self == Self::Prompt
    }
}
