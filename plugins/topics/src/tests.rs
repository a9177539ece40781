//! The rules of the whole crate, as tables.

mod hostile;
mod list;

use super::*;

/// Each command's text, `!` before the elevated.
fn texts(line: &str) -> Vec<String> {
    let text = |command: &Command| format!("{}{}", if command.elevated { "!" } else { "" }, command.text());
    commands(line).iter().map(text).collect()
}

fn base_kind(line: &str) -> Option<&'static str> {
    base(&commands(line)).map(|found| found.source)
}

#[test]
fn a_line_is_the_commands_that_it_would_run() {
    for (line, expected) in [
        ("make deploy", &["make deploy"][..]),
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
        ("", &[]),
    ] {
        assert_eq!(texts(line), expected, "{line}");
    }
}

#[test]
fn variables_set_and_removed_before_a_command_are_known() {
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
fn a_subcommand_is_no_option_and_no_option_s_value() {
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
fn base_patterns_fit_the_command_and_not_its_letters() {
    for (line, expected) in [
        ("ssh host", Some("remote")),
        ("cd x && scp a host:", Some("remote")),
        ("sudo make install", Some("elevated")),
        ("su -c 'make install'", Some("elevated")),
        ("A=1 docker run x", Some("containers")),
        ("bash -c \"kubectl get pods\"", Some("containers")),
        ("rm -rf target", Some("destructive")),
        ("rm -fr x; true", Some("destructive")),
        ("psql db -c 'delete from users'", Some("destructive")),
        ("git push -f", Some("destructive")),
        ("echo \"sudo rm -rf /\"", None),
        ("git stash drop", None),
        ("grep -rn 'drop table' src", None),
        ("cat docker-compose.yml # sudo", None),
        ("rm file", None),
        ("make truncate", None),
        ("git commit -m 'rm -rf and docker'", None),
        ("cat <<END\nsudo rm -rf /\nEND", None),
    ] {
        assert_eq!(base_kind(line), expected, "{line}");
    }
}

#[test]
fn what_cannot_be_taken_back_is_told_from_what_can() {
    let irreversible = |line: &str| commands(line).iter().any(is_irreversible);
    for line in [
        "git push --force origin main",
        "git push --force-with-lease",
        "git -C x push -uf",
        "git push origin +main",
        "git push origin :main",
        "git reset --hard HEAD~1",
        "git clean -fd",
        "rm -rf src",
        "rm -r -f target src",
        "rm -rf target/../src",
        "rm -rf \"$DIR/build\"",
        "rm -rf /",
        "rm -rf /tmp",
        "psql -c 'DROP TABLE users;'",
        "psql <<END\nselect 1;\n-- old\nTruncate users;\nEND",
        "echo 'drop table x' | mysql db",
        "sqlite3 a.db \"delete  from x\"",
        "mysql -e'drop database x'",
        "kubectl delete ns prod",
        "terraform -chdir=x destroy",
        "docker system prune -af",
        "ssh host 'rm -rf /srv/data'",
        "mkfs.ext4 /dev/sda1",
        "dd if=a of=/dev/sda",
    ] {
        assert!(irreversible(line), "{line}");
    }
    for line in [
        "git push",
        "git push -u origin main:main",
        "git reset HEAD~1",
        "git clean -nfd",
        "rm -rf target node_modules ./web/dist/ .venv",
        "rm -rf /tmp/x",
        "rm -r docs",
        "psql -c 'select drop from x'",
        "kubectl get pods",
        "docker ps",
        "terraform plan",
        "git commit -m 'git push --force'",
    ] {
        assert!(!irreversible(line), "{line}");
    }
}

#[test]
fn a_command_is_named_by_what_it_is_to_do() {
    for (line, expected) in [
        ("make -C x deploy A=1", Some("make deploy")),
        ("npm run build -- --watch", Some("npm run build")),
        ("cargo xtask dist", Some("cargo xtask dist")),
        ("python3 -m pytest -q", Some("python3 -m pytest")),
        ("node scripts/build.mjs --x", Some("node scripts/build.mjs")),
        ("python -c 'print(1)'", Some("python")),
        ("g++ main.cc", Some("g++")),
        ("./bin/release.sh now", Some("release.sh")),
        ("grep x y", None),
        ("$RUNNER test", None),
    ] {
        assert_eq!(pattern(&commands(line)[0]).as_deref(), expected, "{line}");
    }
}
