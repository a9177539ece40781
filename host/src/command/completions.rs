//! `interleaf completions`: the completions for a shell.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

/// Prints the completions for a shell.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints them.
pub fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    clap_complete::generate(args.shell, &mut super::Cli::command(), "interleaf", out);
    Ok(())
}
