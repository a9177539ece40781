//! A file of stored vectors: those of many texts, one after the other, so that a search reads the file once
//! from its begin to its end.
//!
//! The file only grows, or is replaced as a whole, so a reader that has mapped it is never disturbed, and a
//! process that is killed leaves at most an incomplete record at its end, which readers ignore and the next
//! writer overwrites. Who owns a vector is up to the caller: a record has a key, and a digest of the text
//! from which the vector was computed, by which an outdated record is recognized. A checksum recognizes one
//! that a power failure has left half written.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::mapped_file::MappedFile;
use crate::stored_vector::dot_records;

/// The first bytes of the file: its kind and the version of its layout.
const MAGIC: [u8; 8] = *b"ilvecs\0\x01";
/// Length of the header: the magic bytes, the digest of the model, the length of a vector, zeros.
const HEADER_BYTES: usize = 64;
/// Bytes of a record in front of its vector: key, digest, checksum, and zeros up to a multiple of eight.
const RECORD_HEAD_BYTES: usize = 24;

/// A file of vectors, which need not exist.
#[derive(Debug, Clone)]
pub struct VectorFile {
    path: PathBuf,
}

/// A vector and what it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The caller's number of what the text belongs to. Several records may have the same.
    pub key: i64,
    /// A digest of the text.
    pub digest: u64,
    /// The vector, quantized.
    pub vector: Vec<i8>,
}

/// The vectors of a file at the moment when it was opened.
#[derive(Debug)]
pub struct Vectors {
    /// `None` if the file has no record.
    map: Option<MappedFile>,
    dimensions: usize,
}

/// How similar a stored vector is to a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Similarity {
    /// The key of the record.
    pub key: i64,
    /// The digest of its text.
    pub digest: u64,
    /// The cosine of the angle between both vectors, from -1 to 1.
    pub cosine: f32,
    /// The position of the record in the file.
    position: usize,
}

impl VectorFile {
    /// Returns the file at this path. Opens nothing.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the vectors that were computed with the model of this [id](crate::Model::id), each with this
    /// many numbers. Returns `None` if there is no such file: it is missing, or belongs to another model.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open(&self, model_id: &str, dimensions: usize) -> Result<Option<Vectors>> {
        let failed = |cause| Error::file(&self.path, cause);
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        if !has_header(&mut file, &header(model_id, dimensions)) {
            return Ok(None);
        }
        let whole = whole_bytes(file.metadata().map_err(failed)?.len(), dimensions);
        let map = (whole > HEADER_BYTES).then(|| MappedFile::map_beginning(&file, whole));
        Ok(Some(Vectors { map: map.transpose().map_err(failed)?, dimensions }))
    }

    /// Appends records, and creates the file first if it is missing or belongs to another model. Returns when
    /// the disk has them. Processes that append at the same time wait for each other.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&self, model_id: &str, dimensions: usize, records: &[Record]) -> Result<()> {
        let failed = |cause| Error::file(&self.path, cause);
        let _lock = self.lock()?;
        let header = header(model_id, dimensions);
        let mut file = match OpenOptions::new().read(true).write(true).open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => self.create(&header, &[])?,
            Err(error) => return Err(failed(error)),
        };
        if !has_header(&mut file, &header) {
            file = self.create(&header, &[])?;
        }
        let end = whole_bytes(file.metadata().map_err(failed)?.len(), dimensions);
        let bytes: Vec<u8> = records.iter().flat_map(record_bytes).collect();
        file.write_all_at(&bytes, end as u64).map_err(failed)?;
        file.sync_data().map_err(failed)
    }

    /// Replaces the file by one with the intact records for which `keep(key, digest)` holds, each once. Does
    /// nothing without a file of this model.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn retain(&self, model_id: &str, dimensions: usize, keep: impl Fn(i64, u64) -> bool) -> Result<()> {
        let _lock = self.lock()?;
        let Some(vectors) = self.open(model_id, dimensions)? else { return Ok(()) };
        let mut kept: Vec<u8> = Vec::new();
        let mut known = std::collections::HashSet::new();
        for record in vectors.records() {
            if is_intact(record) && keep(key(record), digest(record)) && known.insert(record) {
                kept.extend_from_slice(record);
            }
        }
        self.create(&header(model_id, dimensions), &kept).map(drop)
    }

    /// Removes the file.
    ///
    /// # Errors
    /// If it exists and cannot be removed.
    pub fn remove(&self) -> Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::file(&self.path, error)),
            _ => Ok(()),
        }
    }

    /// Puts a new file in place of an earlier one.
    fn create(&self, header: &[u8], records: &[u8]) -> Result<File> {
        let new = self.beside("new");
        let write = || -> std::io::Result<File> {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(true);
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut file = options.open(&new)?;
            file.write_all(header)?;
            file.write_all(records)?;
            file.sync_data()?;
            fs::rename(&new, &self.path)?;
            Ok(file)
        };
        write().map_err(|cause| Error::file(&self.path, cause))
    }

    /// Waits for other writers, until the returned file is dropped.
    fn lock(&self) -> Result<File> {
        let path = self.beside("lock");
        let failed = |cause| Error::file(&path, cause);
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        file.lock().map_err(failed)?;
        Ok(file)
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        let mut name = self.path.as_os_str().to_owned();
        name.push(".");
        name.push(suffix);
        name.into()
    }
}

impl Vectors {
    /// Compares the query with all vectors. The result has the order of the file.
    pub fn similarities(&self, query: &[i8]) -> Vec<Similarity> {
        let bytes = self.record_bytes();
        let products = dot_records(query, bytes, record_length(self.dimensions), RECORD_HEAD_BYTES);
        let each = self.records().zip(products).enumerate();
        each.map(|(position, (record, product))| Similarity {
            key: key(record),
            digest: digest(record),
            cosine: product as f32 / (127.0 * 127.0),
            position,
        })
        .collect()
    }

    /// Tells whether the record of this similarity is complete.
    pub fn is_intact(&self, similarity: &Similarity) -> bool {
        self.records().nth(similarity.position).is_some_and(is_intact)
    }

    /// Returns the key and the digest of each intact record.
    pub fn keys(&self) -> impl Iterator<Item = (i64, u64)> {
        self.records().filter(|record| is_intact(record)).map(|record| (key(record), digest(record)))
    }

    fn records(&self) -> impl Iterator<Item = &[u8]> {
        self.record_bytes().chunks_exact(record_length(self.dimensions))
    }

    fn record_bytes(&self) -> &[u8] {
        self.map.as_ref().map_or(&[], |map| &map[HEADER_BYTES..])
    }
}

/// Returns the length of a file without an incomplete record at its end.
fn whole_bytes(length: u64, dimensions: usize) -> usize {
    let records = (length as usize).saturating_sub(HEADER_BYTES) / record_length(dimensions);
    HEADER_BYTES + records * record_length(dimensions)
}

fn record_length(dimensions: usize) -> usize {
    RECORD_HEAD_BYTES + dimensions.next_multiple_of(8)
}

fn header(model_id: &str, dimensions: usize) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..8].copy_from_slice(&MAGIC);
    header[8..40].copy_from_slice(blake3::hash(model_id.as_bytes()).as_bytes());
    header[40..48].copy_from_slice(&(dimensions as u64).to_le_bytes());
    header
}

fn has_header(file: &mut File, header: &[u8]) -> bool {
    let mut found = [0; HEADER_BYTES];
    file.read_exact(&mut found).is_ok() && found == header
}

fn record_bytes(record: &Record) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(record_length(record.vector.len()));
    bytes.extend_from_slice(&record.key.to_le_bytes());
    bytes.extend_from_slice(&record.digest.to_le_bytes());
    bytes.extend_from_slice(&[0; 8]);
    bytes.extend(record.vector.iter().map(|value| value.cast_unsigned()));
    bytes.resize(record_length(record.vector.len()), 0);
    let checksum = checksum(&bytes);
    bytes[16..20].copy_from_slice(&checksum);
    bytes
}

fn is_intact(record: &[u8]) -> bool {
    record[16..20] == checksum(record)
}

/// Returns the checksum of everything in a record but the checksum.
fn checksum(record: &[u8]) -> [u8; 4] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&record[..16]).update(&record[RECORD_HEAD_BYTES..]);
    let mut checksum = [0; 4];
    checksum.copy_from_slice(&hasher.finalize().as_bytes()[..4]);
    checksum
}

fn key(record: &[u8]) -> i64 {
    i64::from_le_bytes(eight(record, 0))
}

fn digest(record: &[u8]) -> u64 {
    u64::from_le_bytes(eight(record, 8))
}

fn eight(record: &[u8], at: usize) -> [u8; 8] {
    std::array::from_fn(|index| record[at + index])
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIMENSIONS: usize = 6;

    struct Fixture {
        _folder: tempfile::TempDir,
        file: VectorFile,
    }

    fn fixture() -> Fixture {
        let folder = tempfile::tempdir().expect("a folder");
        let file = VectorFile::at(folder.path().join("vectors"));
        Fixture { _folder: folder, file }
    }

    fn record(key: i64, vector: [i8; DIMENSIONS]) -> Record {
        Record { key, digest: key.unsigned_abs() * 10, vector: vector.to_vec() }
    }

    fn keys(file: &VectorFile) -> Option<Vec<i64>> {
        let vectors = file.open("m", DIMENSIONS).expect("readable")?;
        Some(vectors.keys().map(|(key, _)| key).collect())
    }

    #[test]
    fn appended_vectors_are_compared_with_a_query() {
        let Fixture { file, .. } = &fixture();
        file.append("m", DIMENSIONS, &[record(1, [127, 0, 0, 0, 0, 0])]).expect("written");
        file.append("m", DIMENSIONS, &[record(2, [0, 127, 0, 0, 0, 0])]).expect("written");

        let vectors = file.open("m", DIMENSIONS).expect("readable").expect("there");
        let found = vectors.similarities(&[127, 0, 0, 0, 0, 0]);

        assert_eq!(found.iter().map(|each| (each.key, each.digest)).collect::<Vec<_>>(), [(1, 10), (2, 20)]);
        assert_eq!(found.iter().map(|each| each.cosine).collect::<Vec<_>>(), [1.0, 0.0]);
        assert!(found.iter().all(|each| vectors.is_intact(each)));
    }

    #[test]
    fn a_file_that_ends_in_the_middle_of_a_record_loses_only_this_one() {
        let Fixture { file, .. } = &fixture();
        file.append("m", DIMENSIONS, &[record(1, [1; DIMENSIONS]), record(2, [2; DIMENSIONS])])
            .expect("written");
        let length = fs::metadata(file.path()).expect("there").len();
        for missing in 1..record_length(DIMENSIONS) as u64 {
            let open = OpenOptions::new().write(true).open(file.path()).expect("there");
            open.set_len(length - missing).expect("shortened");

            assert_eq!(keys(file).expect("there"), [1], "{missing} bytes are missing");
            file.append("m", DIMENSIONS, &[record(3, [3; DIMENSIONS])]).expect("written");
            assert_eq!(keys(file).expect("there"), [1, 3], "{missing} bytes were missing");
        }
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        let Fixture { file, .. } = &fixture();
        file.append("m", DIMENSIONS, &[record(1, [1; DIMENSIONS])]).expect("written");
        let sound = fs::read(file.path()).expect("there");
        for at in (HEADER_BYTES..HEADER_BYTES + 20).chain(HEADER_BYTES + RECORD_HEAD_BYTES..sound.len()) {
            let mut damaged = sound.clone();
            damaged[at] ^= 1;
            fs::write(file.path(), damaged).expect("written");

            assert_eq!(keys(file), Some(Vec::new()), "byte {at}");
        }
    }

    #[test]
    fn vectors_of_another_model_do_not_count_and_are_replaced() {
        let Fixture { file, .. } = &fixture();
        assert_eq!(keys(file), None);
        file.append("other", DIMENSIONS, &[record(1, [1; DIMENSIONS])]).expect("written");
        assert_eq!(keys(file), None);

        file.append("m", DIMENSIONS, &[record(2, [2; DIMENSIONS])]).expect("written");

        assert_eq!(keys(file).expect("there"), [2]);
        fs::write(file.path(), "no vectors").expect("written");
        assert_eq!(keys(file), None);
    }

    #[test]
    fn a_reader_keeps_its_vectors_while_the_file_is_replaced() {
        let Fixture { file, .. } = &fixture();
        let records = [1, 2, 2, 3].map(|key| record(key, [key as i8; DIMENSIONS]));
        file.append("m", DIMENSIONS, &records).expect("written");
        let before = file.open("m", DIMENSIONS).expect("readable").expect("there");

        file.retain("m", DIMENSIONS, |key, digest| key != 1 && digest == key.unsigned_abs() * 10)
            .expect("written");

        assert_eq!(keys(file).expect("there"), [2, 3]);
        assert_eq!(before.keys().count(), 4);
    }

    #[test]
    fn writers_that_append_at_the_same_time_lose_nothing() {
        let Fixture { file, .. } = &fixture();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for number in 0..25 {
                        let record = record(thread * 25 + number, [1; DIMENSIONS]);
                        file.append("m", DIMENSIONS, &[record]).expect("written");
                    }
                });
            }
        });

        let mut found = keys(file).expect("there");
        found.sort_unstable();
        assert_eq!(found, (0..100).collect::<Vec<_>>());
    }
}
