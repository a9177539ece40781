//! Takes a shell line apart, as far as needed to see which programs it runs with which words.

/// The simple commands of a shell line, each as its words, without quotes and redirections.
pub fn commands(line: &str) -> Vec<Vec<String>> {
    let mut reader = Reader::default();
    let line = line.replace("\\\n", "");
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (reader.quote, letter) {
            (None | Some('"'), '\\') => letters.next().into_iter().for_each(|letter| reader.add(letter)),
            (Some(quote), _) if letter == quote => reader.quote = None,
            (Some(_), _) => reader.add(letter),
            (None, '\'' | '"') if letters.as_str().contains(letter) => reader.open(letter),
            (None, '\'' | '"') => {} // never closed, as in the words of a here-document
            (None, '#') if reader.word.is_none() => {
                letters.by_ref().find(|letter| *letter == '\n');
                reader.end_command();
            }
            (None, '<' | '>') => reader.redirect(),
            (None, '&') if reader.file_follows && reader.word.is_none() => {} // as in `2>&1`
            (None, ';' | '&' | '|' | '(' | ')' | '`' | '\n') => reader.end_command(),
            (None, _) if letter.is_whitespace() => reader.end_word(),
            (None, _) => reader.add(letter),
        }
    }
    reader.end_command();
    reader.commands
}

#[derive(Default)]
struct Reader {
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    word: Option<String>,
    quote: Option<char>,
    /// The next word is the file of a redirection.
    file_follows: bool,
}

impl Reader {
    fn add(&mut self, letter: char) {
        self.word.get_or_insert_default().push(letter);
    }

    fn open(&mut self, quote: char) {
        self.word.get_or_insert_default();
        self.quote = Some(quote);
    }

    /// Digits right before it are the number of what is redirected.
    fn redirect(&mut self) {
        self.word.take_if(|word| word.chars().all(|letter| letter.is_ascii_digit()));
        self.end_word();
        self.file_follows = true;
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if !std::mem::take(&mut self.file_follows) {
            self.words.push(word);
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.file_follows = false;
        self.commands.push(std::mem::take(&mut self.words));
    }
}
