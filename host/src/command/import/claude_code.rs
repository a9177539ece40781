//! What Claude Code itself keeps of a project in Markdown: the notes of its auto memory, and instructions
//! such as CLAUDE.md.
//!
//! A note with a name in its front matter is one memory (seen with 2.1.219). Of other files, each bullet and
//! each paragraph is one, with its heading as tag.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

use super::source_folder::{SourceFolder, real_path};
use super::{Found, front_matter};
use crate::claude::instructions::{INSTRUCTION_FILES, without_section};
use crate::claude::settings::user_folder;
use crate::claude::transcript_files::folder_of;
use crate::error::{Error, Result};
use crate::memory::{fitting_tags, id_of_key};
use crate::project::Project;

/// The folder of the notes, beside the transcripts.
const FOLDER: &str = "memory";

/// Maximum length of a note that stays whole. A memory has at most 8 KiB.
const MAX_NOTE_BYTES: usize = 8_000;

/// Maximum length of a title. A memory's has at most 120 characters.
const MAX_TITLE_CHARS: usize = 110;

/// Number of words below which a text needs its heading to be understood.
const MIN_WORDS: usize = 4;

/// The front matter of a note. Its type stands at the top or below `metadata`, as the version of Claude Code
/// has it.
#[derive(Debug, Default, Deserialize)]
struct Header {
    name: Option<String>,
    description: Option<String>,
    r#type: Option<String>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Debug, Default, Deserialize)]
struct Metadata {
    r#type: Option<String>,
}

/// Reads Claude Code's notes of the project, or a Markdown file or the files of a folder at `path`.
///
/// # Errors
/// `NotFound`, with the files that could be taken instead, if nothing is there.
pub fn read(path: Option<&Path>, project: &Project) -> Result<Found> {
    let hint = hint(project);
    let path = path.map(Path::to_owned).or_else(|| default_folder(project));
    let path = path.ok_or_else(|| Error::unavailable("HOME is not set").hint(&hint))?;
    let real = real_path(&path, &hint)?;
    let (folder, only) = match real.is_dir() {
        true => (real.clone(), None),
        false => (real.parent().unwrap_or(&real).to_owned(), Some(real)),
    };
    let mut folder = SourceFolder::open(&folder, &hint)?;
    let files = only.map_or_else(|| folder.files_in(Path::new(""), "md"), |file| vec![file]);
    let mut found = Found::in_place(path.display().to_string());
    files.iter().for_each(|file| add_file(file, &files, &mut folder, &mut found));
    Ok(found)
}

/// Returns the folder of the notes. Claude Code keeps one for all work trees, named by the main one, and in
/// some versions one for each.
fn default_folder(project: &Project) -> Option<PathBuf> {
    let user = user_folder(&|name| std::env::var_os(name))?;
    let of = |root: &Path| folder_of(&user, root).join(FOLDER);
    let main = project.main_root().map(|root| of(&root)).filter(|folder| folder.is_dir());
    let own = of(&project.root);
    Some(if own.is_dir() { own } else { main.unwrap_or(own) })
}

/// Returns the next step: which files with instructions there are.
fn hint(project: &Project) -> String {
    let files: Vec<&str> =
        INSTRUCTION_FILES.into_iter().filter(|file| project.root.join(file).is_file()).collect();
    let commands: Vec<String> =
        files.iter().map(|file| format!("interleaf import claude-code {file}")).collect();
    match commands.is_empty() {
        true => "name a Markdown file or a folder of them: interleaf import claude-code PATH".to_owned(),
        false => format!("to take over what you wrote yourself: {}", commands.join(", ")),
    }
}

/// Adds what a file says. `files` are all files that are read.
fn add_file(file: &Path, files: &[PathBuf], folder: &mut SourceFolder, found: &mut Found) {
    let place = folder.place(file);
    let text = folder.read(file).and_then(|text| own_text(&text.replace("\r\n", "\n")));
    let text = match text {
        Ok(text) => text,
        Err(error) => return found.add_unreadable(place, error),
    };
    let (yaml, body) = front_matter(&text).map_or((None, text.as_str()), |(yaml, body)| (Some(yaml), body));
    let header = yaml.map(Header::read).unwrap_or_default();
    if header.name.is_some() && body.len() <= MAX_NOTE_BYTES {
        return add_note(&place, &header, body, found);
    }
    for block in blocks(body).iter().filter(|block| !is_index_line(&block.text, files)) {
        add_block(&place, &header, block, found);
    }
}

/// Returns the text without the section that Interleaf wrote.
fn own_text(text: &str) -> Result<String> {
    Ok(without_section(text)?.unwrap_or_else(|| text.to_owned()))
}

fn add_note(place: &str, header: &Header, body: &str, found: &mut Found) {
    let title = header.description.as_ref().or(header.name.as_ref());
    let title = title.map(|title| interleaf_text::truncate_at_word(title, MAX_TITLE_CHARS).into_owned());
    let text = if body.is_empty() { title.clone().unwrap_or_default() } else { body.to_owned() };
    let tags = header.kind().map(str::to_owned).into_iter().chain([name_of(place)]);
    found.add(
        place,
        json!({
            "id": id(&text), "category": header.category(), "title": title, "text": text,
            "tags": fitting_tags(tags),
        }),
    );
}

fn add_block(place: &str, header: &Header, block: &Block, found: &mut Found) {
    let text = match block.text.split_whitespace().count() < MIN_WORDS && !block.heading.is_empty() {
        true => format!("{}: {}", block.heading, block.text),
        false => block.text.clone(),
    };
    let heading = if block.heading.is_empty() { name_of(place) } else { block.heading.clone() };
    let fields: Value = json!({
        "id": id(&text), "category": header.category(), "title": block.title(), "text": text,
        "tags": fitting_tags([heading]),
    });
    found.add(format!("{place}, line {}", block.line), fields);
}

/// Returns the id of a text: the same after it was moved to another file.
fn id(text: &str) -> String {
    format!("claude-code-{}", id_of_key("claude-code", text))
}

/// Returns the name of a file without its extension.
fn name_of(place: &str) -> String {
    Path::new(place).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Tells whether a text is a line of the index that Claude Code keeps of the other files.
fn is_index_line(text: &str, files: &[PathBuf]) -> bool {
    let linked = text.strip_prefix('[').and_then(|rest| rest.split_once("](")?.1.split_once(')'));
    linked.is_some_and(|(link, _)| files.iter().any(|file| file.ends_with(link.trim_start_matches("./"))))
}

impl Header {
    /// Reads front matter. Claude Code writes some that is no valid YAML, such as a description with a colon.
    fn read(yaml: &str) -> Self {
        let value = |name: &str| {
            let line = yaml.lines().find_map(|line| line.trim_start().strip_prefix(name));
            line.map(|value| value.trim().to_owned())
        };
        serde_saphyr::from_str(yaml).unwrap_or_else(|_| Self {
            name: value("name:"),
            description: value("description:"),
            r#type: value("type:"),
            ..Self::default()
        })
    }

    fn kind(&self) -> Option<&str> {
        self.r#type.as_deref().or(self.metadata.r#type.as_deref())
    }

    /// Returns the category of a type of notes; `None` if any category fits it.
    fn category(&self) -> Option<&'static str> {
        match self.kind() {
            Some("user" | "feedback") => Some("preference"),
            _ => None,
        }
    }
}

/// A bullet or a paragraph, with what belongs to it.
#[derive(Debug, Default)]
struct Block {
    /// The number of its first line after the front matter, counted from 1.
    line: usize,
    heading: String,
    text: String,
}

impl Block {
    /// Returns a title for a text that begins with an introduction, which says little without its heading.
    fn title(&self) -> Option<String> {
        let introduction = self.text.lines().next()?.strip_suffix(':')?;
        let title = format!("{}: {introduction}", self.heading);
        Some(interleaf_text::truncate_at_word(title.trim_start_matches(": "), MAX_TITLE_CHARS).into_owned())
    }
}

/// Returns the bullets and the paragraphs of a Markdown text.
fn blocks(text: &str) -> Vec<Block> {
    let mut reader = BlockReader::default();
    for (number, line) in text.lines().enumerate() {
        reader.add_line(number + 1, line.trim_end());
    }
    reader.end_block();
    reader.blocks
}

/// Reads Markdown line by line.
#[derive(Debug, Default)]
struct BlockReader {
    blocks: Vec<Block>,
    heading: String,
    /// A paragraph that ends with a colon: it is the beginning of each bullet, or of the code, that follows.
    introduction: String,
    current: Option<Block>,
    /// The marks that opened a block of code.
    fence: Option<&'static str>,
    /// Whether the last block can go on after an empty line.
    is_resumable: bool,
}

impl BlockReader {
    fn add_line(&mut self, number: usize, line: &str) {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        let marks = ["```", "~~~"].into_iter().find(|marks| trimmed.starts_with(marks));
        match () {
            () if self.fence.is_some() || marks.is_some() => self.add_code(number, line, marks),
            () if trimmed.is_empty() => self.end_block(),
            () if let Some(heading) = heading(line) => self.begin_section(heading),
            () if is_no_text(trimmed) => self.end_block(),
            () if indent < 2
                && let Some(bullet) = bullet(trimmed) =>
            {
                self.begin_bullet(number, bullet)
            }
            () => self.add_text(number, line, indent),
        }
    }

    /// Adds a line of code to the block before it.
    fn add_code(&mut self, number: usize, line: &str, marks: Option<&'static str>) {
        if self.current.is_none() {
            self.resume(number);
        }
        self.push(line);
        self.fence = match (self.fence, marks) {
            (Some(open), Some(marks)) if open == marks => None,
            (Some(open), _) => Some(open),
            (None, marks) => marks,
        };
    }

    /// Adds a line to the current block. A line break within a sentence has no meaning in Markdown.
    fn add_text(&mut self, number: usize, line: &str, indent: usize) {
        if self.current.is_none() {
            match indent >= 2 && self.is_resumable {
                true => self.resume(number),
                false => self.begin(number, String::new()),
            }
        }
        let trimmed = line.trim_start();
        let is_line = bullet(trimmed).is_some() || trimmed.starts_with(['|', '>']);
        match &mut self.current {
            Some(block) if !is_line && !block.text.is_empty() && !ends_a_line(&block.text) => {
                block.text.extend([" ", trimmed]);
            }
            _ => self.push(line),
        }
    }

    fn begin_section(&mut self, heading: &str) {
        self.end_block();
        self.heading = heading.to_owned();
        self.introduction.clear();
        self.is_resumable = false;
    }

    fn begin_bullet(&mut self, number: usize, bullet: &str) {
        self.end_block();
        let text = match self.introduction.as_str() {
            "" => bullet.to_owned(),
            introduction => format!("{introduction} {bullet}"),
        };
        self.current = Some(Block { line: number, heading: self.heading.clone(), text });
    }

    /// Begins a paragraph.
    fn begin(&mut self, number: usize, text: String) {
        self.introduction.clear();
        self.current = Some(Block { line: number, heading: self.heading.clone(), text });
    }

    /// Goes on with the introduction or the last block of the section.
    fn resume(&mut self, number: usize) {
        match self.blocks.pop_if(|_| self.introduction.is_empty() && self.is_resumable) {
            Some(block) => self.current = Some(block),
            None => {
                let introduction = std::mem::take(&mut self.introduction);
                self.begin(number, introduction);
            }
        }
    }

    fn push(&mut self, line: &str) {
        let Some(block) = &mut self.current else { return };
        if !block.text.is_empty() {
            block.text.push('\n');
        }
        block.text.push_str(line);
    }

    fn end_block(&mut self) {
        let Some(block) = self.current.take() else { return };
        let is_introduction = block.text.ends_with(':') && self.introduction.is_empty();
        match is_introduction {
            true => self.introduction = block.text,
            false => self.blocks.push(block),
        }
        self.is_resumable = !is_introduction;
    }
}

/// Tells whether a text ends with code or a row of a table, after which nothing stands on the same line.
fn ends_a_line(text: &str) -> bool {
    let last = text.lines().next_back().unwrap_or_default().trim_start();
    ["```", "~~~", "|"].iter().any(|mark| last.starts_with(mark))
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    ((1..=6).contains(&level) && text.starts_with(' ')).then(|| text.trim().trim_end_matches('#').trim_end())
}

/// Returns the text of a bullet or of a numbered line.
fn bullet(line: &str) -> Option<&str> {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = match number.len() < line.len() {
        true => number.strip_prefix(['.', ')']),
        false => line.strip_prefix(['-', '*', '+']),
    };
    rest?.strip_prefix(' ').map(str::trim)
}

/// Tells whether a line says nothing by itself: a rule, a comment, or the name of another file to read.
fn is_no_text(line: &str) -> bool {
    let is_rule = line.len() >= 3 && ["-", "*", "_"].iter().any(|mark| line.replace(mark, "").is_empty());
    let is_comment = line.starts_with("<!--") && line.ends_with("-->");
    is_rule || is_comment || (line.starts_with('@') && !line.contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(markdown: &str) -> Vec<(String, String)> {
        blocks(markdown).into_iter().map(|block| (block.heading, block.text)).collect()
    }

    fn pair(heading: &str, text: &str) -> (String, String) {
        (heading.to_owned(), text.to_owned())
    }

    #[test]
    fn each_bullet_and_each_paragraph_is_a_block_with_its_heading() {
        let list = "- one\n  more of it\n  - nested\n\n  still one\n- two";
        let tests = "## Tests ##\n1. first\n2) second\n---\n<!-- hidden -->\n@docs/other.md";
        let markdown = format!("Before.\n\n# Build\n\nSome words\nof two lines.\n\n{list}\n\n{tests}\n");

        assert_eq!(
            texts(&markdown),
            [
                pair("", "Before."),
                pair("Build", "Some words of two lines."),
                pair("Build", "one more of it\n  - nested still one"),
                pair("Build", "two"),
                pair("Tests", "first"),
                pair("Tests", "second"),
            ]
        );
    }

    #[test]
    fn code_stays_with_the_text_before_it() {
        let markdown =
            "# Deploy\n\nRun this:\n\n```sh\n# no heading\n\n- no bullet\n```\n\nThen wait.\n\n~~~\nx\n~~~\n";

        assert_eq!(
            texts(markdown),
            [
                pair("Deploy", "Run this:\n```sh\n# no heading\n\n- no bullet\n```"),
                pair("Deploy", "Then wait.\n~~~\nx\n~~~"),
            ]
        );
    }

    #[test]
    fn an_introduction_begins_each_of_its_bullets() {
        let markdown = "Never do this:\n\n- push to main\n- skip tests\n\nOther text.\n\n- alone\n";

        assert_eq!(
            texts(markdown),
            [
                pair("", "Never do this: push to main"),
                pair("", "Never do this: skip tests"),
                pair("", "Other text."),
                pair("", "alone"),
            ]
        );
    }

    fn found_in(files: &[(&str, &str)]) -> Found {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        read(Some(folder.path()), &Project::locate(folder.path())).expect("read")
    }

    #[test]
    fn a_note_of_the_auto_memory_is_one_entry_and_the_index_none() {
        let note = "---\nname: no-mocks\ndescription: Integration tests use a real database\nmetadata:\n  \
            type: feedback\n---\n\nUse a real database.\n\n**Why:** mocks hid a broken migration.\n";
        let found = found_in(&[
            (
                "MEMORY.md",
                "# Index\n\n- [No mocks](no-mocks.md) — real database\n- A note of its own, in the index\n",
            ),
            ("no-mocks.md", note),
        ]);

        let [index, note] = &found.entries[..] else { panic!("{found:?}") };
        assert_eq!(index.fields["text"], "A note of its own, in the index");
        assert_eq!(note.fields["title"], "Integration tests use a real database");
        assert_eq!(note.fields["category"], "preference");
        assert_eq!(note.fields["tags"], json!(["feedback", "no-mocks"]));
        assert!(note.fields["text"].as_str().is_some_and(|text| text.contains("**Why:**")));
    }

    #[test]
    fn front_matter_that_is_no_valid_yaml_is_read_by_lines() {
        for yaml in ["\nmetadata:\n  type: user", "\ntype: user"] {
            let yaml = &format!("name: a\ndescription: Why: it broke{yaml}");
            let header = Header::read(yaml);
            assert_eq!(header.description.as_deref(), Some("Why: it broke"), "{yaml}");
            assert_eq!(
                (header.name.as_deref(), header.category()),
                (Some("a"), Some("preference")),
                "{yaml}"
            );
        }
    }

    #[test]
    fn a_short_text_gets_its_heading_and_our_own_section_is_skipped() {
        let with =
            crate::claude::instructions::with_section("# Package manager\n\n- pnpm\n").expect("a section");
        let found = found_in(&[("CLAUDE.md", &with)]);

        let [entry] = &found.entries[..] else { panic!("{found:?}") };
        assert_eq!(entry.fields["text"], "Package manager: pnpm");
        assert_eq!(entry.place, "CLAUDE.md, line 3");
    }

    #[test]
    fn without_notes_the_instructions_are_suggested() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("CLAUDE.md"), "text").expect("written");
        let project = Project::locate(folder.path());

        let error = read(Some(&folder.path().join("none")), &project).expect_err("nothing is there");

        assert!(error.to_string().contains("none"), "{error}");
        assert!(error.hint.is_some_and(|hint| hint.ends_with("import claude-code CLAUDE.md")));
    }
}
