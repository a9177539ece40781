//! Measures what the rules of the layer save find in the examples of `plugins/save/data`.
//!
//! Each example is a session of one message. What is found is right if it has the category of what is to be
//! saved and quotes some of its words.

mod calibration;
pub mod example;
mod finding_counts;
mod multinomial_fit;
mod requests;
mod session;

pub mod train;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use interleaf_tests::workspace;

use self::example::{Example, Kept};
use self::finding_counts::Counts;
use self::session::Stated;

/// The command-line options.
#[derive(clap::Args)]
pub struct Args {
    /// The examples to measure: train, development or sealed
    #[arg(default_value = "sealed")]
    part: String,
    /// Print what was missed and what was found wrongly; not of the sealed examples
    #[arg(long)]
    details: bool,
    /// Where the examples are
    #[arg(long, default_value_os_t = data_folder())]
    data: PathBuf,
}

/// Returns the folder of the examples in this checkout.
fn data_folder() -> PathBuf {
    workspace::root().join("plugins/save/data")
}

/// Prints a table of what was found.
///
/// # Errors
/// If an example cannot be read, or the details of sealed examples are asked for.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    if args.details && args.part == "sealed" {
        bail!("the sealed examples are not read; use development");
    }
    let mut counts = Counts::default();
    for example in example::read(&args.data.join(&args.part))? {
        let stated = session::stated(&example);
        let judged = judge(&example, &stated);
        counts.add(&example, &judged);
        if args.details {
            print_details(&example, &judged, out)?;
        }
    }
    write!(out, "{counts}")?;
    let requests = args.data.join(format!("requests/{}.jsonl", args.part));
    if !requests.exists() {
        return Ok(());
    }
    let mut detail = |line: &str| if args.details { Ok(writeln!(out, "{line}")?) } else { Ok(()) };
    let measured = requests::measure(&requests, &mut detail)?;
    Ok(write!(out, "{measured}")?)
}

/// What was found in an example.
pub struct Judged<'a> {
    /// What was to be saved, and whether it was found.
    pub kept: Vec<(&'a Kept, Option<&'a Stated>)>,
    /// What was found and is not to be saved.
    pub wrong: Vec<&'a Stated>,
}

fn judge<'a>(example: &'a Example, stated: &'a [Stated]) -> Judged<'a> {
    let mut left: Vec<&Stated> = stated.iter().collect();
    let mut kept = Vec::new();
    for each in &example.keep {
        let at = left.iter().position(|finding| is_about(finding, each));
        kept.push((each, at.map(|at| left.remove(at))));
    }
    Judged { kept, wrong: left }
}

fn is_about(Stated { finding, .. }: &Stated, kept: &Kept) -> bool {
    let quotes = |quote: &str| kept.quote.contains(quote.trim()) || quote.contains(&kept.quote);
    finding.category.as_str() == kept.category
        && finding.evidence.iter().any(|evidence| quotes(&evidence.quote))
}

fn print_details(example: &Example, judged: &Judged<'_>, out: &mut impl Write) -> Result<()> {
    for (kept, _) in judged.kept.iter().filter(|(_, found)| found.is_none()) {
        writeln!(out, "missed  {} {} {:?}", example.language, kept.category, kept.quote)?;
    }
    for Stated { finding, .. } in &judged.wrong {
        let (category, score) = (finding.category.as_str(), finding.score);
        writeln!(
            out,
            "wrong   {} {category} {score:.2} {:?} in {}",
            example.language, finding.text, example.kind
        )?;
    }
    Ok(())
}
