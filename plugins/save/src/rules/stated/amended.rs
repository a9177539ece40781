//! A number that the person puts right: `no, 30 is too much, take 20`. What was said of 30 before holds for 20.

use super::claim::Claim;
use super::group::Group;
use super::signs::{is_quantity, signs};
use super::wording::{cut, raised};
use crate::rules::turns::{Said, Turn};
use interleaf_layer::memory::Category;

/// A number that was put right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amendment {
    /// What it was.
    pub old: String,
    /// What it is.
    pub new: String,
    /// Where the entry stands that says so.
    pub at: usize,
}

impl Amendment {
    /// Whether this was said of the old number.
    pub fn concerns(&self, group: &Group) -> bool {
        group.numbers().contains(self.old.as_str())
    }

    /// A text from before, with the number as it is.
    pub fn applied(&self, text: &str) -> String {
        let mut amended = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(&self.old) {
            let (head, tail) = (&rest[..at], &rest[at + self.old.len()..]);
            let whole = !head.ends_with(|c: char| c.is_alphanumeric())
                && !tail.starts_with(|c: char| c.is_ascii_digit());
            amended.push_str(head);
            amended.push_str(if whole { &self.new } else { &self.old });
            rest = tail;
        }
        amended + rest
    }
}

/// The number that this turn puts right, and what that states, if it says why.
pub fn amended<'a>(turn: &'a Turn<'a>, before: &'a Turn<'a>) -> Option<(Amendment, Option<Group<'a>>)> {
    if !super::refuses(turn) {
        return None;
    }
    turn.said.iter().take(3).find_map(|said| {
        let known = |number: &&str| mentioned(before, number).is_some();
        let (old, new): (Vec<&str>, Vec<&str>) = numbers(said).into_iter().partition(|number| known(number));
        let ([old], [new]) = (&old[..], &new[..]) else { return None };
        let amendment = Amendment { old: (*old).to_owned(), new: (*new).to_owned(), at: turn.at };
        let group = group(turn, said, before, &amendment);
        Some((amendment, group))
    })
}

fn group<'a>(
    turn: &'a Turn<'a>,
    said: &'a Said<'a>,
    before: &Turn,
    amendment: &Amendment,
) -> Option<Group<'a>> {
    let signs = signs(said, &turn.tongues);
    let explained = (signs.limit || signs.edge || signs.firm || signs.reason) && !signs.asks;
    let clause =
        mentioned(before, &amendment.old).map(|clause| raised(&cut(&amendment.applied(clause), 160)));
    let claim = Claim { category: Category::Constraint, score: 0.74, rules: false };
    explained
        .then(|| Group::of(claim, said, None, None))
        .map(|group| clause.into_iter().fold(group, Group::headed))
}

fn numbers<'a>(said: &'a Said) -> Vec<&'a str> {
    let mut numbers: Vec<&str> =
        said.words.iter().map(|word| word.text.as_str()).filter(|word| is_quantity(word)).collect();
    numbers.dedup();
    numbers
}

/// The clause of a turn with this number, as the person or the assistant said it.
fn mentioned<'a>(turn: &'a Turn, number: &str) -> Option<&'a str> {
    let mut all = turn.said.iter().chain(&turn.answers);
    let said = all.find(|said| said.words.iter().any(|word| word.text == number))?;
    let clauses = said.text.split([',', ';', ':', '.', '(', ')']);
    clauses
        .into_iter()
        .find(|clause| clause.split(|c: char| !c.is_alphanumeric()).any(|word| word == number))
        .map(str::trim)
}
