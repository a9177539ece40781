//! Tests with secrets that a terminal or an encoding hides: colors, invisible characters, escapes, breaks.

use super::{ALNUM, BASE64_URL, assert_redacted, assert_unchanged, random_text, redact};

fn token() -> String {
    format!("ghp_{}", random_text(ALNUM, 36, 1))
}

#[test]
fn color_codes_within_a_token_do_not_hide_it() {
    let body = random_text(ALNUM, 36, 2);
    for (before, between, after) in [
        ("\u{1b}[32m", "\u{1b}[0m", ""),
        ("\u{1b}[01;31m\u{1b}[K", "\u{1b}[m\u{1b}[K", ""),
        ("\\u001b[32m", "\\u001b[0m", ""),
        ("\\x1b[1m", "\\x1b[0m", ""),
        ("\u{9b}31m", "\u{9b}0m", ""),
        ("\u{1b}]8;;https://example.org\u{7}", "\u{1b}]8;;\u{7}", ""),
    ] {
        let redacted = redact(&format!("x {before}ghp_{between}{body}{after} y")).into_owned();
        assert!(redacted.ends_with("[SECRET:github-token] y"), "{redacted:?}");
    }
}

#[test]
fn a_secret_in_the_address_of_a_hyperlink_is_removed() {
    let text = format!("\u{1b}]8;;https://ada:{}@example.org\u{1b}\\here\u{1b}]8;;\u{1b}\\", token());

    assert!(!redact(&text).contains("ghp_"), "{}", redact(&text));
}

#[test]
fn invisible_characters_within_a_token_do_not_hide_it() {
    for hidden in ['\u{ad}', '\u{200b}', '\u{200d}', '\u{2060}', '\u{fe0f}', '\u{feff}', '\u{e0041}'] {
        let token: String = token().chars().flat_map(|c| [c, hidden]).collect();
        assert_redacted(&format!("a {token} b"), &format!("a [SECRET:github-token]{hidden} b"));
    }
}

#[test]
fn full_width_letters_do_not_hide_a_token() {
    let wide = |c: char| char::from_u32(c as u32 + 0xfee0).expect("a letter has a full-width form");
    let token: String = token().chars().map(wide).collect();

    assert_redacted(&format!("a {token} b"), "a [SECRET:github-token] b");
}

#[test]
fn escapes_within_a_token_do_not_hide_it() {
    let token = token();
    for escape in ["%5F", "%5f", "\\u005f", "\\x5f"] {
        let escaped = token.replace('_', escape);
        assert_redacted(&format!("q={escaped}"), "q=[SECRET:github-token]");
    }
    assert_redacted(
        "{\"u\":\"postgres:\\/\\/ada:k1tten!\\u0040x@db\\/shop\"}",
        "{\"u\":\"postgres:\\/\\/ada:[SECRET:url-password]@db\\/shop\"}",
    );
    assert_redacted(
        "&quot;password&quot;: &quot;k1tten!x&quot;",
        "&quot;password&quot;: &quot;[SECRET:password]&quot;",
    );
}

#[test]
fn the_rest_of_a_token_on_the_next_line_is_removed() {
    let token = token();
    let (head, rest) = token.split_at(24);
    for (open, between, close) in [
        ("", "\n", ""),
        ("", "\\\n", ""),
        ("", "\r\n    ", ""),
        ("\"", "\" \\\n  \"", "\""),
        ("'", "' + '", "'"),
    ] {
        let redacted = redact(&format!("x {open}{head}{between}{rest}{close}\ny")).into_owned();
        assert_eq!(redacted, format!("x {open}[SECRET:github-token]{close}\ny"));
    }
}

#[test]
fn a_token_that_begins_in_one_string_and_ends_in_another_is_removed() {
    let body = random_text(ALNUM, 36, 3);
    for join in ["' + '", "' '", "'\n  '", "'.'", "''"] {
        assert_redacted(&format!("t = 'ghp_{join}{body}';"), "t = '[SECRET:github-token]';");
    }
}

#[test]
fn what_follows_a_complete_token_on_the_next_line_stays() {
    for next in ["Copy1t now", "deployment", "DEBUG=1", "- item"] {
        assert_redacted(&format!("{}\n{next}\n", token()), &format!("[SECRET:github-token]\n{next}\n"));
    }
}

#[test]
fn a_web_token_that_a_terminal_wraps_is_removed_to_its_end() {
    let lines: Vec<String> = (0..4).map(|seed| random_text(BASE64_URL, 80, seed)).collect();
    let text = format!("eyJhbGci{}\n{}\nsome words follow\n", &lines[0][..72], lines[1..].join("\n"));

    assert_redacted(&text, "[SECRET:jwt]\nsome words follow\n");
}

#[test]
fn text_with_colors_and_escapes_but_without_secrets_stays() {
    for text in [
        "\u{1b}[32mok\u{1b}[0m 3 passed",
        "a\u{200b}b\u{fe0f}",
        "ｆｕｌｌ　ｗｉｄｔｈ",
        "printf(\"%5d%%\\n\", n); see https://x.org/a%20b?c=%2Fd",
        "{\"a\":\"\\u00e9\\u001b[1mb\\u001b[0m\"}",
        "\u{1b}",
        "\u{1b}[",
        "\u{1b}]0;title",
        "'a' + 'b' \"c\" \"d\"\n\"e\"",
    ] {
        assert_unchanged(text);
    }
}

#[test]
fn labels_reveal_what_has_no_format() {
    let hex = random_text("0123456789abcdef", 64, 4);
    let word = random_text(ALNUM, 32, 5);
    for (before, secret, after) in [
        ("passphrase: ", "correct horse battery staple", "\n"),
        ("MASTER=", hex.as_str(), "\n"),
        ("X-Internal-Auth: ", word.as_str(), "\n"),
        ("X-Vault: ", word.as_str(), "\n"),
        ("psk=", "Ninety9Balloons", "\n"),
        ("conn: ", word.as_str(), "\n"),
        ("7z x -p", "Lamp_post7", " a.7z"),
        ("htpasswd -b f ada ", "Lamp_post7", "\n"),
        ("kinit ada <<< ", "Lamp_post7", "\n"),
        ("proxy = ada:", "Lamp_post7", "@db.example.org:5432"),
        ("$ openssl rand -hex 32\n", hex.as_str(), "\n"),
        (
            "seed phrase: ",
            "abandon ability able about above absent absorb abstract absurd abuse access acid",
            "\n",
        ),
        ("TOTP=", "J4SWY3DPE2PK3PXP", "\n"),
        ("Unseal Key 1: ", word.as_str(), "\n"),
    ] {
        let redacted = redact(&format!("{before}{secret}{after}")).into_owned();
        assert!(!redacted.contains(secret) && redacted.starts_with(before), "{redacted:?}");
        assert!(redacted.ends_with(after), "{redacted:?}");
    }
}
