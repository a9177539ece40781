//! Decides whether the text of a project's rule concerns an irreversible command: the text must name the
//! action, and the object or the usual target of that action.
//!
//! `topics` (`irreversible.rs`) decides which commands are irreversible.

use topics::Command;

/// Words of a command that do not name a particular object.
const GENERIC_WORDS: [&str; 12] = [
    "src", "lib", "home", "table", "database", "from", "where", "exists", "cascade", "delete", "drop",
    "truncate",
];

/// Tells whether the rule concerns the command. Prefixes of words are compared: `delet` fits delete, deleting
/// and deleted.
pub fn concerns(command: &Command, rule: &str) -> bool {
    let rule = words(rule);
    let has =
        |prefixes: &[&str]| rule.iter().any(|word| prefixes.iter().any(|prefix| word.starts_with(prefix)));
    let (action, target) = prefixes(command);
    has(action) && (has(target) || objects(command).iter().any(|object| rule.contains(object)))
}

/// Returns the prefixes of words for the action, and for its usual target.
fn prefixes(command: &Command) -> (&'static [&'static str], &'static [&'static str]) {
    match (command.program.as_str(), command.subcommand()) {
        ("git", Some("push")) => (&["push"], &["forc", "rewrit", "overwrit"]),
        ("git", Some("reset")) => (&["reset"], &["hard", "discard", "uncommitted"]),
        ("git", Some("clean")) => (&["clean"], &["untracked", "git"]),
        ("git", _) => (&["filter", "rewrit"], &["history", "commit"]),
        ("rm" | "shred", _) => (&["rm", "delet", "remov", "wip", "eras"], &["rf"]),
        ("kubectl" | "oc", _) => (&["delet"], &["kubectl", "cluster", "namespace"]),
        ("terraform" | "tofu" | "pulumi", _) => {
            (&["destroy"], &["terraform", "tofu", "pulumi", "infrastructure"])
        }
        ("docker" | "podman", _) => (&["prun", "volume"], &["docker", "podman", "volume"]),
        ("dd" | "mkfs" | "wipefs", _) => {
            (&["dd", "mkfs", "wip", "format"], &["disk", "device", "dd", "mkfs"])
        }
        _ => (&["drop", "truncat", "delet"], &["table", "database", "production"]),
    }
}

/// Returns the names in the arguments and in the input: files, tables, namespaces.
fn objects(command: &Command) -> Vec<String> {
    let operands = command.operands().skip(usize::from(command.program != "rm"));
    let mut names: Vec<String> = operands.chain([command.input.as_str()]).flat_map(words).collect();
    names.extend(
        command.arguments.iter().filter(|word| word.contains(' ')).flat_map(|statement| words(statement)),
    );
    names.retain(|name| name.chars().count() > 2 && !GENERIC_WORDS.contains(&name.as_str()));
    names
}

fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_concerns_the_commands_it_forbids_and_no_others() {
        for (line, rule, expected) in [
            ("git push -f", "Never force push to main", true),
            ("git push -f", "Pushing with --force breaks the mirror", true),
            ("git push -f", "Push notifications are sent at noon", false),
            ("git reset --hard", "Do not hard reset a shared branch", true),
            ("git reset --hard", "Reset the counter every hour", false),
            ("rm -rf data/ledger", "The ledger folder must not be deleted", true),
            ("rm -rf data/ledger", "Never use rm -rf in scripts", true),
            ("rm -rf data/ledger", "Remove feature flags after a month", false),
            ("rm -rf data/ledger", "The ledger has cents", false),
            ("psql -c 'DROP TABLE invoices'", "Never drop invoices: auditors need them", true),
            ("psql -c 'DROP TABLE invoices'", "Tables are dropped by migrations only", true),
            ("psql -c 'DROP TABLE invoices'", "invoices are numbered without gaps", false),
            ("psql <<E\ndelete from invoices;\nE", "Deleting invoices needs a ticket", true),
            ("kubectl delete ns shop", "Nobody deletes from the cluster by hand", true),
            ("kubectl delete ns shop", "Deleted carts are kept a week", false),
            ("terraform destroy", "terraform destroy is done by ops", true),
            ("dropdb shop", "Dropping the production database needs two people", true),
        ] {
            assert_eq!(concerns(&topics::commands(line)[0], rule), expected, "{line}: {rule}");
        }
    }
}
