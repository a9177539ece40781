//! The end of a session, replayed from its transcript: the layers that answer it do so now, with the whole
//! transcript at hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, UNIX_EPOCH};

use serde_json::json;

use crate::claude::Event;
use crate::clock::Millis;
use crate::error::Result;
use crate::grant::HostContext;
use crate::log::Level;
use crate::pipeline::Pipeline;
use crate::project_context::ProjectContext;
use crate::sandbox::Sandbox;
use crate::state::{HOST_OWNER, Scope, State};

/// Maximum number of transcripts of a project that are looked at.
const MAX_TRANSCRIPTS: usize = 1_000;
/// Time limit for the layers of one replayed event.
const REPLAY_TIME: Duration = Duration::from_secs(10);

/// The key of the session's value that holds up to which growth of the transcript its end was replayed.
const REPLAYED_KEY: &str = "end-replayed-at";

/// A transcript of the project.
#[derive(Debug, Clone)]
pub struct TranscriptFile {
    /// The session.
    pub session: String,
    /// The file.
    pub path: PathBuf,
    /// The time of its last change.
    pub modified_at: Millis,
}

/// Returns the transcripts in a folder, in any order.
pub fn transcripts(folder: &Path) -> Vec<TranscriptFile> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_TRANSCRIPTS);
    let files = entries.filter_map(|entry| {
        let path = entry.path();
        let session =
            path.file_stem()?.to_str().filter(|_| path.extension().is_some_and(|end| end == "jsonl"))?;
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let modified_at = Millis::try_from(modified.as_millis()).ok()?;
        Some(TranscriptFile { session: session.to_owned(), path, modified_at })
    });
    files.collect()
}

impl TranscriptFile {
    /// Tells whether the end of the session was replayed since the transcript grew last.
    pub fn was_replayed(&self, state: &State) -> bool {
        let replayed = state.get(Scope::Session(&self.session), HOST_OWNER, REPLAYED_KEY);
        matches!(replayed, Ok(Some(at)) if at == self.modified_at.to_string())
    }

    /// Lets the layers answer the end of the session, and records that they did. `reason` goes to the log.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn replay_end(&self, context: &ProjectContext, state: &State, reason: &str) -> Result<()> {
        let payload = json!({
            "hook_event_name": "SessionEnd", "reason": "other", "session_id": self.session,
            "transcript_path": self.path.to_string_lossy(), "cwd": context.project.root.to_string_lossy(),
        });
        let event = Event::parse(payload.to_string().as_bytes())?;
        let (began, roster) = (Instant::now(), context.roster());
        let host = context.host_context(&event.name, event.transcript(), began + REPLAY_TIME)?;
        let host = HostContext { log: host.log.for_session(&self.session), ..host };
        host.log.write(Level::Info, None, reason);
        let pipeline = Pipeline { roster: &roster, config: &context.config, host, began, guards_only: false };
        pipeline.answer(&event, || Ok(Arc::new(Sandbox::new(Some(&context.folders.cache))?)));
        state.set(Scope::Session(&self.session), HOST_OWNER, REPLAYED_KEY, &self.modified_at.to_string())
    }
}
