//! A hook that puts work off and starts a worker: what is needed around it, so that the work is due at once,
//! is done, and is over before anything else is measured.

use std::fs::{self, File};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::Value;

use crate::checkout;

use super::scene::Scene;

/// Usually a session must have been quiet for a while before it is looked at.
const AT_ONCE: &str = "[layers.save.settings]\ndebounce_seconds = 0\n";

/// A worker that takes longer has not been started.
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(20);

/// Runs the hook of this session, and waits for the worker that it starts.
pub fn around(scene: &Scene, session: &str, hook: impl FnOnce() -> Result<()>) -> Result<()> {
    let config = scene.config();
    fs::create_dir_all(config.parent().unwrap_or(&config))?;
    fs::write(&config, AT_ONCE)?;
    let ran = hook();
    fs::remove_file(&config)?;
    ran?;
    let began = Instant::now();
    while !is_done(scene, session)? || is_held(scene) {
        if began.elapsed() > PATIENCE {
            bail!("{}: no worker did the job of session {session}", scene.program);
        }
        thread::sleep(LOOK);
    }
    Ok(())
}

/// Whether the job of this session was done.
fn is_done(scene: &Scene, session: &str) -> Result<bool> {
    let jobs = checkout::said(&mut scene.interleaf(&["jobs", "--json"]))?;
    let mut jobs = jobs.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    Ok(jobs.any(|job| job["session"] == session && job["progress"] == "done"))
}

/// Whether a worker is still about.
fn is_held(scene: &Scene) -> bool {
    let projects = fs::read_dir(scene.stores()).into_iter().flatten().flatten();
    let locks = projects.filter_map(|project| File::open(project.path().join("worker.lock")).ok());
    locks.into_iter().any(|lock| lock.try_lock().is_err())
}
