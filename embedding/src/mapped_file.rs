//! Files that are mapped into memory.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::{Mmap, MmapOptions};

use crate::error::{Error, Result};

/// A mapped file, or its begin.
#[derive(Debug)]
pub(crate) struct MappedFile(Mmap);

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl MappedFile {
    /// Maps the first `length` bytes of a file, which must have as many. The system loads a page, with its
    /// neighbours, when it is first read; to ask for all needed pages at once took as long.
    ///
    /// # Errors
    /// If the file cannot be mapped.
    #[allow(unsafe_code)]
    pub(crate) fn map_beginning(file: &File, length: usize) -> io::Result<Self> {
        // SAFETY: A map is unsound if its bytes change while they are mapped. `convert` and `VectorFile` put
        // a new file in the place of an old one instead of changing it, and what `VectorFile` appends lies
        // beyond every map. A process cannot prevent that another program of the same user writes into the
        // file, which could as well write into this program. The map is read as plain bytes, for which every
        // value is valid; a file that became shorter ends the process with a signal.
        unsafe { MmapOptions::new().len(length).map(file) }.map(Self)
    }
}

/// The bytes of a model: a mapped file, or bytes that the caller lends.
#[derive(Debug)]
pub(crate) enum ModelBytes<'a> {
    Mapped(MappedFile),
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
    /// Maps the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be opened or mapped.
    pub(crate) fn map(path: &Path) -> Result<ModelBytes<'static>> {
        let map = || {
            let file = File::open(path)?;
            let length = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
            MappedFile::map_beginning(&file, length)
        };
        map().map(ModelBytes::Mapped).map_err(|cause| Error::file(path, cause))
    }
}
