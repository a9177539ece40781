//! Compiling a layer, with a bar for whoever waits: a component with a language in it takes seconds, once.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::error::{Error, Result};
use crate::layer::Layer;
use crate::sandbox::Sandbox;

/// Bytes of a component that a usual machine compiles in a second. The compiler does not tell how far it is, so the bar
/// goes by this; it slows down towards its end rather than lie about being there.
const SPEED: f64 = 1_500_000.0;
/// Parts of the bar.
const WHOLE: u64 = 1_000;

/// Compiles the layer into the cache of the sandbox.
pub(super) fn compile(layer: &Layer, bytes: usize, sandbox: &Sandbox) -> Result<()> {
    if !std::io::stderr().is_terminal() {
        return sandbox.load(layer).map(drop);
    }
    let (done, wait) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let loaded = sandbox.load(layer).map(drop);
            let _ = done.send(loaded);
        });
        watch(&layer.name, bytes, &wait)
    })
}

fn watch(name: &str, bytes: usize, wait: &mpsc::Receiver<Result<()>>) -> Result<()> {
    let began = Instant::now();
    let bar = ProgressBar::new(WHOLE).with_message(format!("compiling {name}"));
    if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:30}] {elapsed}") {
        bar.set_style(style);
    }
    loop {
        match wait.recv_timeout(Duration::from_millis(100)) {
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

/// How far it is, going by the size: about two thirds at the time that is usual.
fn position(elapsed: Duration, bytes: usize) -> u64 {
    let usual = (bytes as f64 / SPEED).max(0.1);
    (WHOLE as f64 * (1.0 - (-elapsed.as_secs_f64() / usual).exp())) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_moves_on_and_never_says_that_it_is_done() {
        let at = |seconds| position(Duration::from_secs(seconds), 12_000_000);

        assert!(at(0) < at(4) && at(4) < at(8) && at(8) < at(60));
        assert!(at(60) < WHOLE);
    }
}
