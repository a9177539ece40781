//! A model that is ready for use.

use std::path::Path;

use crate::dimensions::Dimensions;
use crate::error::{Error, Result};
use crate::file_layout::{self, FileLayout};
use crate::forward_pass::{ByteRows, ForwardPass};
use crate::instructions::Instructions;
use crate::mapped_file::ModelBytes;
use crate::model_tables::ModelTables;
use crate::tokenizer::{SpecialTokens, Tokenizer};
use crate::vocabulary::Vocabulary;

/// A model that turns texts into vectors.
#[derive(Debug)]
pub struct Model<'a> {
    bytes: ModelBytes<'a>,
    name: String,
    dimensions: Dimensions,
    layout: FileLayout,
    tables: ModelTables,
    special: SpecialTokens,
    longest_piece_bytes: usize,
    /// The tests compare both kinds.
    pub(crate) instructions: Instructions,
}

impl Model<'static> {
    /// Opens a model file that [`convert`](crate::convert) wrote. The file is mapped into memory: of its
    /// embeddings, a process reads only the pages with the words of its texts.
    ///
    /// # Errors
    /// If the file cannot be read, is no model file of this version, has another length than its header
    /// implies, or has a vocabulary or tables that make no sense. [`Model::verify`] finds every other change.
    pub fn open(path: &Path) -> Result<Self> {
        Model::new(ModelBytes::map(path)?, &path.display().to_string())
    }
}

impl<'a> Model<'a> {
    /// Reads a model from the bytes of a model file. `name` says in errors where they come from.
    ///
    /// # Errors
    /// As [`Model::open`].
    pub fn from_bytes(bytes: &'a [u8], name: &str) -> Result<Self> {
        Self::new(ModelBytes::Lent(bytes), name)
    }

    fn new(bytes: ModelBytes<'a>, name: &str) -> Result<Self> {
        let damaged = |cause: String| Error::model(name, cause);
        let dimensions = file_layout::read_header(&bytes).map_err(damaged)?;
        let layout = FileLayout::new(&dimensions).map_err(damaged)?;
        check_length(&bytes, &layout).map_err(damaged)?;
        let vocabulary = vocabulary(&bytes, &layout);
        let longest_piece_bytes = vocabulary.check(dimensions.pieces as usize).map_err(damaged)?;
        let special = SpecialTokens::find(&vocabulary).map_err(damaged)?;
        let tables = ModelTables::read(&bytes[layout.floats.clone()], &dimensions).map_err(damaged)?;
        let instructions = Instructions::detect();
        let name = name.to_owned();
        Ok(Self { bytes, name, dimensions, layout, tables, special, longest_piece_bytes, instructions })
    }

    /// Returns the vector of a text: [`Model::dimensions`] numbers, of length 1.
    ///
    /// Only the first `max_tokens` tokens count: the pieces of the text and the two tokens for its begin and
    /// end. sentence-transformers takes 256 for all-MiniLM-L6-v2. A number below 2 counts as 2, one above the
    /// positions of the model as these.
    ///
    /// The time grows with the number of pieces, so a limit of 32 suits a query.
    pub fn embed(&self, text: &str, max_tokens: usize) -> Vec<f32> {
        let max_tokens = max_tokens.min(self.dimensions.positions as usize);
        let tokens = self.tokenizer().tokens(text, max_tokens);
        let section = |range: &std::ops::Range<usize>| &self.bytes[range.clone()];
        let layout = &self.layout;
        let pass = ForwardPass {
            dimensions: &self.dimensions,
            tables: &self.tables,
            weights: section(&layout.weights),
            words: ByteRows { scales: section(&layout.word_scales), rows: section(&layout.word_rows) },
            positions: ByteRows {
                scales: section(&layout.position_scales),
                rows: section(&layout.position_rows),
            },
            instructions: self.instructions,
        };
        pass.vector(&tokens)
    }

    /// Returns the ids of the pieces of a text that [`Model::embed`] takes.
    pub fn tokens(&self, text: &str, max_tokens: usize) -> Vec<u32> {
        self.tokenizer().tokens(text, max_tokens.min(self.dimensions.positions as usize))
    }

    /// Returns the length of the vectors: 384 for all-MiniLM-L6-v2.
    pub fn dimensions(&self) -> usize {
        self.dimensions.hidden as usize
    }

    /// Returns what tells this model from others: the BLAKE3 digest that its file states, in hexadecimal.
    /// Vectors of models with different ids cannot be compared.
    pub fn id(&self) -> String {
        file_layout::stated_digest(&self.bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Computes the digest of the whole file, which takes longer than a vector: use it after a download or a
    /// copy.
    ///
    /// # Errors
    /// If it is not the digest that the file states.
    pub fn verify(&self) -> Result<()> {
        match file_layout::computed_digest(&self.bytes) == file_layout::stated_digest(&self.bytes) {
            true => Ok(()),
            false => Err(Error::model(&self.name, "its bytes do not have the digest that its header states")),
        }
    }

    fn tokenizer(&self) -> Tokenizer<'_> {
        Tokenizer {
            vocabulary: vocabulary(&self.bytes, &self.layout),
            special: self.special,
            longest_piece_bytes: self.longest_piece_bytes,
        }
    }
}

fn check_length(bytes: &[u8], layout: &FileLayout) -> Result<(), String> {
    let (expected, actual) = (layout.file_bytes(), bytes.len());
    match actual == expected {
        true => Ok(()),
        false => Err(format!("it has {actual} bytes, and its header implies {expected}")),
    }
}

fn vocabulary<'b>(bytes: &'b [u8], layout: &FileLayout) -> Vocabulary<'b> {
    let section = |range: &std::ops::Range<usize>| &bytes[range.clone()];
    Vocabulary::new(section(&layout.piece_starts), section(&layout.piece_ids), section(&layout.piece_text))
}
