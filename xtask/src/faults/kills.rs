//! Kills processes of all kinds at random moments, round after round, and compares what is stored with what
//! was acknowledged.

mod imports;
mod killer;
mod ledger;
mod maintenance;
mod older_schema;
mod round;
mod sessions;
mod soundness;
mod template;
mod writers;

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};

use super::arguments::Arguments;

use round::{Round, Tally};

/// The head of the table.
pub const TABLE_HEAD: &str =
    "| killed | kills | acknowledged | lost | doubled |\n|---|---:|---:|---:|---:|\n";

/// Maximum number of rounds in relation to those that the kills should take. Processes that are over before
/// their moments do not count.
const MAX_ROUNDS_FACTOR: usize = 10;

/// One kind of work during which processes are killed.
struct Scenario {
    /// Its name in the table.
    name: &'static str,
    /// Its part of all kills, in percent.
    percent: usize,
    /// Number of kills in a round, which has a project of its own.
    kills_per_round: usize,
    /// Kills as many processes, and notes what is wrong.
    kill: fn(&mut Round, usize) -> Result<()>,
}

const SCENARIOS: [Scenario; 8] = [
    Scenario { name: "`remember`, eight at once", percent: 24, kills_per_round: 60, kill: writers::kill },
    Scenario { name: "sessions", percent: 45, kills_per_round: 45, kill: sessions::kill },
    Scenario { name: "`memory import`", percent: 8, kills_per_round: 12, kill: imports::kill },
    Scenario { name: "`memory gc`", percent: 6, kills_per_round: 30, kill: maintenance::kill_gc },
    Scenario { name: "`memory backup`", percent: 4, kills_per_round: 30, kill: maintenance::kill_backup },
    Scenario { name: "`backup --restore`", percent: 4, kills_per_round: 30, kill: maintenance::kill_restore },
    Scenario { name: "`memory repair`", percent: 4, kills_per_round: 30, kill: maintenance::kill_repair },
    Scenario { name: "migration, three at once", percent: 5, kills_per_round: 50, kill: older_schema::kill },
];

/// The result of all kills.
pub struct KillReport {
    /// The table, as Markdown.
    pub table: String,
    /// What is wrong: in which round, and where its folder is.
    pub failures: Vec<String>,
}

/// Kills as many processes as the arguments say, each scenario its part.
pub fn run(arguments: &Arguments, program: &Path) -> Result<KillReport> {
    let mut all = Tally::default();
    let mut table = TABLE_HEAD.to_owned();
    for (number, scenario) in SCENARIOS.iter().enumerate() {
        let began = Instant::now();
        let kills = (arguments.kills * scenario.percent).div_ceil(100);
        let tally = scenario.run(program, kills, arguments.seed + 1_000_000 * number as u64)?;
        println!("{}: {} kills in {:.0} s", scenario.name, tally.killed(), began.elapsed().as_secs_f64());
        table += &row(&scenario.label(&tally), &tally);
        all.add(tally);
    }
    table += &row("all", &all);
    Ok(KillReport { table, failures: all.failures })
}

impl Scenario {
    /// Runs rounds until as many processes were killed.
    fn run(&self, program: &Path, kills: usize, seed: u64) -> Result<Tally> {
        let mut all = Tally::default();
        let max_rounds = kills.div_ceil(self.kills_per_round) * MAX_ROUNDS_FACTOR;
        for number in 0.. {
            let left = kills.saturating_sub(all.killed());
            if left == 0 {
                break;
            }
            if number == max_rounds {
                bail!(
                    "{}: only {} processes were still running when they were killed",
                    self.name,
                    all.killed()
                );
            }
            let mut round = Round::new(program, seed + 1_000 * number as u64);
            (self.kill)(&mut round, left.min(self.kills_per_round))?;
            all.add(round.finish(&format!("{}, round {number}", self.name)));
        }
        Ok(all)
    }

    /// Returns its name, with the kinds of killed processes if there are several.
    fn label(&self, tally: &Tally) -> String {
        let kinds: Vec<String> =
            tally.kills.iter().map(|(kind, kills)| format!("{kills} × {kind}")).collect();
        if kinds.len() < 2 { self.name.to_owned() } else { format!("{}: {}", self.name, kinds.join(", ")) }
    }
}

fn row(name: &str, tally: &Tally) -> String {
    let mut row = String::new();
    let Tally { acknowledged, lost, doubled, .. } = tally;
    let _ = writeln!(row, "| {name} | {} | {acknowledged} | {lost} | {doubled} |", tally.killed());
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::page::documented;

    #[test]
    fn in_the_documented_table_nothing_is_lost_or_doubled_by_three_thousand_kills() {
        let Some(rows) = documented("killed") else { return };
        let [name, kills, _, lost, doubled] = &rows.last().expect("rows")[..] else { panic!("{rows:?}") };

        assert_eq!([name, lost, doubled], ["all", "0", "0"]);
        assert!(kills.parse::<usize>().expect("a number") >= 3_000, "{kills}");
        assert_eq!(rows.len(), 2 + SCENARIOS.len() + 1);
    }

    #[test]
    fn the_parts_of_all_scenarios_are_the_whole() {
        assert_eq!(SCENARIOS.iter().map(|scenario| scenario.percent).sum::<usize>(), 100);
    }
}
