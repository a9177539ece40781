//! What a sentence of the person states: one kind, and how sure.

use super::signs::Signs;
use interleaf_layer::memory::Category;

/// What a sentence states.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Claim {
    /// The kind.
    pub category: Category,
    /// How sure it is worth keeping, 0 to 1.
    pub score: f32,
    /// Whether it holds for all work that follows.
    pub rules: bool,
}

/// Below this, nothing is stated.
pub const LEAST: f32 = 0.45;

/// What the person states with a sentence, and with the one beside it that gives the reason.
pub fn of_person(signs: &Signs, beside: bool, corrects: bool) -> Option<Claim> {
    // What an order to build or check something says of it is how that is to work.
    if signs.asks || signs.supposes || signs.jests || signs.builds && !signs.keep {
        return None;
    }
    let reason = signs.reason || beside;
    if let Some(limit) = constraint(signs, reason).filter(|_| signs.firm && signs.number) {
        return Some(limit);
    }
    let claims = [
        constraint(signs, reason),
        deferral(signs, reason),
        preference(signs, reason, corrects),
        decision(signs, reason),
    ];
    let claims = claims.into_iter().flatten().filter(|claim| claim.score >= LEAST);
    claims.reduce(|best, claim| if claim.score > best.score { claim } else { best })
}

fn claim(category: Category, score: f32) -> Claim {
    Claim { category, score: score.min(0.99), rules: false }
}

fn bonus(condition: bool, score: f32) -> f32 {
    if condition { score } else { 0.0 }
}

/// A limit with its number or with why nothing can be done about it. One's own rule with a number is no limit.
fn constraint(signs: &Signs, reason: bool) -> Option<Claim> {
    let limit = signs.limit && (signs.number || signs.firm) || signs.edge && signs.firm;
    let told = signs.task || signs.passing || signs.once || signs.hearsay || signs.lasting && !signs.idle;
    if !limit || told && !signs.firm {
        return None;
    }
    let base = 0.8 + bonus(signs.firm, 0.1) + bonus(signs.number && signs.limit, 0.04);
    Some(claim(Category::Constraint, base + bonus(reason, 0.02) + bonus(signs.keep, 0.03)))
}

fn deferral(signs: &Signs, reason: bool) -> Option<Claim> {
    let base = match (signs.until, reason) {
        (true, _) => 0.86,
        (false, true) => 0.5,
        (false, false) => 0.4,
    };
    signs.defer.then(|| {
        claim(Category::TechDebt, base + bonus(reason && signs.until, 0.01) + bonus(signs.keep, 0.05))
    })
}

/// A rule that lasts; or a wish, where something says that it is more than for now.
fn preference(signs: &Signs, reason: bool, corrects: bool) -> Option<Claim> {
    if signs.idle || signs.hearsay || signs.once || signs.quotes && !signs.lasting {
        return None;
    }
    let more =
        bonus(reason, 0.06) + bonus(signs.keep, 0.04) + bonus(signs.scope, 0.02) + bonus(corrects, 0.02);
    // `the list must never be empty` says how something is to work; with why or where, it is a rule.
    let modal = signs.modal && (!signs.reports || reason || signs.scope || signs.keep);
    if signs.lasting || modal {
        let score = 0.86 + more - bonus(signs.passing, 0.45);
        return Some(Claim { rules: true, ..claim(Category::Preference, score) });
    }
    let supported =
        signs.scope || signs.reason && !signs.reports || signs.keep || corrects && (signs.instead || reason);
    let custom = corrects && signs.custom;
    let lasts = (signs.wish && supported || custom) && !signs.passing && !signs.undecided;
    lasts.then(|| claim(Category::Preference, 0.68 + more)).or_else(|| habit(signs, reason, more))
}

/// How things are done here, where something says that it is meant: what is not, why, where.
fn habit(signs: &Signs, reason: bool, more: f32) -> Option<Claim> {
    // `die tests gehören …, nicht …` begins as a report does, and says clearly that it is none.
    let clear = signs.habit && signs.contrast;
    let fact = signs.reports && signs.number;
    let other = fact || signs.keep && !signs.custom || signs.passing || signs.undecided || signs.defer;
    if other || (signs.reports || signs.task) && !clear {
        return None;
    }
    let habit = signs.habit || signs.custom;
    let told = habit && (signs.contrast || signs.scope || reason);
    let bare = signs.contrast && signs.bare;
    match (told, bare) {
        (true, _) => Some(claim(Category::Preference, 0.66 + more)),
        (_, true) => Some(claim(Category::Preference, 0.55 + more)),
        _ => None,
    }
}

fn decision(signs: &Signs, reason: bool) -> Option<Claim> {
    if signs.undecided || signs.hearsay || signs.once || signs.idle && !(signs.decided || signs.settled) {
        return None;
    }
    if signs.settled || signs.decided {
        // `let's use a list` is said of every second line of code; why makes it a decision.
        let base: f32 = if signs.settled { 0.57 } else { 0.4 };
        let score = base.max(if reason { 0.84 } else { 0.0 }) + bonus(signs.instead, 0.03);
        return Some(claim(Category::Decision, score));
    }
    let chosen = signs.instead && reason && !signs.reports;
    chosen.then(|| claim(Category::Decision, 0.88))
}

/// What the assistant states in the course of its work: it has to say more clearly that it is one.
pub fn of_assistant(signs: &Signs) -> Option<Claim> {
    if signs.asks || signs.supposes || signs.hearsay || signs.quotes || signs.undecided {
        return None;
    }
    if (signs.decided || signs.settled) && (signs.reason || signs.instead) {
        return Some(claim(Category::Decision, 0.6 + bonus(signs.reason && signs.instead, 0.08)));
    }
    let limit = signs.limit && signs.number && signs.firm;
    limit.then(|| claim(Category::Constraint, 0.5))
}
