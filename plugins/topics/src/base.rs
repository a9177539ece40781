//! Commands that are always worth a look, whatever the project's list says, and those that cannot be taken back.

use crate::command::Command;
use crate::list::Match;
use crate::sql;

/// Folders that a build makes anew.
const MADE_ANEW: [&str; 7] = ["target", "node_modules", "dist", "build", ".venv", "__pycache__", ".cache"];

/// The first of these commands that a base pattern fits.
pub fn base(commands: &[Command]) -> Option<Match<'static>> {
    let fits =
        |(at, command): (usize, &Command)| kind(command).map(|source| Match { at, source, topic: None });
    commands.iter().enumerate().find_map(fits)
}

fn kind(command: &Command) -> Option<&'static str> {
    match command.program.as_str() {
        _ if is_destructive(command) => Some("destructive"),
        "ssh" | "scp" | "rsync" | "sftp" => Some("remote"),
        "docker" | "podman" | "kubectl" | "helm" | "docker-compose" => Some("containers"),
        _ if command.elevated => Some("elevated"),
        _ => None,
    }
}

fn is_destructive(command: &Command) -> bool {
    removes_trees(command) || is_irreversible(command)
}

/// Whether what this command does cannot be taken back.
pub fn is_irreversible(command: &Command) -> bool {
    let sub = command.subcommand();
    match command.program.as_str() {
        "rm" => removes_trees(command) && !only_made_anew(command),
        "git" => git(command, sub),
        "kubectl" | "oc" => sub == Some("delete"),
        "terraform" | "tofu" | "pulumi" => sub == Some("destroy"),
        "docker" | "podman" => prunes(command),
        "dropdb" | "dd" | "shred" | "wipefs" | "mkfs" => true,
        program if program.starts_with("mkfs.") => true,
        _ => sql::destroys(command),
    }
}

fn removes_trees(command: &Command) -> bool {
    let recursive = command.has_option(&["-r", "-R", "--recursive"]);
    command.program == "rm" && recursive && command.has_option(&["-f", "--force"])
}

/// Whether all that is removed lies in a folder that a build makes anew, or in the folder for temporary files.
fn only_made_anew(command: &Command) -> bool {
    let mut paths = command.operands().peekable();
    paths.peek().is_some() && paths.all(is_made_anew)
}

fn is_made_anew(path: &str) -> bool {
    let mut parts = path.split('/');
    let made = parts.any(|part| MADE_ANEW.contains(&part));
    // Words that a shell fills in, and ways back up, may name anything.
    !path.contains(['$', '`']) && !path.split('/').any(|part| part == "..") && (made || in_tmp(path))
}

/// Below `/tmp`, not `/tmp` itself.
fn in_tmp(path: &str) -> bool {
    path.strip_prefix("/tmp/").is_some_and(|rest| !rest.trim_matches(['/', '*']).is_empty())
}

fn git(command: &Command, sub: Option<&str>) -> bool {
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

/// `docker system prune`, `docker volume prune`, `docker volume rm`.
fn prunes(command: &Command) -> bool {
    let mut words = command.operands();
    matches!(
        (words.next(), words.next()),
        (Some("system" | "volume"), Some("prune")) | (Some("volume"), Some("rm"))
    )
}
