//! What speaks for something to be learned: the kinds of signal, what each weighs, and the words that show it.
//!
//! The base is the table of cs-memory (seed 002), whose names and weights are kept where they are good; kinds from
//! `compiler` to `crash` are new. Words are found by their first letter, in one pass over the text.

/// What was learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    /// Something went wrong.
    Error,
    /// Something was got round.
    Workaround,
    /// Something was found out.
    Discovery,
    /// Something will go wrong.
    Warning,
}

impl Category {
    /// Its name in settings, captures and logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Workaround => "workaround",
            Self::Discovery => "discovery",
            Self::Warning => "warning",
        }
    }
}

/// Declares the kinds of signal: name, weight, category, severity (0 is the worst).
macro_rules! signals {
    ($($kind:ident $name:literal $weight:literal $category:ident $severity:literal)*) => {
        /// A kind of signal.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the names below say it")]
        pub enum Signal { $($kind),* }

        impl Signal {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// Its name in settings and reasons.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }

            /// What it weighs unless the settings say otherwise.
            pub fn weight(self) -> f64 {
                match self { $(Self::$kind => $weight),* }
            }

            /// How much a line that shows it tells, for those who choose among lines: that a runner gives up tells
            /// less than what it gives up over.
            pub fn tells(self) -> f64 {
                if matches!(self, Self::WorkExit) { 0.05 } else { self.weight() }
            }

            /// What it speaks for.
            pub fn category(self) -> Category {
                match self { $(Self::$kind => Category::$category),* }
            }

            /// How bad it is: 0 is the worst, 3 is no harm.
            pub fn severity(self) -> u8 {
                match self { $(Self::$kind => $severity),* }
            }
        }
    };
}

signals! {
    Exit "exit" 0.5 Error 1
    WorkExit "work-exit" 0.6 Error 1
    Failure "failure" 0.4 Error 1
    ExitLine "exit-line" 0.4 Error 1
    Word "word" 0.3 Error 1
    NoCommand "no-command" 0.5 Error 1
    Permission "permission" 0.5 Error 1
    Missing "missing" 0.4 Error 1
    Syntax "syntax" 0.5 Error 1
    Exception "exception" 0.5 Error 1
    Import "import" 0.5 Error 1
    Connection "connection" 0.5 Error 1
    Timeout "timeout" 0.4 Error 2
    Compiler "compiler" 0.6 Error 1
    Linker "linker" 0.6 Error 1
    Tests "tests" 0.6 Error 1
    Packages "packages" 0.6 Error 1
    Http "http" 0.6 Error 1
    Conflict "conflict" 0.6 Error 1
    Memory "memory" 0.6 Error 0
    Crash "crash" 0.6 Error 0
    Warning "warning" 0.25 Warning 3
    Deprecated "deprecated" 0.25 Warning 3
    Removal "removal" 0.35 Warning 3
    Unstable "unstable" 0.2 Warning 3
    Version "version" 0.15 Discovery 3
    Config "config" 0.15 Discovery 3
    Finding "finding" 0.35 Discovery 3
    Fix "fix" 0.3 Discovery 3
    Retry "retry" 0.3 Workaround 2
    Fallback "fallback" 0.35 Workaround 2
    Workaround "workaround" 0.35 Workaround 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_weights_are_shares() {
        for (at, signal) in Signal::ALL.iter().enumerate() {
            assert!(signal.weight() > 0.0 && signal.weight() <= 1.0);
            assert!(Signal::ALL[..at].iter().all(|other| other.name() != signal.name()));
        }
    }
}
