//! Kills processes that find a database of an older schema, three at the same time: one of them migrates it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use interleaf_tests::random::Random;
use rusqlite::Connection;
use serde_json::json;

use crate::checkout::root;

use super::killer::{Ended, Moments, kill_after};
use super::ledger::Ledger;
use super::round::{Round, path_text};
use super::template::Template;

const MEMORIES: usize = 100;
const WORDS: usize = 8;
/// First guess of the run time.
const RUN_TIME: Duration = Duration::from_millis(30);

/// Kills as many processes, with a database of each older version in turn.
pub fn kill(round: &mut Round, kills: usize) -> Result<()> {
    let mut random = Random::new(round.seed);
    let texts: Vec<String> = (0..MEMORIES).map(|_| random.words(WORDS)).collect();
    let entries: Vec<_> = texts.iter().map(|text| json!({ "text": text })).collect();
    round.import(&entries)?;
    let templates = older_templates(round)?;
    let mut moments = Moments::new(round.seed, RUN_TIME);
    for template in templates.iter().cycle() {
        if round.tally.killed() >= kills {
            break;
        }
        template.place()?;
        let text = random.words(WORDS);
        let is_acknowledged = migrate(round, &text, &mut moments)?;
        let mut ledger = Ledger::of(texts.clone());
        if is_acknowledged { &mut ledger.acknowledged } else { &mut ledger.possible }.insert(text);
        round.check(&ledger)?;
        check_version(round, templates.len() + 1)?;
    }
    round.check_idle()
}

/// Lets three processes find the database at once, and kills them. Returns whether the text was acknowledged.
fn migrate(round: &mut Round, text: &str, moments: &mut Moments) -> Result<bool> {
    let event = round.scratch.event("SessionStart", json!({ "source": "startup" }));
    let processes: [(Command, &str); 3] = [
        (round.command(&["remember", text]), ""),
        (round.command(&["hook"]), &event),
        (round.command(&["memory", "list"]), ""),
    ];
    let ended: Vec<Result<Ended>> = thread::scope(|scope| {
        let start = |(mut command, input): (Command, _)| {
            let moment = Some(moments.next());
            scope.spawn(move || kill_after(&mut command, input, moment))
        };
        let started: Vec<_> = processes.into_iter().map(start).collect();
        started.into_iter().map(|process| process.join().expect("it returns errors")).collect()
    });
    let ended = ended.into_iter().collect::<Result<Vec<_>>>()?;
    ended.iter().for_each(|ended| {
        moments.learn(ended);
        round.tally.count("migration", ended);
    });
    Ok(ended[0].output.out().contains("Remembered as"))
}

fn check_version(round: &mut Round, newest: usize) -> Result<()> {
    let sqlite = Connection::open(round.database()?)?;
    let version: usize = sqlite.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version != newest {
        round.note(format!("the schema has version {version} instead of {newest}"));
    }
    Ok(())
}

/// Returns the database of the round in each older version of the schema.
fn older_templates(round: &Round) -> Result<Vec<Template>> {
    let migrations = migrations()?;
    let older = (1..migrations.len()).map(|version| {
        let copy = round.scratch.root.join(format!("version-{version}.db"));
        let template = Template::of(round.database()?, copy)?;
        template.change(|copy| make_older(copy, &migrations[..version]))?;
        Ok(template)
    });
    older.collect()
}

/// Returns the statements with which a released program made its schema, oldest first.
fn migrations() -> Result<Vec<String>> {
    let entries = fs::read_dir(root().join("host/migrations"))?.collect::<std::io::Result<Vec<_>>>()?;
    // The folder beside them has those of the recorded sessions.
    let mut files: Vec<_> =
        entries.into_iter().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).with_context(|| file.display().to_string())).collect()
}

/// Replaces a database by one with the same memories, as an older program left it.
fn make_older(database: &Path, migrations: &[String]) -> Result<()> {
    let newer = database.with_extension("newer");
    fs::rename(database, &newer)?;
    let sqlite = Connection::open(database)?;
    sqlite.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    migrations.iter().try_for_each(|migration| sqlite.execute_batch(migration))?;
    sqlite.pragma_update(None, "user_version", migrations.len())?;
    sqlite.execute("ATTACH ?1 AS newer", [path_text(&newer)?])?;
    ["memories", "tags", "frequencies"].iter().try_for_each(|table| copy_rows(&sqlite, table))?;
    let indexed =
        sqlite.execute("INSERT INTO words (rowid, terms) SELECT number, terms FROM memories", [])?;
    if indexed != MEMORIES {
        bail!("an older database has {indexed} memories instead of {MEMORIES}");
    }
    sqlite.execute("DETACH newer", [])?;
    Ok(())
}

/// Copies the columns that the older schema has.
fn copy_rows(sqlite: &Connection, table: &str) -> rusqlite::Result<()> {
    let query = "SELECT group_concat(name) FROM pragma_table_info(?1, 'main')";
    let columns: String = sqlite.query_row(query, [table], |row| row.get(0))?;
    let copy = format!("INSERT INTO main.{table} ({columns}) SELECT {columns} FROM newer.{table}");
    sqlite.execute(&copy, []).map(drop)
}
