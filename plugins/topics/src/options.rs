//! Which options of the usual tools take their value as a word of its own: `-C dir` of git is no subcommand.

/// Options that take the next word, by program. Only those that may stand before a subcommand or a target matter.
const WITH_VALUE: [(&str, &[&str]); 14] = [
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

/// The arguments of `program` that are neither options nor their values.
pub fn operands<'a>(program: &str, arguments: &'a [String]) -> impl Iterator<Item = &'a str> {
    let known = WITH_VALUE.iter().find(|(name, _)| *name == program).map_or(&[][..], |(_, options)| *options);
    let (mut value, mut only_operands) = (false, false);
    arguments.iter().map(String::as_str).filter(move |argument| {
        if std::mem::take(&mut value) {
            return false;
        }
        if only_operands || !argument.starts_with('-') || *argument == "-" {
            return !argument.starts_with('+') || program != "cargo";
        }
        only_operands = *argument == "--";
        value = known.contains(argument);
        false
    })
}
