//! Tests of whole models with small random weights: conversion, the pass, and damaged files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::instructions::Instructions;
use crate::{Error, Model, convert};

const HIDDEN: usize = 32;
const INTERMEDIATE: usize = 64;
const LAYERS: usize = 2;
const HEADS: usize = 4;
const POSITIONS: usize = 24;
const PIECES: [&str; 10] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "log", "##s", "server", "the", "é", "##er"];

/// A published model: the numbers of each tensor, row by row.
type Published = BTreeMap<String, (Vec<usize>, Vec<f32>)>;

/// Makes a model with random weights.
fn random_model() -> Published {
    let mut random = fastrand::Rng::with_seed(7);
    let mut model = Published::new();
    let mut add = |name: String, shape: &[usize], center: f32, spread: f32| {
        let mut number = |_| center + spread * (random.f32() * 2.0 - 1.0);
        let numbers = (0..shape.iter().product()).map(&mut number).collect();
        model.insert(name, (shape.to_vec(), numbers));
    };
    for (table, rows) in [("word", PIECES.len()), ("position", POSITIONS), ("token_type", 2)] {
        add(format!("embeddings.{table}_embeddings.weight"), &[rows, HIDDEN], 0.0, 1.0);
    }
    let layers = (0..LAYERS).map(|layer| format!("encoder.layer.{layer}."));
    for layer in layers.clone() {
        let parts = ["attention.self.query", "attention.self.key", "attention.self.value"];
        let squares = parts.iter().chain(&["attention.output.dense"]).map(|part| (*part, HIDDEN, HIDDEN));
        let others = [("intermediate.dense", INTERMEDIATE, HIDDEN), ("output.dense", HIDDEN, INTERMEDIATE)];
        for (part, rows, width) in squares.chain(others) {
            add(format!("{layer}{part}.weight"), &[rows, width], 0.0, 0.4);
            add(format!("{layer}{part}.bias"), &[rows], 0.0, 0.2);
        }
    }
    let norms = layers.flat_map(|layer| ["attention.output", "output"].map(|part| format!("{layer}{part}")));
    for norm in norms.chain(["embeddings".to_owned()]) {
        add(format!("{norm}.LayerNorm.weight"), &[HIDDEN], 1.0, 0.3);
        add(format!("{norm}.LayerNorm.bias"), &[HIDDEN], 0.0, 0.3);
    }
    model
}

fn config() -> Value {
    json!({
        "model_type": "bert", "hidden_act": "gelu", "hidden_size": HIDDEN, "intermediate_size": INTERMEDIATE,
        "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "max_position_embeddings": POSITIONS,
        "vocab_size": PIECES.len(), "layer_norm_eps": 1e-12,
    })
}

/// Writes the files of a published model.
fn publish(model: &Published, config: &Value, folder: &Path) {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, (shape, numbers)) in model {
        let start = data.len();
        data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        let tensor = json!({ "dtype": "F32", "shape": shape, "data_offsets": [start, data.len()] });
        header.insert(name.clone(), tensor);
    }
    let header = Value::Object(header).to_string();
    let file = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &data].concat();
    fs::write(folder.join("model.safetensors"), file).expect("the folder can be written");
    fs::write(folder.join("config.json"), config.to_string()).expect("the folder can be written");
    fs::write(folder.join("vocab.txt"), PIECES.join("\n")).expect("the folder can be written");
}

/// Converts a published model and returns the model file, or the error.
fn converted(change: impl FnOnce(&mut Published, &mut Value, &Path)) -> Result<Vec<u8>, Error> {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let (mut model, mut config) = (random_model(), config());
    fs::write(folder.path().join("tokenizer_config.json"), r#"{"do_lower_case": true}"#)
        .expect("the folder can be written");
    change(&mut model, &mut config, folder.path());
    publish(&model, &config, folder.path());
    let to = folder.path().join("tiny.model");
    convert(folder.path(), &to)?;
    let bytes = fs::read(&to).expect("the model was written");
    let opened = Model::open(&to)?;
    assert_eq!(opened.id(), Model::from_bytes(&bytes, "the model")?.id());
    Ok(bytes)
}

fn tiny_model_file() -> Vec<u8> {
    converted(|_, _, _| {}).expect("the model can be converted")
}

/// The pass by its definition, with 64-bit floats.
struct Definition<'a>(&'a Published);

impl Definition<'_> {
    fn row(&self, name: &str, index: usize) -> Vec<f64> {
        let (shape, numbers) = &self.0[name];
        let width = shape[shape.len() - 1];
        numbers[index * width..][..width].iter().map(|number| f64::from(*number)).collect()
    }

    fn linear(&self, name: &str, row: &[f64]) -> Vec<f64> {
        let biases = self.row(&format!("{name}.bias"), 0);
        let output = |(index, bias)| dot(&self.row(&format!("{name}.weight"), index), row) + bias;
        biases.into_iter().enumerate().map(output).collect()
    }

    fn norm(&self, name: &str, row: &[f64]) -> Vec<f64> {
        let mean = row.iter().sum::<f64>() / row.len() as f64;
        let variance = row.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / row.len() as f64;
        let [weights, biases] =
            ["weight", "bias"].map(|part| self.row(&format!("{name}.LayerNorm.{part}"), 0));
        let normal = row.iter().map(|number| (number - mean) / (variance + 1e-12).sqrt());
        normal.zip(weights).zip(biases).map(|((number, weight), bias)| number * weight + bias).collect()
    }

    fn attention(&self, layer: &str, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let [queries, keys, values] = ["query", "key", "value"]
            .map(|part| {
                rows.iter().map(|row| self.linear(&format!("{layer}.attention.self.{part}"), row)).collect()
            })
            .map(|part: Vec<Vec<f64>>| part);
        let width = HIDDEN / HEADS;
        let number = |query: &Vec<f64>, at: usize| {
            let head = at / width * width..(at / width + 1) * width;
            let score =
                |key: &Vec<f64>| dot(&query[head.clone()], &key[head.clone()]) / (width as f64).sqrt();
            let shares: Vec<f64> = keys.iter().map(|key| score(key).exp()).collect();
            let total = shares.iter().sum::<f64>();
            shares.iter().zip(&values).map(|(share, value)| share / total * value[at]).sum()
        };
        queries.iter().map(|query| (0..HIDDEN).map(|at| number(query, at)).collect()).collect()
    }

    fn layer(&self, layer: &str, rows: &mut [Vec<f64>]) {
        let contexts = self.attention(layer, rows);
        for (row, context) in rows.iter_mut().zip(contexts) {
            let output = self.linear(&format!("{layer}.attention.output.dense"), &context);
            *row = self.norm(&format!("{layer}.attention.output"), &added(row, &output));
            let expanded = self.linear(&format!("{layer}.intermediate.dense"), row).into_iter().map(gelu);
            let output = self.linear(&format!("{layer}.output.dense"), &expanded.collect::<Vec<_>>());
            *row = self.norm(&format!("{layer}.output"), &added(row, &output));
        }
    }

    fn vector(&self, tokens: &[u32]) -> Vec<f64> {
        let embedding = |(position, token): (usize, &u32)| {
            let word = self.row("embeddings.word_embeddings.weight", *token as usize);
            let position = self.row("embeddings.position_embeddings.weight", position);
            let token_type = self.row("embeddings.token_type_embeddings.weight", 0);
            self.norm("embeddings", &added(&added(&word, &position), &token_type))
        };
        let mut rows: Vec<Vec<f64>> = tokens.iter().enumerate().map(embedding).collect();
        for layer in 0..LAYERS {
            self.layer(&format!("encoder.layer.{layer}"), &mut rows);
        }
        let sum = rows.iter().fold(vec![0.0; HIDDEN], |sum, row| added(&sum, row));
        let length = dot(&sum, &sum).sqrt();
        sum.iter().map(|number| number / length).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn added(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// x · Φ(x), with Φ integrated by the trapezoidal rule from -10.
fn gelu(x: f64) -> f64 {
    const STEPS: usize = 2000;
    let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let step = (x + 10.0) / STEPS as f64;
    let inner: f64 = (1..STEPS).map(|n| density(-10.0 + n as f64 * step)).sum();
    x * step * (inner + (density(-10.0) + density(x)) / 2.0)
}

const TEXTS: [&str; 6] = [
    "",
    "log",
    "The LOGS, the server!",
    "é É 中",
    "loger serverss the the",
    "the the the the the the the the the the the",
];

#[test]
fn the_vector_is_close_to_the_definition_of_the_encoder() {
    let (file, published) = (tiny_model_file(), random_model());
    let model = Model::from_bytes(&file, "the model").expect("the file is sound");
    for text in TEXTS {
        let expected = Definition(&published).vector(&model.tokens(text, 24));
        let vector: Vec<f64> = model.embed(text, 24).into_iter().map(f64::from).collect();

        assert!((dot(&vector, &vector) - 1.0).abs() < 1e-5, "{text:?}");
        let cosine = dot(&vector, &expected);
        assert!(cosine > 0.999, "{text:?}: {cosine}");
    }
}

#[test]
fn the_vector_has_the_same_bits_with_and_without_vector_instructions() {
    let file = tiny_model_file();
    let mut plain = Model::from_bytes(&file, "the model").expect("the file is sound");
    plain.instructions = Instructions::Plain;
    let model = Model::from_bytes(&file, "the model").expect("the file is sound");
    for text in TEXTS {
        assert_eq!(plain.embed(text, 24), model.embed(text, 24), "{text:?}");
    }
}

#[test]
fn more_tokens_than_positions_are_cut() {
    let file = tiny_model_file();
    let model = Model::from_bytes(&file, "the model").expect("the file is sound");

    assert_eq!(model.tokens(&"log ".repeat(100), 1000).len(), POSITIONS);
    assert_eq!(model.embed(&"log ".repeat(100), usize::MAX).len(), model.dimensions());
    assert_eq!(model.embed("log", 0), model.embed("", 2));
}

#[test]
fn the_same_model_is_always_converted_to_the_same_bytes_and_another_has_another_id() {
    let other = converted(|model, _, _| {
        model.get_mut("embeddings.word_embeddings.weight").expect("the tensor is there").1[0] += 1.0;
    });
    let (file, other) = (tiny_model_file(), other.expect("the model can be converted"));
    let id = |file: &[u8]| Model::from_bytes(file, "the model").expect("the file is sound").id();

    assert_eq!(file, tiny_model_file());
    assert_eq!(id(&file).len(), 64);
    assert_ne!(id(&file), id(&other));
}

#[test]
fn a_vocabulary_in_tokenizer_json_counts_like_vocab_txt() {
    let pieces: serde_json::Map<String, Value> =
        PIECES.iter().enumerate().map(|(id, piece)| ((*piece).to_owned(), id.into())).collect();
    let tokenizer = json!({ "model": { "type": "WordPiece", "vocab": pieces } });
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    publish(&random_model(), &config(), folder.path());
    fs::remove_file(folder.path().join("vocab.txt")).expect("the file is there");
    fs::write(folder.path().join("tokenizer.json"), tokenizer.to_string())
        .expect("the folder can be written");
    let to = folder.path().join("tiny.model");
    convert(folder.path(), &to).expect("the model can be converted");

    assert_eq!(fs::read(to).expect("the model was written"), tiny_model_file());
}

#[test]
fn a_truncated_file_is_refused_at_every_length() {
    let file = tiny_model_file();
    for length in 0..file.len() {
        let error = Model::from_bytes(&file[..length], "the model").expect_err("the file is incomplete");
        let text = error.to_string();
        assert!(
            text.starts_with("the model: ") && text.ends_with("; convert the published model again"),
            "{text}"
        );
    }
    let longer = [&file[..], &[0]].concat();
    assert!(Model::from_bytes(&longer, "the model").is_err());
}

#[test]
fn damaged_bytes_are_refused_or_harmless_and_verify_finds_them() {
    let file = tiny_model_file();
    assert!(Model::from_bytes(&file, "the model").expect("the file is sound").verify().is_ok());
    let mut random = fastrand::Rng::with_seed(8);
    let everywhere = (0..file.len()).step_by(61).map(|at| (at, 1));
    for (at, length) in (0..128).map(|at| (at, 1)).chain(everywhere).chain((0..64).map(|at| (at * 100, 100)))
    {
        let mut damaged = file.clone();
        let end = file.len().min(at + length);
        damaged[at..end].iter_mut().for_each(|byte| *byte = byte.wrapping_add(random.u8(1..)));
        if let Ok(mut model) = Model::from_bytes(&damaged, "the model") {
            assert!(model.verify().is_err(), "byte {at}");
            model.embed("the logs é", 8);
            model.instructions = Instructions::Plain;
            model.embed("the logs é", 8);
        }
    }
}

#[test]
fn numbers_that_are_not_finite_are_harmless() {
    for bits in [f32::NAN.to_bits(), 0x7fff_ffff, 0xffff_ffff, f32::INFINITY.to_bits(), f32::MAX.to_bits()] {
        let mut damaged = tiny_model_file();
        // The scales of the words stand in front of their rows, at the end of the file.
        let rows = (PIECES.len() * HIDDEN).next_multiple_of(64);
        let scales = damaged.len() - rows.max(PIECES.len() * HIDDEN) - 64;
        for scale in damaged[scales..][..4 * PIECES.len()].as_chunks_mut().0 {
            *scale = bits.to_le_bytes();
        }
        let mut model =
            Model::from_bytes(&damaged, "the model").expect("the scales of words are not checked");
        assert_eq!(model.embed("log", 8).len(), HIDDEN);
        model.instructions = Instructions::Plain;
        assert_eq!(model.embed("log", 8).len(), HIDDEN);
    }
}

#[test]
fn an_unsuitable_model_is_refused_with_the_reason() {
    let cause = |change: fn(&mut Published, &mut Value, &Path)| {
        converted(change).expect_err("the model is unsuitable").to_string()
    };
    let set = |key: &'static str, value: Value| {
        let error = converted(|_, config, _| config[key] = value).expect_err("the model is unsuitable");
        error.to_string()
    };

    assert!(set("hidden_act", "relu".into()).contains(r#"config.json: hidden_act is "relu", not "gelu""#));
    assert!(set("vocab_size", 9.into()).contains("vocab_size is 9, and the vocabulary has 10 pieces"));
    assert!(set("num_attention_heads", 3.into()).contains("hidden size is 32, not a multiple of 24"));
    assert!(set("hidden_size", Value::Null).contains("hidden_size is null, not a number"));
    assert!(set("hidden_size", 48.into()).contains("hidden size is 48, not a multiple of 32"));
    assert!(
        set("num_hidden_layers", 3.into()).contains("the tensor encoder.layer.2.attention.self.query.weight")
    );
    let missing = cause(|model, _, _| drop(model.remove("embeddings.LayerNorm.bias")));
    assert!(
        missing
            .contains("model.safetensors: the tensor embeddings.LayerNorm.bias is missing; convert a folder")
    );
    let cased = cause(|_, _, folder| {
        let written = fs::write(folder.join("tokenizer_config.json"), r#"{"do_lower_case": false}"#);
        written.expect("the folder can be written");
    });
    assert!(cased.contains("do_lower_case is false"), "{cased}");
}

#[test]
fn a_missing_file_is_named() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join("missing.model");

    let error = Model::open(&path).expect_err("there is no file").to_string();
    assert!(error.starts_with(&path.display().to_string()), "{error}");
    assert!(error.ends_with("; check the path and its permissions"), "{error}");
    let error = convert(folder.path(), &path).expect_err("the folder is empty").to_string();
    assert!(error.contains("config.json: "), "{error}");
    fs::write(&path, "").expect("the folder can be written");
    let error = Model::open(&path).expect_err("the file is empty").to_string();
    assert!(error.contains("a model file begins with a header of 128 bytes, this one has 0"), "{error}");
}
