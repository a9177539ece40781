//! Whether Interleaf can write what it has to. A full disk or a missing permission would otherwise show only
//! in what is missing later.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use tempfile::Builder;

use crate::error::{Error, Result};
use crate::project_context::ProjectContext;

/// Time limit for the write lock of the database.
const TIMEOUT: Duration = Duration::from_millis(600);
/// Size of the file that is written to learn whether there is room, in bytes: more than a hook writes.
const PROBE_BYTES: usize = 64 << 10;

/// Returns why memories cannot be saved, or else why nothing can be logged: most causes keep from both.
pub(super) fn check(context: &ProjectContext) -> Option<String> {
    let (database, state) = (context.database_file(), &context.folders.state);
    let memories = check_database(context).and_then(|()| {
        let error = write_probe(&database).err();
        let error = error.map(|error| unwritable("the database cannot be opened or written", &error));
        error.map_or(Ok(()), |error| Err(error.context(database.display())))
    });
    if let Err(error) = memories {
        return Some(format!("{}: {}", describe_loss(context), error.full()));
    }
    let error = write_probe(&state.join("log")).err()?;
    Some(unwritable("the log cannot be written", &error).context(state.display()).full())
}

fn describe_loss(context: &ProjectContext) -> String {
    let hidden = context.database.unreadable_log();
    let hidden = hidden.map(|log| format!(", and those in {} cannot be read", log.display()));
    format!("memories cannot be saved{}", hidden.unwrap_or_default())
}

/// Takes the write lock of a database that exists, and writes nothing.
fn check_database(context: &ProjectContext) -> Result<()> {
    if !context.database_file().exists() {
        return Ok(());
    }
    context.database.set_deadline(Instant::now() + TIMEOUT);
    context.database.write(|_| Ok(()))
}

/// Writes a temporary file beside this one, or where the folders of this one would be created.
fn write_probe(file: &Path) -> io::Result<()> {
    let folder = file.ancestors().skip(1).find(|folder| folder.exists()).unwrap_or(file);
    let mut probe = Builder::new().prefix(".interleaf-").tempfile_in(folder)?;
    probe.write_all(&vec![0; PROBE_BYTES])
}

/// Returns the error in the words of the database's own errors.
fn unwritable(message: &str, error: &io::Error) -> Error {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            Error::unavailable("the disk is full").hint("free some space")
        }
        kind => Error::unavailable(format!("{message} ({kind})"))
            .hint("check the permissions of the file and its folder"),
    }
}
