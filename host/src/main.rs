//! The program: runs one command and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    // A hook runs on every event, and building the whole command-line parser takes as long as answering one.
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    if interleaf::command::hook::is_hook_call(&arguments)
        || arguments.is_empty() && interleaf::command::hook::is_event_on_stdin()
    {
        interleaf::command::hook::run()
    }
    interleaf::command::run()
}
