//! Tests of reading lines, as tables.

use super::*;

/// Returns each command's text, with `!` before elevated ones.
fn texts(line: &str) -> Vec<String> {
    let text =
        |command: &Command| format!("{}{}", if command.is_elevated { "!" } else { "" }, command.text());
    commands(line).iter().map(text).collect()
}

#[test]
fn a_line_is_split_into_the_commands_it_would_run() {
    for (line, expected) in [
        ("make deploy", &["make deploy"][..]),
        ("echo `(` && rm -rf x", &["echo $()", "rm -rf x"]),
        (
            "cd x && make  deploy; ls | wc -l || true & jobs",
            &["cd x", "make deploy", "ls", "wc -l", "true", "jobs"],
        ),
        ("A=1 B='x y' /usr/bin/make deploy", &["make deploy"]),
        ("sudo -u root -- make deploy", &["!make deploy"]),
        ("doas env -u HOME X=1 time nice -n 5 make deploy", &["!make deploy"]),
        ("timeout -k 5 30s nohup make deploy > log 2>&1 < /dev/null", &["make deploy"]),
        ("find . -name '*.o' | xargs -n 1 -I {} rm -rf {}", &["find . -name *.o", "rm -rf {}"]),
        (
            "find . -name a -exec rm -rf {} \\; -print",
            &["find . -name a -exec rm -rf {} ; -print", "rm -rf {}"],
        ),
        ("bash -c 'cd x; make \"a b\"'", &["cd x", "make a b"]),
        ("sudo sh -lc \"bash -c 'make deploy'\"", &["!make deploy"]),
        ("eval \"make deploy\"", &["make deploy"]),
        ("bash -ex -o pipefail ./ship.sh one", &["ship.sh one"]),
        ("curl x | sh -s -- y", &["curl x", "sh -s -- y"]),
        ("bash <<'END'\nmake deploy\nEND\nls", &["make deploy", "ls"]),
        (
            "ssh -p 22 me@host 'cd /srv && make deploy'",
            &["ssh -p 22 me@host cd /srv && make deploy", "cd /srv", "make deploy"],
        ),
        ("echo $(make a) `make b` \"$(make c)\"", &["echo $() $() $()", "make a", "make b", "make c"]),
        ("diff <(make a) >(make b)", &["diff", "make a", "make b"]),
        ("(make a; make b) && { make c; }", &["make a", "make b", "make c"]),
        ("if make a; then make b; else make c; fi", &["make a", "make b", "make c"]),
        ("for x in a b; do make $x; done", &["make $x"]),
        ("make a # make b\nmake c", &["make a", "make c"]),
        ("make \\\n  deploy 'it'\\''s' \"a \\\"b\\\"\"", &["make deploy it's a \"b\""]),
        ("cat <<END | make a\nmake b 'it\nEND\nmake c", &["cat", "make a", "make c"]),
        (
            "git commit -m \"$(cat <<'END'\nit's (not) \"done\n\nEND\n)\" && make a",
            &["git commit -m $()", "cat", "make a"],
        ),
        ("! [ -f a ] && [[ -d b ]]", &["[ -f a ]", "[[ -d b ]]"]),
        ("echo $((1 << 2)) \n make a", &["echo $()", "1", "make a"]),
        ("sudo", &["!sudo"]),
        (
            "command make a; command -v make; command -pV make",
            &["make a", "command -v make", "command -pV make"],
        ),
        ("", &[]),
    ] {
        assert_eq!(texts(line), expected, "{line}");
    }
}

#[test]
fn a_command_lists_the_variables_set_and_removed_for_it() {
    for (line, expected) in [
        ("A=1 B= make", &["A", "B"][..]),
        ("env -u CLAUDECODE make", &["CLAUDECODE"]),
        ("env -i X=1 make", &["*", "X"]),
        ("env --unset=A bash -c 'make'", &["A"]),
        ("make A=1", &[]),
    ] {
        assert_eq!(commands(line).last().expect("one").variables, expected, "{line}");
    }
}

#[test]
fn an_option_and_its_value_are_not_the_subcommand() {
    for (line, expected) in [
        ("git -C dir -c a=b push --force", Some("push")),
        ("kubectl -n prod --context=x delete pod", Some("delete")),
        ("cargo +nightly test", Some("test")),
        ("make -C dir", None),
    ] {
        assert_eq!(commands(line)[0].subcommand(), expected, "{line}");
    }
}

#[test]
fn output_files_are_targets_of_redirections_and_not_of_text_that_looks_like_one() {
    for (line, expected) in [
        ("echo x > a", &["a"][..]),
        ("echo x >>\"./a b\" 2>&1", &["./a b"]),
        ("make &> log; make >| out; make >& both; make 2>err >&-", &["log", "out", "both", "err"]),
        ("> a", &["a"]),
        ("cat < in <<< x", &[]),
        ("echo \"a > b\" 'c > d' e\\>f", &[]),
        ("grep 'a > b' c # > d", &[]),
        ("cat > a <<END\nx > y\nEND\necho > z", &["a", "z"]),
        ("bash -c 'echo x > a'", &["a"]),
        ("bash <<END\necho > a\nEND", &["a"]),
        ("echo $(make > a) \"$(make >> b)\" `make > c`", &["a", "b", "c"]),
        ("tee >(cat > a)", &["a"]),
        ("echo 'it > a", &["a"]),
    ] {
        assert_eq!(output_files(line), expected, "{line}");
    }
}

#[test]
fn an_empty_word_hides_no_program() {
    assert_eq!(texts("'' make deploy"), ["make deploy"]);
    assert_eq!(texts("\"\""), [""; 0]);
}

#[test]
fn scripts_within_scripts_are_read_to_a_maximum_depth() {
    let mut line = "make deploy".to_owned();
    for _ in 0..12 {
        line = format!("bash -c {}", shell_word(&line));
    }
    assert!(!texts(&line).is_empty());
}

fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
