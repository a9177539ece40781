//! Measures how many free requests to remember something are saved, and how many messages that look alike are
//! taken for one.

use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::finding_counts::share;
use super::session;

/// A message of the person.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The language, in two letters.
    pub language: String,
    /// The message before it, the assistant's.
    #[serde(default)]
    pub before: Option<String>,
    /// The message.
    pub text: String,
    /// The words to save; none if it only looks like a request.
    pub keep: Option<String>,
}

/// What came of the requests and of the messages that look like one.
#[derive(Debug, Clone, Copy, Default)]
pub struct RequestCounts {
    requests: usize,
    saved: usize,
    alike: usize,
    taken: usize,
}

/// Reads and measures the requests of a part of the data. With `details`, prints what went wrong.
///
/// # Errors
/// If the file cannot be read, or a line is no request; the error names the line.
pub fn measure(file: &Path, mut detail: impl FnMut(&str) -> Result<()>) -> Result<RequestCounts> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut counts = RequestCounts::default();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{}:{}", file.display(), number + 1);
        let request: Request = serde_json::from_str(line).with_context(place)?;
        let is_saved = is_saved(&request);
        counts.add(&request, is_saved);
        if request.keep.is_some() != is_saved {
            let what = if is_saved { "wrong  " } else { "missed " };
            detail(&format!("{what} {} request {:?}", request.language, request.text))?;
        }
    }
    Ok(counts)
}

fn is_saved(request: &Request) -> bool {
    let stated = session::of_person(&request.text, request.before.as_deref());
    stated.iter().any(|stated| stated.is_explicit)
}

impl RequestCounts {
    fn add(&mut self, request: &Request, is_saved: bool) {
        let (all, found) = match request.keep {
            Some(_) => (&mut self.requests, &mut self.saved),
            None => (&mut self.alike, &mut self.taken),
        };
        *all += 1;
        *found += usize::from(is_saved);
    }
}

impl fmt::Display for RequestCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (saved, taken) = (share(self.saved, self.requests), share(self.taken, self.alike));
        write!(f, "Requests to remember: of {}, {saved} are saved; ", self.requests)?;
        writeln!(f, "of {} messages that look alike, {taken} are taken for one", self.alike)
    }
}
