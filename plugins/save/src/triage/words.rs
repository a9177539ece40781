//! Text as words that can be compared: lower case, one space between, in any script. Phrases are found whole, so that
//! no word is found inside another.

/// The words of a text, with a space before and after each. A comma stands for what parts a sentence, so that "no, we
/// decided" is not read as "no decision".
pub(crate) fn words(text: &str) -> String {
    let mut words = String::from(" ");
    let letters: Vec<char> = text.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        match letter {
            '\'' | '’' | '`' if joins(&letters[at + 1..]) => {}
            ',' | ';' | ':' | '(' | ')' | '–' | '—' => separate(&mut words, " , "),
            _ if letter.is_alphanumeric() => words.extend(plain(letter)),
            _ => separate(&mut words, " "),
        }
    }
    separate(&mut words, " ");
    words
}

/// An English contraction is one word (don't), a French elision is two (l'API, s'il).
fn joins(rest: &[char]) -> bool {
    let end = rest.iter().take_while(|letter| letter.is_alphanumeric()).count();
    let end: String = rest[..end.min(3)].iter().flat_map(|letter| letter.to_lowercase()).collect();
    ["t", "s", "d", "m", "re", "ll", "ve"].contains(&end.as_str())
}

fn separate(words: &mut String, with: &str) {
    let with = if words.ends_with(' ') { with.trim_start() } else { with };
    words.push_str(with);
}

/// Lower case, and without the accents that people leave out when they type. The German ones change a word.
fn plain(letter: char) -> impl Iterator<Item = char> {
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

/// Where a phrase stands: from where to where. `*` at its end leaves its last word open, `!` forbids a comma behind it,
/// and `^` before it wants it at the beginning of a clause, where a wish begins ("never do" but not "it never does").
pub(crate) fn find(words: &str, phrase: &str) -> Option<(usize, usize)> {
    let (first, alone, open) = (phrase.starts_with('^'), phrase.ends_with('!'), phrase.ends_with('*'));
    let phrase = phrase.trim_start_matches('^').trim_end_matches(['*', '!']);
    words.match_indices(phrase).find_map(|(at, _)| {
        let (before, behind) = (&words[..at], &words[at + phrase.len()..]);
        let whole = before.ends_with(' ') && (open || behind.starts_with(' '));
        let in_place = !first || before == " " || before.ends_with(", ");
        (whole && in_place && !(alone && behind.starts_with(" ,"))).then_some((at, at + phrase.len()))
    })
}

/// A phrase, and from where to where it stands.
pub(crate) type Found = (&'static str, usize, usize);

/// These phrases as they stand there, in the order of the text.
pub(crate) fn all(words: &str, phrases: &[&'static str]) -> Vec<Found> {
    // Most phrases begin with no word of a line; that is seen without searching for them.
    let beginnings = words.split_whitespace().fold(0, |bits, word| bits | beginning(word));
    let possible =
        phrases.iter().filter(|phrase| beginnings & beginning(phrase.trim_start_matches('^')) != 0);
    let found = possible.filter_map(|phrase| find(words, phrase).map(|(start, end)| (*phrase, start, end)));
    let mut found: Vec<Found> = found.collect();
    found.sort_unstable_by_key(|(_, start, end)| (*start, usize::MAX - end));
    found
}

/// One of 128 bits for the first two bytes of a word.
fn beginning(word: &str) -> u128 {
    let byte = |at: usize| word.as_bytes().get(at).copied().filter(|byte| *byte != b' ').unwrap_or(0);
    1 << ((usize::from(byte(0)) * 31 + usize::from(byte(1))) % 128)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contractions_are_one_word_and_elisions_two() {
        assert_eq!(words("Don’t touch l'API!"), " dont touch l api ");
        assert_eq!(words("Décidé: NON, jamais"), " decide , non , jamais ");
        assert_eq!(words("später per Du"), " später per du ");
        assert_eq!(words(""), " ");
    }

    #[test]
    fn a_phrase_is_found_whole_and_an_open_one_by_its_beginning() {
        let text = words("The hackathon failed; errors, failed again");

        assert_eq!(find(&text, "hack"), None);
        assert!(find(&text, "error").is_none() && find(&text, "error*").is_some());
        assert_eq!(all(&text, &["again", "failed", "none"]).len(), 2);
        assert_eq!(all(&text, &["again", "failed"])[0].0, "failed");
        assert!(find(&text, "^hackathon").is_none() && find(&text, "^errors").is_some());
        assert!(find(&text, "errors!").is_none() && find(&text, "again!").is_some());
    }
}
