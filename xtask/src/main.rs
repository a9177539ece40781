//! The tasks of this checkout, as `cargo xtask VERB`. They fetch everything that a fresh clone needs, but
//! never as root.

mod bench;
mod checkout;
mod demo;
mod dist;
mod example;
mod faults;
mod fuzz;
mod home_listing;
mod link_map;
mod link_order;
mod private_stage;
mod real;
mod setup;
mod test;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask VERB

  demo    play a recorded session through the hooks and show the context that the model would get
  test    run every check that CI runs, or those that are named: format, boundaries,
          tree, cycles, duplicates, lints, build, tests, documentation, dependencies, home
  replay  play recorded sessions through the hooks: DIR..., --help for its options
  figures play all recorded sessions and print how much was saved and how much was shown again
  saving  measure what the rules save of the examples: [train|development|sealed] [--details]
  train   fit the classifier to its examples: [--check]
  recall  measure whether needed memories are shown, and how much is shown needlessly; see --help
  dist    build the program that people install
  link-order
          record which functions hooks run, so that dist places them side by side (needs valgrind)
  bench   measure it: [--runs N] [--stores 0,1000,10000] [--hostile] [--binary PATH]
  faults  kill processes and fill large stores: [--kills N] [--seed N] [--stores 1000,10000,100000]
          [--large] [--runs N] [--binary PATH] [--write]
  fuzz    run the fuzz targets, or those that are named, for three minutes each: [TARGET...] [--minutes N]
  real    play real transcripts through learn: FOLDER [--binary PATH] [--search WORDS]...
  example build an example layer: rust, javascript or python
  setup   fetch what the build needs (the other tasks do this themselves)
";

/// Builds `interleaf` and `interleaf-eval`, and runs the latter.
fn evaluate(verb: &str, arguments: &[String]) -> anyhow::Result<()> {
    setup::prepare()?;
    let [program, eval] = checkout::build_with_eval()?;
    let mut command = std::process::Command::new(eval);
    command.arg(verb).args(arguments);
    if !arguments.iter().any(|argument| argument.starts_with("--program")) {
        command.arg("--program").arg(program);
    }
    checkout::run(&mut command)
}

/// Builds `interleaf-eval` and runs it. It contains the rules of the layer save, so it needs no program.
fn evaluate_rules(verb: &str, arguments: &[String]) -> anyhow::Result<()> {
    setup::prepare()?;
    let [_, eval] = checkout::build_with_eval()?;
    checkout::run(std::process::Command::new(eval).arg(verb).args(arguments))
}

fn help() -> ExitCode {
    print!("{HELP}");
    ExitCode::SUCCESS
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let verb = words.next();
    let rest: Vec<String> = words.collect();
    let done = match (verb.as_deref(), &rest[..]) {
        // These print help of their own.
        (Some(verb @ ("replay" | "figures" | "recall")), arguments) => evaluate(verb, arguments),
        (Some(verb @ ("saving" | "train")), arguments) => evaluate_rules(verb, arguments),
        (Some("help" | "--help" | "-h"), _) => return help(),
        (Some(_), arguments) if arguments.iter().any(|word| word == "--help" || word == "-h") => {
            return help();
        }
        (Some("demo"), []) => demo::run(),
        (Some("test"), names) => test::run(names),
        (Some("dist"), []) => dist::run(),
        (Some("link-order"), []) => link_order::run(),
        (Some("setup"), []) => setup::run(),
        (Some("example"), [language]) => example::run(language),
        (Some("fuzz"), arguments) => fuzz::run(arguments),
        (Some("bench"), options) => bench::run(options),
        (Some("faults"), options) => faults::run(options),
        (Some("real"), options) => real::run(options),
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            if error.is::<example::Missing>() { ExitCode::from(example::MISSING) } else { ExitCode::FAILURE }
        }
    }
}
