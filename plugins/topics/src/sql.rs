//! SQL that cannot be taken back, in what is handed to a database's client.

use crate::command::Command;

const CLIENTS: [&str; 8] =
    ["psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "cockroach", "clickhouse-client", "duckdb"];

/// Whether the client is told to drop, truncate or delete: in an argument or in what it is fed.
pub fn destroys(command: &Command) -> bool {
    CLIENTS.contains(&command.program.as_str())
        && command.arguments.iter().chain([&command.input]).any(|text| statements(text))
}

fn statements(text: &str) -> bool {
    // `--command=DROP …` and `-eDROP …` are one word.
    let text = text.strip_prefix("--command=").or_else(|| text.strip_prefix("--execute=")).unwrap_or(text);
    let text = text.strip_prefix("-c").or_else(|| text.strip_prefix("-e")).unwrap_or(text);
    text.split(';').any(|statement| {
        let mut words = statement.lines().filter(|line| !line.trim_start().starts_with("--"));
        let mut words = words.by_ref().flat_map(str::split_whitespace).map(str::to_ascii_lowercase);
        match words.next().as_deref() {
            Some("drop") => words.next().is_some(),
            Some("truncate") => words.next().is_some(),
            Some("delete") => words.next().as_deref() == Some("from"),
            _ => false,
        }
    })
}
