//! Implements the imported functions with the host of this thread.

pub(crate) use super::memory_functions as memory;

pub(crate) mod project {
    use crate::Result;
    use crate::project::Commit;
    use crate::testing::{Host, PROJECT_ROOT};

    pub(crate) fn name() -> Result<String> {
        Ok(PROJECT_ROOT.trim_start_matches('/').to_owned())
    }

    pub(crate) fn branch() -> Result<Option<String>> {
        Ok(Host::current().0.borrow().branch.clone())
    }

    pub(crate) fn default_branch() -> Result<Option<String>> {
        Ok(None)
    }

    pub(crate) fn recent_subjects(limit: u32) -> Result<Vec<String>> {
        Ok(Host::current().0.borrow().recent_subjects.iter().take(limit as usize).cloned().collect())
    }

    pub(crate) fn commits_since(_hash: &str) -> Result<Vec<Commit>> {
        Ok(Vec::new())
    }

    pub(crate) fn changed_files() -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    pub(crate) fn relative_path(path: &str) -> Result<Option<String>> {
        let Some(inside) = path.strip_prefix('/') else { return Ok(Some(path.to_owned())) };
        let root = PROJECT_ROOT.trim_start_matches('/');
        Ok(inside.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')).map(str::to_owned))
    }

    /// A test sets no files, so every path counts as one that exists.
    pub(crate) fn existing_paths(paths: &[String]) -> Result<Vec<String>> {
        Ok(paths.to_vec())
    }
}

pub(crate) mod state {
    use crate::Result;
    use crate::state::Scope;
    use crate::testing::{Host, value_key};

    pub(crate) fn get(scope: Scope, key: &str) -> Result<Option<String>> {
        Ok(Host::current().0.borrow().values.get(&value_key(scope, key)).cloned())
    }

    pub(crate) fn set(scope: Scope, key: &str, value: &str) -> Result<()> {
        Host::current().0.borrow_mut().values.insert(value_key(scope, key), value.to_owned());
        Ok(())
    }

    pub(crate) fn swap(scope: Scope, key: &str, expected: Option<&str>, value: &str) -> Result<bool> {
        let is_expected = get(scope, key)?.as_deref() == expected;
        if is_expected {
            set(scope, key, value)?;
        }
        Ok(is_expected)
    }

    pub(crate) fn remove(scope: Scope, key: &str) -> Result<()> {
        Host::current().0.borrow_mut().values.remove(&value_key(scope, key));
        Ok(())
    }
}

pub(crate) mod transcript {
    use crate::Result;
    use crate::testing::Host;
    use crate::transcript::Page;

    pub(crate) fn read(cursor: u64, limit: u32) -> Result<Page> {
        let host = Host::current();
        let contents = host.0.borrow();
        let rest = contents.transcript.iter().skip(cursor as usize);
        let entries: Vec<_> = rest.take(limit as usize).cloned().collect();
        let cursor = cursor + entries.len() as u64;
        Ok(Page { entries, cursor, more: (cursor as usize) < contents.transcript.len() })
    }
}

pub(crate) mod sessions {
    use crate::Result;
    use crate::sessions::{Episode, Hit};
    use crate::testing::Host;

    pub(crate) fn episodes(_command_line: &str, _output: &str, limit: u32) -> Result<Vec<Episode>> {
        Ok(Host::current().0.borrow().episodes.iter().take(limit as usize).cloned().collect())
    }

    /// A test records no turns.
    pub(crate) fn search(_query: &str, _limit: u32) -> Result<Vec<Hit>> {
        Ok(Vec::new())
    }
}

pub(crate) mod jobs {
    use crate::Result;
    use crate::jobs::{Capture, Request, Waiting};
    use crate::testing::Host;

    pub(crate) fn push_capture(capture: &Capture) -> Result<bool> {
        let host = Host::current();
        let captures = &mut host.0.borrow_mut().captures;
        let is_new = captures.iter().all(|known| known.id != capture.id);
        if is_new {
            captures.push(capture.clone());
        }
        Ok(is_new)
    }

    pub(crate) fn captures(limit: u32) -> Result<Vec<Waiting>> {
        let waiting = |capture: Capture| Waiting {
            id: capture.id,
            payload: capture.payload,
            session_id: String::new(),
            at: 0,
        };
        Ok(Host::current().captures().into_iter().take(limit as usize).map(waiting).collect())
    }

    pub(crate) fn settle_captures(ids: &[String]) -> Result<()> {
        Host::current().0.borrow_mut().captures.retain(|capture| !ids.contains(&capture.id));
        Ok(())
    }

    pub(crate) fn submit(request: &Request) -> Result<bool> {
        let host = Host::current();
        let jobs = &mut host.0.borrow_mut().jobs;
        let is_new = jobs.iter().all(|known| known.id != request.id);
        if is_new {
            jobs.push(request.clone());
        }
        Ok(is_new)
    }
}

pub(crate) mod llm {
    use crate::llm::{Completion, Request};
    use crate::testing::Host;
    use crate::{Error, Result};

    pub(crate) fn complete(requests: &[Request]) -> Vec<Result<Completion>> {
        let model = Host::current().0.borrow().model.clone();
        let none = || Err(Error::unavailable("no model was chosen; see testing::Host::set_model"));
        requests.iter().map(|request| model.as_ref().map_or_else(none, |model| model(request))).collect()
    }
}

pub(crate) mod settings {
    use crate::testing::Host;

    pub(crate) fn get() -> String {
        Host::current().0.borrow().settings.clone().unwrap_or_else(|| "{}".to_owned())
    }
}

pub(crate) mod log {
    use crate::log::Level;
    use crate::testing::Host;

    pub(crate) fn write(level: Level, message: &str) {
        Host::current().0.borrow_mut().log.push((level, message.to_owned()));
    }
}
