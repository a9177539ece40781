//! Texts as the model's answers are compared with: folded words, each between spaces.

/// Returns the lower-case words of a text, with a space before and after each. Every separator within a
/// sentence becomes a comma, so that "no, we decided" is not read as "no decision".
pub(crate) fn words(text: &str) -> String {
    let mut words = String::from(" ");
    let letters: Vec<char> = text.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        match letter {
            '\'' | '’' | '`' if joins(&letters[at + 1..]) => {}
            ',' | ';' | ':' | '(' | ')' | '–' | '—' => separate(&mut words, " , "),
            _ if letter.is_alphanumeric() => words.extend(fold(letter)),
            _ => separate(&mut words, " "),
        }
    }
    separate(&mut words, " ");
    words
}

/// Tells whether the letters after an apostrophe belong to the same word: an English contraction (don't) is
/// one word, a French elision (l'API, s'il) is two.
fn joins(rest: &[char]) -> bool {
    let end = rest.iter().take_while(|letter| letter.is_alphanumeric()).count();
    let end: String = rest[..end.min(3)].iter().flat_map(|letter| letter.to_lowercase()).collect();
    ["t", "s", "d", "m", "re", "ll", "ve"].contains(&end.as_str())
}

fn separate(words: &mut String, with: &str) {
    let with = if words.ends_with(' ') { with.trim_start() } else { with };
    words.push_str(with);
}

/// Returns the letter in lower case, without the accents that people often omit. German umlauts stay, because
/// they change a word.
fn fold(letter: char) -> impl Iterator<Item = char> {
    letter.to_lowercase().map(|letter| match letter {
        'á' | 'à' | 'â' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'î' | 'ï' => 'i',
        'ó' | 'ô' => 'o',
        'ú' | 'ù' | 'û' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        other => other,
    })
}
