//! Finds become memories: best first, as many as a session may leave behind. Each is written under a key, so that a
//! flush that was cut off can be repeated.

use serde_json::Value;

use crate::bindings::interleaf::layer::memory::{self, Draft, Quote, Written};
use crate::bindings::interleaf::layer::types::Error;
use crate::drafting::fields;
use crate::find::{Category, Find, Origin};
use crate::host;
use crate::progress::Kept;
use crate::talk::UNWRITTEN;

/// The tag of what is worth having at every start, and how many of it a session may add (seed 001).
const LEADING: &str = "cheat-sheet";
const MOST_LEADING: usize = 2;

/// Quotes that a draft carries.
const MOST_QUOTES: usize = 8;

/// Why a memory is retired that has a successor.
const CHANGED: &str = "it was changed since";

/// The value of the session's state in which the keys of its memories are.
const KEPT: &str = "kept";

/// Writes memories for one session.
pub struct Keeper<'a> {
    session: &'a str,
    promote: bool,
    kept: Kept,
    /// What was written now: the memories, each with what it was made of.
    pub written: Vec<(String, Find)>,
}

impl<'a> Keeper<'a> {
    /// For this session. Unless `promote`, nothing goes onto the cheat sheet.
    ///
    /// # Errors
    /// Where the state cannot be read now; likewise below: then the flush is repeated.
    pub fn of(session: &'a str, promote: bool) -> Result<Self, Error> {
        Ok(Self { session, promote, kept: host::kept(KEPT)?, written: Vec::new() })
    }

    /// Writes the best of them, until the session has left `most` behind. A place is taken before the memory is
    /// written, and given back where another memory says it already.
    ///
    /// # Errors
    /// As for [`Keeper::of`].
    pub fn best(&mut self, finds: Vec<Find>, most: usize) -> Result<(), Error> {
        for find in finds {
            let key = format!("{}/{}", self.session, find.key);
            let known = self.kept.memories.contains(&key);
            if !known && self.kept.memories.len() >= most {
                continue;
            }
            let find = self.led(find, &key);
            if !known {
                self.kept.memories.push(key.clone());
                self.remember()?;
            }
            if !self.one(&find, &key)? && !known {
                self.kept.memories.pop();
                self.kept.leading.retain(|leading| *leading != key);
                self.remember()?;
            }
        }
        Ok(())
    }

    /// Writes what a project is told once, whatever session comes across it.
    ///
    /// # Errors
    /// As for [`Keeper::of`].
    pub fn once(&mut self, name: &str, mut find: Find) -> Result<(), Error> {
        find.tags.retain(|tag| tag != LEADING);
        self.one(&find, name).map(drop)
    }

    /// Writes what may change: where its words have changed, it takes the place of what was written under this name.
    ///
    /// # Errors
    /// As for [`Keeper::of`].
    pub fn latest(&mut self, name: &str, mut find: Find) -> Result<(), Error> {
        find.tags.retain(|tag| tag != LEADING);
        let known: (u64, String) = host::kept_of_project(name)?;
        let hash = hash(&find.text);
        if known.0 == hash {
            return Ok(());
        }
        let Some(id) = self.successor(&find, &format!("{name}/{hash:x}"), &known.1)? else { return Ok(()) };
        host::keep_in_project(name, &(hash, &id))?;
        if !known.1.is_empty() && known.1 != id {
            retire(&known.1, CHANGED);
        }
        Ok(())
    }

    /// Writes it, also where it resembles the one that it replaces; none where the host refuses it.
    fn successor(&mut self, find: &Find, key: &str, replaced: &str) -> Result<Option<String>, Error> {
        let mut now = written(find, key)?;
        if matches!(&now, Some(Written::DuplicateOf(id)) if id == replaced) {
            retire(replaced, CHANGED);
            now = written(find, key)?;
        }
        Ok(now.map(|now| self.noted(now, find)))
    }

    /// The memory that says it now; a new one is noted.
    fn noted(&mut self, written: Written, find: &Find) -> String {
        match written {
            Written::Created(id) => {
                self.written.push((id.clone(), find.clone()));
                id
            }
            Written::DuplicateOf(id) => id,
        }
    }

    /// Writes the summary in the place of the one that this session has.
    ///
    /// # Errors
    /// As for [`Keeper::of`].
    pub fn summary(&mut self, find: &Find, count: u32) -> Result<(), Error> {
        let Some(written) = written(find, &format!("summary/{}/{count}", self.session))? else {
            return Ok(());
        };
        let id = self.noted(written, find);
        let earlier = self.kept.summary.replace((id.clone(), find.content.clone()));
        self.remember()?;
        if let Some((old, _)) = earlier.filter(|(old, _)| *old != id) {
            retire(&old, "a later summary of the session");
        }
        Ok(())
    }

    /// The content of the summary that this session has.
    pub fn summarised(&self) -> Option<&Value> {
        self.kept.summary.as_ref().map(|(_, content)| content)
    }

    /// The find as far as the cheat sheet goes: a tool's words never lead, and a session adds two.
    fn led(&mut self, mut find: Find, key: &str) -> Find {
        let leading = &mut self.kept.leading;
        let room = leading.len() < MOST_LEADING || leading.iter().any(|known| known == key);
        if !(self.promote && find.origin == Origin::Assistant && room) {
            find.tags.retain(|tag| tag != LEADING);
        }
        if find.tags.iter().any(|tag| tag == LEADING) && leading.iter().all(|known| known != key) {
            leading.push(key.to_owned());
        }
        find
    }

    /// Whether it is a new memory.
    fn one(&mut self, find: &Find, key: &str) -> Result<bool, Error> {
        let written = written(find, key)?;
        if let Some(Written::Created(id)) = &written {
            self.written.push((id.clone(), find.clone()));
        }
        Ok(matches!(written, Some(Written::Created(_))))
    }

    fn remember(&self) -> Result<(), Error> {
        host::keep(KEPT, &self.kept)
    }
}

/// Writes it. What the host's rules refuse is not written, and said in the log; what it cannot do now is an error.
fn written(find: &Find, key: &str) -> Result<Option<Written>, Error> {
    match memory::create(&draft(find, key)) {
        Ok(written) => Ok(Some(written)),
        Err(error @ Error::Unavailable(_)) => Err(error),
        Err(error) => {
            host::complain(&format!("a {} was not written", find.category.as_str()), &error);
            Ok(None)
        }
    }
}

fn draft(find: &Find, key: &str) -> Draft {
    // What only the event has told stands in no transcript yet.
    let quotes = find.evidence.iter().filter(|quote| quote.cursor != UNWRITTEN).take(MOST_QUOTES);
    Draft {
        category: category(find.category),
        title: find.title.clone(),
        text: find.text.clone(),
        content: Some(fields::fitting(find.category, &find.content).to_string()),
        tags: find.tags.clone(),
        related_files: find.files.clone(),
        confidence: find.confidence,
        importance: find.importance,
        origin: match find.origin {
            Origin::Assistant => memory::Origin::Assistant,
            Origin::ToolOutput => memory::Origin::ToolOutput,
        },
        key: Some(key.to_owned()),
        quotes: quotes.map(|quote| Quote { text: quote.quote.clone(), cursor: quote.cursor }).collect(),
    }
}

/// FNV-1a: the same everywhere and for ever, as a name for a text.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn retire(id: &str, why: &str) {
    let retired = memory::get(id).and_then(|old| memory::retire(id, old.version, why));
    if let Err(error) = retired {
        host::complain("what was replaced was not retired", &error);
    }
}

fn category(category: Category) -> memory::Category {
    match category {
        Category::SessionSummary => memory::Category::SessionSummary,
        Category::Decision => memory::Category::Decision,
        Category::Runbook => memory::Category::Runbook,
        Category::Constraint => memory::Category::Constraint,
        Category::TechDebt => memory::Category::TechDebt,
        Category::Preference => memory::Category::Preference,
        Category::Learning => memory::Category::Learning,
        Category::Context => memory::Category::Context,
    }
}
