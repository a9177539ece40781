//! The cap: reserved, settled, by day and session, and by many at once.

use super::*;
use crate::dirs::scratch::Scratch;
use crate::error::ErrorKind;

const NOON: i64 = 1_767_268_800_000;
const DAY: i64 = 24 * 3_600_000;

fn cap(scratch: &Scratch, daily: u64, session: u64) -> SpendCap {
    SpendCap::new(scratch.path(), Clock::Fixed(NOON), daily, session)
}

#[test]
fn what_is_reserved_counts_until_it_is_settled_with_what_was_taken() -> Result<()> {
    let scratch = Scratch::new();
    let cap = cap(&scratch, 1000, 1000);

    let reserved = cap.reserve("one", 700)?;
    let refused = cap.reserve("two", 400);
    cap.settle(reserved, 50);
    let allowed = cap.reserve("two", 400);

    let told = "a model call of up to 400 tokens, where 300 of the 1000 tokens of the day, over all projects are left";
    assert_eq!(
        refused.map_err(|error| (error.kind, error.message)).err(),
        Some((ErrorKind::OverBudget, told.to_owned()))
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

    let _ = cap.reserve("one", 300)?;

    assert!(
        cap.reserve("one", 1)
            .is_err_and(|error| error.message.contains("0 of the 300 tokens of this session"))
    );
    assert!(cap.reserve("two", 300).is_ok());
    Ok(())
}

#[test]
fn the_next_day_begins_with_nothing_and_forgets_the_sessions() -> Result<()> {
    let scratch = Scratch::new();
    let before = cap(&scratch, 100, 100);
    let reserved = before.reserve("one", 100)?;

    let after = SpendCap { clock: Clock::Fixed(NOON + DAY), ..before };
    let _ = after.reserve("two", 100)?;
    after.settle(reserved, 0);

    let today = after.today()?;
    assert_eq!(
        (today.spent.tokens, today.sessions.len()),
        (100, 1),
        "yesterday's call takes nothing off today's"
    );
    Ok(())
}

#[test]
fn the_count_is_this_user_s_alone() -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let _ = cap(&scratch, 100, 100).reserve("one", 1)?;

    let mode = std::fs::metadata(scratch.path().join("spend.json")).expect("written").permissions().mode();

    assert_eq!(mode & 0o777, 0o600);
    Ok(())
}

#[test]
fn a_count_that_cannot_be_read_allows_nothing() {
    let scratch = Scratch::new();
    scratch.file("spend.json", "{\"day\": 7");

    let refused = cap(&scratch, 100, 100).reserve("one", 1);

    assert!(refused.is_err_and(|error| error.kind == ErrorKind::Unavailable));
}

#[test]
fn sixteen_at_once_never_take_more_than_the_cap() -> Result<()> {
    let scratch = Scratch::new();
    let take = |session: usize| {
        let cap = cap(&scratch, 1000, 150);
        let session = format!("session {}", session % 8);
        let try_once = |call: u64| match cap.reserve(&session, 40) {
            Ok(reserved) => cap.settle(reserved, if call.is_multiple_of(2) { 40 } else { 30 }),
            Err(error) => assert_eq!(error.kind, ErrorKind::OverBudget),
        };
        (0..20).for_each(try_once);
    };

    std::thread::scope(|scope| (0..16).for_each(|session| drop(scope.spawn(move || take(session)))));

    let today = cap(&scratch, 1000, 150).today()?;
    assert!(today.spent.tokens <= 1000 && today.spent.tokens > 800, "{today:?}");
    assert!(today.sessions.values().all(|session| session.tokens <= 150), "{today:?}");
    let sum: u64 = today.sessions.values().map(|session| session.tokens).sum();
    assert_eq!(sum, today.spent.tokens);
    Ok(())
}
