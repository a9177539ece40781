//! What passed after the same failure in earlier sessions, in one line: `this failure was seen on
//! 2026-11-03; the same command passed after `pip install 'jinja2<3.1'``. It is what the record has, told
//! without a reason.

use std::collections::BTreeSet;

use interleaf_layer::sessions::Episode;

/// Maximum length of a difference, in characters. A longer one is not shown, because a part of a command may
/// do something else.
const MAX_DIFFERENCE_CHARS: usize = 80;

/// Maximum number of days that are named, the newest.
const MAX_DAYS: usize = 3;

/// What stands before the folder of a `cd` that was left out.
const WITHOUT_CD: &str = "without `cd ";

/// The end of a difference that names what stood before a path.
const BEFORE_PATH: &str = " before the path";

/// Returns the line; none without an episode. If several differences helped, it names the one that helped
/// most often, and of these the newest. `cwd` is the shell's folder.
pub fn text(known: &[Episode], cwd: &str) -> Option<String> {
    let is_short = |episode: &&Episode| {
        episode.difference.chars().count() <= MAX_DIFFERENCE_CHARS && may_help(&episode.difference, cwd)
    };
    let count = |difference: &str| known.iter().filter(|known| known.difference == difference).count();
    // `max_by_key` returns the last maximum, and the newest episode is the first.
    let best = known.iter().rev().filter(is_short).max_by_key(|episode| count(&episode.difference))?;
    let same = known.iter().filter(|episode| episode.difference == best.difference);
    let days: BTreeSet<&str> = same.map(|episode| episode.failed_on.as_str()).collect();
    let days: Vec<&str> = days.iter().skip(days.len().saturating_sub(MAX_DAYS)).copied().collect();
    Some(format!("this failure was seen on {}; {}", joined(&days), passed(&best.difference)))
}

/// Tells whether a difference may help here. To leave out a `cd` helps only where the shell is in that folder
/// already; elsewhere the folder is missing.
fn may_help(difference: &str, cwd: &str) -> bool {
    let Some(rest) = difference.strip_prefix(WITHOUT_CD) else { return true };
    let folder = rest.trim_end_matches('`').trim_end_matches('/').trim_start_matches("./");
    cwd.strip_suffix(folder).is_some_and(|before| before.ends_with('/'))
}

/// Returns how it passed: after a command, with an interpreter or variables, or with another path.
fn passed(difference: &str) -> String {
    if difference.starts_with(WITHOUT_CD) {
        return format!("the command behind it passed {difference}");
    }
    if difference.ends_with(BEFORE_PATH) {
        return format!("the same command passed {difference}");
    }
    let (first, rest) = difference.split_once(' ').unwrap_or((difference, ""));
    let is_command = !rest.is_empty() && !first.contains('=');
    let word = if is_command { "after" } else { "with" };
    format!("the same command passed {word} `{difference}`")
}

/// Joins texts as a sentence does: `a, b and c`.
fn joined(texts: &[&str]) -> String {
    match texts {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CWD: &str = "/home/dev/shop";

    fn episode(difference: &str, day: &str) -> Episode {
        let (session_id, command, difference) =
            ("s".to_owned(), "python a.py".to_owned(), difference.to_owned());
        Episode { session_id, command, difference, failed_at: 1, passed_at: 9, failed_on: day.to_owned() }
    }

    #[test]
    fn the_line_names_the_days_and_what_helped_most_often() {
        let known = [
            episode("python3.11", "2026-11-12"),
            episode("python3", "2026-11-09"),
            episode("python3", "2026-11-03"),
            episode("python3", "2026-11-03"),
        ];
        let expected =
            "this failure was seen on 2026-11-03 and 2026-11-09; the same command passed with `python3`";
        assert_eq!(text(&known, CWD).as_deref(), Some(expected));
        assert_eq!(text(&[], CWD), None);
    }

    #[test]
    fn of_many_days_the_newest_are_named() {
        let known: Vec<Episode> =
            (1..=9).rev().map(|day| episode("A=1", &format!("2026-11-0{day}"))).collect();
        let line = text(&known, CWD).expect("a line");
        assert!(line.contains("2026-11-07, 2026-11-08 and 2026-11-09"), "{line}");
    }

    #[test]
    fn a_command_comes_before_the_success_and_a_variable_with_it() {
        for (difference, expected) in [
            ("pip install 'jinja2<3.1'", "passed after `pip install 'jinja2<3.1'`"),
            ("pip install a==1", "passed after `pip install a==1`"),
            ("TZ=UTC", "passed with `TZ=UTC`"),
            ("A='b c'", "passed with `A='b c'`"),
            ("A=1 B=2", "passed with `A=1 B=2`"),
        ] {
            let line = text(&[episode(difference, "2026-11-03")], CWD).expect("a line");
            assert!(line.ends_with(expected) && line.chars().count() <= 160, "{line}");
        }
    }

    #[test]
    fn a_cd_is_left_out_only_where_the_shell_is_in_that_folder() {
        let known = [episode("without `cd shop`", "2026-11-03")];
        let line = text(&known, CWD).expect("a line");
        assert!(line.ends_with("the command behind it passed without `cd shop`"), "{line}");
        assert_eq!(text(&known, "/home/dev"), None);
        assert_eq!(text(&known, "/home/dev/workshop"), None);
    }

    #[test]
    fn another_path_is_told_as_it_was_observed() {
        let line = text(&[episode("with `app/` before the path", "2026-11-03")], CWD).expect("a line");
        assert!(line.ends_with("; the same command passed with `app/` before the path"), "{line}");
    }

    #[test]
    fn a_difference_that_would_have_to_be_cut_is_not_told() {
        assert_eq!(text(&[episode(&"x".repeat(81), "2026-11-03")], CWD), None);
    }
}
