//! What people say when they take something back, in tables of phrases.

use std::sync::LazyLock;

use crate::rules::languages::Phrase;
use crate::rules::words::Word;

/// Phrases that are compiled when they are first asked for.
pub type Phrases = LazyLock<Vec<Phrase>>;

macro_rules! phrases {
    ($($(#[$about:meta])* $name:ident: $($phrase:literal)*;)*) => {
        $($(#[$about])* pub static $name: Phrases = LazyLock::new(|| [$($phrase),*].iter().map(|it| Phrase::new(it)).collect());)*
    };
}

phrases! {
    /// Something named is dropped; what it is follows.
    DROPS:
        "forget|scrap|ditch|scratch|abandon" "nvm" "never mind" "no more|longer" "lets not use|do|take|have"
        "vergiss|vergesst|verwirf|verwerfen|streich|streiche|kippen" "doch kein|keine|keinen|nicht" "weg mit"
        "oublie|oublions|oubliez|abandonne|abandonnons|annule|annulons" "laisse|laissons tomber" "finalement pas|sans"
        "olvida|olvidemos|olvídate|descarta|descartemos|descartamos|cancela|cancelamos" "mejor sin" "al final no"
        "second thought|thoughts * not|no";
    /// The same words in what means the opposite or nothing.
    KEEPS:
        "dont|not|never|nicht|i|you|always|lets forget" "nicht vergessen" "noublie|noubliez" "no olvides|olvidar"
        "no more|longer than|questions|time|errors|changes";
    /// Something named is taken away, which may also be a thing of the work: only where nothing else follows.
    REMOVES: "^drop|remove|revert|undo|kill" "^raus mit" "^weg mit" "^enlève|retire" "^quita|elimina";
    /// What was done or said last is taken back.
    REVERTS:
        "^?please|just|lets revert|undo|scrap|scratch|forget|drop that|this|it" "^roll ?it|that|this back"
        "^changed my mind" "mach|mache|nimm das|es ?bitte ?wieder rückgängig|zurück|weg" "^?also|ach|hm doch nicht"
        "lass|lassen das|wir ?es doch" "^annule|oublie ça|cela|tout" "^laisse tomber" "^deshaz|revierte eso|esto|lo"
        "^mejor no" "^olvídalo|deshazlo|déjalo";
    /// What was before is taken again; what it is follows.
    RETURNS:
        "back|revert to|on" "stay|stays|stick|keep|keeping with|in|on|to" "zurück zu|zum|auf" "wieder|doch ?lieber"
        "bleibt|bleiben ?wir bei|in" "revient|revenons|retourne|reste|restons à|au|sur|chez" "volvemos|volver|vuelve|sigue|seguimos a|en|con";
    /// The person was wrong.
    ERRED:
        "i mixed|confused ?that|it|them up" "my mistake|bad" "i was wrong" "i ?have|had misread|misspoke"
        "habe|hab|das ?ich ?das ?da verwechselt" "mein fehler" "habe|hab|hatte|lag ?ich mich|falsch ?da vertan|geirrt"
        "me suis trompé|trompée" "mon|au erreur" "me equivoqué" "mi error" "me confundí";
    /// At a sentence's beginning: it corrects.
    CORRECTS:
        "actually" "sorry" "correction" "korrektur" "eigentlich" "entschuldigung" "falsch" "i meant" "ich meinte"
        "en fait" "pardon" "désolé" "désolée" "perdón" "perdona" "en realidad" "corrección" "wait" "stimmt nicht";
    /// The same, but as often it refuses what was done.
    REFUSES: "no" "nope" "nah" "wrong" "nein" "nee" "non" "doch" "quatsch" "moment" "hm no|nein|non";
    /// Something is to be changed to what was said.
    CHANGES:
        "change|set|raise|lower|increase|reduce|update|correct it|that|this|them" "ändere|ändern|änder|stell|setz|setze das|es|wir|bitte"
        "change|mets|passe ça|le|la" "cambia|cámbialo|ponlo|súbelo|bájalo";
    /// It is to be done at last.
    GOES:
        "now" "jetzt" "nun" "maintenant" "ahora" "agora" "ya" "is|are ?now merged|done|ready|finished|out|live|there" "ist|sind ?jetzt fertig|gemerged|da|durch|live"
        "^do|build|implement|add|start|make|mach|bau|baue|implementiere|implementier|fais|ajoute|haz|añade|hagamos";
    /// Not yet.
    WAITS: "not|nicht|pas|no now|jetzt|maintenant|ahora" "not|noch yet|nicht" "for now" "later" "später" "plus tard" "luego" "until|bis|jusqu";
}

/// Where one of these ends, first.
pub fn end(phrases: &Phrases, words: &[Word]) -> Option<usize> {
    phrases.iter().filter_map(|phrase| phrase.find(words)).min().map(|(_, end)| end)
}

/// Where each of these ends that is there.
pub fn ends<'a>(phrases: &'a Phrases, words: &'a [Word]) -> impl Iterator<Item = usize> + 'a {
    phrases.iter().filter_map(|phrase| phrase.find(words)).map(|(_, end)| end)
}

/// Whether one of these is there.
pub fn has(phrases: &Phrases, words: &[Word]) -> bool {
    end(phrases, words).is_some()
}

/// Whether the sentence begins so; only words that lead to it may stand before.
pub fn opens(phrases: &Phrases, words: &[Word]) -> bool {
    let found = phrases.iter().filter_map(|phrase| phrase.find(words)).min();
    found.is_some_and(|(at, _)| at <= 2 && words[..at].iter().all(|word| word.opens))
}
