//! `interleaf config revoke`: the project's descriptions of categories count no more.

use std::io::Write;

use super::only_a_person;
use crate::command::output::Output;
use crate::config::DescriptionLock;
use crate::error::Error;
use crate::project_context::ProjectContext;

/// Takes back every set of descriptions that was accepted for this project.
pub fn run(context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    only_a_person("revoke")?;
    let (mut lock, _) = DescriptionLock::read(&context.folders, &context.project.id);
    match lock.revoke()? {
        0 => Err(Error::not_found("no descriptions of this project were accepted").into()),
        _ => Ok(writeln!(out, "Revoked: the project's descriptions of categories count no more.")?),
    }
}
