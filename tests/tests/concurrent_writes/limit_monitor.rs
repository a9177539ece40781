//! Checks the caps while the writers run.

use super::project::{CAPS, TestProject};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};

/// Checks, at least once and until `over` is set, that no category has more active memories than its cap.
pub fn monitor(project: &TestProject, over: &AtomicBool) {
    loop {
        let stats: Value =
            serde_json::from_str(&project.memory(&["stats", "--json"]).success()).expect("JSON");
        for (category, most) in CAPS {
            let active = stats[category]["active"].as_u64().expect("a count");
            assert!(active <= most, "there are {active} of {category}, and {most} may be");
        }
        if over.load(Ordering::Relaxed) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
