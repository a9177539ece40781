//! Tests of jobs: each is queued once and run once, retried after a failure, and recovered from a dead
//! worker.

use std::time::Duration;

use super::tests::{DAY, NOW, job, later, run_concurrently, state};
use super::*;
use crate::dirs::scratch::Scratch;
use crate::error::ErrorKind;

const LEASE: Duration = Duration::from_secs(60);

#[test]
fn a_job_id_is_unique_within_its_layer_and_runs_once() {
    let state = state();
    let other = Job { layer: "warmstart".into(), ..job("a") };

    assert_eq!(
        (
            state.submit(&job("a"), Duration::ZERO),
            state.submit(&job("a"), Duration::ZERO),
            state.submit(&other, Duration::ZERO)
        ),
        (Ok(SubmitResult::New), Ok(SubmitResult::Known), Ok(SubmitResult::New))
    );
    let claimed = state.claim("w1", LEASE).expect("read").expect("due");
    assert_eq!((&claimed.job, claimed.attempt), (&job("a"), 1));
    assert_eq!(state.claim("w2", LEASE).expect("read").map(|claimed| claimed.job), Some(other));
    assert_eq!(state.claim("w3", LEASE).expect("read"), None);

    assert_eq!((state.finish(&claimed), state.finish(&claimed)), (Ok(true), Ok(false)));

    assert_eq!(state.submit(&job("a"), Duration::ZERO), Ok(SubmitResult::Known), "a done job is known");
    let jobs = state.jobs().expect("read");
    let done = jobs.last().expect("the older one");
    assert_eq!((done.progress, done.attempts, done.job.payload.as_str()), (Progress::Done, 1, ""));
    assert_eq!(jobs[0].progress, Progress::Running);
}

#[test]
fn a_failed_job_is_retried_when_it_is_due_and_given_up_after_five_attempts() {
    let state = state();
    state.submit(&job("a"), Duration::ZERO).expect("submitted");
    for attempt in 1..=5 {
        let at = later(&state, i64::from(attempt) * 100);
        let claimed = at.claim("w", LEASE).expect("read").expect("due");
        assert_eq!(claimed.attempt, attempt);
        let retry_at = NOW + i64::from(attempt + 1) * 100;
        assert_eq!(at.fail(&claimed, "no model", Some(retry_at)), Ok(true));
        assert_eq!(at.claim("w", LEASE).expect("read"), None, "not before it is due");
    }
    let record = state.jobs().expect("read").remove(0);
    assert_eq!((record.progress, record.attempts), (Progress::Failed, 5));
    assert_eq!((record.error.as_deref(), record.job.payload.as_str()), (Some("no model"), "{}"));
    assert_eq!(later(&state, DAY).claim("w", LEASE).expect("read"), None);
}

#[test]
fn a_dead_worker_s_job_is_claimed_again_and_its_late_report_refused() {
    let state = state();
    state.submit(&job("a"), Duration::ZERO).expect("submitted");
    let lost = state.claim("w1", LEASE).expect("read").expect("due");
    assert_eq!(later(&state, 59_000).claim("w2", LEASE).expect("read"), None);

    let after = later(&state, 61_000);
    let claimed = after.claim("w2", LEASE).expect("read").expect("the lease is over");

    assert_eq!(
        (claimed.attempt, after.finish(&lost), after.fail(&lost, "late", None)),
        (2, Ok(false), Ok(false))
    );
    assert_eq!(after.finish(&claimed), Ok(true));
}

#[test]
fn a_job_that_kills_its_workers_is_given_up() {
    let state = state();
    state.submit(&job("a"), Duration::ZERO).expect("submitted");
    let taken = (0..9).filter(|hour| {
        later(&state, hour * HOUR).claim("w", Duration::from_secs(60)).expect("read").is_some()
    });
    assert_eq!(taken.count(), 5);
    assert_eq!(state.jobs().expect("read")[0].error.as_deref(), Some("its worker died every time"));
}

#[test]
fn concurrent_workers_share_the_jobs() {
    let scratch = Scratch::new();
    let file = scratch.path().join("i.db");
    let submitted = run_concurrently(&file, |_, state| {
        (0..20)
            .map(|number| state.submit(&job(&number.to_string()), Duration::ZERO).expect("submitted"))
            .filter(|submitted| *submitted == SubmitResult::New)
            .count()
    });
    let done = run_concurrently(&file, |number, state| {
        let mut done = Vec::new();
        while let Some(claimed) = state.claim(&number.to_string(), Duration::from_secs(60)).expect("claimed")
        {
            assert!(state.finish(&claimed).expect("reported"));
            done.push(claimed.job.id);
        }
        done
    });

    let mut done = done.concat();
    done.sort_by_key(|id| id.parse::<u32>().expect("a number"));
    assert_eq!(submitted.into_iter().sum::<usize>(), 20);
    assert_eq!(done, (0..20).map(|number| number.to_string()).collect::<Vec<_>>());
}

#[test]
fn the_number_of_unfinished_jobs_is_limited() {
    let state = state();
    for number in 0..500 {
        state.submit(&job(&number.to_string()), Duration::ZERO).expect("submitted");
    }
    assert_eq!(state.submit(&job("more"), Duration::ZERO).expect_err("full").kind, ErrorKind::OverBudget);
    assert_eq!(state.jobs().expect("read").len(), 500);
}

#[test]
fn a_job_that_is_submitted_again_while_it_waits_is_due_at_the_earlier_time() {
    let state = state();
    let new = |payload: &str| Job { payload: payload.into(), ..job("a") };
    state.submit(&new("1"), Duration::from_secs(300)).expect("submitted");
    assert_eq!((state.has_submitted(), state.next_due()), (false, Ok(Some(NOW + 300_000))));

    assert_eq!(state.submit(&new("2"), Duration::from_secs(100)), Ok(SubmitResult::Known));
    assert_eq!(state.submit(&new("3"), Duration::from_secs(900)), Ok(SubmitResult::Known));

    assert_eq!(state.next_due(), Ok(Some(NOW + 100_000)));
    assert_eq!(state.claim("w", LEASE), Ok(None));
    let claimed = later(&state, 100_000).claim("w", LEASE).expect("read").expect("due");
    assert_eq!(claimed.job.payload, "3");
}

#[test]
fn a_job_that_is_submitted_again_while_it_runs_is_run_once_more() {
    for fails in [false, true] {
        let state = state();
        state.submit(&job("a"), Duration::ZERO).expect("submitted");
        assert!(state.clone().has_submitted());
        let claimed = state.claim("w", LEASE).expect("read").expect("due");

        assert_eq!(
            state.submit(&Job { payload: "\"new\"".into(), ..job("a") }, Duration::ZERO),
            Ok(SubmitResult::Requeued)
        );
        assert_eq!(state.claim("w", LEASE), Ok(None), "not at the same time");
        let reported = if fails { state.fail(&claimed, "no", None) } else { state.finish(&claimed) };

        assert_eq!(reported, Ok(true));
        let again = state.claim("w", LEASE).expect("read").expect("due");
        assert_eq!((again.job.payload.as_str(), again.attempt), ("\"new\"", 1));
        assert_eq!(state.finish(&again), Ok(true));
        assert_eq!(state.jobs().expect("read")[0].progress, Progress::Done);
    }
}

#[test]
fn a_job_that_is_submitted_again_after_an_interrupted_attempt_is_run_once_more() {
    for died in [false, true] {
        let state = state();
        state.submit(&job("a"), Duration::ZERO).expect("submitted");
        let claimed = state.claim("w", LEASE).expect("read").expect("due");
        if !died {
            state.fail(&claimed, "no", Some(NOW + 10_000)).expect("reported");
        }
        state.submit(&job("a"), Duration::ZERO).expect("submitted");
        match died {
            true => assert_eq!(state.recover_abandoned(), Ok(vec![])),
            false => assert_eq!(state.next_due(), Ok(Some(NOW + 10_000)), "it waits for its next attempt"),
        }
        let state = later(&state, 10_000);

        let attempts: Vec<u32> = std::iter::from_fn(|| {
            let claimed = state.claim("w", LEASE).expect("read")?;
            state.finish(&claimed).expect("reported");
            Some(claimed.attempt)
        })
        .collect();

        assert_eq!(attempts, [2, 1]);
    }
}

#[test]
fn a_job_that_was_given_up_starts_over_when_it_is_submitted_again() {
    let state = state();
    state.submit(&job("a"), Duration::ZERO).expect("submitted");
    let claimed = state.claim("w", LEASE).expect("read").expect("due");
    state.fail(&claimed, "no", None).expect("reported");
    assert_eq!(state.claim("w", LEASE), Ok(None));

    assert_eq!(
        state.submit(&Job { payload: "\"new\"".into(), ..job("a") }, Duration::ZERO),
        Ok(SubmitResult::Requeued)
    );

    let again = state.claim("w", LEASE).expect("read").expect("due");
    assert_eq!((again.job.payload.as_str(), again.attempt), ("\"new\"", 1));
}

#[test]
fn the_lock_holder_recovers_abandoned_jobs_and_gives_them_up_after_five_attempts() {
    let state = state();
    state.submit(&job("a"), Duration::ZERO).expect("submitted");
    assert_eq!(state.recover_abandoned(), Ok(vec![]));

    for attempt in 1..=5 {
        let claimed = state.claim("w", LEASE).expect("read").expect("recovered at once");
        assert_eq!((claimed.attempt, state.next_due()), (attempt, Ok(Some(0))));
        let given_up = state.recover_abandoned().expect("written");
        assert_eq!(given_up.len(), usize::from(attempt == 5));
    }

    let job = state.jobs().expect("read").remove(0);
    assert_eq!((job.progress, job.error.as_deref()), (Progress::Failed, Some("its worker died every time")));
    assert_eq!((state.next_due(), state.claim("w", LEASE)), (Ok(None), Ok(None)));
}

#[test]
fn a_job_whose_worker_died_every_time_starts_over_if_it_was_submitted_again_meanwhile() {
    for lock_is_held in [true, false] {
        let mut state = state();
        state.submit(&job("a"), Duration::ZERO).expect("submitted");
        for attempt in 1..=5 {
            let _ = state.claim("w", LEASE).expect("read").expect("due");
            state.submit(&job("a"), Duration::ZERO).expect("submitted");
            match lock_is_held {
                true => assert_eq!(state.recover_abandoned(), Ok(vec![])),
                false => state = later(&state, attempt * LEASE.as_millis() as Millis),
            }
        }

        let claimed = state.claim("w", LEASE).expect("read").expect("due");

        assert_eq!(claimed.attempt, 1, "the lock is held: {lock_is_held}");
    }
}

#[test]
fn a_person_can_retry_a_job_or_make_it_due() {
    let state = state();
    state.submit(&job("a"), Duration::ZERO).expect("submitted");
    state.submit(&job("b"), Duration::from_secs(300)).expect("submitted");
    let claimed = state.claim("w", LEASE).expect("read").expect("due");
    state.fail(&claimed, "no", Some(NOW + 1_000)).expect("reported");

    assert_eq!(state.make_due(false, None), Ok(1), "a failed job keeps its due time");
    assert_eq!(state.claim("w", LEASE).expect("read").map(|claimed| claimed.job.id), Some("b".into()));
    assert_eq!(state.make_due(true, None), Ok(1));
    let claimed = state.claim("w", LEASE).expect("read").expect("due");
    state.fail(&claimed, "no", None).expect("reported");

    assert_eq!(
        (state.retry("save", "a"), state.retry("save", "b"), state.retry("x", "a")),
        (Ok(true), Ok(false), Ok(false))
    );
    let claimed = state.claim("w", LEASE).expect("read").expect("due");
    assert_eq!((claimed.attempt, claimed.job.payload.as_str()), (1, "{}"));
}
