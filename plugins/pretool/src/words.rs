//! What to search for before a command. Each list is asked one after the other: a long line of arguments would drown
//! the two words that name the command.

use topics::Command;

/// Characters of a command that make a query.
const LONGEST: usize = 300;

/// A command that a base pattern fits: the whole of it, and its name where that says more than the program does.
pub fn of_base(command: &Command) -> Vec<String> {
    let name = topics::topic_name(command).filter(|name| name.contains(' '));
    unique([Some(whole(command)), name])
}

/// A command of the project's own list: the name it has there is worth a search, too.
pub fn of_topic(command: &Command, name: &str) -> Vec<String> {
    unique([Some(whole(command)), Some(name.to_owned())])
}

/// The command and what it is fed, cut between characters.
pub fn whole(command: &Command) -> String {
    let text = command.text().chars().take(LONGEST).collect::<String>();
    let fed = command.input.chars().take(LONGEST).collect::<String>();
    format!("{text} {fed}").trim_end().to_owned()
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
        topics::commands(line).remove(0)
    }

    #[test]
    fn a_command_is_searched_whole_and_by_its_name() {
        assert_eq!(
            of_topic(&first("make -j 4 deploy A=1"), "make deploy"),
            ["make -j 4 deploy A=1", "make deploy"]
        );
        assert_eq!(of_topic(&first("g++"), "g++"), ["g++"]);
        assert_eq!(of_base(&first("ssh host")), ["ssh host"]);
        assert_eq!(of_base(&first("docker run x")), ["docker run x", "docker run"]);
        assert_eq!(whole(&first("psql <<E\ndrop table é\nE")), "psql drop table é");
    }

    #[test]
    fn a_query_is_cut_between_characters() {
        let long = format!("ssh {}", "é".repeat(5_000));

        assert_eq!(of_base(&first(&long))[0].chars().count(), LONGEST);
    }
}
