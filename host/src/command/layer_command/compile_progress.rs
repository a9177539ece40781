//! Compiles a layer with a progress bar. A component that contains a language runtime takes seconds.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::error::{Error, Result};
use crate::layer::Layer;
use crate::sandbox::Sandbox;

/// Bytes of a component that an average machine compiles per second. The compiler reports no progress, so the
/// bar is an estimate that slows down toward the end.
const BYTES_PER_SECOND: f64 = 1_500_000.0;

/// Time between two updates of the bar.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);

/// Length of the bar, in steps.
const BAR_STEPS: u64 = 1_000;

/// Compiles the layer into the cache of the sandbox.
pub(super) fn compile(layer: &Layer, bytes: usize, sandbox: &Sandbox) -> Result<()> {
    if !std::io::stderr().is_terminal() {
        return sandbox.load(layer).map(drop);
    }
    let (done, result) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let loaded = sandbox.load(layer).map(drop);
            let _ = done.send(loaded);
        });
        show_progress(&layer.name, bytes, &result)
    })
}

fn show_progress(name: &str, bytes: usize, result: &mpsc::Receiver<Result<()>>) -> Result<()> {
    let began = Instant::now();
    let bar = ProgressBar::new(BAR_STEPS).with_message(format!("compiling {name}"));
    if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:30}] {elapsed}") {
        bar.set_style(style);
    }
    loop {
        match result.recv_timeout(UPDATE_INTERVAL) {
            Ok(loaded) => {
                bar.finish_and_clear();
                return loaded;
            }
            Err(RecvTimeoutError::Timeout) => bar.set_position(position(began.elapsed(), bytes)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::unavailable(format!("layer {name} could not be compiled")));
            }
        }
    }
}

/// Estimates the position of the bar from the size: about two thirds after the average time.
fn position(elapsed: Duration, bytes: usize) -> u64 {
    let average = (bytes as f64 / BYTES_PER_SECOND).max(0.1);
    (BAR_STEPS as f64 * (1.0 - (-elapsed.as_secs_f64() / average).exp())) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_advances_and_never_reaches_its_end() {
        let at = |seconds| position(Duration::from_secs(seconds), 12_000_000);

        assert!(at(0) < at(4) && at(4) < at(8) && at(8) < at(60));
        assert!(at(60) < BAR_STEPS);
    }
}
