//! A small sentence model in the form in which models are published. It knows ten words, of which each two
//! mean the same, so a test can say what the program must find.

use std::fs;
use std::path::Path;

use fastrand::Rng;
use serde_json::{Map, Value, json};

const HIDDEN: usize = 128;
const POSITIONS: usize = 256;

/// The words that the model knows; those on one line mean the same.
const MEANINGS: [[&str; 2]; 5] = [
    ["undo", "revert"],
    ["release", "deployment"],
    ["password", "credential"],
    ["slow", "latency"],
    ["crash", "segfault"],
];

/// The tensors of a model: name, shape, and numbers row by row.
type Tensors = Vec<(String, Vec<usize>, Vec<f32>)>;

/// Writes the files of a model into a folder. Models of different seeds have different vectors.
pub fn publish(folder: &Path, seed: u64) {
    fs::create_dir_all(folder).expect("the folder can be created");
    let words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].into_iter().chain(MEANINGS.into_iter().flatten());
    let words: Vec<&str> = words.collect();
    let write =
        |name: &str, content: &[u8]| fs::write(folder.join(name), content).expect("it can be written");
    write("vocab.txt", words.join("\n").as_bytes());
    write("tokenizer_config.json", br#"{"do_lower_case": true}"#);
    let config = json!({
        "model_type": "bert", "hidden_act": "gelu", "hidden_size": HIDDEN, "intermediate_size": HIDDEN,
        "num_hidden_layers": 1, "num_attention_heads": 4, "max_position_embeddings": POSITIONS,
        "vocab_size": words.len(), "layer_norm_eps": 1e-12,
    });
    write("config.json", config.to_string().as_bytes());
    write("model.safetensors", &safetensors(&tensors(seed, words.len())));
}

/// Returns tensors with which the vector of a text is the mean of the vectors of its words: all layers pass
/// on what they get.
fn tensors(seed: u64, words: usize) -> Tensors {
    let mut random = Rng::with_seed(seed);
    let mut embeddings = vec![0.0; (words - 2 * MEANINGS.len()) * HIDDEN];
    for _ in MEANINGS {
        let vector: Vec<f32> = (0..HIDDEN).map(|_| if random.bool() { 1.0 } else { -1.0 }).collect();
        embeddings.extend([&vector[..], &vector[..]].concat());
    }
    let mut tensors = vec![("embeddings.word_embeddings.weight".to_owned(), vec![words, HIDDEN], embeddings)];
    let mut constant = |name: &str, shape: &[usize], value: f32| {
        tensors.push((name.to_owned(), shape.to_vec(), vec![value; shape.iter().product()]));
    };
    constant("embeddings.position_embeddings.weight", &[POSITIONS, HIDDEN], 0.0);
    constant("embeddings.token_type_embeddings.weight", &[2, HIDDEN], 0.0);
    let layer = "encoder.layer.0.";
    for part in
        ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"]
            .into_iter()
            .chain(["intermediate.dense", "output.dense"])
    {
        constant(&format!("{layer}{part}.weight"), &[HIDDEN, HIDDEN], 0.0);
        constant(&format!("{layer}{part}.bias"), &[HIDDEN], 0.0);
    }
    for norm in ["embeddings", "encoder.layer.0.attention.output", "encoder.layer.0.output"] {
        constant(&format!("{norm}.LayerNorm.weight"), &[HIDDEN], 1.0);
        constant(&format!("{norm}.LayerNorm.bias"), &[HIDDEN], 0.0);
    }
    tensors
}

fn safetensors(tensors: &Tensors) -> Vec<u8> {
    let (mut header, mut data) = (Map::new(), Vec::new());
    for (name, shape, numbers) in tensors {
        let start = data.len();
        data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        let tensor = json!({ "dtype": "F32", "shape": shape, "data_offsets": [start, data.len()] });
        header.insert(name.clone(), tensor);
    }
    let header = Value::Object(header).to_string();
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &data].concat()
}
