//! Small words, in all languages.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words to look up.
pub type WordList = LazyLock<HashSet<&'static str>>;

/// Returns the words of a text.
pub fn word_list(text: &'static str) -> HashSet<&'static str> {
    text.split_whitespace().collect()
}

/// Words behind which a clause begins, wherever they stand.
pub static JOINING: WordList = LazyLock::new(|| {
    word_list(
        "and but then so und aber sondern et mais donc y pero e mas ma maar dus ale és de ve ama и а но also",
    )
});

/// Words that stand before what is meant.
pub static LEADING: WordList = LazyLock::new(|| {
    word_list(
        "please ok okay no nope nah yes yeah hey hm hmm well now right good fine btw fyi again just oh ah \
         sorry stop wait actually great thanks cool bitte nein ne nee ja gut super danke achso übrigens \
         moment halt stopp doch non oui stp svp merci attention vale sí si gracias por favor oye não sim \
         obrigado per favore grazie alsjeblieft graag goed prima proszę kérlek lütfen hayır tamam пожалуйста \
         нет да ладно hallo",
    )
});

/// Words that lose their end to the next one: `l'API`, `dell'ordine`.
pub static ELIDED: WordList =
    LazyLock::new(|| word_list("l d n j m t s c qu jusqu lorsqu puisqu un all dell nell dall sull"));

/// Words that say nothing of what a text is about.
pub static COMMON: WordList = LazyLock::new(|| {
    word_list(
        "the and but for not never always use used using here this that with without from into than then \
         instead rather because please only must should have has are was were will would can cannot cant \
         dont does doesnt its they them you your our one all any each every more less now also just new \
         get got make makes made let lets there what when which who how why der die das den dem des \
         ein eine einen und oder aber nicht nie immer wir ihr sie ich mit von für auf aus bei ist sind wird \
         werden bitte keine kein statt weil sonst les pas pour dans que los las con para per una non het een",
    )
});
