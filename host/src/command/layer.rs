//! `interleaf layer`: layers as a person handles them.

mod check;
mod file;
mod run;
mod trace;

use super::output::Output;

/// What can be done with a layer.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Say whether a component keeps the contract and what it needs, before anything of it runs
    Check(check::Args),
    /// Send one event through a component and show everything it did; nothing of yours changes
    Run(run::Args),
}

impl Verb {
    /// Does it.
    pub fn run(self, out: &mut Output) -> anyhow::Result<()> {
        match self {
            Self::Check(args) => check::run(&args, out),
            Self::Run(args) => run::run(&args, out),
        }
    }
}
