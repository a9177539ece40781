//! Sentence vectors: with a sentence model, memories are found by their meaning as well as by their words.
//!
//! A memory has a vector for its title and text, and one for each of its cues. They are computed when it is
//! written or later by the worker, and kept in one file beside the database. The digest of the texts in front
//! of each vector says whether it still belongs to the memory, so the file may lag behind the database, and
//! be lost, without a wrong answer. Without a model, and for memories whose vectors are missing, words alone
//! count.

use std::path::PathBuf;
use std::sync::OnceLock;

use interleaf_embedding::{Model, Record, Similarity, VectorFile, Vectors, quantize};

use crate::error::{Error, Result};

/// Number of tokens of a query that count: the time grows with each, and a prompt begins with its subject.
const MAX_QUERY_TOKENS: usize = 32;
/// Number of tokens of a memory that count: as many as the model was trained with.
const MAX_MEMORY_TOKENS: usize = 256;

/// The sentence model of this user, and the vectors of one project.
pub struct SentenceVectors {
    model_file: PathBuf,
    file: VectorFile,
    model: OnceLock<Option<Model<'static>>>,
}

/// The texts of a memory that have vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EmbeddedTexts {
    /// The memory's row.
    pub(super) number: i64,
    /// Its title and its text, and each of its cues.
    pub(super) texts: Vec<String>,
    pub(super) digest: u64,
}

/// How similar the memories are to a query.
pub(super) struct Similarities {
    vectors: Vectors,
    /// One for each vector, in the order of the file.
    all: Vec<Similarity>,
}

impl SentenceVectors {
    /// Uses the model in one file, which need not exist, and the vectors in another. Opens nothing yet.
    pub fn new(model_file: PathBuf, vector_file: PathBuf) -> Self {
        Self { model_file, file: VectorFile::at(vector_file), model: OnceLock::new() }
    }

    /// Returns the model; `None` if none is installed, or if its file cannot be used, which `doctor` says.
    fn model(&self) -> Option<&Model<'static>> {
        self.model.get_or_init(|| Model::open(&self.model_file).ok()).as_ref()
    }

    /// Tells whether a model can be used.
    pub fn has_model(&self) -> bool {
        self.model().is_some()
    }

    /// Compares a text with all vectors; `None` without a model or without vectors.
    pub(super) fn similarities(&self, text: &str) -> Option<Similarities> {
        let vectors = self.open()?;
        let query = quantize(&self.model()?.embed(text, MAX_QUERY_TOKENS));
        let all = vectors.similarities(&query);
        Some(Similarities { vectors, all })
    }

    /// Returns the vectors of this model. A file that cannot be read is as good as none.
    fn open(&self) -> Option<Vectors> {
        // Most stores of people without a model have no such file, which is faster to see.
        if !self.file.path().exists() {
            return None;
        }
        let model = self.model()?;
        self.file.open(&model.id(), model.dimensions()).ok().flatten()
    }

    /// Tells whether there are vectors of this model.
    pub(super) fn has_vectors(&self) -> bool {
        self.open().is_some()
    }

    /// Computes the vectors of memories and appends them to the file. Returns when the disk has them.
    ///
    /// # Errors
    /// `Unavailable` without a model, or if the file cannot be written.
    pub(super) fn append(&self, memories: &[EmbeddedTexts]) -> Result<()> {
        let model = self.model().ok_or_else(|| Error::unavailable("there is no sentence model"))?;
        let of_memory = |memory: &EmbeddedTexts| {
            let (key, digest) = (memory.number, memory.digest);
            let vector = |text: &String| quantize(&model.embed(text, MAX_MEMORY_TOKENS));
            memory.texts.iter().map(|text| Record { key, digest, vector: vector(text) }).collect::<Vec<_>>()
        };
        let records: Vec<Record> = memories.iter().flat_map(of_memory).collect();
        self.file.append(&model.id(), model.dimensions(), &records).map_err(unavailable)
    }

    /// Returns the row and the digest of each vector; nothing without a model.
    pub(super) fn keys(&self) -> Vec<(i64, u64)> {
        self.open().map(|vectors| vectors.keys().collect()).unwrap_or_default()
    }

    /// Removes the vectors for which `keep(row, digest)` does not hold.
    ///
    /// # Errors
    /// `Unavailable` if the file cannot be written.
    pub(super) fn retain(&self, keep: impl Fn(i64, u64) -> bool) -> Result<()> {
        let Some(model) = self.model() else { return Ok(()) };
        self.file.retain(&model.id(), model.dimensions(), keep).map_err(unavailable)
    }
}

impl EmbeddedTexts {
    pub(super) fn new(number: i64, title: &str, text: &str, cues: &[String]) -> Self {
        let own = match text.starts_with(title.trim_end_matches(['.', '…'])) {
            true => text.to_owned(),
            false => format!("{title}. {text}"),
        };
        let texts = std::iter::once(own).chain(cues.iter().cloned()).collect();
        Self { number, digest: digest(title, text, cues), texts }
    }
}

/// Returns a digest of the texts from which the vectors of a memory are computed.
pub(super) fn digest(title: &str, text: &str, cues: &[String]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for text in [title, text].into_iter().chain(cues.iter().map(String::as_str)) {
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
    }
    let mut digest = [0; 8];
    digest.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(digest)
}

impl Similarities {
    /// Returns the rows with the most similar vectors, at most `count` vectors.
    pub(super) fn nearest(&self, count: usize) -> Vec<i64> {
        let mut nearest: Vec<&Similarity> = self.all.iter().collect();
        if count < nearest.len() {
            nearest.select_nth_unstable_by(count, |a, b| b.cosine.total_cmp(&a.cosine));
            nearest.truncate(count);
        }
        nearest.sort_by(|a, b| b.cosine.total_cmp(&a.cosine));
        nearest.into_iter().map(|similarity| similarity.key).collect()
    }

    /// Returns the cosines of these rows in their order: each of the best intact vector with this digest, if
    /// there is one.
    pub(super) fn cosines(&self, rows: &[(i64, u64)]) -> Vec<Option<f32>> {
        let mut of_rows: Vec<Option<f32>> = vec![None; rows.len()];
        let mut positions: Vec<(i64, usize)> = rows.iter().enumerate().map(|(at, row)| (row.0, at)).collect();
        positions.sort_unstable();
        for similarity in &self.all {
            let Ok(at) = positions.binary_search_by_key(&similarity.key, |position| position.0) else {
                continue;
            };
            let at = positions[at].1;
            let is_better = of_rows[at].is_none_or(|best| similarity.cosine > best);
            if similarity.digest == rows[at].1 && is_better && self.vectors.is_intact(similarity) {
                of_rows[at] = Some(similarity.cosine);
            }
        }
        of_rows
    }
}

fn unavailable(error: interleaf_embedding::Error) -> Error {
    Error::unavailable(error.to_string())
}
