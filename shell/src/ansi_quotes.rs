//! The quotes `$'…'`, in which a shell replaces escapes such as `\x69` and `\n`. A command can hide its name
//! in them.

/// Reads the text after `$'`, up to the closing quote. Returns it with its escapes replaced, and its length
/// in bytes with that quote; `None` for the length if the quote is never closed.
pub fn read(text: &str) -> (String, Option<usize>) {
    let mut found = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\'' => return (found, Some(text.len() - rest.as_str().len())),
            '\\' => rest = escape(rest.as_str(), &mut found).chars(),
            _ => found.push(c),
        }
    }
    (found, None)
}

/// Reads an escape without its backslash, and returns the text behind it.
fn escape<'a>(text: &'a str, found: &mut String) -> &'a str {
    let mut chars = text.chars();
    let Some(kind) = chars.next() else { return "" };
    let rest = chars.as_str();
    match kind {
        'x' => number(rest, 16, 2, found),
        'u' => number(rest, 16, 4, found),
        'U' => number(rest, 16, 8, found),
        '0'..='7' => number(text, 8, 3, found),
        'c' => {
            // A control character; which one does not matter to a reader of commands.
            found.push(' ');
            rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default()
        }
        _ => {
            found.push(match kind {
                'n' | 'r' | 'v' | 'f' => '\n',
                't' => '\t',
                'a' | 'b' | 'e' | 'E' => ' ',
                other => other,
            });
            rest
        }
    }
}

/// Reads a character's number with at most `max_digits` digits.
fn number<'a>(text: &'a str, radix: u32, max_digits: usize, found: &mut String) -> &'a str {
    let digits = text.bytes().take(max_digits).take_while(|byte| char::from(*byte).is_digit(radix)).count();
    let number = u32::from_str_radix(&text[..digits], radix).unwrap_or_default();
    found.push(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER));
    &text[digits..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_replaced_up_to_the_closing_quote() {
        for (text, expected, rest) in [
            ("interleaf' x", "interleaf", " x"),
            ("\\x69nterl\\145af\\u002dx'", "interleaf-x", ""),
            ("a\\'b\\nc\\\\'|", "a'b\nc\\", "|"),
            ("\\cAb\\xzz'", " b\0zz", ""),
        ] {
            let (found, length) = read(text);

            assert_eq!((found.as_str(), length.map(|at| &text[at..])), (expected, Some(rest)), "{text}");
        }
        for unclosed in ["", "a", "a\\", "\\x", "\\cé", "\\u12"] {
            assert_eq!(read(unclosed).1, None, "{unclosed}");
        }
    }
}
