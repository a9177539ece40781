//! Converts a published model into a model file.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::dimensions::Dimensions;
use crate::error::{Error, Result};
use crate::file_layout::FileWriter;
use crate::matrix::quantized_row;
use crate::published_model::PublishedModel;
use crate::safetensors::Tensors;
use crate::vocabulary::VocabularySections;

/// Converts the published model in the folder `from` into the model file `to`, which [`Model::open`] reads.
///
/// The folder holds `config.json`, `model.safetensors` with floats of 32 or 16 bits, and `vocab.txt` or
/// `tokenizer.json`. The file is written beside `to` and then renamed, so that a process that has the old
/// file open keeps it. The same folder always yields the same bytes.
///
/// # Errors
/// If a file of the folder cannot be read, if the model is not an uncased BERT encoder with sizes that this
/// crate computes with, or if the model file cannot be written.
///
/// [`Model::open`]: crate::Model::open
pub fn convert(from: &Path, to: &Path) -> Result<()> {
    let published = PublishedModel::read(from)?;
    let file = model_file(&published).map_err(|cause| Error::published(&published.weights_path, cause))?;
    replace(to, &file).map_err(|cause| Error::file(to, cause))
}

/// Writes a file beside `path` and renames it.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut name = OsString::from(path);
    name.push(format!(".{}.part", std::process::id()));
    let part = PathBuf::from(name);
    let write = || {
        let mut file = File::create(&part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&part, path)
    };
    write().inspect_err(|_| {
        // The error that matters is the one of the write.
        let _ = fs::remove_file(&part);
    })
}

fn model_file(published: &PublishedModel) -> Result<Vec<u8>, String> {
    let dimensions = &published.dimensions;
    let tensors = Tensors::read(&published.weights)?;
    let tables = Tables::read(&tensors, dimensions)?;
    let [positions, words] =
        [("position", dimensions.positions), ("word", dimensions.pieces)].map(|(of, rows)| {
            let name = format!("embeddings.{of}_embeddings.weight");
            tensors.numbers(&name, &[rows as usize, dimensions.hidden as usize])
        });
    let pieces = VocabularySections::new(&published.pieces);
    let mut file = FileWriter::new(dimensions);
    for section in [pieces.starts, pieces.ids, pieces.text] {
        file.section(section);
    }
    file.floats(&tables.floats);
    file.section(tables.weights);
    for rows in [positions?, words?] {
        let (bytes, scales) = quantized_rows(&rows, dimensions.hidden as usize);
        file.floats(&scales);
        file.section(bytes);
    }
    Ok(file.finish())
}

fn quantized_rows(numbers: &[f32], width: usize) -> (Vec<u8>, Vec<f32>) {
    let (rows, scales): (Vec<Vec<u8>>, Vec<f32>) = numbers.chunks_exact(width).map(quantized_row).unzip();
    (rows.concat(), scales)
}

/// The sections of floats and weights, in the order of [`ModelTables`](crate::model_tables::ModelTables).
struct Tables<'a> {
    tensors: &'a Tensors<'a>,
    floats: Vec<f32>,
    weights: Vec<u8>,
}

impl<'a> Tables<'a> {
    fn read(tensors: &'a Tensors<'a>, dimensions: &Dimensions) -> Result<Self, String> {
        let mut tables = Self { tensors, floats: Vec::new(), weights: Vec::new() };
        let hidden = dimensions.hidden as usize;
        // A single text has the first of two token types.
        let types = tensors.numbers("embeddings.token_type_embeddings.weight", &[2, hidden])?;
        tables.floats.extend(&types[..hidden]);
        tables.norm("embeddings", hidden)?;
        for layer in 0..dimensions.layers {
            tables.layer(&format!("encoder.layer.{layer}"), dimensions)?;
        }
        Ok(tables)
    }

    fn layer(&mut self, name: &str, dimensions: &Dimensions) -> Result<(), String> {
        let (hidden, intermediate) = (dimensions.hidden as usize, dimensions.intermediate as usize);
        let projection = ["query", "key", "value"].map(|part| format!("{name}.attention.self.{part}"));
        self.linear(&projection, hidden, hidden)?;
        self.linear(&[format!("{name}.attention.output.dense")], hidden, hidden)?;
        self.norm(&format!("{name}.attention.output"), hidden)?;
        self.linear(&[format!("{name}.intermediate.dense")], intermediate, hidden)?;
        self.linear(&[format!("{name}.output.dense")], hidden, intermediate)?;
        self.norm(&format!("{name}.output"), hidden)
    }

    fn norm(&mut self, name: &str, width: usize) -> Result<(), String> {
        for part in ["weight", "bias"] {
            self.floats.extend(self.tensors.numbers(&format!("{name}.LayerNorm.{part}"), &[width])?);
        }
        Ok(())
    }

    /// Appends the scales, the biases and the weights of linear layers as those of one.
    fn linear(&mut self, names: &[String], rows: usize, width: usize) -> Result<(), String> {
        let mut biases = Vec::new();
        for name in names {
            let numbers = self.tensors.numbers(&format!("{name}.weight"), &[rows, width])?;
            let (bytes, scales) = quantized_rows(&numbers, width);
            self.weights.extend(bytes);
            self.floats.extend(scales);
            biases.extend(self.tensors.numbers(&format!("{name}.bias"), &[rows])?);
        }
        self.floats.extend(biases);
        Ok(())
    }
}
