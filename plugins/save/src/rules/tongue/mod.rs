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
mod table;

use std::sync::LazyLock;

use self::table::Table;
use super::phrase::Phrase;
use super::words::{Word, words};

macro_rules! tongue {
    ($($field:ident)*) => {
        /// A language, ready to be looked for.
        #[derive(Debug)]
        #[allow(missing_docs, reason = "the fields of the table")]
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
    lasting modal wish custom idle scope passing reason decided settled undecided instead task limit edge firm defer until asks supposes
    jests hearsay keep refuses agrees concedes builds once proposes habit cause report
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
    // One small word tells little: `per` is of four languages, and of none in `50 keys per object`.
    let english = best <= 1 && !found.iter().any(|tongue| std::ptr::eq(*tongue, &raw const TONGUES[0]));
    found.into_iter().chain(english.then_some(&TONGUES[0])).collect()
}

/// Where one of these phrases is.
pub fn find(phrases: &[Phrase], words: &[Word]) -> Option<(usize, usize)> {
    phrases.iter().filter_map(|phrase| phrase.find(words)).min()
}
