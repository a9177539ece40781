//! Builds the search queries for a command. There are several, because a long list of arguments would
//! outweigh the two words that name the command.

use interleaf_shell::Command;

/// Maximum length of a command, and of its input, in a query, in characters.
const MAX_QUERY_CHARS: usize = 300;

/// Returns the queries for a built-in topic: the command, and its topic name if that has more than one word.
pub fn for_builtin_topic(command: &Command) -> Vec<String> {
    let name = topics::topic_name(command).filter(|name| name.contains(' '));
    unique([Some(command_query(command)), name])
}

/// Returns the queries for a topic of the project: the command, and the topic's name.
pub fn for_project_topic(command: &Command, name: &str) -> Vec<String> {
    unique([Some(command_query(command)), Some(name.to_owned())])
}

/// Returns several commands as one query.
pub fn line_query(commands: &[&Command]) -> String {
    let line = commands.iter().map(|command| command_query(command)).collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_QUERY_CHARS).collect()
}

/// Returns the command and its input as one query.
pub fn command_query(command: &Command) -> String {
    let text = command.text().chars().take(MAX_QUERY_CHARS).collect::<String>();
    let input = command.input.chars().take(MAX_QUERY_CHARS).collect::<String>();
    format!("{text} {input}").trim_end().to_owned()
}

fn unique(queries: [Option<String>; 2]) -> Vec<String> {
    let mut queries: Vec<String> = queries.into_iter().flatten().collect();
    queries.dedup();
    queries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(line: &str) -> Command {
        interleaf_shell::commands(line).remove(0)
    }

    #[test]
    fn queries_are_the_command_and_its_topic_name() {
        assert_eq!(
            for_project_topic(&first("make -j 4 deploy A=1"), "make deploy"),
            ["make -j 4 deploy A=1", "make deploy"]
        );
        assert_eq!(for_project_topic(&first("g++"), "g++"), ["g++"]);
        assert_eq!(for_builtin_topic(&first("ssh host")), ["ssh host"]);
        assert_eq!(for_builtin_topic(&first("docker run x")), ["docker run x", "docker run"]);
        assert_eq!(command_query(&first("psql <<E\ndrop table é\nE")), "psql drop table é");
    }

    #[test]
    fn a_query_is_truncated_between_characters() {
        let long = format!("ssh {}", "é".repeat(5_000));

        assert_eq!(for_builtin_topic(&first(&long))[0].chars().count(), MAX_QUERY_CHARS);
    }
}
