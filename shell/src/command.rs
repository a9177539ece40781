//! One command that a shell line would run, with its options and operands.

/// Options that take the next word as their value, by program: the `dir` of `git -C dir` is not a subcommand.
/// Lists only options that may precede a subcommand or a target.
const OPTIONS_WITH_VALUE: [(&str, &[&str]); 14] = [
    ("git", &["-C", "-c", "--git-dir", "--work-tree", "--namespace"]),
    ("make", &["-C", "-f", "-I", "-o", "-W", "--directory", "--file"]),
    ("gmake", &["-C", "-f", "-I", "-o", "-W", "--directory", "--file"]),
    ("just", &["-f", "-d", "--justfile", "--working-directory", "--set"]),
    ("task", &["-t", "-d", "--taskfile", "--dir"]),
    ("cargo", &["-C", "-Z", "--config", "--color", "--manifest-path"]),
    ("npm", &["--prefix", "-w", "--workspace"]),
    ("pnpm", &["-C", "--dir", "--filter", "-F"]),
    ("yarn", &["--cwd"]),
    ("docker", &["-H", "--host", "-c", "--context", "--config", "-l", "--log-level"]),
    ("podman", &["-c", "--connection", "--url", "--log-level"]),
    ("kubectl", &["-n", "--namespace", "--context", "--kubeconfig", "-s", "--server", "--cluster", "--user"]),
    ("helm", &["-n", "--namespace", "--kube-context", "--kubeconfig"]),
    (
        "ssh",
        &[
            "-b", "-c", "-D", "-E", "-e", "-F", "-i", "-J", "-L", "-l", "-m", "-o", "-p", "-Q", "-R", "-S",
            "-W", "-w",
        ],
    ),
];

/// A command without its prefixes: `FOO=1 sudo -u x /usr/bin/git push` is `git push`, elevated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// The base name of the program, as typed.
    pub program: String,
    /// Its arguments, without quotes.
    pub arguments: Vec<String>,
    /// Whether it runs with the rights of another user (`sudo`, `doas`, `su -c`).
    pub is_elevated: bool,
    /// Its standard input, if the line contains it: here-documents, here-strings, the words of an `echo`
    /// before a pipe.
    pub input: String,
    /// Names of the variables that are set or removed for it; `*` for all.
    pub variables: Vec<String>,
}

impl Command {
    /// Returns the first operand: `push` of `git -C dir push`.
    pub fn subcommand(&self) -> Option<&str> {
        self.operands().next()
    }

    /// Returns the arguments that are neither options nor the values of options known here.
    pub fn operands(&self) -> impl Iterator<Item = &str> {
        operands(&self.program, &self.arguments)
    }

    /// Tells whether one of these options is given: `--force`, or `-f` also within `-fd`.
    pub fn has_option(&self, names: &[&str]) -> bool {
        let options = self.arguments.iter().take_while(|argument| *argument != "--");
        options.filter(|argument| argument.starts_with('-')).any(|argument| {
            names.iter().any(|name| match name.strip_prefix("--") {
                Some(_) => argument.split('=').next() == Some(name),
                None => !argument.starts_with("--") && argument[1..].contains(&name[1..]),
            })
        })
    }

    /// Returns program and arguments, separated by single spaces.
    pub fn text(&self) -> String {
        let mut text = self.program.clone();
        for argument in &self.arguments {
            text.push(' ');
            text.push_str(argument);
        }
        text
    }
}

/// Returns the arguments of `program` that are neither options nor their values.
fn operands<'a>(program: &str, arguments: &'a [String]) -> impl Iterator<Item = &'a str> {
    let known =
        OPTIONS_WITH_VALUE.iter().find(|(name, _)| *name == program).map_or(&[][..], |(_, options)| *options);
    let (mut is_value, mut only_operands) = (false, false);
    arguments.iter().map(String::as_str).filter(move |argument| {
        if std::mem::take(&mut is_value) {
            return false;
        }
        if only_operands || !argument.starts_with('-') || *argument == "-" {
            return !argument.starts_with('+') || program != "cargo";
        }
        only_operands = *argument == "--";
        is_value = known.contains(argument);
        false
    })
}
