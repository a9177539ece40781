//! Kills `interleaf remember`, eight of which write at once. The first of a round create the store.

use std::thread;
use std::time::Duration;

use anyhow::Result;
use interleaf_tests::random::Random;

use super::killer::{Moments, kill_after};
use super::ledger::Ledger;
use super::round::{Round, Tally};

const WRITERS: usize = 8;

/// Number of attempts at a text that are killed. The next one is left alone, so that each round stores some.
const KILLED_ATTEMPTS: usize = 3;

/// Number of words of a text: nobody else's, because a near-duplicate would be refused.
const WORDS: usize = 8;

/// First guess of the run time of eight writers at once.
const RUN_TIME: Duration = Duration::from_millis(40);

/// Answers that acknowledge a text.
const ANSWERS: [&str; 2] = ["Remembered as", "Already known"];

/// Kills as many writers, and compares what is stored with what they printed.
pub fn kill(round: &mut Round, kills: usize) -> Result<()> {
    let shared = &*round;
    let logs: Vec<Result<(Vec<String>, Tally)>> = thread::scope(|scope| {
        let quota = |number: usize| (kills + number) / WRITERS;
        let writers = (0..WRITERS).map(|number| {
            scope.spawn(move || {
                let mut writer = Writer::new(shared, number);
                writer.write_until_killed(quota(number))?;
                Ok((writer.acknowledged, writer.tally))
            })
        });
        writers
            .collect::<Vec<_>>()
            .into_iter()
            .map(|writer| writer.join().expect("it returns errors"))
            .collect()
    });
    let mut acknowledged = Vec::new();
    for log in logs {
        let (texts, tally) = log?;
        acknowledged.extend(texts);
        round.tally.add(tally);
    }
    round.check(&Ledger::of(acknowledged))?;
    round.check_idle()
}

/// One of the writers.
struct Writer<'a, 'b> {
    round: &'a Round<'b>,
    random: Random,
    moments: Moments,
    acknowledged: Vec<String>,
    tally: Tally,
}

impl<'a, 'b> Writer<'a, 'b> {
    fn new(round: &'a Round<'b>, number: usize) -> Self {
        let seed = round.seed.wrapping_mul(WRITERS as u64) + number as u64;
        let (random, moments) = (Random::new(seed), Moments::new(seed, RUN_TIME));
        Self { round, random, moments, acknowledged: Vec::new(), tally: Tally::default() }
    }

    /// Writes text after text, each until it is acknowledged.
    fn write_until_killed(&mut self, kills: usize) -> Result<()> {
        while self.tally.killed() < kills {
            let text = self.random.words(WORDS);
            let mut attempt = 0;
            while !self.write(&text, attempt < KILLED_ATTEMPTS)? {
                attempt += 1;
            }
            self.acknowledged.push(text);
        }
        Ok(())
    }

    /// Writes the text, and returns whether no other attempt is needed: it was acknowledged, even if the
    /// process was killed after it had said so, or it was refused.
    fn write(&mut self, text: &str, is_killed: bool) -> Result<bool> {
        let moment = is_killed.then(|| self.moments.next());
        let ended = kill_after(&mut self.round.command(&["remember", text]), "", moment)?;
        self.moments.learn(&ended);
        self.tally.count("remember", &ended);
        let printed = ended.output.out();
        Ok(ended.failure().is_some() || ANSWERS.iter().any(|answer| printed.contains(answer)))
    }
}
