//! What a change does to a text, line by line, for people to read before it is made.

/// How many unchanged lines are shown around a change.
const AROUND: usize = 2;
/// Up to this many pairs of lines are compared for the shortest change; beyond, all lines count as changed.
const PAIRS: usize = 4_000_000;

/// The changed lines with `-` and `+`, a few unchanged ones around them, and `…` for the rest.
pub(super) fn lines(before: &str, after: &str) -> String {
    let steps = steps(&before.lines().collect::<Vec<_>>(), &after.lines().collect::<Vec<_>>());
    let changed: Vec<usize> = (0..steps.len()).filter(|&at| steps[at].0 != ' ').collect();
    let mut shown = String::new();
    let mut skipped = false;
    for (at, (sign, line)) in steps.iter().enumerate() {
        let next = changed.partition_point(|&change| change + AROUND < at);
        if changed.get(next).is_some_and(|&change| change <= at + AROUND) {
            shown += if skipped { "  …\n" } else { "" };
            shown += &format!("{sign} {line}\n");
            skipped = false;
        } else {
            skipped = true;
        }
    }
    shown
}

/// Every line of both texts with ' ', '-' or '+'.
fn steps<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<(char, &'a str)> {
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (old, new) = (&before[head..], &after[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let same = |lines: &[&'a str]| lines.iter().map(|&line| (' ', line)).collect::<Vec<_>>();
    [same(&before[..head]), middle(old, new), same(&before[before.len() - tail..])].concat()
}

/// The part between the first and the last change, by the longest common subsequence.
fn middle<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(char, &'a str)> {
    let common = common(old, new);
    let (mut at, mut to) = (0, 0);
    let mut steps = Vec::new();
    while at < old.len() || to < new.len() {
        if at < old.len() && to < new.len() && old[at] == new[to] && !common.is_empty() {
            steps.push((' ', old[at]));
            (at, to) = (at + 1, to + 1);
        } else if at < old.len()
            && (to == new.len() || common.is_empty() || common[at + 1][to] >= common[at][to + 1])
        {
            steps.push(('-', old[at]));
            at += 1;
        } else {
            steps.push(('+', new[to]));
            to += 1;
        }
    }
    steps
}

/// How many lines the rests of both texts, from each pair of places on, have in common in order; empty for
/// too many.
fn common(old: &[&str], new: &[&str]) -> Vec<Vec<u32>> {
    if old.len().saturating_mul(new.len()) > PAIRS {
        return Vec::new();
    }
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for at in (0..old.len()).rev() {
        for to in (0..new.len()).rev() {
            common[at][to] = match old[at] == new[to] {
                true => common[at + 1][to + 1] + 1,
                false => common[at + 1][to].max(common[at][to + 1]),
            };
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_two_lines_around_it() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let after = "1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n";

        let shown = lines(before, after);

        assert_eq!(shown, "  …\n  2\n  3\n- 4\n+ four\n  5\n  6\n  …\n  8\n  9\n+ 10\n");
    }

    #[test]
    fn lines_that_stay_are_not_shown_as_changed() {
        assert_eq!(lines("a\nb\nc\nd\n", "a\nx\nb\nd\ny\n"), "  a\n+ x\n  b\n- c\n  d\n+ y\n");
        assert_eq!(lines("", "a\n"), "+ a\n");
        assert_eq!(lines("a\n", ""), "- a\n");
        assert_eq!(lines("same\n", "same\n"), "");
    }

    #[test]
    fn huge_texts_are_shown_as_replaced() {
        let numbers = |from: usize| (from..from + 3000).map(|n| format!("{n}\n")).collect::<String>();
        assert_eq!(lines(&numbers(0), &numbers(2999)).lines().count(), 6000);
    }
}
