//! Private key blocks: whole, on one line, decorated, and cut anywhere.

use super::{BASE64, becomes, made, redact, stays};

const BEGIN: &str = concat!("-----BEGIN ", "RSA PRIVATE", " KEY-----");
const END: &str = concat!("-----END ", "RSA PRIVATE", " KEY-----");

/// The body of a key that nobody has: so many lines of 64 letters and a shorter one.
fn body(lines: u64) -> Vec<String> {
    let mut body: Vec<String> = (0..lines).map(|line| made(BASE64, 64, line)).collect();
    body.push(format!("{}==", made(BASE64, 22, 99)));
    body
}

fn block(newline: &str) -> String {
    format!("{BEGIN}{newline}{}{newline}{END}", body(12).join(newline))
}

#[test]
fn block_goes_as_a_whole() {
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
        becomes(&format!("before\n{}\nafter", block(newline)), "before\n[SECRET:private-key]\nafter");
    }
}

#[test]
fn block_in_json_leaves_json() {
    becomes(
        &format!("{{\"private_key\":\"{}\\n\",\"id\":1}}", block("\\n")),
        "{\"private_key\":\"[SECRET:private-key]\\n\",\"id\":1}",
    );
}

#[test]
fn block_with_headers_and_of_every_label() {
    let headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0123456789ABCDEF0123456789ABCDEF\n\n";
    becomes(&format!("{BEGIN}\n{headers}{}\n{END}\n", body(3).join("\n")), "[SECRET:private-key]\n");
    for label in ["PRIVATE", "ENCRYPTED PRIVATE", "OPENSSH PRIVATE", "EC PRIVATE", "PGP PRIVATE"] {
        let block = if label.starts_with("PGP") { " BLOCK" } else { "" };
        let text = format!(
            "-----BEGIN {label} KEY{block}-----\n{}\n-----END {label} KEY{block}-----\n",
            body(3).join("\n")
        );
        becomes(&text, "[SECRET:private-key]\n");
    }
    becomes(
        &format!("Private-Lines: 3\n{}\n\nrest", body(3).join("\n")),
        "Private-Lines: 3[SECRET:private-key]\n\nrest",
    );
}

#[test]
fn block_cut_anywhere_leaves_nothing_of_its_body() {
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
fn text_behind_a_cut_block_stays() {
    let text = format!("{BEGIN}\n{}\nand then the file ended, said ada.\n", body(4).join("\n"));
    becomes(&text, "[SECRET:private-key]\nand then the file ended, said ada.\n");
}

#[test]
fn body_without_its_first_line_is_known_by_its_beginning() {
    let text = format!(
        "key {}{}\n{}\n",
        concat!("MIIEvQIBADAN", "BgkqhkiG9w0BAQEFAASC"),
        made(BASE64, 32, 1),
        body(3).join("\n")
    );
    becomes(&text, "key [SECRET:private-key]\n");
}

#[test]
fn what_is_no_private_key_stays() {
    let certificate =
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", body(12).join("\n"));
    stays(&certificate);
    stays(&format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", body(4).join("\n")));
    stays(&format!("const BEGIN: &str = \"{BEGIN}\";\nconst END: &str = \"{END}\";\n"));
    stays(&format!("a file that starts with {BEGIN} is a key"));
    stays(&format!("{BEGIN}\n...\n{END}"));
    becomes(&format!("{}\n{certificate}", block("\n")), &format!("[SECRET:private-key]\n{certificate}"));
}
