//! The arguments of the long measurements of faults.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

/// Default number of killed processes.
const KILLS: usize = 3_000;
/// Default seed of the moments of the kills.
const SEED: u64 = 20_261_123;
/// Default sizes of the stores, in memories. The first is the one that the others are compared with.
const STORES: [usize; 3] = [1_000, 10_000, 100_000];
/// The size of the store that `--large` adds.
pub const LARGE_STORE: usize = 300_000;
/// Default number of measured runs of each operation.
const RUNS: usize = 15;

/// The arguments of `cargo xtask faults`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments {
    /// Number of processes to kill; 0 leaves this part out.
    pub kills: usize,
    /// Seed of the moments of the kills.
    pub seed: u64,
    /// Sizes of the stores, in memories; none leaves growth out.
    pub stores: Vec<usize>,
    /// Number of measured runs of each operation.
    pub runs: usize,
    /// The program; built if absent.
    pub binary: Option<PathBuf>,
    /// Whether the tables are written into the documentation.
    pub write: bool,
}

impl Arguments {
    /// Reads `--kills N`, `--seed N`, `--stores A,B`, `--large`, `--runs N`, `--binary PATH` and `--write`.
    pub fn read(words: &[String]) -> Result<Self> {
        let mut arguments = Self {
            kills: KILLS,
            seed: SEED,
            stores: STORES.to_vec(),
            runs: RUNS,
            binary: None,
            write: false,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match &word[..] {
                "--write" => arguments.write = true,
                "--large" => arguments.stores.push(LARGE_STORE),
                _ => arguments.set(word, words.next().with_context(|| format!("{word} needs a value"))?)?,
            }
        }
        arguments.stores.sort_unstable();
        arguments.stores.dedup();
        arguments.check()
    }

    fn set(&mut self, option: &str, value: &str) -> Result<()> {
        let number = || format!("{option} {value} is not a number");
        match option {
            "--kills" => self.kills = value.parse().with_context(number)?,
            "--seed" => self.seed = value.parse().with_context(number)?,
            "--runs" => self.runs = value.parse().with_context(number)?,
            "--stores" => {
                let sizes = value.split(',').filter(|size| !matches!(*size, "" | "none"));
                self.stores = sizes.map(|size| size.parse().with_context(number)).collect::<Result<_>>()?;
            }
            "--binary" => self.binary = Some(value.into()),
            _ => bail!(
                "unknown option {option}; there are --kills N, --seed N, --stores A,B (or none), --large, \
                 --runs N, --binary PATH and --write"
            ),
        }
        Ok(())
    }

    fn check(self) -> Result<Self> {
        if self.runs == 0 || self.stores.contains(&0) || self.kills == 0 && self.stores.is_empty() {
            bail!("nothing to measure");
        }
        Ok(self)
    }

    /// Returns the equivalent command-line arguments.
    pub fn words(&self) -> Vec<String> {
        let mut words = self.measured();
        words.extend(["--runs".to_owned(), self.runs.to_string()]);
        if let Some(binary) = &self.binary {
            words.extend(["--binary".to_owned(), binary.display().to_string()]);
        }
        words.extend(self.write.then(|| "--write".to_owned()));
        words
    }

    /// Returns the arguments that say what is measured.
    pub fn measured(&self) -> Vec<String> {
        let sizes: Vec<String> = self.stores.iter().map(usize::to_string).collect();
        let stores = if sizes.is_empty() { "none".to_owned() } else { sizes.join(",") };
        let (kills, seed) = (self.kills.to_string(), self.seed.to_string());
        ["--kills", &kills, "--seed", &seed, "--stores", &stores].map(str::to_owned).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments> {
        Arguments::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn without_arguments_three_thousand_processes_are_killed_and_three_stores_measured() {
        let all = read("").unwrap();

        assert_eq!((all.kills, &all.stores[..], all.write), (KILLS, &STORES[..], false));
    }

    #[test]
    fn each_argument_is_read_and_written_back() {
        for line in
            ["--kills 7 --seed 9 --stores none --runs 3 --write", "--large --binary /x", "--stores 5,2"]
        {
            let arguments = read(line).unwrap();

            assert_eq!(Arguments::read(&arguments.words()).unwrap(), arguments, "{line}");
        }
        assert_eq!(read("--large").unwrap().stores.last(), Some(&LARGE_STORE));
    }

    #[test]
    fn invalid_arguments_are_refused() {
        for line in ["--kills", "--kills x", "--runs 0", "--stores 0", "--kills 0 --stores none", "--fast 1"]
        {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
