//! Cutting what is very long: the middle is left out, and only between words, because half a token is no token that
//! redaction would know again.

use serde_json::Value;

/// What stands for the part that was left out.
const GAP: &str = "[…]";

/// Most bytes of each string of a JSON value that is too long, tried one after another.
const SHORTER: [usize; 4] = [8 << 10, 2 << 10, 256, 32];

/// The text in about `most` bytes: its beginning and its end.
pub(super) fn middle(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let half = most / 2;
    let (head, tail) = (text.floor_char_boundary(half), text.ceil_char_boundary(text.len() - half));
    format!("{}\n{GAP}\n{}", up_to_word(text, head).trim_end(), from_word(text, tail).trim_start())
}

/// What stands before `end`, without the word that goes on there.
fn up_to_word(text: &str, end: usize) -> &str {
    let head = &text[..end];
    match text[end..].starts_with(char::is_whitespace) {
        true => head,
        false => head.rfind(char::is_whitespace).map_or("", |space| &head[..space]),
    }
}

/// What stands from `begin` on, without the word that began before.
fn from_word(text: &str, begin: usize) -> &str {
    let tail = &text[begin..];
    match text[..begin].ends_with(char::is_whitespace) {
        true => tail,
        false => tail.find(char::is_whitespace).map_or("", |space| &tail[space..]),
    }
}

/// The value as JSON in at most `most` bytes: the middle of its long strings is left out, so that it stays JSON.
pub(super) fn json(mut value: Value, most: usize) -> String {
    let whole = value.to_string();
    if whole.len() <= most {
        return whole;
    }
    for shorter in SHORTER {
        shorten(&mut value, shorter);
        let text = value.to_string();
        if text.len() <= most {
            return text;
        }
    }
    // Thousands of small parts: none of them says much.
    "{}".to_owned()
}

fn shorten(value: &mut Value, most: usize) {
    match value {
        Value::String(text) => *text = middle(text, most),
        Value::Array(values) => values.iter_mut().for_each(|value| shorten(value, most)),
        Value::Object(fields) => fields.values_mut().for_each(|value| shorten(value, most)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_middle_is_left_out_between_words() {
        let text = "alpha beta gamma delta epsilon";

        assert_eq!(middle(text, 100), text);
        assert_eq!(middle(text, 16), "alpha\n[…]\nepsilon");
        assert_eq!(middle(text, 20), "alpha beta\n[…]\nepsilon");
        assert_eq!(middle(&"x".repeat(100), 10), "\n[…]\n", "one word is not cut at all");
        assert_eq!(middle(&"ü ".repeat(100), 9), "ü\n[…]\nü ");
    }

    #[test]
    fn a_long_input_stays_json() {
        let input = json!({"file_path": "src/a.rs", "content": "word ".repeat(20_000), "lines": [1, 2]});

        let short = json(input, 16 << 10);

        assert!(short.len() <= 16 << 10);
        let read: Value = serde_json::from_str(&short).expect("it is JSON");
        assert_eq!(read["file_path"], "src/a.rs");
        assert!(read["content"].as_str().is_some_and(|text| text.contains("[…]")));
        assert_eq!(json(json!(vec![0; 20_000]), 16 << 10), "{}");
    }
}
