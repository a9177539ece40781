//! Decides which commands cannot be undone: `rm -rf src`, `git push --force`, `DROP TABLE`, …

use interleaf_shell::Command;

/// Folders that a build recreates: removing one is not irreversible.
const BUILD_FOLDERS: [&str; 7] =
    ["target", "node_modules", "dist", "build", ".venv", "__pycache__", ".cache"];

/// Programs that send SQL to a database.
const SQL_CLIENTS: [&str; 8] =
    ["psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "cockroach", "clickhouse-client", "duckdb"];

/// Tells whether the effect of this command cannot be undone.
pub fn is_irreversible(command: &Command) -> bool {
    let sub = command.subcommand();
    match command.program.as_str() {
        "rm" => removes_trees(command) && !removes_only_build_output(command),
        "git" => loses_history(command, sub),
        "kubectl" | "oc" => sub == Some("delete"),
        "terraform" | "tofu" | "pulumi" => sub == Some("destroy"),
        "docker" | "podman" => prunes(command),
        "dropdb" | "dd" | "shred" | "wipefs" | "mkfs" => true,
        program if program.starts_with("mkfs.") => true,
        _ => runs_destructive_sql(command),
    }
}

/// Tells whether this is `rm` with `-r` and `-f`, regardless of the removed files.
pub fn removes_trees(command: &Command) -> bool {
    let recursive = command.has_option(&["-r", "-R", "--recursive"]);
    command.program == "rm" && recursive && command.has_option(&["-f", "--force"])
}

/// Tells whether every removed path lies in a folder that a build recreates, or below `/tmp`.
fn removes_only_build_output(command: &Command) -> bool {
    let mut paths = command.operands().peekable();
    paths.peek().is_some() && paths.all(is_build_output)
}

fn is_build_output(path: &str) -> bool {
    let mut parts = path.split('/');
    let is_in_build_folder = parts.any(|part| BUILD_FOLDERS.contains(&part));
    // A word that a shell expands, or one with `..`, may name any file.
    !path.contains(['$', '`'])
        && !path.split('/').any(|part| part == "..")
        && (is_in_build_folder || is_below_tmp(path))
}

/// Tells whether a path lies below `/tmp`; `/tmp` itself does not.
fn is_below_tmp(path: &str) -> bool {
    path.strip_prefix("/tmp/").is_some_and(|rest| !rest.trim_matches(['/', '*']).is_empty())
}

fn loses_history(command: &Command, sub: Option<&str>) -> bool {
    match sub {
        Some("push") => {
            let overwrites = |refspec: &str| refspec.len() > 1 && refspec.starts_with(['+', ':']);
            command.has_option(&["-f", "--force", "--force-with-lease", "--mirror", "--delete", "-d"])
                || command.operands().skip(2).any(overwrites)
        }
        Some("reset") => command.has_option(&["--hard"]),
        Some("clean") => command.has_option(&["-f", "--force"]) && !command.has_option(&["-n", "--dry-run"]),
        Some("filter-branch" | "filter-repo") => true,
        _ => false,
    }
}

/// Matches `docker system prune`, `docker volume prune` and `docker volume rm`.
fn prunes(command: &Command) -> bool {
    let mut words = command.operands();
    matches!(
        (words.next(), words.next()),
        (Some("system" | "volume"), Some("prune")) | (Some("volume"), Some("rm"))
    )
}

/// Tells whether a database client receives a statement that drops, truncates or deletes, in an argument or
/// in its input.
fn runs_destructive_sql(command: &Command) -> bool {
    SQL_CLIENTS.contains(&command.program.as_str())
        && command.arguments.iter().chain([&command.input]).any(|text| has_destructive_statement(text))
}

fn has_destructive_statement(text: &str) -> bool {
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
