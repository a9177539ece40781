//! A transcript that a test writes, and the record that takes it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::dirs::scratch::Scratch;
use crate::sessions::*;

/// A transcript that a test writes, and the record that takes it.
pub(super) struct Fixture {
    pub(super) scratch: Scratch,
    pub(super) record: Record,
    pub(super) lines: u32,
}

impl Fixture {
    pub(super) fn new() -> Self {
        let scratch = Scratch::new();
        let file = scratch.path().join("data/sessions.db");
        let record = Record::at(file, Redactor::BUILT_IN, Clock::Fixed(0)).with_root(Path::new("/srv/shop"));
        Self { scratch, record, lines: 0 }
    }

    pub(super) fn transcript(&self) -> PathBuf {
        self.scratch.path().join("0a1b2c3d.jsonl")
    }

    pub(super) fn line(&mut self, kind: &str, content: Value, more: Value) {
        self.lines += 1;
        let mut line = json!({
            "type": kind, "uuid": format!("line-{}", self.lines),
            "timestamp": format!("2026-03-01T10:{:02}:{:02}.000Z", self.lines / 60, self.lines % 60),
            "cwd": "/srv/shop", "gitBranch": "main", "isSidechain": false,
            "message": {"role": kind, "content": content},
        });
        if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
            line.extend(more);
        }
        self.append(&format!("{line}\n"));
    }

    pub(super) fn append(&self, text: &str) {
        let file = OpenOptions::new().create(true).append(true).open(self.transcript());
        file.expect("it opens").write_all(text.as_bytes()).expect("it can be written");
    }

    pub(super) fn prompt(&mut self, text: &str) -> &mut Self {
        self.line("user", json!(text), json!({}));
        self
    }

    pub(super) fn answer(&mut self, text: &str) -> &mut Self {
        self.line("assistant", json!([{"type": "text", "text": text}]), json!({}));
        self
    }

    pub(super) fn call(&mut self, id: &str, tool: &str, input: Value) -> &mut Self {
        let block = json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]);
        self.line("assistant", block, json!({}));
        self
    }

    pub(super) fn result(&mut self, id: &str, text: &str, failed: bool) -> &mut Self {
        let block = json!([{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}]);
        self.line("user", block, json!({}));
        self
    }

    pub(super) fn run(&mut self, id: &str, command: &str, output: &str, failed: bool) -> &mut Self {
        self.call(id, "Bash", json!({"command": command})).result(id, output, failed)
    }

    pub(super) fn edit(&mut self, id: &str, file: &str) -> &mut Self {
        self.call(id, "Edit", json!({"file_path": file, "old_string": "a", "new_string": "b"}));
        self.result(id, "The file has been updated", false)
    }

    pub(super) fn take(&self) -> Taken {
        self.take_as("0a1b2c3d")
    }

    pub(super) fn take_as(&self, session: &str) -> Taken {
        let path = self.transcript();
        let source = TranscriptSource { session, agent: "", path: &path };
        self.record.take(&source, Instant::now() + Duration::from_secs(600)).expect("it is taken")
    }

    pub(super) fn shown(&self) -> RecordedSession {
        self.record.show("0a1b2c3d").expect("it is recorded")
    }

    pub(super) fn search(&self, words: &str) -> Vec<SearchHit> {
        let query = SearchQuery { words: words.to_owned(), limit: 10, ..SearchQuery::default() };
        self.record.search(&query).expect("it is searched")
    }

    pub(super) fn signature_file(&self) -> PathBuf {
        self.scratch.path().join("data/sessions.db-signatures")
    }

    pub(super) fn signatures(&self) -> Vec<u8> {
        fs::read(self.signature_file()).expect("written")
    }

    /// Tells whether the bytes occur in the database or its log.
    pub(super) fn holds(&self, needle: &str) -> bool {
        let file = self.record.file().expect("a file").to_owned();
        let log = file.with_file_name("sessions.db-wal");
        [file, log]
            .iter()
            .filter_map(|file| fs::read(file).ok())
            .any(|bytes| bytes.windows(needle.len()).any(|window| window == needle.as_bytes()))
    }
}

/// The signature of the failure in [`complete`].
pub(super) fn missing_pytest() -> u64 {
    interleaf_shell::signature("python", "/usr/bin/python: No module named pytest")
}

/// A session of two turns with everything that is recorded.
pub(super) fn complete(fixture: &mut Fixture) {
    fixture.prompt("The checkout tests fail, please look").answer("I run them first.");
    fixture.run("t1", "python -m pytest -q", "Exit code 1\n/usr/bin/python: No module named pytest", true);
    fixture.run("t2", "python3 -m pytest -q", "12 passed in 0.5s", false);
    fixture.edit("t3", "/srv/shop/src/cart.py");
    fixture.run(
        "t4",
        "git commit -qam 'Fix the cart'",
        "[main 3f9a2b1] Fix the cart\n 1 file changed",
        false,
    );
    fixture.answer("The tests pass with python3 and the cart is fixed.");
    fixture.prompt("Thanks, now the invoices").answer("Which ones?");
}
