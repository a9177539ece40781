//! Decides whether the text of a project's rule concerns an irreversible command: the text must name the
//! action, and the object or the usual target of that action.
//!
//! `topics` (`irreversible.rs`) decides which commands are irreversible.

use interleaf_shell::Command;

/// Words of a command that do not name a particular object.
const GENERIC_WORDS: [&str; 12] = [
    "src", "lib", "home", "table", "database", "from", "where", "exists", "cascade", "delete", "drop",
    "truncate",
];

/// Tells whether the rule concerns the command. Prefixes of words are compared: `delet` fits delete, deleting
/// and deleted.
pub fn concerns(command: &Command, rule: &str) -> bool {
    let rule = rule.to_lowercase();
    let has = |prefixes: &[&str]| prefixes.iter().any(|prefix| rests_after(prefix, &rule).next().is_some());
    let names = |object: &String| rests_after(object, &rule).any(|rest| !rest.starts_with(is_in_word));
    let (action, target) = prefixes(command);
    has(action) && (has(target) || objects(command).iter().any(names))
}

/// Returns what follows each place at which a word of the text begins like this. Up to a hundred rules are
/// compared before a command, so they are not cut into words.
fn rests_after<'a>(beginning: &str, text: &'a str) -> impl Iterator<Item = &'a str> {
    let places = text.match_indices(beginning).filter(|(at, _)| !text[..*at].ends_with(is_in_word));
    places.map(|(at, found)| &text[at + found.len()..])
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
    let statements = command.arguments.iter().filter(|word| word.contains(' ')).map(String::as_str);
    let texts: Vec<&str> = operands.chain([command.input.as_str()]).chain(statements).collect();
    let text = texts.join(" ").to_lowercase();
    let is_name = |word: &&str| word.chars().count() > 2 && !GENERIC_WORDS.contains(word);
    text.split(|c| !is_in_word(c)).filter(is_name).map(str::to_owned).collect()
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
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
            ("git push -f", "Unpushed work is never forced on anybody", false),
            ("git reset --hard", "Do not hard reset a shared branch", true),
            ("git reset --hard", "Reset the counter every hour", false),
            ("rm -rf data/ledger", "The ledger folder must not be deleted", true),
            ("rm -rf data/ledger", "Never use rm -rf in scripts", true),
            ("rm -rf data/ledger", "Remove feature flags after a month", false),
            ("rm -rf data/ledger", "The ledger has cents", false),
            ("rm -rf data/ledger", "Ledgers are deleted after ten years", false),
            ("rm -rf data/ledger", "Without ledgers, no ledger is deleted", true),
            ("psql -c 'DROP TABLE invoices'", "Never drop invoices: auditors need them", true),
            ("psql -c 'DROP TABLE invoices'", "Tables are dropped by migrations only", true),
            ("psql -c 'DROP TABLE invoices'", "invoices are numbered without gaps", false),
            ("psql <<E\ndelete from invoices;\nE", "Deleting invoices needs a ticket", true),
            ("kubectl delete ns shop", "Nobody deletes from the cluster by hand", true),
            ("kubectl delete ns shop", "Deleted carts are kept a week", false),
            ("terraform destroy", "terraform destroy is done by ops", true),
            ("dropdb shop", "Dropping the production database needs two people", true),
        ] {
            assert_eq!(concerns(&interleaf_shell::commands(line)[0], rule), expected, "{line}: {rule}");
        }
    }
}
