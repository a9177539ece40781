//! A model as it is published: a folder with its sizes, its vocabulary and its weights.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::dimensions::Dimensions;
use crate::error::{Error, Result};

/// The files of a folder that is to be converted.
#[derive(Debug)]
pub(crate) struct PublishedModel {
    pub(crate) dimensions: Dimensions,
    /// The pieces in the order of their ids.
    pub(crate) pieces: Vec<String>,
    /// The content of `model.safetensors`.
    pub(crate) weights: Vec<u8>,
    pub(crate) weights_path: PathBuf,
}

impl PublishedModel {
    /// Reads the files.
    ///
    /// # Errors
    /// If a file is missing or unreadable, or if the model is not an uncased BERT within the limits of
    /// [`Dimensions`].
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let config_path = folder.join("config.json");
        let config = json(&config_path)?;
        check_tokenizer(folder)?;
        let pieces = pieces(folder)?;
        let unsuitable = |cause| Error::published(&config_path, cause);
        let dimensions = dimensions(&config, &pieces).map_err(unsuitable)?;
        dimensions.check().map_err(unsuitable)?;
        let weights_path = folder.join("model.safetensors");
        let weights = fs::read(&weights_path).map_err(|cause| Error::file(&weights_path, cause))?;
        Ok(Self { dimensions, pieces, weights, weights_path })
    }
}

fn json(path: &Path) -> Result<Value> {
    let text = fs::read(path).map_err(|cause| Error::file(path, cause))?;
    serde_json::from_slice(&text).map_err(|cause| Error::published(path, cause))
}

fn dimensions(config: &Value, pieces: &[String]) -> Result<Dimensions, String> {
    // What this crate computes. A missing key has this value in BERT's own configurations.
    for (key, expected) in
        [("model_type", "bert"), ("hidden_act", "gelu"), ("position_embedding_type", "absolute")]
    {
        if config.get(key).is_some_and(|value| value != expected) {
            return Err(format!("{key} is {}, not {expected:?}", config[key]));
        }
    }
    let number = |key: &str| {
        let number = config[key].as_u64().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| format!("{key} is {}, not a number", config[key]))
    };
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    if number("vocab_size")? != count(pieces.len()) {
        return Err(format!(
            "vocab_size is {}, and the vocabulary has {} pieces",
            config["vocab_size"],
            pieces.len()
        ));
    }
    Ok(Dimensions {
        hidden: number("hidden_size")?,
        intermediate: number("intermediate_size")?,
        layers: number("num_hidden_layers")?,
        heads: number("num_attention_heads")?,
        positions: number("max_position_embeddings")?,
        pieces: count(pieces.len()),
        piece_bytes: count(pieces.iter().map(String::len).sum()),
        norm_epsilon: config["layer_norm_eps"].as_f64().unwrap_or(1e-12) as f32,
    })
}

/// Refuses a model whose tokenizer keeps upper case, if it says so.
fn check_tokenizer(folder: &Path) -> Result<()> {
    let path = folder.join("tokenizer_config.json");
    if path.exists() && json(&path)?["do_lower_case"] == false {
        return Err(Error::published(&path, "do_lower_case is false, and this tokenizer lowers it"));
    }
    Ok(())
}

fn pieces(folder: &Path) -> Result<Vec<String>> {
    let path = folder.join("vocab.txt");
    if path.exists() {
        let text = fs::read_to_string(&path).map_err(|cause| Error::file(&path, cause))?;
        return Ok(text.lines().map(str::to_owned).collect());
    }
    let path = folder.join("tokenizer.json");
    let tokenizer = json(&path)?;
    pieces_of_tokenizer(&tokenizer).map_err(|cause| Error::published(&path, cause))
}

fn pieces_of_tokenizer(tokenizer: &Value) -> Result<Vec<String>, String> {
    let model = &tokenizer["model"];
    let vocabulary =
        model["vocab"].as_object().filter(|_| model["type"].as_str().is_none_or(|kind| kind == "WordPiece"));
    let vocabulary = vocabulary.ok_or("it has no vocabulary of WordPiece")?;
    let mut pieces = vec![None; vocabulary.len()];
    for (piece, id) in vocabulary {
        let place = id.as_u64().and_then(|id| pieces.get_mut(usize::try_from(id).ok()?));
        *place.ok_or_else(|| format!("the id of the piece {piece:?} is not below the number of pieces"))? =
            Some(piece.clone());
    }
    pieces.into_iter().collect::<Option<_>>().ok_or_else(|| "two pieces have the same id".to_owned())
}
