//! A project in which sessions end one after another, driven through the program.

use interleaf_tests::scratch::Scratch;
use interleaf_tests::workspace::fixtures;
use serde_json::{Value, json};

pub struct Project {
    pub scratch: Scratch,
}

impl Project {
    /// Creates a project with these settings of the save layer, and a model at this address, if any.
    pub fn new(settings: &str, model: Option<&str>) -> Self {
        let project = Self { scratch: Scratch::new() };
        project.configure(settings, model);
        // `init` compiles the layers, too.
        project.scratch.interleaf(&["compile"]).success();
        project
    }

    /// Replaces the settings and the model.
    pub fn configure(&self, settings: &str, model: Option<&str>) {
        let llm = model.map(|url| {
            format!("[llm]\nclient = \"openai\"\nbase_url = \"{url}\"\nsmall = \"s\"\nstrong = \"t\"\n")
        });
        self.scratch.configure(&format!("{}[layers.save.settings]\n{settings}\n", llm.unwrap_or_default()));
    }

    /// Ends a session with this transcript and runs its jobs.
    pub fn session(&self, name: &str, transcript: &str) -> &Self {
        self.end(name, transcript);
        self.scratch.interleaf(&["jobs", "run"]).success();
        self
    }

    /// Ends a session with this transcript.
    pub fn end(&self, name: &str, transcript: &str) {
        let path = self.scratch.root.join(name).with_extension("jsonl");
        std::fs::write(&path, transcript).expect("ours");
        let fields = json!({ "session_id": name, "transcript_path": path, "reason": "other" });
        self.scratch.hook(self.scratch.event("SessionEnd", fields)).success();
    }

    /// Ends a recorded session, such as `ledger-api/s1`, and runs its jobs.
    pub fn recorded(&self, session: &str) -> &Self {
        let path = fixtures().join("sessions").join(session).join("transcript.jsonl");
        let transcript = std::fs::read_to_string(path).expect("a recorded session has a transcript");
        self.session(&session.replace('/', "-"), &transcript)
    }

    /// Returns all memories of any status.
    pub fn memories(&self) -> Vec<Value> {
        let export = self.scratch.interleaf(&["memory", "export"]).success();
        export.lines().map(|line| serde_json::from_str(line).expect("a memory is JSON")).collect()
    }

    /// Returns the memories of a category with these words in their text or title.
    pub fn with_text(&self, category: &str, words: &str) -> Vec<Value> {
        let says =
            |memory: &Value, field: &str| memory[field].as_str().is_some_and(|text| text.contains(words));
        let all = self.memories().into_iter().filter(|memory| memory["category"] == category);
        all.filter(|memory| says(memory, "text") || says(memory, "title")).collect()
    }

    /// Returns the only memory of a category with these words.
    #[track_caller]
    pub fn one(&self, category: &str, words: &str) -> Value {
        match &self.with_text(category, words)[..] {
            [one] => one.clone(),
            others => panic!("one {category} says {words:?}, not these: {others:#?}\n{:#?}", self.memories()),
        }
    }

    /// Returns the hook's output at the start of a new session.
    pub fn start(&self) -> String {
        self.start_of("a-later-one")
    }

    /// Returns the hook's output at the start of this session.
    pub fn start_of(&self, session: &str) -> String {
        let start = json!({ "session_id": session, "source": "startup" });
        self.scratch.hook(self.scratch.event("SessionStart", start)).success()
    }

    /// Returns the output of a search.
    pub fn search(&self, words: &str) -> String {
        self.scratch.interleaf(&["memory", "search", "--json", words]).out().to_string()
    }

    /// Returns the flush reports in the log.
    pub fn flushes(&self) -> Vec<Value> {
        let log = self.scratch.interleaf(&["log", "--json"]).success();
        let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON"));
        let layers = lines.flat_map(|line| line["hook"]["layers"].as_array().cloned().unwrap_or_default());
        let objects = layers.flat_map(|layer| layer["said"].as_array().cloned().unwrap_or_default());
        objects.filter_map(|object| object.get("flush").cloned()).collect()
    }
}

/// Returns the descriptions of a memory's history entries.
pub fn history(memory: &Value) -> Vec<String> {
    let changes = memory["changes"].as_array().cloned().unwrap_or_default();
    changes.iter().map(|change| change["what"].as_str().unwrap_or_default().to_owned()).collect()
}
