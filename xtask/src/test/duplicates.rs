//! Finds duplicated logic: sequences of lines that two files share apart from names and literals.
//!
//! Comments, blank lines, lone punctuation, imports and tests do not count. Neither do lists: a sequence must
//! contain lines of several shapes, because the rows of any two tables look alike.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::path::Path;

use super::sources::SourceFile;
use super::tokens::{Token, TokenKind};

/// Minimum number of consecutive lines in a duplicate.
const MIN_LINES: usize = 10;

/// Minimum number of line shapes in a duplicate. A sequence with fewer is a list.
const MIN_SHAPES: usize = 6;

/// Pairs of files that may be alike, each with the reason. A folder includes everything below it.
const EXEMPT_PAIRS: [(&str, &str, &str); 1] = [(
    "host/src/command/jobs_command.rs",
    "host/src/command/llm_command.rs",
    "clap's declaration of a verb that has subcommands",
)];

const KEYWORDS: [&str; 40] = [
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "fn",
    "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self",
    "Self", "static", "struct", "super", "trait", "type", "unsafe", "use", "where", "while", "yield", "Some",
    "None", "Ok",
];

/// A line that counts: its number, and a hash of its shape.
#[derive(Clone, Copy)]
struct Line {
    number: usize,
    shape: u64,
}

/// Describes every pair of files that share a sequence of lines, with the longest of each pair.
pub fn find(files: &[SourceFile]) -> Vec<String> {
    let lines: Vec<Vec<Line>> = files.iter().map(|file| lines(&file.production_tokens())).collect();
    let pairs = longest_shared(&lines).into_iter();
    let pairs = pairs.filter(|((a, b), _)| !is_exempt(&files[*a].path, &files[*b].path));
    let described = pairs.map(|((a, b), (at_a, at_b, length))| {
        let place = |file: usize, at: usize| {
            let lines = &lines[file][at..at + length];
            format!("{}:{}-{}", files[file].path.display(), lines[0].number, lines[length - 1].number)
        };
        format!("{} and {} share {length} lines", place(a, at_a), place(b, at_b))
    });
    described.collect()
}

fn is_exempt(a: &Path, b: &Path) -> bool {
    let is_pair =
        |a: &Path, b: &Path| EXEMPT_PAIRS.iter().any(|(x, y, _)| a.starts_with(x) && b.starts_with(y));
    is_pair(a, b) || is_pair(b, a)
}

/// Returns for each pair of files, by index, the longest sequence: its start in each, and its length in
/// lines.
fn longest_shared(files: &[Vec<Line>]) -> BTreeMap<(usize, usize), (usize, usize, usize)> {
    let mut places: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
    for (file, lines) in files.iter().enumerate() {
        for at in 0..(lines.len() + 1).saturating_sub(MIN_LINES) {
            let window = &lines[at..at + MIN_LINES];
            if window.iter().map(|line| line.shape).collect::<HashSet<_>>().len() >= MIN_SHAPES {
                let shapes: Vec<u64> = window.iter().map(|line| line.shape).collect();
                places.entry(hash(&shapes)).or_default().push((file, at));
            }
        }
    }
    let mut longest = BTreeMap::new();
    for places in places.values() {
        for (index, &(a, at_a)) in places.iter().enumerate() {
            for &(b, at_b) in places[index + 1..].iter().filter(|(b, _)| *b != a) {
                let ((a, at_a), (b, at_b)) =
                    if a < b { ((a, at_a), (b, at_b)) } else { ((b, at_b), (a, at_a)) };
                let (range_a, range_b) = extended(&files[a], at_a, &files[b], at_b);
                let found = (range_a.start, range_b.start, range_a.len());
                let kept = longest.entry((a, b)).or_insert(found);
                if found.2 > kept.2 || found.2 == kept.2 && found < *kept {
                    *kept = found;
                }
            }
        }
    }
    longest
}

/// Extends the windows at `at_a` and `at_b` to the complete sequence.
fn extended(a: &[Line], at_a: usize, b: &[Line], at_b: usize) -> (Range<usize>, Range<usize>) {
    let before =
        a[..at_a].iter().rev().zip(b[..at_b].iter().rev()).take_while(|(a, b)| a.shape == b.shape).count();
    let after = a[at_a..].iter().zip(&b[at_b..]).take_while(|(a, b)| a.shape == b.shape).count();
    (at_a - before..at_a + after, at_b - before..at_b + after)
}

/// Returns the lines of a file that count.
fn lines(tokens: &[Token]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut rest = tokens;
    while let Some(first) = rest.first() {
        if is_import_or_module(rest) {
            let end = rest.iter().position(|token| token.is(";")).map_or(rest.len(), |end| end + 1);
            rest = &rest[end..];
            continue;
        }
        let length = rest.iter().take_while(|token| token.line == first.line).count();
        let (line, behind) = rest.split_at(length);
        if line.iter().any(|token| token.kind != TokenKind::Punctuation) {
            lines.push(Line { number: first.line, shape: hash(&line.iter().map(shape).collect::<Vec<_>>()) });
        }
        rest = behind;
    }
    lines
}

/// Tells whether an import begins here, or the declaration of a module in another file.
fn is_import_or_module(tokens: &[Token]) -> bool {
    let visibility = match tokens {
        [public, open, ..] if public.is("pub") && open.is("(") => {
            tokens.iter().position(|token| token.is(")")).map_or(0, |close| close + 1)
        }
        [public, ..] if public.is("pub") => 1,
        _ => 0,
    };
    match &tokens[visibility..] {
        [first, ..] if first.is("use") => true,
        [first, _, end, ..] => first.is("mod") && end.is(";"),
        _ => false,
    }
}

/// Returns the shape of a token: keywords and punctuation stay, all names are alike, and all literals.
fn shape<'a>(token: &Token<'a>) -> &'a str {
    match token.kind {
        TokenKind::Word if KEYWORDS.contains(&token.text) => token.text,
        TokenKind::Word => "name",
        TokenKind::Literal => "literal",
        TokenKind::Lifetime => "lifetime",
        TokenKind::Punctuation => token.text,
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGIC: &str = "
fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // How often something is read.
    for try_number in 0..3 {
        match File::open(path) {
            Ok(mut file) => return file.read_to_end(&mut bytes),
            Err(error) if try_number == 2 => return Err(error),
            Err(_) => sleep(PAUSE),
        }
    }

    if bytes.is_empty() { bytes.push(0); }
    while let Some(0) = bytes.last() { bytes.pop(); }
    Ok(bytes)
}
";

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.into(), crate_folder: "".into(), text: text.to_owned(), is_test: false }
    }

    #[test]
    fn other_names_and_literals_do_not_hide_a_copy() {
        let copy = LOGIC.replace("bytes", "content").replace("0..3", "1..4").replace("// How", "// Why");
        let files = [file("a.rs", LOGIC), file("b.rs", &format!("use x::{{\n    y,\n}};\n{copy}"))];

        assert_eq!(find(&files), ["a.rs:2-15 and b.rs:5-18 share 10 lines"]);
    }

    #[test]
    fn different_logic_is_not_a_copy() {
        let other = LOGIC.replace("if bytes.is_empty()", "if !bytes.is_empty() && first");

        assert_eq!(find(&[file("a.rs", LOGIC), file("b.rs", &other)]), [""; 0]);
    }

    #[test]
    fn rows_of_lists_and_tests_do_not_count() {
        let list = |word: &str| {
            format!("const WORDS: [&str; 30] = [\n{}];", format!("    \"{word}\",\n").repeat(30))
        };
        let test = format!("#[cfg(test)]\nmod tests {{\n{LOGIC}\n}}");

        assert_eq!(find(&[file("a.rs", &list("a")), file("b.rs", &list("b"))]), [""; 0]);
        assert_eq!(find(&[file("a.rs", LOGIC), file("b.rs", &test)]), [""; 0]);
    }
}
