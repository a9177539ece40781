//! Tests with private key blocks: whole, on one line, with prefixes, and truncated anywhere.

use super::{BASE64, assert_redacted, assert_unchanged, random_text, redact};

const BEGIN: &str = concat!("-----BEGIN ", "RSA PRIVATE", " KEY-----");
const END: &str = concat!("-----END ", "RSA PRIVATE", " KEY-----");

/// Returns the body of a generated key: this number of lines of 64 letters and a shorter one.
fn body(lines: u64) -> Vec<String> {
    let mut body: Vec<String> = (0..lines).map(|line| random_text(BASE64, 64, line)).collect();
    body.push(format!("{}==", random_text(BASE64, 22, 99)));
    body
}

fn block(newline: &str) -> String {
    format!("{BEGIN}{newline}{}{newline}{END}", body(12).join(newline))
}

#[test]
fn a_block_is_redacted_as_a_whole() {
    for newline in [
        "\n",
        "\r\n",
        "\\n",
        "\\r\\n",
        "\\\\n",
        " ",
        "\n    ",
        "\n     12\u{2192}",
        "\n> ",
        "\n# ",
        "\" +\n  \"",
    ] {
        assert_redacted(&format!("before\n{}\nafter", block(newline)), "before\n[SECRET:private-key]\nafter");
    }
}

#[test]
fn json_with_a_block_stays_json() {
    assert_redacted(
        &format!("{{\"private_key\":\"{}\\n\",\"id\":1}}", block("\\n")),
        "{\"private_key\":\"[SECRET:private-key]\\n\",\"id\":1}",
    );
}

#[test]
fn a_block_with_headers_or_any_label_is_redacted() {
    let headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0123456789ABCDEF0123456789ABCDEF\n\n";
    assert_redacted(&format!("{BEGIN}\n{headers}{}\n{END}\n", body(3).join("\n")), "[SECRET:private-key]\n");
    for label in ["PRIVATE", "ENCRYPTED PRIVATE", "OPENSSH PRIVATE", "EC PRIVATE", "PGP PRIVATE"] {
        let block = if label.starts_with("PGP") { " BLOCK" } else { "" };
        let text = format!(
            "-----BEGIN {label} KEY{block}-----\n{}\n-----END {label} KEY{block}-----\n",
            body(3).join("\n")
        );
        assert_redacted(&text, "[SECRET:private-key]\n");
    }
    assert_redacted(
        &format!("Private-Lines: 3\n{}\n\nrest", body(3).join("\n")),
        "Private-Lines: 3[SECRET:private-key]\n\nrest",
    );
}

#[test]
fn the_body_of_a_block_truncated_anywhere_is_redacted() {
    let body = body(6);
    let left = |text: &str| {
        body.iter().any(|line| {
            line.as_bytes().windows(16).any(|piece| text.as_bytes().windows(16).any(|other| other == piece))
        })
    };
    for newline in ["\n", "\\n"] {
        let block = format!("{BEGIN}{newline}{}{newline}{END}{newline}", body.join(newline));
        for cut in (0..block.len()).step_by(3) {
            let head = redact(&block[..cut]).into_owned();
            assert!(!left(&head), "the head, cut at {cut}: {head}");
            assert_eq!(redact(&head), head);
            let tail = redact(&block[cut..]).into_owned();
            assert!(!left(&tail) || !block[cut..].contains(END), "the tail, cut at {cut}: {tail}");
            assert_eq!(redact(&tail), tail);
        }
    }
}

#[test]
fn text_after_a_truncated_block_stays() {
    let text = format!("{BEGIN}\n{}\nand then the file ended, said ada.\n", body(4).join("\n"));
    assert_redacted(&text, "[SECRET:private-key]\nand then the file ended, said ada.\n");
}

#[test]
fn a_body_without_its_first_line_is_recognized_by_its_beginning() {
    let text = format!(
        "key {}{}\n{}\n",
        concat!("MIIEvQIBADAN", "BgkqhkiG9w0BAQEFAASC"),
        random_text(BASE64, 32, 1),
        body(3).join("\n")
    );
    assert_redacted(&text, "key [SECRET:private-key]\n");
}

#[test]
fn certificates_public_keys_and_bare_lines_stay() {
    let certificate =
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", body(12).join("\n"));
    assert_unchanged(&certificate);
    assert_unchanged(&format!(
        "-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n",
        body(4).join("\n")
    ));
    assert_unchanged(&format!("const BEGIN: &str = \"{BEGIN}\";\nconst END: &str = \"{END}\";\n"));
    assert_unchanged(&format!("a file that starts with {BEGIN} is a key"));
    assert_unchanged(&format!("{BEGIN}\n...\n{END}"));
    assert_redacted(
        &format!("{}\n{certificate}", block("\n")),
        &format!("[SECRET:private-key]\n{certificate}"),
    );
}
