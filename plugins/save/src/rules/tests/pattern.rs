//! The patterns of the expectations: the little of regular expressions that they use, without case.

/// Whether a text has what a pattern says.
pub fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.trim_start_matches("(?i)").to_lowercase().chars().collect();
    let text: Vec<char> = text.to_lowercase().chars().collect();
    (0..=text.len()).any(|at| alternatives(&pattern).iter().any(|one| here(one, &text, at, &|_| true)))
}

type Then<'a> = &'a dyn Fn(usize) -> bool;

/// Splits at `|` outside of brackets.
fn alternatives(pattern: &[char]) -> Vec<Vec<char>> {
    let (mut depth, mut parts) = (0, vec![Vec::new()]);
    let mut escaped = false;
    for &c in pattern {
        match c {
            '|' if depth == 0 && !escaped => parts.push(Vec::new()),
            _ => {
                depth += match c {
                    '(' | '[' if !escaped => 1,
                    ')' | ']' if !escaped => -1,
                    _ => 0,
                };
                parts.last_mut().expect("one part").push(c);
            }
        }
        escaped = c == '\\' && !escaped;
    }
    parts
}

/// Whether the text has the pattern from here on, and what follows.
fn here(pattern: &[char], text: &[char], at: usize, then: Then) -> bool {
    let Some(atom) = atom(pattern) else { return then(at) };
    let (one, rest) = pattern.split_at(atom);
    if let Some(inner) = one.strip_prefix(&['(', '?', '<', '!']) {
        let inner = &inner[..inner.len() - 1];
        let before = at.checked_sub(inner.len()).is_some_and(|start| text[start..at] == *inner);
        return !before && here(rest, text, at, then);
    }
    if one == ['\\', 'b'] {
        let word = |at: Option<usize>| {
            at.and_then(|at| text.get(at)).is_some_and(|c| c.is_alphanumeric() || *c == '_')
        };
        return word(at.checked_sub(1)) != word(Some(at)) && here(rest, text, at, then);
    }
    let (least, most, rest) = times(rest);
    repeat(one, text, at, (least, most), &|end| here(rest, text, end, then))
}

fn repeat(one: &[char], text: &[char], at: usize, (least, most): (usize, usize), then: Then) -> bool {
    let more = most > 0
        && once(one, text, at, &|end| {
            end > at && repeat(one, text, end, (least.saturating_sub(1), most - 1), then)
        });
    more || least == 0 && then(at)
}

fn once(one: &[char], text: &[char], at: usize, then: Then) -> bool {
    let single = |fits: bool| fits && then(at + 1);
    match (one[0], text.get(at)) {
        ('(', _) => alternatives(&one[1..one.len() - 1]).iter().any(|part| here(part, text, at, then)),
        (_, None) => false,
        ('[', Some(c)) => {
            let (set, not) =
                one[1..one.len() - 1].split_first().map_or((&one[1..1], false), |(first, rest)| {
                    if *first == '^' { (rest, true) } else { (&one[1..one.len() - 1], false) }
                });
            single(set.contains(c) != not)
        }
        ('.', Some(_)) => single(true),
        ('\\', Some(c)) => single(one[1] == *c),
        (own, Some(c)) => single(own == *c),
    }
}

/// The length of the first atom.
fn atom(pattern: &[char]) -> Option<usize> {
    let close = |open: char, end: char| {
        let mut depth = 0;
        pattern.iter().position(|c| {
            depth += if *c == open {
                1
            } else if *c == end {
                -1
            } else {
                0
            };
            depth == 0
        })
    };
    Some(match pattern.first()? {
        '(' => close('(', ')')? + 1,
        '[' => close('[', ']')? + 1,
        '\\' => 2,
        _ => 1,
    })
}

/// How often: `?`, `*`, `{0,20}`.
fn times(rest: &[char]) -> (usize, usize, &[char]) {
    match rest.first() {
        Some('?') => (0, 1, &rest[1..]),
        Some('*') => (0, 500, &rest[1..]),
        Some('{') => {
            let end = rest.iter().position(|c| *c == '}').unwrap_or(rest.len() - 1);
            let text: String = rest[1..end].iter().collect();
            let (least, most) = text.split_once(',').unwrap_or((&text, &text));
            (least.parse().unwrap_or(0), most.parse().unwrap_or(500), &rest[end + 1..])
        }
        _ => (1, 1, rest),
    }
}

#[test]
fn patterns_of_the_expectations_are_understood() {
    assert!(matches(r"\b2[05] ?s", "after 25 seconds") && !matches(r"\b2[05] ?s", "120 s"));
    assert!(matches(r"(?i)(?<!never )(run|use) `?npm (ci|install)", "please run npm install"));
    assert!(!matches(r"(?i)(?<!never )(run|use) `?npm (ci|install)", "never run npm install"));
    assert!(
        matches(r"(fix|run)[^.]{0,20}touch \.env", "fix: touch .env")
            && !matches(r"2 \*\* attempt;", "2 ** attempt")
    );
    assert!(
        matches("metrics|archiv", "Archived")
            && matches(r"clean clone|\bCI\b.{0,40}\.env", "the ci needs a .env")
    );
}
