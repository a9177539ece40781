//! `[layers.save.settings]`: how much is saved, when, and with what. What cannot be read is as by default, so that a
//! typing error costs a setting and not the memories.

use serde_json::Value;

use crate::drafting::Tier;
use crate::find::Category;

/// The settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Most memories a session by rules, besides the summary.
    pub memories: usize,
    /// Most memories a session with a model.
    pub drafts: usize,
    /// How long a session must have been quiet before it is looked at.
    pub debounce_seconds: u64,
    /// Whether only sessions with OpenSpec skills are looked at, as in seed 001.
    pub only_with_skills: bool,
    /// Whether a model is used where the person has chosen one.
    pub model: bool,
    /// Whether several questions are asked at once. A server of one's own may answer one at a time.
    pub parallel: bool,
    /// Whether what a model drafted is verified before it is written.
    pub verify: bool,
    /// Whether the best of it gets the `cheat-sheet` tag.
    pub promote: bool,
    /// Whether the log tells the evidence as well: the words that were said.
    pub explain: bool,
    thresholds: [f32; Category::ALL.len()],
    tiers: [Tier; Category::ALL.len()],
}

impl Settings {
    /// Reads them.
    pub fn read(json: &str) -> Self {
        let value: Value = serde_json::from_str(json).unwrap_or_default();
        let number = |name: &str, default: u64, most: u64| {
            value[name].as_u64().filter(|number| *number <= most).unwrap_or(default)
        };
        let switch = |name: &str, default: bool| value[name].as_bool().unwrap_or(default);
        Self {
            memories: number("memories", 3, 50) as usize,
            drafts: number("drafts", 8, 50) as usize,
            debounce_seconds: number("debounce_seconds", 300, 7 * 24 * 3600),
            only_with_skills: switch("only_with_skills", false),
            model: switch("model", true),
            parallel: switch("parallel", true),
            verify: switch("verify", true),
            promote: switch("promote", true),
            explain: switch("explain", false),
            thresholds: Category::ALL.map(|category| {
                share(&value["thresholds"][category.as_str()]).unwrap_or(threshold(category))
            }),
            tiers: Category::ALL
                .map(|category| tier(&value["tiers"][category.as_str()]).unwrap_or(Tier::Small)),
        }
    }

    /// What a category's score must reach before a model is asked.
    pub fn threshold(&self, category: Category) -> f32 {
        self.thresholds[category as usize]
    }

    /// Which model drafts a category. Small ones by default, for every draft is verified by a strong one; seed 003 had
    /// its decisions and constraints drafted by the stronger one, which is a setting here.
    pub fn tier(&self, category: Category) -> Tier {
        self.tiers[category as usize]
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::read("{}")
    }
}

/// The thresholds of seed 003.
fn threshold(category: Category) -> f32 {
    match category {
        Category::SessionSummary => 0.60,
        Category::Runbook => 0.50,
        Category::Constraint => 0.45,
        _ => 0.40,
    }
}

fn share(value: &Value) -> Option<f32> {
    let share = value.as_f64().filter(|share| (0.0..=1.0).contains(share))?;
    Some(share as f32)
}

fn tier(value: &Value) -> Option<Tier> {
    match value.as_str()? {
        "small" => Some(Tier::Small),
        "strong" => Some(Tier::Strong),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_or_makes_no_sense_is_as_by_default() {
        let broken = r#"{"memories": -1, "drafts": "many", "verify": 0, "debounce_seconds": 1e99,
            "thresholds": {"decision": 7, "runbook": "low"}, "tiers": {"decision": "huge"}}"#;

        for json in ["", "{}", "[1]", "null", broken] {
            assert_eq!(Settings::read(json), Settings::default(), "{json}");
        }
    }

    #[test]
    fn a_category_has_its_own_threshold_and_its_own_model() {
        let json = r#"{"memories": 5, "thresholds": {"decision": 0.9}, "tiers": {"constraint": "strong"}}"#;

        let settings = Settings::read(json);

        assert_eq!(settings.memories, 5);
        assert_eq!(
            (settings.threshold(Category::Decision), settings.threshold(Category::Runbook)),
            (0.9, 0.5)
        );
        assert_eq!(settings.tier(Category::Constraint), Tier::Strong);
        assert_eq!(settings.tier(Category::Decision), Tier::Small);
    }
}
