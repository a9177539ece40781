//! Somebody who looks at the counts while the others write.

use super::place::{CAPS, Place};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};

/// Looks until it is over, and never sees more of a category than there may be; how often it looked.
pub fn watch(place: &Place, over: &AtomicBool) -> usize {
    let mut looked = 0;
    while !over.load(Ordering::Relaxed) {
        let stats: Value = serde_json::from_str(&place.memory(&["stats", "--json"]).success()).expect("JSON");
        for (category, most) in CAPS {
            let active = stats[category]["active"].as_u64().expect("a count");
            assert!(active <= most, "there are {active} of {category}, and {most} may be");
        }
        looked += 1;
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    looked
}
