//! How each category is scored: who is listened to, what the hits weigh, and the phrases of `phrases.rs`.
//!
//! The weights and thresholds are those of seed 003. Its sums were divided by all caps filled, so that one decision with
//! its reason came to .26 and was missed, and so was one failure with its cure (.33). Here a full score is less: the
//! divisor is the largest round number with which **one boosted hit reaches the threshold** (.5 / 1.2 = .42 ≥ .40,
//! .5 / 1.1 = .45 ≥ .45, .6 / 1.2 = .50 ≥ .50), while **one plain hit never does**, and neither does one phrase said
//! three times, for a phrase counts once. Two different plain phrases of a runbook do not either: an error without a
//! cure is no runbook, however often it happens.

use crate::find::Category;
use crate::talk::Role;

use super::measure::limit;
use super::phrases;
use super::words::{Found, all};

/// A kind of statement.
pub(super) struct Family {
    /// What it would become.
    pub category: Category,
    who: &'static [Role],
    /// What a plain hit weighs.
    pub weight: f32,
    /// What a boosted one weighs.
    pub boosted: f32,
    /// Plain hits that count.
    pub most_plain: usize,
    /// The sum that is a full score.
    pub full: f32,
    /// Phrases that need no booster where the person says them.
    pub strong: &'static [&'static str],
    /// Phrases that need one.
    pub plain: &'static [&'static str],
    /// What makes them weigh.
    pub boost: &'static [&'static str],
    /// Words right behind a phrase that make it another one: "error handling".
    pub except: &'static [&'static str],
    /// Whether a second clause of the person's boosts: who explains a choice or a limit seldom says "because".
    pub explained: bool,
    /// A shape that counts as a phrase.
    pub measure: Option<fn(&str) -> Option<Found>>,
}

const SPOKEN: &[Role] = &[Role::User, Role::Assistant];

/// All of them but the summary, which is no matter of words.
pub(super) const FAMILIES: [Family; 5] = [
    Family {
        category: Category::Decision,
        who: SPOKEN,
        weight: 0.3,
        boosted: 0.5,
        most_plain: 3,
        full: 1.2,
        strong: phrases::DECISION_STRONG,
        plain: phrases::DECISION,
        boost: phrases::DECISION_BOOST,
        except: &[],
        explained: true,
        measure: None,
    },
    Family {
        category: Category::Runbook,
        who: &[Role::User, Role::Assistant, Role::Tool],
        weight: 0.2,
        boosted: 0.6,
        most_plain: 2,
        full: 1.2,
        strong: &[],
        plain: phrases::RUNBOOK,
        boost: phrases::RUNBOOK_BOOST,
        except: phrases::RUNBOOK_EXCEPT,
        explained: false,
        measure: None,
    },
    Family {
        category: Category::Constraint,
        who: SPOKEN,
        weight: 0.3,
        boosted: 0.5,
        most_plain: 3,
        full: 1.1,
        strong: phrases::CONSTRAINT_STRONG,
        plain: phrases::CONSTRAINT,
        boost: phrases::CONSTRAINT_BOOST,
        except: &[],
        explained: true,
        measure: Some(limit),
    },
    Family {
        category: Category::TechDebt,
        who: SPOKEN,
        weight: 0.3,
        boosted: 0.5,
        most_plain: 3,
        full: 1.2,
        strong: phrases::DEBT_STRONG,
        plain: phrases::DEBT,
        boost: phrases::DEBT_BOOST,
        except: &[],
        explained: true,
        measure: None,
    },
    // What somebody likes is said by them. The assistant's "always" is advice.
    Family {
        category: Category::Preference,
        who: &[Role::User],
        weight: 0.35,
        boosted: 0.5,
        most_plain: 3,
        full: 1.2,
        strong: phrases::PREFERENCE_STRONG,
        plain: phrases::PREFERENCE,
        boost: phrases::PREFERENCE_BOOST,
        except: &[],
        explained: false,
        measure: None,
    },
];

impl Family {
    /// Whether these words count.
    pub fn hears(&self, role: Role) -> bool {
        self.who.contains(&role)
    }

    /// Whether what follows a phrase makes it another one.
    pub fn excepts(&self, behind: &str) -> bool {
        let behind = behind.trim_start();
        all(&format!(" {behind}"), self.except).iter().any(|(_, start, _)| *start == 1)
    }
}
