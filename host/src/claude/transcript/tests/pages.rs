//! Where a page begins and ends, and how much of a large file it looks at.

use super::*;
use crate::claude::transcript::page::Size;
use crate::dirs::scratch::Scratch;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};

const MUCH: Size = Size { entries: 10_000, text: 10 << 20 };

/// Reads all of it in pages of so many entries.
fn in_pages(transcript: &Transcript, limit: usize) -> Vec<Entry> {
    let (mut entries, mut cursor) = (Vec::new(), 0);
    loop {
        let page = transcript.read(cursor, limit, 1 << 20).expect("it can be read");
        assert!(page.cursor > cursor || !page.more, "it goes on");
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
    let whole = all(&transcript).entries;

    assert_eq!(whole.len(), 60);
    for limit in [0, 1, 2, 7, 59, 60, 61] {
        assert_eq!(in_pages(&transcript, limit), whole, "{limit} a page");
    }
}

#[test]
fn reading_from_an_entry_s_cursor_begins_with_it() {
    let transcript = Transcript::from_lines(prompt("one") + &prompt("two") + &prompt("three"));

    for entry in all(&transcript).entries {
        let page = transcript.read(entry.cursor, 1, 0).expect("it can be read");
        assert_eq!(page.entries, [entry]);
    }
}

#[test]
fn a_line_that_is_half_written_is_left_for_the_next_time() {
    let scratch = Scratch::new();
    let (one, two) = (prompt("one"), prompt("two"));
    let file = scratch.file("t.jsonl", &format!("{one}{}", &two[..two.len() / 2]));
    let transcript = Transcript::file(file.to_string_lossy(), Redactor::BUILT_IN);

    let first = all(&transcript);
    assert_eq!((texts(&first.entries), first.cursor, first.more), (vec!["one"], one.len() as u64, false));

    scratch.file("t.jsonl", &format!("{one}{two}"));
    let second = transcript.read(first.cursor, 10, 1 << 20).expect("it can be read");
    assert_eq!((texts(&second.entries), second.cursor), (vec!["two"], (one.len() + two.len()) as u64));
}

#[test]
fn garbage_is_passed_over() {
    let garbage = [
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
    let lines: String = garbage.iter().map(|line| format!("{line}\n{}", prompt("x"))).collect();
    let scratch = Scratch::new();
    let mut bytes = b"\xff\xfe\x80\n".to_vec();
    bytes.extend(lines.as_bytes());
    let file = scratch.path().join("t.jsonl");
    std::fs::write(&file, bytes).expect("it can be written");

    let page = all(&Transcript::file(file.to_string_lossy(), Redactor::BUILT_IN));

    assert_eq!(page.entries.len(), garbage.len());
}

#[test]
fn a_cursor_inside_a_line_stands_for_the_next_one() {
    let (one, two) = (prompt("one"), prompt("two"));
    let transcript = Transcript::from_lines(format!("{one}{two}"));

    for cursor in 1..=one.len() as u64 {
        let page = transcript.read(cursor, 10, 1 << 20).expect("it can be read");
        assert_eq!(texts(&page.entries), ["two"], "from {cursor}");
    }
}

#[test]
fn a_cursor_inside_the_last_line_waits_for_the_next_one() {
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
fn a_cursor_beyond_the_end_stands_for_the_beginning() {
    let transcript = Transcript::from_lines(prompt("one"));

    for cursor in [1_000, u64::MAX] {
        let page = transcript.read(cursor, 10, 1 << 20).expect("it can be read");
        assert_eq!((texts(&page.entries), page.cursor), (vec!["one"], prompt("one").len() as u64));
    }
    let end = transcript.read(prompt("one").len() as u64, 10, 1 << 20).expect("it can be read");
    assert_eq!((end.entries.len(), end.more), (0, false), "the end itself is no other transcript");
}

#[test]
fn there_may_be_no_transcript_yet() {
    let missing = Transcript::file("/nowhere/t.jsonl", Redactor::BUILT_IN).read(0, 1, 1).expect_err("none");

    assert_eq!(missing.kind, crate::error::ErrorKind::NotFound);
    assert_eq!(all(&Transcript::from_lines("")), Page::default());
}

#[test]
fn room_ends_a_page_but_one_entry_always_fits() {
    let transcript = Transcript::from_lines(prompt(&"long ".repeat(400)) + &prompt(&"more ".repeat(400)));

    let page = transcript.read(0, 10, 100).expect("it can be read");

    assert_eq!((page.entries.len(), page.more), (1, true));
}

#[test]
fn a_line_of_very_many_words_or_parts_still_fits_a_page() {
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
fn a_line_that_is_too_long_is_passed_over_without_being_held() {
    let long = prompt(&"x".repeat(lines::LONGEST));
    let transcript = Transcript::from_lines(prompt("one") + &long + &prompt("two"));

    assert_eq!(texts(&in_pages(&transcript, 10)), ["one", "two"]);
    let mut buffer = Vec::new();
    let found = lines::next(&mut long.as_bytes(), &mut buffer, u64::MAX).expect("it can be read");
    assert_eq!((found, buffer.capacity()), (lines::Found::TooLong(long.len() as u64), 0));
}

#[test]
fn a_line_without_an_end_does_not_keep_a_page_from_ending() {
    let endless = "x".repeat(40 << 20);
    let transcript = Transcript::from_lines(prompt("one") + &endless);

    assert_eq!(texts(&in_pages(&transcript, 10)), ["one"]);
    let goes_on = Transcript::from_lines(prompt("one") + &endless + "\n" + &prompt("two"));
    assert_eq!(texts(&in_pages(&goes_on, 10)), ["one", "two"]);
}

/// Counts what is read.
struct Counting<R> {
    from: R,
    bytes: u64,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.from.read(into)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

impl<R: Seek> Seek for Counting<R> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.from.seek(to)
    }
}

/// Sixty megabytes of bookkeeping, and a prompt after every fifteen of them.
fn large(scratch: &Scratch) -> std::path::PathBuf {
    let path = scratch.path().join("large.jsonl");
    let mut file = BufWriter::new(File::create(&path).expect("it can be made"));
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
fn of_a_large_file_a_page_reads_its_own_part_only() {
    const MOST: u64 = (4 << 20) + (64 << 10);
    let scratch = Scratch::new();
    let path = large(&scratch);
    let (mut cursor, mut found, mut pages) = (0, Vec::new(), 0);

    loop {
        let mut file = Counting { from: File::open(&path).expect("it is there"), bytes: 0 };
        let page = page::read(&mut file, cursor, MUCH, &Redactor::BUILT_IN).expect("it can be read");
        assert!(file.bytes <= MOST, "{} bytes from {cursor}", file.bytes);
        assert!(file.bytes <= page.cursor - cursor + (64 << 10), "nothing is read again");
        (cursor, pages) = (page.cursor, pages + 1);
        found.extend(page.entries);
        if !page.more {
            break;
        }
    }

    assert_eq!(texts(&found), ["prompt 0", "prompt 1", "prompt 2", "prompt 3"]);
    assert_eq!((cursor, pages >= 14), (std::fs::metadata(&path).expect("it is there").len(), true));
    let mut file = Counting { from: File::open(&path).expect("it is there"), bytes: 0 };
    let last = page::read(&mut file, found[3].cursor, MUCH, &Redactor::BUILT_IN).expect("it can be read");
    assert_eq!((texts(&last.entries), file.bytes < 1024), (vec!["prompt 3"], true), "the end costs nothing");
}
