//! Compiles `src/redact/rules.toml` into Rust tables, which `src/redact/rule_tables.rs` includes.
//!
//! A pattern becomes a row for each of its prefixes: the prefix, a byte class and a count. That is all a
//! token format consists of, so nothing of a regular expression is left to compile or to load when a hook
//! starts. Automata were measured first; docs/decisions says why they lost.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Class, ClassBytes, Hir, HirKind, Look, Repetition};
use serde::Deserialize;

/// The prefilter looks at this many letters of an anchor first.
const MIN_ANCHOR_BYTES: usize = 3;

/// Classes are the bits of a `u32`.
const MAX_CLASSES: usize = 32;

/// `rules.toml`; its head explains the keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    kind: Vec<KindRow>,
    anchors: BTreeMap<String, Vec<String>>,
    commands: BTreeMap<String, Vec<(String, String)>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KindRow {
    id: String,
    covers: String,
    #[serde(default)]
    rules: Vec<RuleRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleRow {
    pattern: String,
    /// The full format, with placeholders such as `<36 alnum>`.
    example: String,
    /// Provenance, for people.
    #[serde(rename = "source")]
    _source: String,
    #[serde(default)]
    zeros: bool,
}

/// The parts of a pattern.
struct TokenFormat {
    word_start: bool,
    /// Class and minimum of what precedes the prefix.
    lead: Option<(ClassBytes, u32)>,
    prefixes: Vec<String>,
    /// Class, minimum and maximum of what follows the prefix.
    body: Option<(ClassBytes, u32, Option<u32>)>,
    secret_is_body: bool,
}

/// The tables as Rust, and the classes and anchors that they share.
#[derive(Default)]
struct Tables {
    rules: Vec<String>,
    anchors: Vec<(String, String)>,
    classes: Vec<ClassBytes>,
}

/// Writes the tables of the rules file to `out`.
///
/// # Panics
/// With the pattern and the reason, if a row is not of the form that the head of the file describes.
pub fn compile(rules: &Path, out: &Path) {
    println!("cargo:rerun-if-changed={}", rules.display());
    let text = fs::read_to_string(rules).unwrap_or_else(|error| panic!("{}: {error}", rules.display()));
    let file: RulesFile =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", rules.display()));
    let mut tables = Tables::default();
    for (kind, row) in file.kind.iter().enumerate() {
        for rule in &row.rules {
            let format =
                parse(&rule.pattern).unwrap_or_else(|error| panic!("pattern `{}`: {error}", rule.pattern));
            tables.add_rules(kind, &format, rule);
        }
    }
    for (detector, texts) in &file.anchors {
        texts.iter().for_each(|text| tables.add_anchor(text, &format!("Detector::{detector}")));
    }
    for name in file.commands.keys() {
        tables.add_anchor(name, "Detector::CommandPassword");
    }
    fs::write(out, tables.into_code(&file)).expect("OUT_DIR can be written");
}

impl Tables {
    /// Adds a rule for each prefix of the format, with its anchors.
    fn add_rules(&mut self, kind: usize, format: &TokenFormat, row: &RuleRow) {
        let (zeros, issued) = (row.zeros, issued_length(&row.example, &format.prefixes));
        let (class, min, max) = match &format.body {
            Some((class, min, max)) => (self.class(class), *min, *max),
            None => (self.class(&ClassBytes::empty()), 0, Some(0)),
        };
        let lead = format.lead.as_ref().map(|(class, min)| (self.class(class), *min));
        let max = max.map_or("usize::MAX".to_owned(), |max| max.to_string());
        for prefix in &format.prefixes {
            for anchor in anchors_of(prefix, format.body.as_ref().map(|(class, ..)| class)) {
                self.add_anchor(&anchor, &format!("Detector::ProviderToken({})", self.rules.len()));
            }
            self.rules.push(format!(
                "Rule {{ kind: Kind({kind}), prefix: {prefix:?}, class: {class}, min: {min}, max: {max}, \
                 issued: {issued}, word_start: {}, lead: {lead:?}, secret_is_body: {}, zeros: {zeros} }}",
                format.word_start, format.secret_is_body
            ));
        }
    }

    fn add_anchor(&mut self, text: &str, detector: &str) {
        assert!(text.len() >= MIN_ANCHOR_BYTES, "anchor `{text}` is shorter than {MIN_ANCHOR_BYTES} bytes");
        self.anchors.push((text.to_owned(), detector.to_owned()));
    }

    /// The number of a class.
    fn class(&mut self, class: &ClassBytes) -> usize {
        self.classes.iter().position(|known| known == class).unwrap_or_else(|| {
            self.classes.push(class.clone());
            assert!(self.classes.len() <= MAX_CLASSES, "more than {MAX_CLASSES} different classes");
            self.classes.len() - 1
        })
    }

    fn into_code(self, file: &RulesFile) -> String {
        let kinds = file
            .kind
            .iter()
            .map(|kind| format!("KindInfo {{ name: {:?}, covers: {:?} }}", kind.id, kind.covers));
        let anchors = self
            .anchors
            .iter()
            .map(|(text, detector)| format!("Anchor {{ text: {text:?}, detector: {detector} }}"));
        let commands = file.commands.iter().map(|(name, flags)| {
            let flags = flags.iter().map(|(flag, value)| format!("({flag:?}, FlagValue::{value})"));
            format!("Command {{ name: {name:?}, flags: &[{}] }}", flags.collect::<Vec<_>>().join(", "))
        });
        let bits = (0..=u8::MAX).map(|byte| {
            let in_class = |class: &ClassBytes| {
                class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&byte))
            };
            let bit = |(number, class)| u32::from(in_class(class)) << number;
            self.classes.iter().enumerate().map(bit).sum::<u32>().to_string()
        });
        let mut code = String::new();
        push_table(
            &mut code,
            "/// Every kind, the most specific first.\npub static KINDS",
            "KindInfo",
            kinds,
        );
        push_table(&mut code, "pub static RULES", "Rule", self.rules.iter().cloned());
        push_table(&mut code, "pub static ANCHORS", "Anchor", anchors);
        push_table(&mut code, "pub static COMMANDS", "Command", commands);
        push_table(&mut code, "static CLASS_BITS", "u32", bits);
        code
    }
}

fn push_table(code: &mut String, name: &str, of: &str, rows: impl Iterator<Item = String>) {
    let rows: Vec<String> = rows.collect();
    let _ = writeln!(code, "{name}: [{of}; {}] = [\n{}\n];", rows.len(), rows.join(",\n"));
}

/// The prefix, or where it is too short for an anchor, the prefix with each first letter of its body.
fn anchors_of(prefix: &str, body: Option<&ClassBytes>) -> Vec<String> {
    if prefix.len() >= MIN_ANCHOR_BYTES {
        return vec![prefix.to_owned()];
    }
    let bytes =
        body.into_iter().flat_map(|class| class.ranges()).flat_map(|range| range.start()..=range.end());
    let first: BTreeSet<char> = bytes.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    first.into_iter().map(|letter| format!("{prefix}{letter}")).collect()
}

fn parse(pattern: &str) -> Result<TokenFormat, String> {
    let mut parser = regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build();
    let hir = parser.parse(pattern).map_err(|error| error.to_string())?;
    let mut parts = match hir.kind() {
        HirKind::Concat(parts) => parts.as_slice(),
        _ => std::slice::from_ref(&hir),
    };
    let word_start = take(&mut parts, <[Hir]>::split_first, is_word_boundary).is_some();
    let word_end = take(&mut parts, |parts| parts.split_last(), is_word_boundary).is_some();
    let lead = take(&mut parts, <[Hir]>::split_first, |part| counted_class(part).is_some());
    let lead = lead.and_then(counted_class).map(|(class, min, max)| match max {
        None => Ok((class, min)),
        Some(_) => Err("what precedes the prefix has no upper bound"),
    });
    let body = take(&mut parts, |parts| parts.split_last(), |part| counted_class(ungrouped(part)).is_some());
    let secret_is_body = body.is_some_and(|part| matches!(part.kind(), HirKind::Capture(_)));
    let body = body.map(ungrouped).and_then(counted_class);
    if word_end != body.as_ref().is_none_or(|(_, _, max)| max.is_some()) {
        return Err("`\\b` at the end goes together with an upper bound".to_owned());
    }
    Ok(TokenFormat { word_start, lead: lead.transpose()?, prefixes: literals(parts)?, body, secret_is_body })
}

/// Takes the first or last part if it is such a one.
fn take<'h>(
    parts: &mut &'h [Hir],
    split: impl Fn(&'h [Hir]) -> Option<(&'h Hir, &'h [Hir])>,
    fits: impl Fn(&Hir) -> bool,
) -> Option<&'h Hir> {
    let (part, rest) = split(parts).filter(|(part, _)| fits(part))?;
    *parts = rest;
    Some(part)
}

fn is_word_boundary(part: &Hir) -> bool {
    matches!(part.kind(), HirKind::Look(Look::WordAscii))
}

fn ungrouped(part: &Hir) -> &Hir {
    match part.kind() {
        HirKind::Capture(group) => &group.sub,
        _ => part,
    }
}

/// Class, minimum and maximum of a repetition.
fn counted_class(part: &Hir) -> Option<(ClassBytes, u32, Option<u32>)> {
    let HirKind::Repetition(Repetition { min, max, sub, .. }) = part.kind() else { return None };
    match sub.kind() {
        HirKind::Class(Class::Bytes(class)) => Some((class.clone(), *min, *max)),
        _ => None,
    }
}

/// Every text that the prefix can be.
fn literals(parts: &[Hir]) -> Result<Vec<String>, String> {
    let seq = Extractor::new().extract(&Hir::concat(parts.to_vec()));
    let literals = seq.literals().filter(|literals| literals.iter().all(|literal| literal.is_exact()));
    let literals = literals.filter(|literals| !literals.is_empty());
    let texts = literals.ok_or("the prefix is not one of a few texts")?.iter();
    texts.map(|text| String::from_utf8(text.as_bytes().to_vec()).map_err(|error| error.to_string())).collect()
}

/// Returns the number of characters after the prefix in an example; zero if no prefix is in it.
fn issued_length(example: &str, prefixes: &[String]) -> usize {
    let body = prefixes.iter().find_map(|prefix| Some(example.split_once(prefix.as_str())?.1));
    body.map_or(0, expanded_length)
}

/// Returns the length of an example whose placeholders are replaced by as many characters as they say.
fn expanded_length(example: &str) -> usize {
    let mut parts = example.split('<');
    let first = parts.next().unwrap_or_default().len();
    first
        + parts
            .map(|part| {
                let (placeholder, rest) = part.split_once('>').unwrap_or((part, ""));
                let count = placeholder.split(' ').next().and_then(|count| count.parse().ok());
                count.unwrap_or(0) + rest.len()
            })
            .sum::<usize>()
}
