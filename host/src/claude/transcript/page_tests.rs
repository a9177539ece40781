//! Where a page begins and ends, and how much of a large file it reads.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};

use serde_json::{Value, json};

use super::*;
use crate::claude::Transcript;
use crate::claude::transcript::tests::{answer, entries, line, prompt, read_all, texts};
use crate::dirs::scratch::Scratch;

const UNLIMITED: PageLimits = PageLimits { max_entries: 10_000, max_bytes: 10 << 20 };

/// Reads all entries in pages of at most `max_entries`.
fn read_in_pages(transcript: &Transcript, max_entries: usize) -> Vec<Entry> {
    let (mut entries, mut cursor) = (Vec::new(), 0);
    loop {
        let page = transcript.read(cursor, max_entries, 1 << 20).expect("it can be read");
        assert!(page.cursor > cursor || !page.more, "the cursor advances");
        cursor = page.cursor;
        entries.extend(page.entries);
        if !page.more {
            return entries;
        }
    }
}

#[test]
fn pages_of_any_size_hold_every_entry_once() {
    let lines: String =
        (0..30).map(|n| prompt(&format!("prompt {n}")) + "garbage\n" + &answer("yes")).collect();
    let transcript = Transcript::from_lines(lines);
    let expected = read_all(&transcript).entries;

    assert_eq!(expected.len(), 60);
    for max_entries in [0, 1, 2, 7, 59, 60, 61] {
        assert_eq!(read_in_pages(&transcript, max_entries), expected, "{max_entries} a page");
    }
}

#[test]
fn a_page_from_an_entry_s_cursor_begins_with_that_entry() {
    let transcript = Transcript::from_lines(prompt("one") + &prompt("two") + &prompt("three"));

    for entry in read_all(&transcript).entries {
        let page = transcript.read(entry.cursor, 1, 0).expect("it can be read");
        assert_eq!(page.entries, [entry]);
    }
}

#[test]
fn an_incomplete_line_is_left_for_the_next_call() {
    let scratch = Scratch::new();
    let (one, two) = (prompt("one"), prompt("two"));
    let file = scratch.file("t.jsonl", &format!("{one}{}", &two[..two.len() / 2]));
    let transcript = Transcript::file(file.to_string_lossy(), Redactor::BUILT_IN);

    let first = read_all(&transcript);
    assert_eq!((texts(&first.entries), first.cursor, first.more), (vec!["one"], one.len() as u64, false));

    scratch.file("t.jsonl", &format!("{one}{two}"));
    let second = transcript.read(first.cursor, 10, 1 << 20).expect("it can be read");
    assert_eq!((texts(&second.entries), second.cursor), (vec!["two"], (one.len() + two.len()) as u64));
}

#[test]
fn malformed_lines_are_skipped() {
    let malformed = [
        "",
        "{",
        "null",
        "[]",
        "\"user\"",
        "{\"type\":7}",
        "{\"type\":\"user\"}",
        "\u{0}\u{1}",
        "{\"type\":\"user\",\"message\":{\"content\":[7,{},{\"type\":\"text\"}]}}",
    ];
    let lines: String = malformed.iter().map(|line| format!("{line}\n{}", prompt("x"))).collect();
    let scratch = Scratch::new();
    let mut bytes = b"\xff\xfe\x80\n".to_vec();
    bytes.extend(lines.as_bytes());
    let file = scratch.path().join("t.jsonl");
    std::fs::write(&file, bytes).expect("it can be written");

    let page = read_all(&Transcript::file(file.to_string_lossy(), Redactor::BUILT_IN));

    assert_eq!(page.entries.len(), malformed.len());
}

#[test]
fn a_cursor_inside_a_line_means_the_next_line() {
    let (one, two) = (prompt("one"), prompt("two"));
    let transcript = Transcript::from_lines(format!("{one}{two}"));

    for cursor in 1..=one.len() as u64 {
        let page = transcript.read(cursor, 10, 1 << 20).expect("it can be read");
        assert_eq!(texts(&page.entries), ["two"], "from {cursor}");
    }
}

#[test]
fn a_cursor_inside_the_last_line_waits_for_the_next_line() {
    let (one, two) = (prompt("one"), prompt("two"));
    let inside = one.len() as u64 + 5;

    let page =
        Transcript::from_lines(format!("{one}{}", &two[..20])).read(inside, 10, 1 << 20).expect("read");
    assert_eq!((page.entries.len(), page.more), (0, false));

    let page = Transcript::from_lines(format!("{one}{two}{}", prompt("three")))
        .read(page.cursor, 10, 1 << 20)
        .expect("read");
    assert_eq!(texts(&page.entries), ["three"]);
}

#[test]
fn a_cursor_beyond_the_end_means_the_beginning() {
    let transcript = Transcript::from_lines(prompt("one"));

    for cursor in [1_000, u64::MAX] {
        let page = transcript.read(cursor, 10, 1 << 20).expect("it can be read");
        assert_eq!((texts(&page.entries), page.cursor), (vec!["one"], prompt("one").len() as u64));
    }
    let end = transcript.read(prompt("one").len() as u64, 10, 1 << 20).expect("it can be read");
    assert_eq!((end.entries.len(), end.more), (0, false), "a cursor at the end is valid");
}

#[test]
fn a_transcript_that_does_not_exist_yet_is_not_found() {
    let missing = Transcript::file("/nowhere/t.jsonl", Redactor::BUILT_IN).read(0, 1, 1).expect_err("none");

    assert_eq!(missing.kind, crate::error::ErrorKind::NotFound);
    assert_eq!(read_all(&Transcript::from_lines("")), Page::default());
}

#[test]
fn the_text_limit_ends_a_page_but_one_entry_always_fits() {
    let transcript = Transcript::from_lines(prompt(&"long ".repeat(400)) + &prompt(&"more ".repeat(400)));

    let page = transcript.read(0, 10, 100).expect("it can be read");

    assert_eq!((page.entries.len(), page.more), (1, true));
}

#[test]
fn a_line_with_very_many_words_or_parts_is_limited_to_a_page() {
    let blocks = |count: usize, text: &str| {
        let block = json!({"type": "text", "text": text});
        line("assistant", Value::from(vec![block; count]), json!({}))
    };

    let parts = entries(&blocks(5_000, "x"));
    let words = entries(&blocks(90, &"word ".repeat(3_000)));

    assert_eq!(parts.len(), 100);
    assert!(words.iter().map(|entry| entry.text.len()).sum::<usize>() <= 256 << 10);
}

#[test]
fn a_line_that_is_too_long_is_skipped_without_being_held() {
    let long = prompt(&"x".repeat(MAX_LINE_BYTES));
    let transcript = Transcript::from_lines(prompt("one") + &long + &prompt("two"));

    assert_eq!(texts(&read_in_pages(&transcript, 10)), ["one", "two"]);
    let mut buffer = Vec::new();
    let line = read_line(&mut long.as_bytes(), &mut buffer, u64::MAX).expect("it can be read");
    assert_eq!((line, buffer.capacity()), (Line::TooLong(long.len() as u64), 0));
}

#[test]
fn a_line_without_an_end_still_ends_the_page() {
    let endless = "x".repeat(40 << 20);
    let transcript = Transcript::from_lines(prompt("one") + &endless);

    assert_eq!(texts(&read_in_pages(&transcript, 10)), ["one"]);
    let continued = Transcript::from_lines(prompt("one") + &endless + "\n" + &prompt("two"));
    assert_eq!(texts(&read_in_pages(&continued, 10)), ["one", "two"]);
}

/// A reader that counts the bytes it delivers.
struct Counting<R> {
    source: R,
    bytes: u64,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

impl<R: Seek> Seek for Counting<R> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.source.seek(to)
    }
}

/// Writes sixty megabytes of bookkeeping with a prompt after every fifteen.
fn large_file(scratch: &Scratch) -> std::path::PathBuf {
    let path = scratch.path().join("large.jsonl");
    let mut file = BufWriter::new(File::create(&path).expect("it can be created"));
    let bookkeeping = line("api-request", json!("word ".repeat(200)), json!({}));
    let times = (15 << 20) / bookkeeping.len();
    for n in 0..4 {
        (0..times).for_each(|_| file.write_all(bookkeeping.as_bytes()).expect("it can be written"));
        file.write_all(prompt(&format!("prompt {n}")).as_bytes()).expect("it can be written");
    }
    file.flush().expect("it can be written");
    path
}

#[test]
fn a_page_of_a_large_file_reads_only_its_own_part() {
    const MAX_BYTES_READ: u64 = (4 << 20) + (64 << 10);
    let scratch = Scratch::new();
    let path = large_file(&scratch);
    let (mut cursor, mut found, mut pages) = (0, Vec::new(), 0);

    loop {
        let mut file = Counting { source: File::open(&path).expect("it is there"), bytes: 0 };
        let page = read(&mut file, cursor, UNLIMITED, &Redactor::BUILT_IN).expect("it can be read");
        assert!(file.bytes <= MAX_BYTES_READ, "{} bytes from {cursor}", file.bytes);
        assert!(file.bytes <= page.cursor - cursor + (64 << 10), "no byte is read twice");
        (cursor, pages) = (page.cursor, pages + 1);
        found.extend(page.entries);
        if !page.more {
            break;
        }
    }

    assert_eq!(texts(&found), ["prompt 0", "prompt 1", "prompt 2", "prompt 3"]);
    assert_eq!((cursor, pages >= 14), (std::fs::metadata(&path).expect("it is there").len(), true));
    let mut file = Counting { source: File::open(&path).expect("it is there"), bytes: 0 };
    let last = read(&mut file, found[3].cursor, UNLIMITED, &Redactor::BUILT_IN).expect("it can be read");
    assert_eq!(
        (texts(&last.entries), file.bytes < 1024),
        (vec!["prompt 3"], true),
        "reading at the end is cheap"
    );
}
