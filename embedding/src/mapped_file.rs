//! The bytes of a model: a file that is mapped into memory, or bytes that the caller lends.

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use crate::error::{Error, Result};

/// The bytes of a model.
#[derive(Debug)]
pub(crate) enum ModelBytes<'a> {
    Mapped(Mmap),
    Lent(&'a [u8]),
}

impl Deref for ModelBytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Lent(bytes) => bytes,
        }
    }
}

impl ModelBytes<'_> {
    /// Maps the file at `path`. The system loads a page, with its neighbours, when it is first read; to ask
    /// for all needed pages at once took as long.
    ///
    /// # Errors
    /// If the file cannot be opened or mapped.
    #[allow(unsafe_code)]
    pub(crate) fn map(path: &Path) -> Result<ModelBytes<'static>> {
        let file = File::open(path).map_err(|cause| Error::file(path, cause))?;
        // SAFETY: A map is unsound if the file changes while it is mapped. `convert` writes a new file beside
        // the old one and renames it, so a model file keeps its bytes for as long as a map of it exists. A
        // process cannot prevent that another program of the same user writes into the file, which could as
        // well write into this program. The map is read as plain bytes, for which every value is valid; a
        // file that became shorter ends the process with a signal.
        let map = unsafe { Mmap::map(&file) }.map_err(|cause| Error::file(path, cause))?;
        Ok(ModelBytes::Mapped(map))
    }
}
