//! Reservations, settlement, the caps per day and session, and concurrent calls.

use super::*;
use crate::dirs::scratch::Scratch;
use crate::error::ErrorKind;

const NOON: i64 = 1_767_268_800_000;
const DAY: i64 = 24 * 3_600_000;

fn cap(scratch: &Scratch, daily: u64, session: u64) -> SpendCap {
    SpendCap::new(scratch.path(), Clock::Fixed(NOON), daily, session)
}

#[test]
fn a_reservation_counts_until_it_is_settled_with_the_tokens_used() -> Result<()> {
    let scratch = Scratch::new();
    let cap = cap(&scratch, 1000, 1000);

    let reserved = cap.reserve(ModelTier::Strong, "one", 700)?;
    let refused = cap.reserve(ModelTier::Strong, "two", 400);
    cap.settle(reserved, 50);
    let allowed = cap.reserve(ModelTier::Strong, "two", 400);

    let message = "a model call of up to 400 tokens exceeds the cap: \
                   300 of the 1000 tokens per day over all projects are left";
    assert_eq!(
        refused.map_err(|error| (error.kind, error.message)).err(),
        Some((ErrorKind::OverBudget, message.to_owned()))
    );
    assert!(allowed.is_ok());
    let today = cap.today()?;
    assert_eq!(
        (today.spent, today.sessions["one"]),
        (Spend { calls: 2, tokens: 450 }, Spend { calls: 1, tokens: 50 })
    );
    Ok(())
}

#[test]
fn a_session_has_a_cap_of_its_own() -> Result<()> {
    let scratch = Scratch::new();
    let cap = cap(&scratch, 1000, 300);

    let _ = cap.reserve(ModelTier::Strong, "one", 300)?;

    assert!(
        cap.reserve(ModelTier::Strong, "one", 1)
            .is_err_and(|error| error.message.contains("0 of the 300 tokens in this session"))
    );
    assert!(cap.reserve(ModelTier::Strong, "two", 300).is_ok());
    Ok(())
}

#[test]
fn a_clock_that_goes_back_and_forth_starts_no_new_count() -> Result<()> {
    let scratch = Scratch::new();
    let today = cap(&scratch, 100, 100);
    let yesterday = SpendCap { clock: Clock::Fixed(NOON - DAY), ..today.clone() };

    let reserved = today.reserve(ModelTier::Strong, "one", 100)?;

    assert!(yesterday.reserve(ModelTier::Strong, "one", 1).is_err());
    assert!(today.reserve(ModelTier::Strong, "one", 1).is_err());
    yesterday.settle(reserved, 40);
    assert_eq!(today.today()?.spent.tokens, 40);
    Ok(())
}

#[test]
fn a_new_day_begins_at_zero_and_forgets_the_sessions() -> Result<()> {
    let scratch = Scratch::new();
    let before = cap(&scratch, 100, 100);
    let reserved = before.reserve(ModelTier::Strong, "one", 100)?;

    let after = SpendCap { clock: Clock::Fixed(NOON + DAY), ..before };
    let _ = after.reserve(ModelTier::Strong, "two", 100)?;
    after.settle(reserved, 0);

    let today = after.today()?;
    assert_eq!(
        (today.spent.tokens, today.sessions.len()),
        (100, 1),
        "yesterday's call does not change today's spend"
    );
    Ok(())
}

#[test]
fn only_this_user_can_read_the_count() -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let _ = cap(&scratch, 100, 100).reserve(ModelTier::Strong, "one", 1)?;

    let mode = std::fs::metadata(scratch.path().join("spend.json")).expect("written").permissions().mode();

    assert_eq!(mode & 0o777, 0o600);
    Ok(())
}

#[test]
fn an_unreadable_count_allows_no_call() {
    let scratch = Scratch::new();
    scratch.file("spend.json", "{\"day\": 7");

    let refused = cap(&scratch, 100, 100).reserve(ModelTier::Strong, "one", 1);

    assert!(refused.is_err_and(|error| error.kind == ErrorKind::Unavailable));
}

#[test]
fn sixteen_concurrent_threads_never_exceed_the_cap() -> Result<()> {
    let scratch = Scratch::new();
    let call_in_session = |session: usize| {
        let cap = cap(&scratch, 1000, 150);
        let session = format!("session {}", session % 8);
        let try_once = |call: u64| match cap.reserve(ModelTier::Strong, &session, 40) {
            Ok(reserved) => cap.settle(reserved, if call.is_multiple_of(2) { 40 } else { 30 }),
            Err(error) => assert_eq!(error.kind, ErrorKind::OverBudget),
        };
        (0..20).for_each(try_once);
    };

    std::thread::scope(|scope| {
        (0..16).for_each(|session| drop(scope.spawn(move || call_in_session(session))))
    });

    let today = cap(&scratch, 1000, 150).today()?;
    assert!(today.spent.tokens <= 1000 && today.spent.tokens > 800, "{today:?}");
    assert!(today.sessions.values().all(|session| session.tokens <= 150), "{today:?}");
    let sum: u64 = today.sessions.values().map(|session| session.tokens).sum();
    assert_eq!(sum, today.spent.tokens);
    Ok(())
}

#[test]
fn a_quarter_of_a_cap_is_kept_back_for_the_strong_model() {
    let scratch = Scratch::new();
    let cap = cap(&scratch, 10_000, 1000);

    let _ = cap.reserve(ModelTier::Small, "one", 700).unwrap();
    let refused = cap.reserve(ModelTier::Small, "one", 100).unwrap_err();

    assert!(refused.message.ends_with("50 of the 750 tokens for the small model in this session are left"));
    assert!(cap.reserve(ModelTier::Strong, "one", 300).is_ok());
}
