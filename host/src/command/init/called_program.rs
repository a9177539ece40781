//! The path under which this program is registered.

use std::io;
use std::path::{Path, PathBuf};

use crate::dirs::real_path;
use crate::program_search::ProgramSearch;

/// Returns the path by which this program was called: of a link, not what it names today, because package and
/// version managers move that. A link inside the project does not count.
///
/// # Errors
/// Any error of the system that hides the program's own path.
pub(super) fn called_program(project: &Path) -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let name = PathBuf::from(std::env::args_os().next().unwrap_or_default());
    let called = match name.components().count() {
        0 => None,
        1 => ProgramSearch::outside(vec![real_path(project)]).find(&name),
        _ => std::path::absolute(&name).ok(),
    };
    let is_own = |path: &PathBuf| {
        real_path(path) == real_path(&program)
            && !real_path(path.parent().unwrap_or(path)).starts_with(project)
    };
    Ok(called.filter(is_own).unwrap_or(program))
}
