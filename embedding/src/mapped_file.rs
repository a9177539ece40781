//! The bytes of a model: a file that is mapped into memory, or bytes that the caller lends.

use std::fs::File;
use std::ops::{Deref, Range};
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
    /// Maps the file at `path`. The system loads a page when it is first read.
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

    /// Has the system load a part of a mapped file at once, which is faster than page by page.
    pub(crate) fn load(&self, range: &Range<usize>) {
        #[cfg(target_os = "linux")]
        if let Self::Mapped(map) = self {
            // Kernels before Linux 5.14 refuse; the pages are then loaded one by one.
            let _ = map.advise_range(memmap2::Advice::PopulateRead, range.start, range.len());
        }
        #[cfg(not(target_os = "linux"))]
        let _ = range;
    }
}
