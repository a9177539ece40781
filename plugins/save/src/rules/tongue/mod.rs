//! What people say in which language, in tables of phrases; one file a language, the rarer ones together.
//!
//! A language is told by its small words, so that `nie` is *never* in German and *not* in Polish.

mod de;
mod en;
mod es;
mod far;
mod fr;
mod it;
mod nl;
mod pt;
mod rare;

use std::sync::LazyLock;

use super::phrase::Phrase;
use super::words::{Word, words};

/// The tables of a language, as written.
#[derive(Debug, Default, Clone, Copy)]
pub struct Table {
    /// Small words it is told by.
    pub marks: &'static str,
    /// Letters of a script it is told by.
    pub script: Option<fn(char) -> bool>,
    /// A rule that lasts, by itself.
    pub lasting: &'static [&'static str],
    /// A wish or a ban that lasts where something says so: a place, a reason.
    pub wish: &'static [&'static str],
    /// What looks like a rule and is none: complaints, reports.
    pub idle: &'static [&'static str],
    /// Where a rule holds.
    pub scope: &'static [&'static str],
    /// That something holds for the moment only.
    pub passing: &'static [&'static str],
    /// Why.
    pub reason: &'static [&'static str],
    /// That something was decided.
    pub decided: &'static [&'static str],
    /// That something was decided, in so many words.
    pub settled: &'static [&'static str],
    /// That it was not.
    pub undecided: &'static [&'static str],
    /// One thing in place of another.
    pub instead: &'static [&'static str],
    /// That somebody wants something changed or done, now.
    pub request: &'static [&'static str],
    /// That something is to be made so, here: a task.
    pub task: &'static [&'static str],
    /// A limit.
    pub limit: &'static [&'static str],
    /// What happens beyond a limit: a symptom, where nothing says that it stays so.
    pub edge: &'static [&'static str],
    /// That nothing can be done about it.
    pub firm: &'static [&'static str],
    /// That something is put off.
    pub defer: &'static [&'static str],
    /// Until when.
    pub until: &'static [&'static str],
    /// A question without its mark.
    pub asks: &'static [&'static str],
    /// Something only imagined.
    pub supposes: &'static [&'static str],
    /// A joke.
    pub jests: &'static [&'static str],
    /// Somebody else's words.
    pub hearsay: &'static [&'static str],
    /// That this is to be remembered.
    pub keep: &'static [&'static str],
    /// At a prompt's beginning: what was done or proposed is not wanted.
    pub refuses: &'static [&'static str],
    /// At a prompt's beginning: it is.
    pub agrees: &'static [&'static str],
    /// At a prompt's beginning: the person takes back what they said.
    pub concedes: &'static [&'static str],
    /// Whether a text says why something was as it was: causes, needs.
    pub cause: &'static [&'static str],
    /// A report that something is done and well, or what comes next: no explanation.
    pub report: &'static [&'static str],
}

macro_rules! tongue {
    ($($field:ident)*) => {
        /// A language, ready to be looked for.
        #[derive(Debug)]
        #[expect(missing_docs, reason = "the fields of the table")]
        pub struct Tongue {
            marks: Vec<&'static str>,
            script: Option<fn(char) -> bool>,
            $(pub $field: Vec<Phrase>,)*
        }

        impl Tongue {
            fn new(table: &Table) -> Self {
                let ready = |phrases: &[&str]| phrases.iter().map(|phrase| Phrase::new(phrase)).collect();
                Self {
                    marks: table.marks.split_whitespace().collect(),
                    script: table.script,
                    $($field: ready(table.$field),)*
                }
            }
        }
    };
}

tongue! {
    lasting wish idle scope passing reason decided settled undecided instead request task limit edge firm defer until asks supposes
    jests hearsay keep refuses agrees concedes cause report
}

static TONGUES: LazyLock<Vec<Tongue>> = LazyLock::new(|| {
    let near = [&en::TABLE, &de::TABLE, &fr::TABLE, &es::TABLE, &pt::TABLE, &it::TABLE, &nl::TABLE];
    near.into_iter().chain(rare::TABLES).chain(far::TABLES).map(Tongue::new).collect()
});

/// Characters by which a language is told.
const COMPARED: usize = 4_000;

/// The languages that a text may be in, English where nothing tells.
pub fn of(text: &str) -> Vec<&'static Tongue> {
    let text = &text[..text.floor_char_boundary(COMPARED)];
    let by_script = |tongue: &&Tongue| tongue.script.is_some_and(|is| text.chars().any(is));
    if let Some(tongue) = TONGUES.iter().find(by_script) {
        return vec![tongue, &TONGUES[0]];
    }
    let words: Vec<Word> = text.lines().flat_map(words).collect();
    let count =
        |tongue: &Tongue| words.iter().filter(|word| tongue.marks.contains(&word.text.as_str())).count();
    let counts: Vec<(usize, &Tongue)> = TONGUES.iter().map(|tongue| (count(tongue), tongue)).collect();
    let best = counts.iter().map(|(count, _)| *count).max().unwrap_or_default();
    let near = counts.into_iter().filter(|(count, _)| *count > 0 && *count * 10 >= best * 7);
    let found: Vec<&Tongue> = near.map(|(_, tongue)| tongue).collect();
    if found.is_empty() { vec![&TONGUES[0]] } else { found }
}

/// Where one of these phrases is.
pub fn find(phrases: &[Phrase], words: &[Word]) -> Option<(usize, usize)> {
    phrases.iter().filter_map(|phrase| phrase.find(words)).min()
}
