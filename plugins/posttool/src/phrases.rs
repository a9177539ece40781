//! The words that show a signal, by signal, and their index by the first letter, which the compiler makes.

use crate::signals::Signal;

/// Words that show a signal. They begin and end at the borders of words, whatever their case.
pub struct Phrase {
    /// In lower case; it begins with a letter.
    pub text: &'static str,
    /// What it shows.
    pub signal: Signal,
    /// How it has to be written.
    pub form: Form,
}

/// How words have to be written to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Anywhere, in any case.
    Anywhere,
    /// At the beginning of a line, apart from blanks, and as a program writes them: with the first letter in upper
    /// case, the others as given.
    Opening,
}

/// A table of phrases by signal.
macro_rules! phrases {
    ($($signal:ident $form:ident: $($text:literal)*;)*) => {
        /// All of them, by signal.
        pub static PHRASES: &[Phrase] = &[
            $($(Phrase { text: $text, signal: Signal::$signal, form: Form::$form },)*)*
        ];
    };
}

phrases! {
    Word Anywhere: "error" "errors" "failed" "failure" "failures" "failing" "fatal" "cannot" "can't" "unable"
        "denied" "refused" "no such" "not found" "invalid" "exception" "traceback" "err!" "could not" "couldn't";
    ExitLine Anywhere: "exit code" "exit status" "exited with code" "exited with status" "exited with";
    NoCommand Anywhere: "command not found" "not recognized as";
    Permission Anywhere: "permission denied" "access denied" "unauthorized" "forbidden" "eacces" "eperm"
        "operation not permitted" "authentication failed" "access is denied" "permission to";
    Missing Anywhere: "file not found" "directory not found" "path not found" "file does not exist"
        "path does not exist" "directory does not exist" "enoent" "no such file" "cannot access" "cannot stat";
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
    Tests Anywhere: "✖" "✗" "✘" "test result: failed" "assertion failed" "assertion `" "not ok" "there were failing tests"
        "tests failed" "test failed" "test suite failed" "failures!" "expectation failed"
        "snapshot does not match" "failed (failures" "failed (errors";
    Tests Opening: "failed " "fail\t" "fail " "--- fail";
    Packages Anywhere: "npm err!" "npm error" "eresolve" "err_pnpm" "no matching distribution found"
        "could not find a version that satisfies" "resolutionimpossible" "unable to locate package"
        "failed to select a version" "unmet dependencies" "unmet peer" "failed building wheel"
        "subprocess-exited-with-error" "no matching package" "externally-managed-environment"
        "dpkg was interrupted" "could not get lock" "has no installation candidate" "lockfile needs to be updated"
        "version solving failed" "no matching version found" "hash mismatch" "hash sum mismatch";
    Http Anywhere: "bad gateway" "internal server error" "service unavailable" "too many requests"
        "gateway timeout" "gateway time-out" "rate limit exceeded" "requested url returned error";
    Conflict Anywhere: "automatic merge failed" "merge conflict" "conflict (" "could not apply"
        "would be overwritten by" "needs merge" "fix conflicts and" "non-fast-forward" "unmerged paths"
        "both modified" "unmerged files" "patch does not apply";
    Memory Anywhere: "out of memory" "outofmemoryerror" "oom-kill" "oom-killed" "oomkilled" "oom killer"
        "cannot allocate memory" "bad_alloc" "memory exhausted" "no space left on device" "enomem" "enospc";
    Memory Opening: "killed";
    Crash Anywhere: "panicked at" "panic:" "segmentation fault" "segfault" "core dumped" "sigsegv" "sigabrt"
        "sigbus" "bus error" "stack overflow" "stack smashing detected" "addresssanitizer" "double free"
        "illegal instruction" "fatal runtime error" "unhandled exception" "uncaught exception"
        "unhandledpromiserejection" "bus fault" "deadlock detected" "floating point exception" "stack exhausted";
    Crash Opening: "aborted";
    Warning Anywhere: "warning" "warnings" "warn" "caution";
    Deprecated Anywhere: "deprecated" "deprecation";
    Removal Anywhere: "will be removed" "will stop working" "no longer supported" "end of life" "end-of-life"
        "breaking change" "will become an error" "will be dropped" "no longer be supported";
    Unstable Anywhere: "experimental" "unstable" "beta" "preview" "not recommended";
    Version Anywhere: "version:" "python 2" "python 3" "node v" "npm v" "rustc 1" "cargo 1" "go version" "ruby 3";
    Config Anywhere: "using default" "using config" "using configuration" "config loaded" "settings loaded"
        "loaded config" "loaded configuration" "config file found" "using settings";
    Finding Anywhere: "root cause" "turns out" "turned out" "it turns out that" "discovered that"
        "the problem was" "the cause was" "the reason was" "the real problem" "the culprit" "the actual cause";
    Fix Anywhere: "fixed by" "solved by" "resolved by" "the fix is" "the fix was" "the solution is"
        "the solution was" "works only if" "works only when" "only works if" "only works when"
        "has to be set" "must be set";
    Retry Anywhere: "retry" "retrying" "retried" "trying again" "attempt 2" "attempt 3" "attempt 4"
        "attempt 5" "second attempt" "will try again";
    Fallback Anywhere: "fallback" "falling back" "fell back" "using alternative" "defaulting to"
        "using instead";
    Workaround Anywhere: "workaround" "work-around" "worked around" "working around" "to get around";
}

const COUNT: usize = PHRASES.len();

/// The phrases in the order of their first letters, and where each letter's begin.
struct Index {
    order: [u16; COUNT],
    begins: [u16; 28],
}

static INDEX: Index = index();

/// A counting sort, done by the compiler.
const fn index() -> Index {
    let mut begins = [0u16; 28];
    let mut at = 0;
    while at < COUNT {
        begins[letter(PHRASES[at].text.as_bytes()[0]) + 1] += 1;
        at += 1;
    }
    let mut sum = 1;
    while sum < 28 {
        begins[sum] += begins[sum - 1];
        sum += 1;
    }
    let (mut order, mut next) = ([0u16; COUNT], begins);
    at = 0;
    while at < COUNT {
        let place = letter(PHRASES[at].text.as_bytes()[0]);
        order[next[place] as usize] = at as u16;
        next[place] += 1;
        at += 1;
    }
    Index { order, begins }
}

/// The place of a first byte; what is no letter has the last.
const fn letter(byte: u8) -> usize {
    let lower = byte | 0x20;
    if lower.is_ascii_lowercase() { (lower - b'a') as usize } else { 26 }
}

/// The phrases that may begin with this byte.
pub fn beginning_with(byte: u8) -> impl Iterator<Item = &'static Phrase> {
    let place = letter(byte);
    let these = INDEX.begins[place] as usize..INDEX.begins[place + 1] as usize;
    INDEX.order[these].iter().map(|at| &PHRASES[*at as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_is_found_by_its_first_byte() {
        for phrase in PHRASES {
            let first = phrase.text.as_bytes()[0];

            assert!(beginning_with(first).any(|found| found.text == phrase.text), "{}", phrase.text);
            assert_eq!(phrase.text, phrase.text.to_ascii_lowercase());
        }
    }
}
