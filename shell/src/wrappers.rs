//! Programs that run another command: `sudo -u x make`, `timeout 5 make`, `xargs -n 1 make`. The table says
//! where that command begins.

struct Wrapper {
    name: &'static str,
    /// Options that take the next word as their value.
    values: &'static [&'static str],
    /// Number of its own operands before the command: 1 for the duration of `timeout`.
    operands: usize,
    /// The word before the command, if it is not simply the first operand: `--args` of gdb. Without it, the
    /// program runs no command.
    marker: Option<&'static str>,
    is_elevated: bool,
}

const fn wrapper(name: &'static str, values: &'static [&'static str]) -> Wrapper {
    Wrapper { name, values, operands: 0, marker: None, is_elevated: false }
}

/// A wrapper with operands of its own before the command.
const fn after(operands: usize, name: &'static str, values: &'static [&'static str]) -> Wrapper {
    Wrapper { operands, ..wrapper(name, values) }
}

/// A wrapper whose command follows this word.
const fn marked(name: &'static str, marker: &'static str) -> Wrapper {
    Wrapper { marker: Some(marker), ..wrapper(name, &[]) }
}

const WRAPPERS: [Wrapper; 56] = [
    Wrapper {
        is_elevated: true,
        ..wrapper(
            "sudo",
            &[
                "-u", "-g", "-h", "-p", "-C", "-T", "-r", "-t", "-U", "-D", "-R", "--user", "--group",
                "--chdir",
            ],
        )
    },
    Wrapper { is_elevated: true, ..wrapper("doas", &["-u", "-C"]) },
    Wrapper { is_elevated: true, ..wrapper("pkexec", &["--user"]) },
    Wrapper { is_elevated: true, ..wrapper("run0", &["-u", "--user"]) },
    wrapper("env", &["-u", "-C", "--unset", "--chdir"]),
    wrapper("time", &["-f", "-o"]),
    wrapper("nohup", &[]),
    wrapper("nice", &["-n", "--adjustment"]),
    wrapper("ionice", &["-c", "-n", "-p"]),
    after(1, "timeout", &["-s", "-k", "--signal", "--kill-after"]),
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
    after(1, "flock", &["-w", "-E", "--timeout"]),
    wrapper("busybox", &[]),
    wrapper("toybox", &[]),
    after(1, "chroot", &[]),
    wrapper("unshare", &["-S", "-G", "-R", "-w", "--setuid", "--setgid", "--root", "--wd", "--map-user"]),
    wrapper("nsenter", &["-t", "-S", "-G", "--target", "--setuid", "--setgid"]),
    wrapper("setpriv", &["--reuid", "--regid", "--groups", "--inh-caps", "--bounding-set"]),
    wrapper("runuser", &["-u", "-g", "-G", "--user", "--group"]),
    wrapper("systemd-run", &["-p", "-u", "-M", "-H", "-E", "--unit", "--slice", "--property", "--setenv"]),
    wrapper("systemd-inhibit", &[]),
    wrapper("npx", &["-p", "--package"]),
    wrapper("bunx", &[]),
    wrapper("uvx", &["--from", "--with"]),
    wrapper("ltrace", &["-o", "-e", "-p", "-s"]),
    wrapper("valgrind", &[]),
    wrapper("catchsegv", &[]),
    wrapper("fakeroot", &[]),
    wrapper("unbuffer", &[]),
    wrapper("xvfb-run", &["-n", "-s", "-e", "-f"]),
    wrapper("dbus-run-session", &[]),
    wrapper("firejail", &[]),
    wrapper("proxychains", &["-f"]),
    wrapper("proxychains4", &["-f"]),
    wrapper("torsocks", &[]),
    wrapper("chpst", &["-u", "-U", "-e", "-n", "-m"]),
    wrapper("cpulimit", &["-l", "-p"]),
    wrapper("setarch", &[]),
    wrapper("linux64", &[]),
    wrapper("numactl", &[]),
    after(1, "taskset", &[]),
    after(1, "chrt", &[]),
    after(1, "faketime", &[]),
    wrapper("prlimit", &[]),
    wrapper("rlwrap", &[]),
    marked("gdb", "--args"),
    marked("lldb", "--"),
    marked("start-stop-daemon", "--exec"),
];

/// The command that a wrapper runs.
pub struct Wrapped<'a> {
    /// Its words, with leading assignments; empty if the wrapper runs no command.
    pub words: &'a [String],
    /// Whether it runs with the rights of another user.
    pub is_elevated: bool,
    /// Variables that the wrapper removes; `*` for all.
    pub removed: Vec<String>,
}

/// Returns the command that `program` runs, if it is a wrapper. `command -v x` only looks `x` up.
pub fn unwrap<'a>(program: &str, arguments: &'a [String]) -> Option<Wrapped<'a>> {
    let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.name == program)?;
    if program == "command"
        && arguments.iter().take_while(|word| word.starts_with('-')).any(|word| is_query(word))
    {
        return None;
    }
    if let Some(marker) = wrapper.marker {
        let at = arguments.iter().position(|word| word == marker)?;
        return Some(Wrapped { words: &arguments[at + 1..], is_elevated: false, removed: Vec::new() });
    }
    let mut removed = Vec::new();
    let (mut at, mut operands) = (0, wrapper.operands);
    while let Some(word) = arguments.get(at) {
        let is_option = word.len() > 1 && word.starts_with('-');
        if !is_option && operands == 0 {
            break;
        }
        operands -= usize::from(!is_option);
        let has_value = wrapper.values.contains(&word.as_str());
        if program == "env" {
            removed.extend(removed_variable(word, arguments.get(at + 1)));
        }
        at += 1 + usize::from(has_value);
    }
    let words = arguments.get(at..).unwrap_or_default();
    Some(Wrapped { words, is_elevated: wrapper.is_elevated, removed })
}

/// Returns the variable that an option of `env` removes, also among other options: `-iu NAME`.
fn removed_variable(option: &str, next: Option<&String>) -> Option<String> {
    match option {
        "-" | "--ignore-environment" => return Some("*".to_owned()),
        "--unset" => return next.cloned(),
        _ if option.starts_with("--") => return option.strip_prefix("--unset=").map(str::to_owned),
        _ => {}
    }
    let options = option.strip_prefix('-')?;
    let (before, name) =
        options.split_once('u').map_or((options, None), |(before, name)| (before, Some(name)));
    match name {
        _ if before.contains('i') => Some("*".to_owned()),
        Some("") => next.cloned(),
        name => name.map(str::to_owned),
    }
}

/// Returns the string that `env` splits into words, with the words after it: `-S STRING`, `-vSSTRING`,
/// `--split-string=STRING`. What precedes it are options of `env`.
pub fn split_string(arguments: &[String]) -> Option<String> {
    let own = arguments.iter().take_while(|word| word.starts_with('-') || word.contains('='));
    let (at, string) = own.enumerate().find_map(|(at, word)| {
        let long = word.strip_prefix("--split-string").map(|rest| rest.trim_start_matches('='));
        let short = || (!word.starts_with("--")).then(|| word.split_once('S'))?.map(|(_, rest)| rest);
        Some((at, long.or_else(short)?))
    })?;
    Some(format!("env {} {string} {}", arguments[..at].join(" "), arguments[at + 1..].join(" ")))
}

/// Tells whether an option of `command` is `-v` or `-V`, alone or among others.
fn is_query(option: &str) -> bool {
    !option.starts_with("--") && option.contains(['v', 'V'])
}
