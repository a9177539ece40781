//! The command-line options of the benchmark.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

/// Default number of measured rounds. The promises are about medians of at least this many.
const RUNS: usize = 200;

/// Default sizes of the stores, in memories.
const STORES: [usize; 3] = [0, 1_000, 10_000];

/// The options of `cargo xtask bench`.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    /// Number of measured rounds.
    pub runs: usize,
    /// Sizes of the stores, in memories.
    pub stores: Vec<usize>,
    /// Whether only misbehaving layers are measured.
    pub hostile: bool,
    /// The programs to measure; if empty, two are built.
    pub programs: Vec<Program>,
}

/// A program to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its name in the table.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
}

impl Options {
    /// Reads `--runs N`, `--stores A,B` and any number of `--binary PATH` or `--binary NAME=PATH`.
    pub fn read(words: &[String]) -> Result<Self> {
        let mut options = Self { runs: RUNS, stores: STORES.to_vec(), hostile: false, programs: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--hostile" {
                options.hostile = true;
                continue;
            }
            let value = words.next().with_context(|| format!("{word} needs a value"))?;
            let number = |text: &str| text.parse().with_context(|| format!("{word} {value} is not a number"));
            match &word[..] {
                "--runs" => options.runs = number(value)?,
                "--stores" => options.stores = value.split(',').map(number).collect::<Result<_>>()?,
                "--binary" => options.programs.push(Program::read(value)),
                _ => bail!(
                    "unknown option {word}; there are --runs N, --stores A,B, --hostile and --binary PATH"
                ),
            }
        }
        if options.runs == 0 || options.stores.is_empty() {
            bail!("nothing to measure");
        }
        Ok(options)
    }

    /// Returns the equivalent command-line arguments.
    pub fn words(&self) -> Vec<String> {
        let stores: Vec<String> = self.stores.iter().map(usize::to_string).collect();
        let programs =
            self.programs.iter().map(|Program { name, path }| format!("{name}={}", path.display()));
        let runs = ["--runs".to_owned(), self.runs.to_string(), "--stores".to_owned(), stores.join(",")];
        let hostile = self.hostile.then(|| "--hostile".to_owned());
        runs.into_iter()
            .chain(hostile)
            .chain(programs.flat_map(|program| ["--binary".to_owned(), program]))
            .collect()
    }
}

impl Program {
    fn read(value: &str) -> Self {
        let (name, path) = value.split_once('=').unwrap_or(("given", value));
        Self { name: name.to_owned(), path: path.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Options> {
        Options::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn without_arguments_everything_is_measured() {
        let all = Options { runs: RUNS, stores: STORES.to_vec(), hostile: false, programs: Vec::new() };

        assert_eq!(read("").unwrap(), all);
    }

    #[test]
    fn each_option_is_read_and_written_back() {
        let options = read("--stores 0,7 --runs 5 --binary /x --binary dist=/y").unwrap();

        assert_eq!((options.runs, &options.stores[..]), (5, &[0, 7][..]));
        assert_eq!(options.programs[0], Program { name: "given".to_owned(), path: "/x".into() });
        assert_eq!(options.programs[1], Program { name: "dist".to_owned(), path: "/y".into() });
        assert_eq!(Options::read(&options.words()).unwrap(), options);
    }

    #[test]
    fn invalid_options_are_refused() {
        for line in ["--runs", "--runs many", "--runs 0", "--fast yes", "--stores ,"] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
