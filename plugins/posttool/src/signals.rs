//! The kinds of signals, their weights, and the phrases that match them. [`crate::scanner`] finds the
//! phrases.

/// The kind of lesson that a signal points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    /// A failure.
    Error,
    /// A way around a failure.
    Workaround,
    /// A finding.
    Discovery,
    /// A failure to expect later.
    Warning,
}

impl Category {
    /// Returns the category's name in settings, captures and logs.
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
        #[expect(missing_docs, reason = "the names in the table describe the variants")]
        pub enum Signal { $($kind),* }

        impl Signal {
            /// All signals.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// Returns its name in settings and reasons.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }

            /// Returns its weight, unless the settings say otherwise.
            pub fn weight(self) -> f64 {
                match self { $(Self::$kind => $weight),* }
            }

            /// Returns its weight when choosing excerpt lines. A test runner's exit line ranks below the
            /// failure itself.
            pub fn line_weight(self) -> f64 {
                if matches!(self, Self::WorkExit) { 0.05 } else { self.weight() }
            }

            /// Returns the kind of lesson that it points to.
            pub fn category(self) -> Category {
                match self { $(Self::$kind => Category::$category),* }
            }

            /// Returns its severity: 0 is the worst, 3 is harmless.
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

/// Words that match a signal. They begin and end at word boundaries; case does not matter.
pub struct Phrase {
    /// The words, in lower case.
    pub text: &'static str,
    /// The matched signal.
    pub signal: Signal,
    /// Where and how it must be written.
    pub form: Form,
}

/// Where and how a phrase must be written to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Anywhere, in any case.
    Anywhere,
    /// At the beginning of a line, after white space at most, with a capital first letter, as programs write
    /// it.
    LineStart,
}

/// Declares the phrases by signal.
macro_rules! phrases {
    ($($signal:ident $form:ident: $($text:literal)*;)*) => {
        /// All phrases, by signal.
        pub static PHRASES: &[Phrase] = &[
            $($(Phrase { text: $text, signal: Signal::$signal, form: Form::$form },)*)*
        ];
    };
}

phrases! {
    Word Anywhere: "error" "errors" "failed" "failure" "failures" "failing" "fatal" "cannot" "can't"
        "unable" "denied" "refused" "no such" "not found" "invalid" "exception" "traceback" "err!"
        "could not" "couldn't";
    ExitLine Anywhere: "exit code" "exit status" "exited with code" "exited with status" "exited with";
    NoCommand Anywhere: "command not found" "not recognized as";
    Permission Anywhere: "permission denied" "access denied" "unauthorized" "forbidden" "eacces" "eperm"
        "operation not permitted" "authentication failed" "access is denied" "permission to";
    Missing Anywhere: "file not found" "directory not found" "path not found" "file does not exist"
        "path does not exist" "directory does not exist" "enoent" "no such file" "cannot access"
        "cannot stat";
    Syntax Anywhere: "syntax error" "unexpected token" "parse error" "unexpected end of file"
        "invalid syntax" "unexpected identifier";
    Import Anywhere: "cannot find module" "no module named" "module not found" "cannot find package"
        "no required module provides" "unresolved import" "failed to resolve import";
    Connection Anywhere: "connection refused" "connection reset" "connection timed out" "econnrefused"
        "econnreset" "etimedout" "network error" "network is unreachable" "network unreachable"
        "could not resolve host" "enotfound" "name or service not known" "no route to host" "broken pipe"
        "temporary failure in name resolution" "getaddrinfo" "tls handshake" "certificate verify failed"
        "certificate has expired" "address already in use" "eaddrinuse";
    Timeout Anywhere: "timeout" "timed out" "deadline exceeded" "time limit exceeded";
    WorkExit Anywhere: "make: ***";
    Compiler Anywhere: "could not compile" "compilation failed" "compilation error" "build failed"
        "build failure" "build stopped" "type mismatch" "mismatched types" "failed to compile";
    Linker Anywhere: "undefined reference to" "undefined symbol" "undefined symbols" "ld returned"
        "linker command failed" "linking with" "cannot find -l" "duplicate symbol" "multiple definition of"
        "unresolved external symbol" "symbol lookup error";
    Tests Anywhere: "✖" "✗" "✘" "test result: failed" "assertion failed" "assertion `" "not ok"
        "there were failing tests" "tests failed" "test failed" "test suite failed" "failures!"
        "expectation failed" "snapshot does not match" "failed (failures" "failed (errors";
    Tests LineStart: "failed " "fail\t" "fail " "--- fail";
    Packages Anywhere: "npm err!" "npm error" "eresolve" "err_pnpm" "no matching distribution found"
        "could not find a version that satisfies" "resolutionimpossible" "unable to locate package"
        "failed to select a version" "unmet dependencies" "unmet peer" "failed building wheel"
        "subprocess-exited-with-error" "no matching package" "externally-managed-environment"
        "dpkg was interrupted" "could not get lock" "has no installation candidate"
        "lockfile needs to be updated" "version solving failed" "no matching version found" "hash mismatch"
        "hash sum mismatch";
    Http Anywhere: "bad gateway" "internal server error" "service unavailable" "too many requests"
        "gateway timeout" "gateway time-out" "rate limit exceeded" "requested url returned error";
    Conflict Anywhere: "automatic merge failed" "merge conflict" "conflict (" "could not apply"
        "would be overwritten by" "needs merge" "fix conflicts and" "non-fast-forward" "unmerged paths"
        "both modified" "unmerged files" "patch does not apply";
    Memory Anywhere: "out of memory" "outofmemoryerror" "oom-kill" "oom-killed" "oomkilled" "oom killer"
        "cannot allocate memory" "bad_alloc" "memory exhausted" "no space left on device" "enomem" "enospc";
    Memory LineStart: "killed";
    Crash Anywhere: "panicked at" "panic:" "segmentation fault" "segfault" "core dumped" "sigsegv" "sigabrt"
        "sigbus" "bus error" "stack overflow" "stack smashing detected" "addresssanitizer" "double free"
        "illegal instruction" "fatal runtime error" "unhandled exception" "uncaught exception"
        "unhandledpromiserejection" "bus fault" "deadlock detected" "floating point exception"
        "stack exhausted";
    Crash LineStart: "aborted";
    Warning Anywhere: "warning" "warnings" "warn" "caution";
    Deprecated Anywhere: "deprecated" "deprecation";
    Removal Anywhere: "will be removed" "will stop working" "no longer supported" "end of life" "end-of-life"
        "breaking change" "will become an error" "will be dropped" "no longer be supported";
    Unstable Anywhere: "experimental" "unstable" "beta" "preview" "not recommended";
    Version Anywhere: "version:" "python 2" "python 3" "node v" "npm v" "rustc 1" "cargo 1" "go version"
        "ruby 3";
    Config Anywhere: "using default" "using config" "using configuration" "config loaded" "settings loaded"
        "loaded config" "loaded configuration" "config file found" "using settings";
    Finding Anywhere: "root cause" "turns out" "turned out" "it turns out that" "discovered that"
        "the problem was" "the cause was" "the reason was" "the real problem" "the culprit"
        "the actual cause";
    Fix Anywhere: "fixed by" "solved by" "resolved by" "the fix is" "the fix was" "the solution is"
        "the solution was" "works only if" "works only when" "only works if" "only works when"
        "has to be set" "must be set";
    Retry Anywhere: "retry" "retrying" "retried" "trying again" "attempt 2" "attempt 3" "attempt 4"
        "attempt 5" "second attempt" "will try again";
    Fallback Anywhere: "fallback" "falling back" "fell back" "using alternative" "defaulting to"
        "using instead";
    Workaround Anywhere: "workaround" "work-around" "worked around" "working around" "to get around";
}

const PHRASE_COUNT: usize = PHRASES.len();

/// Number of kinds of first bytes: 26 letters, and all others.
const LETTERS: usize = 27;
/// Number of kinds of beginnings of two bytes.
const BEGINNINGS: usize = LETTERS * LETTERS;

/// The phrases sorted by their first two letters.
struct PhraseIndex {
    /// The number of each phrase.
    order: [u16; PHRASE_COUNT],
    /// The third letter of each phrase in `order`, without which most words would be compared with several.
    third: [u8; PHRASE_COUNT],
    /// The position at which each beginning starts.
    begins: [u16; BEGINNINGS + 1],
}

static INDEX: PhraseIndex = index();

/// Sorts the phrases at compile time with a counting sort.
const fn index() -> PhraseIndex {
    let mut begins = [0u16; BEGINNINGS + 1];
    let mut at = 0;
    while at < PHRASE_COUNT {
        begins[beginning(PHRASES[at].text.as_bytes()) + 1] += 1;
        at += 1;
    }
    let mut sum = 1;
    while sum <= BEGINNINGS {
        begins[sum] += begins[sum - 1];
        sum += 1;
    }
    let (mut order, mut third, mut next) = ([0u16; PHRASE_COUNT], [0u8; PHRASE_COUNT], begins);
    at = 0;
    while at < PHRASE_COUNT {
        let text = PHRASES[at].text.as_bytes();
        let place = &mut next[beginning(text)];
        order[*place as usize] = at as u16;
        third[*place as usize] = letter(text[2]) as u8;
        *place += 1;
        at += 1;
    }
    PhraseIndex { order, third, begins }
}

/// Returns the number of a text's first two letters.
const fn beginning(text: &[u8]) -> usize {
    letter(text[0]) * LETTERS + letter(text[1])
}

/// Returns the number of a letter; all other bytes share the last.
const fn letter(byte: u8) -> usize {
    let lower = byte | 0x20;
    if lower.is_ascii_lowercase() { (lower - b'a') as usize } else { LETTERS - 1 }
}

/// Returns the phrases that a text may begin with, by its first three bytes. Every phrase has as many.
pub fn phrases_starting_with(text: &[u8]) -> impl Iterator<Item = &'static Phrase> {
    let (range, third) = match text {
        [_, _, third, ..] => {
            let beginning = beginning(text);
            (INDEX.begins[beginning] as usize..INDEX.begins[beginning + 1] as usize, letter(*third))
        }
        _ => (0..0, 0),
    };
    let phrases = INDEX.order[range.clone()].iter().zip(&INDEX.third[range]);
    phrases.filter(move |(_, its)| usize::from(**its) == third).map(|(at, _)| &PHRASES[usize::from(*at)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_weights_are_between_zero_and_one() {
        for (at, signal) in Signal::ALL.iter().enumerate() {
            assert!(signal.weight() > 0.0 && signal.weight() <= 1.0);
            assert!(Signal::ALL[..at].iter().all(|other| other.name() != signal.name()));
        }
    }

    #[test]
    fn every_phrase_is_found_by_its_first_three_bytes() {
        for phrase in PHRASES {
            let first_three = &phrase.text.as_bytes()[..3];

            let found = phrases_starting_with(first_three).any(|found| found.text == phrase.text);
            assert!(found, "{}", phrase.text);
            assert_eq!(phrase.text, phrase.text.to_ascii_lowercase());
        }
    }
}
