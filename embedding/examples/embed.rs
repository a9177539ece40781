//! Opens a model, embeds a text and prints its vector: the smallest process that does so, for measurements.
//!
//! `cargo run --release -p interleaf-embedding --example embed -- MODEL TEXT` prints the vector.
//! `… --example embed -- convert FOLDER MODEL` makes a model file.
//! `… --example embed -- time MODEL` prints the time of a pass for texts of several lengths.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use interleaf_embedding::{Model, convert};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["convert", from, to] => convert(Path::new(from), Path::new(to))?,
        ["time", model] => print_times(&Model::open(Path::new(model))?),
        [model, text] => println!("{:?}", Model::open(Path::new(model))?.embed(text, 256)),
        _ => return Err("usage: embed MODEL TEXT | embed convert FOLDER MODEL | embed time MODEL".into()),
    }
    Ok(())
}

fn print_times(model: &Model) {
    let text = "where are the log files of the build server? ".repeat(40);
    for tokens in [14, 32, 128, 256] {
        let (median, least) = median_and_least_time(|| drop(model.embed(&text, tokens)));
        println!("{tokens} tokens: median {median:?}, least {least:?}");
    }
}

fn median_and_least_time(work: impl Fn()) -> (Duration, Duration) {
    let mut times = [Duration::ZERO; 51];
    for time in &mut times {
        let start = Instant::now();
        work();
        *time = start.elapsed();
    }
    times.sort();
    (times[times.len() / 2], times[0])
}
