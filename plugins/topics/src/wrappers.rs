//! Commands that run another command: `sudo -u x make`, `env -u A make`, `timeout 5 make`, `xargs -n 1 make`.

/// How a wrapper's own words are told from the command it runs.
struct Wrapper {
    name: &'static str,
    /// Options that take the next word.
    values: &'static [&'static str],
    /// Words of its own before the command: the duration of `timeout`.
    operands: usize,
    elevates: bool,
}

const fn wrapper(name: &'static str, values: &'static [&'static str]) -> Wrapper {
    Wrapper { name, values, operands: 0, elevates: false }
}

const WRAPPERS: [Wrapper; 20] = [
    Wrapper {
        elevates: true,
        ..wrapper(
            "sudo",
            &[
                "-u", "-g", "-h", "-p", "-C", "-T", "-r", "-t", "-U", "-D", "-R", "--user", "--group",
                "--chdir",
            ],
        )
    },
    Wrapper { elevates: true, ..wrapper("doas", &["-u", "-C"]) },
    Wrapper { elevates: true, ..wrapper("pkexec", &["--user"]) },
    Wrapper { elevates: true, ..wrapper("run0", &["-u", "--user"]) },
    wrapper("env", &["-u", "-C", "--unset", "--chdir"]),
    wrapper("time", &["-f", "-o"]),
    wrapper("nohup", &[]),
    wrapper("nice", &["-n", "--adjustment"]),
    wrapper("ionice", &["-c", "-n", "-p"]),
    Wrapper { operands: 1, ..wrapper("timeout", &["-s", "-k", "--signal", "--kill-after"]) },
    wrapper(
        "xargs",
        &["-I", "-n", "-P", "-d", "-L", "-E", "-a", "-s", "--max-args", "--max-procs", "--delimiter"],
    ),
    wrapper("stdbuf", &["-i", "-o", "-e"]),
    wrapper("setsid", &[]),
    wrapper("watch", &["-n", "--interval"]),
    wrapper("command", &[]),
    wrapper("builtin", &[]),
    wrapper("exec", &["-a"]),
    wrapper("caffeinate", &["-t", "-w"]),
    wrapper("strace", &["-o", "-e", "-p", "-s"]),
    Wrapper { operands: 1, ..wrapper("flock", &["-w", "-E", "--timeout"]) },
];

/// What a wrapper was found to do.
pub struct Unwrapped<'a> {
    /// The command it runs, with variables still before it; empty where it runs none.
    pub inner: &'a [String],
    pub elevates: bool,
    /// Variables that it removes; `*` for all.
    pub removed: Vec<String>,
}

/// Takes `program` off its arguments, if it is a wrapper.
pub fn unwrap<'a>(program: &str, arguments: &'a [String]) -> Option<Unwrapped<'a>> {
    let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.name == program)?;
    let mut removed = Vec::new();
    let (mut at, mut operands) = (0, wrapper.operands);
    while let Some(word) = arguments.get(at) {
        let option = word.len() > 1 && word.starts_with('-');
        if !option && operands == 0 {
            break;
        }
        operands -= usize::from(!option);
        let value = wrapper.values.contains(&word.as_str());
        if program == "env" {
            removed.extend(removes(word, arguments.get(at + 1)));
        }
        at += 1 + usize::from(value);
    }
    Some(Unwrapped { inner: arguments.get(at..).unwrap_or_default(), elevates: wrapper.elevates, removed })
}

/// The variable that an option of `env` removes.
fn removes(option: &str, next: Option<&String>) -> Option<String> {
    match option {
        "-i" | "-" | "--ignore-environment" => Some("*".to_owned()),
        "-u" | "--unset" => next.cloned(),
        _ => option.strip_prefix("--unset=").or_else(|| option.strip_prefix("-u")).map(str::to_owned),
    }
}
