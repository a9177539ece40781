//! Tests with unnatural texts: random splices, long repetitions, every script.

use super::{Rng, redact};

/// Pieces of every form that a detector recognizes, and of the text between them.
const PIECES: &[&str] = &[
    "token",
    "password",
    "secret",
    "api_key",
    "pass",
    "key",
    "name",
    "value",
    "=",
    ":",
    ":=",
    "=>",
    "==",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\\n",
    "\"",
    "'",
    "`",
    "\\",
    "\\\"",
    "\\\\",
    "://",
    "@",
    "/",
    "-",
    "--",
    "_",
    ".",
    ",",
    ";",
    "&",
    "|",
    "<",
    ">",
    "</",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "$",
    "${X}",
    "%s",
    "#",
    "*",
    "**",
    "!",
    "?",
    "+",
    "~",
    "\0",
    "a",
    "b1",
    "A1b2",
    "0",
    "hunter2",
    "xxxx",
    "****",
    "[SECRET:",
    "[SECRET:token]",
    "is ",
    "login ",
    "export ",
    "ENV ",
    "curl ",
    "echo ",
    " | sudo -S ",
    "--password-stdin",
    "auth=(",
    ":5432:",
    "sqlplus ",
    "for x: ",
    "-u ",
    "mysql ",
    "-p",
    "Bearer ",
    "Basic ",
    "Authorization: ",
    "Cookie: ",
    "Set-Cookie: ",
    "IDENTIFIED BY ",
    "datadog",
    "eyJhbGciOiJIUzI1NiJ9",
    "ghp_",
    "AKIA",
    "ABCDEFGHIJKLMNOP",
    "sk-",
    "sk-ant-",
    "xoxb-",
    "SK0",
    "8Q~",
    ":AA",
    "-us1",
    "0123456789abcdef0123456789abcdef",
    "-----BEGIN ",
    "-----END ",
    "PRIVATE KEY-----",
    "MIIEvQIBADANBgkqhkiG9w0BAQEF",
    "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=",
    "cGFzc3dvcmQ9aHVudGVyMiBh",
    "/home/",
    "/Users/",
    "C:\\Users\\",
    "/root",
    "projects/-home-",
    "bob",
    "é",
    "ß",
    "😀",
    "…",
    "、",
    "”",
    "\u{a0}",
    "\u{2028}",
    "пароль",
];

#[test]
fn a_second_pass_over_random_splices_changes_nothing() {
    let mut rng = Rng::seeded(2);
    for round in 0..20_000 {
        let text: String = (0..2 + rng.below(14)).map(|_| rng.pick(PIECES)).collect();
        let once = redact(&text).into_owned();
        assert_eq!(redact(&once), once, "round {round}: {text:?}");
    }
}

/// Units whose repetition once took quadratic time.
const ONCE_QUADRATIC: [&str; 11] = [
    "curl ",
    "mysql -p ",
    "metamask",
    "mnemonic ",
    "x-key=QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo1",
    "ghp_a1B2c3D4e5F6g7H8i9J0\\\n",
    "password=a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6\n",
    "\"pwd=a1B2c3D4e5\"+\n",
    "-echo \"%|\" -base64 ",
    "Private-Lines: 1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n-END PRIVATE KEY-\n",
];

/// A nonlinear algorithm takes minutes here.
#[test]
fn a_second_pass_over_long_repetitions_changes_nothing() {
    let mut rng = Rng::seeded(3);
    let random = |_| (0..1 + rng.below(4)).map(|_| rng.pick(PIECES)).collect();
    let units: Vec<String> =
        ONCE_QUADRATIC.map(String::from).into_iter().chain((0..60).map(random)).collect();
    for unit in units {
        let text = unit.repeat(100_000 / unit.len());
        let once = redact(&text).into_owned();
        assert_eq!(redact(&once), once, "{unit:?}");
    }
}

#[test]
fn a_long_run_of_backslashes_is_read_once() {
    let text = format!("curl {}", "\\".repeat(200_000));

    assert_eq!(redact(&text), text);
}

#[test]
fn a_long_value_under_a_private_name_is_removed_to_its_end() {
    let value = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo1".repeat(1_000);

    assert_eq!(redact(&format!("X-Vault: {value}\nnext")), "X-Vault: [SECRET:secret]\nnext");
}

#[test]
fn redacted_json_is_still_json() {
    let mut rng = Rng::seeded(5);
    for round in 0..10_000 {
        let mut text = || (0..1 + rng.below(8)).map(|_| rng.pick(PIECES)).collect::<String>();
        let value = serde_json::json!({
            "password": text(), "command": text(), "list": [text(), { text(): text() }],
        });
        for json in [value.to_string(), serde_json::json!({ "wrapped": value.to_string() }).to_string()] {
            let clean = redact(&json);
            assert!(
                serde_json::from_str::<serde_json::Value>(&clean).is_ok(),
                "round {round}: {json}\nbecame {clean}"
            );
        }
    }
}

#[test]
fn a_text_truncated_anywhere_does_not_cause_a_panic() {
    let text = PIECES.concat();
    for cut in (0..text.len()).filter(|&cut| text.is_char_boundary(cut)) {
        let _ = (redact(&text[..cut]), redact(&text[cut..]));
    }
}

#[test]
fn a_text_without_anchors_is_borrowed() {
    for text in ["", "a", "ab", "äöü", "\0\0\0", "the quick brown fox", "日本語の文章、記憶。"] {
        super::assert_unchanged(text);
    }
}
