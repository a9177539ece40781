//! Tests of the whole crate as tables, then of the project's list, then with hostile input.

use interleaf_shell::commands;

use super::*;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

fn builtin_source(line: &str) -> Option<&'static str> {
    builtin_topic(&commands(line)).map(|found| found.source)
}

#[test]
fn built_in_topics_match_parsed_commands_and_not_text() {
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
        assert_eq!(builtin_source(line), expected, "{line}");
    }
}

#[test]
fn irreversible_commands_are_distinguished_from_those_that_can_be_undone() {
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
fn a_topic_name_is_the_program_and_the_words_that_say_what_it_does() {
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
        ("command -v docker", None),
    ] {
        assert_eq!(topic_name(&commands(line)[0]).as_deref(), expected, "{line}");
    }
}

fn promoted(lines: &[&str]) -> Topics {
    let mut topics = Topics::default();
    for line in lines {
        topics.promote(&commands(line)[0], 0);
    }
    topics
}

#[test]
fn a_topic_matches_whole_words_of_a_command() {
    for (topic, line, expected) in [
        ("make deploy", "cd x && FOO=1 make -j 4 clean deploy", true),
        ("make deploy", "make deploy-docs", false),
        ("make deploy", "echo make deploy", false),
        ("g++", "g++ -O2 main.cc", true),
        ("g++", "gggg x", false),
        ("[", "[ -f x ]", true),
        ("(", "make deploy", false),
        (".*", "make deploy", false),
        ("npm run build", "npm run build -- --watch", true),
        ("npm run build", "npm run test", false),
        ("npm run build", "npm --prefix web run build", true),
        ("pnpm run build", "pnpm build", true),
        ("npm run test", "npm test -- -u", true),
        ("npm run build", "npm install build", false),
        ("python -m pytest", "python -m pytest -q", true),
        ("bin/deploy", "./bin/deploy staging", true),
        ("wt", "cat swt.txt wt", false),
    ] {
        let topics = Topics::read(&serde_json::json!({ "patterns": [topic] }).to_string());

        assert_eq!(topics.find(&commands(line)).is_some(), expected, "{topic}: {line}");
    }
}

#[test]
fn a_repeated_failure_increments_the_count_of_its_topic() {
    let mut topics = promoted(&["make deploy", "make deploy A=1"]);
    assert_eq!((topics.promoted.len(), topics.promoted[0].count), (1, 2));

    assert!(!topics.promote(&commands("grep x")[0], 1), "too ordinary");
    assert_eq!(topics.find(&commands("make deploy")).map(|found| found.source), Some("failure"));
}

#[test]
fn promoted_topics_are_capped_and_expire_after_a_month() {
    let mut topics = Topics::default();
    for day in 0..60 {
        assert!(topics.promote(&commands(&format!("tool{day}"))[0], day * DAY_MS / 3));
    }
    assert_eq!(topics.promoted.len(), 50);
    assert_eq!(topics.promoted[0].command, "tool10", "the oldest are dropped");

    topics.expire(60 * DAY_MS);

    assert!(topics.promoted.is_empty());
}

#[test]
fn a_list_survives_a_round_trip_and_a_broken_one_reads_as_empty() {
    let mut topics = promoted(&["make deploy", "g++ x"]);
    topics.generated_at = Some(7);
    topics.patterns =
        vec![Topic { command: "npm run a".into(), source: "package.json".into(), ..Topic::default() }];

    assert_eq!(Topics::read(&topics.to_json()), topics);
    assert_eq!(Topics::generated_at(&topics.to_json()), Some(7));
    assert_eq!(Topics::generated_at(&Topics::default().to_json()), None);
    for broken in ["", "[", "null", "[]", r#"{"patterns": 7, "promoted": [7, null, {"command": ""}, {}]}"#] {
        assert_eq!(Topics::read(broken), Topics::default(), "{broken}");
    }
}

#[test]
fn no_text_around_a_command_hides_it() {
    for junk in [
        "g++",
        "[",
        "(",
        ")",
        "'",
        "\"",
        "`",
        "$(",
        "${",
        "$((",
        "<<",
        "<<<",
        ">",
        "\0",
        "#",
        "'''",
        "\"$(\"",
        "é",
        "日本",
        "\u{1f600}'",
        "<<END\n",
        "cat <<-'X'\n",
        "*",
        "{",
        "&&",
        "|",
        "!",
        "=",
        "A=",
        "((",
        "[[ x =~ (a|b",
    ] {
        for line in
            [format!("sudo make {junk}"), format!("{junk}\nsudo make"), format!("echo {junk}\n sudo make")]
        {
            assert_eq!(builtin_source(&line), Some("elevated"), "{line:?}");
        }
    }
}

#[test]
fn a_hundred_kilobytes_of_any_text_do_not_hide_a_command() {
    for piece in [
        "x ",
        "x;",
        "$(",
        "`",
        "\"",
        "'",
        "\"$(",
        "(",
        "<<a ",
        "<<<",
        "\\",
        "é",
        "'é' ",
        "a|",
        "bash -c '",
        "sudo ",
        "env ",
        "$((",
        "A=1 ",
        "echo 'x' | ",
        "<(",
        "#\n",
        "\0",
        "find -exec ",
        "eval \"",
        "<<a\n",
        "rm -rf x;",
    ] {
        let long = piece.repeat(100_000 / piece.len());
        let _ = commands(&long);

        let found = builtin_source(&format!("docker ps; {long}"));

        assert!(found.is_some(), "{piece:?}");
    }
    let long = "word ".repeat(20_000);
    assert_eq!(builtin_source(&format!("echo {long}; ssh host")), Some("remote"));
    assert_eq!(builtin_source(&format!("echo '{long}; ssh host")), Some("remote"), "an unbalanced quote");
}
