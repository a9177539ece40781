//! What the benchmark was asked to do.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

/// Rounds that count; the promise is about medians of at least this many.
const RUNS: usize = 200;

/// Memories in a store.
const STORES: [usize; 3] = [0, 1_000, 10_000];

/// The options of `cargo xtask bench`.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    /// Rounds that count.
    pub runs: usize,
    /// Sizes of the stores, in memories.
    pub stores: Vec<usize>,
    /// The one program to measure, instead of building two.
    pub binary: Option<PathBuf>,
}

impl Options {
    /// Reads `--runs N`, `--stores A,B` and `--binary PATH`.
    pub fn read(words: &[String]) -> Result<Self> {
        let mut options = Self { runs: RUNS, stores: STORES.to_vec(), binary: None };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = words.next().with_context(|| format!("{word} needs a value"))?;
            let number = |text: &str| text.parse().with_context(|| format!("{word} {value} is not a number"));
            match &word[..] {
                "--runs" => options.runs = number(value)?,
                "--stores" => options.stores = value.split(',').map(number).collect::<Result<_>>()?,
                "--binary" => options.binary = Some(value.into()),
                _ => bail!("unknown option {word}; there are --runs N, --stores A,B and --binary PATH"),
            }
        }
        if options.runs == 0 || options.stores.is_empty() {
            bail!("nothing to measure");
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Options> {
        Options::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn without_words_everything_is_measured() {
        let all = Options { runs: RUNS, stores: STORES.to_vec(), binary: None };

        assert_eq!(read("").unwrap(), all);
    }

    #[test]
    fn each_option_can_be_given() {
        let some = Options { runs: 5, stores: vec![0, 7], binary: Some("/x".into()) };

        assert_eq!(read("--stores 0,7 --runs 5 --binary /x").unwrap(), some);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for line in ["--runs", "--runs many", "--runs 0", "--fast yes", "--stores ,"] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
