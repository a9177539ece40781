//! Input that nobody would type: never a panic, and a base pattern stays what it is.

use super::*;

#[test]
fn nothing_before_or_behind_it_hides_a_base_pattern() {
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
            assert_eq!(base_kind(&line), Some("elevated"), "{line:?}");
        }
    }
}

#[test]
fn a_hundred_kilobytes_of_anything_are_read_and_the_last_command_is_found() {
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
        let _ = texts(&long);

        let found = base_kind(&format!("docker ps; {long}"));

        assert!(found.is_some(), "{piece:?}");
    }
    let long = "word ".repeat(20_000);
    assert_eq!(base_kind(&format!("echo {long}; ssh host")), Some("remote"));
    assert_eq!(base_kind(&format!("echo '{long}; ssh host")), Some("remote"), "an unbalanced quote");
}

#[test]
fn a_script_within_a_script_ends_somewhere() {
    let mut line = "make deploy".to_owned();
    for _ in 0..12 {
        line = format!("bash -c {}", shell_word(&line));
    }
    assert!(!texts(&line).is_empty());
}

fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
