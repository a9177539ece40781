//! `sessions`: the record of the project's earlier sessions.

use interleaf_shell::{Call, Reported, Run};

use super::{Access, LayerHost, wit_error};
use crate::clock::format_date;
use crate::layer::Need;
use crate::sandbox::bindings::sessions::{self as wit, Host};
use crate::sandbox::bindings::types::Error;
use crate::sessions::{FoundIn, KnownEpisode, Record, SearchHit, SearchQuery};

/// Maximum number of episodes or hits that one call returns.
const MAX_FOUND: u32 = 50;

impl LayerHost {
    /// Returns the record, if there is one.
    fn record(&self) -> Option<&Record> {
        self.host.record.as_ref().filter(|record| record.exists())
    }
}

impl Host for LayerHost {
    fn episodes(&mut self, line: String, output: String, limit: u32) -> Result<Vec<wit::Episode>, Error> {
        self.begin_call(Access::Interface(Need::Sessions), line.len() + output.len())?;
        let call = Call { line: &line, output: &output, reported: Reported::Failed, in_background: false };
        let failure = Run::read(&call).and_then(|run| run.failure);
        let Some((record, failure)) = self.record().zip(failure) else { return Ok(Vec::new()) };
        let known = record.episodes_for(failure.signature).map_err(wit_error)?;
        // What happened in this session, its agent has seen.
        let session = &self.layer.conversation.session;
        let others = known.into_iter().filter(|episode| episode.session != *session);
        Ok(others.take(limit.min(MAX_FOUND) as usize).map(episode).collect())
    }

    fn search(&mut self, query: String, limit: u32) -> Result<Vec<wit::Hit>, Error> {
        self.begin_call(Access::Interface(Need::Sessions), query.len())?;
        let Some(record) = self.record() else { return Ok(Vec::new()) };
        let limit = limit.min(MAX_FOUND) as usize;
        let found = record.search(&SearchQuery { words: query, limit, ..SearchQuery::default() });
        let hits: Vec<wit::Hit> = found.map_err(wit_error)?.into_iter().map(hit).collect();
        self.limiter.check_size(hits.iter().map(|hit| hit.line.len()).sum()).map_err(wit_error)?;
        Ok(hits)
    }
}

fn episode(known: KnownEpisode) -> wit::Episode {
    wit::Episode {
        session_id: known.session,
        command: known.failed,
        difference: known.difference,
        failed_on: format_date(known.failed_at),
        failed_at: known.failed_at,
        passed_at: known.passed_at,
    }
}

fn hit(found: SearchHit) -> wit::Hit {
    // A subagent's prompt is the assistant's.
    let is_prompt = found.found_in == FoundIn::Prompt && found.agent.is_empty();
    wit::Hit { session_id: found.session, line: found.line, at: found.at, is_prompt }
}
