//! `interleaf completions`: prints a completion script for a shell.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

/// Print a shell completion script
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    clap_complete::generate(args.shell, &mut super::Cli::command(), "interleaf", out);
    Ok(())
}
