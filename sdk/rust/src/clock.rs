//! The time of day: from the standard library or, for a target whose library has none, from WASI.

use std::time::Duration;

/// Returns the time since the Unix epoch.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub fn since_epoch() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}

/// Returns the time since the Unix epoch.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub fn since_epoch() -> Duration {
    let now = generated::wasi::clocks::wall_clock::now();
    Duration::new(now.seconds, now.nanoseconds)
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
#[allow(missing_docs, unsafe_code, clippy::all)]
mod generated {
    wit_bindgen::generate!({
        inline: "
            package interleaf:clock;
            world clock {
                import wasi:clocks/wall-clock@0.2.0;
            }
            package wasi:clocks@0.2.0 {
                interface wall-clock {
                    record datetime {
                        seconds: u64,
                        nanoseconds: u32,
                    }
                    now: func() -> datetime;
                }
            }
        ",
        generate_all,
    });
}
