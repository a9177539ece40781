//! What the person brushes aside right behind it: `… ignore it`, `… we said no`, `…别理他`.

use std::sync::LazyLock;

use crate::rules::languages::Phrase;
use crate::rules::sentence::sentences;
use crate::rules::words::words;

/// Words of such a sentence.
const LONGEST: usize = 9;

#[rustfmt::skip]
const FAR: &[&str] = &[
    "别理", "不用管", "不用理", "别管", "忽略", "不要理", "無視", "断りました", "断った", "気にしなくて", "別にいい",
];

static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    let phrases = [
        "^ignore|disregard ?just it|him|her|them|that|this",
        "we|i ?already|have said|told|answered ?him|her|them no",
        "he|she|they is|are|isnt|arent ?not on|in our|the team",
        "dont|not listen to him|her|them",
        "i|we disagree",
        "ignorier|ignoriere|ignorieren ?wir das|ihn|sie|es",
        "haben|hab|habe wir|ich ?schon|bereits abgelehnt|abgesagt",
        "^das lehnen wir ab",
        "hör nicht auf ihn|sie",
        "ist|sind nicht ?in|aus unser|unserem team",
        "on|jai|je ?leur|lui a|ai|avons|dit ?dit ?déjà non",
        "ignore le|la|les|ça",
        "dije|dijimos que no",
        "^ignóralo|ignórala|ignóralos",
        "disse|dissemos que não",
        "^ignora|ignore o|isso|lo",
    ];
    phrases.iter().map(|phrase| Phrase::new(phrase)).collect()
});

/// The part without the sentences that are brushed aside by the one behind them.
pub fn kept(part: &str) -> Vec<&str> {
    let all = sentences(part);
    let Some(at) = (1..all.len()).find(|&at| dismisses(all[at])) else { return vec![part] };
    let place = |sentence: &str| sentence.as_ptr() as usize - part.as_ptr() as usize;
    let (head, tail) = (&part[..place(all[at - 1])], &part[place(all[at])..]);
    let mut found = vec![head];
    found.extend(kept(tail));
    found
}

fn dismisses(sentence: &str) -> bool {
    let words = words(sentence);
    let far = FAR.iter().any(|word| sentence.contains(word)) && sentence.chars().count() <= 16;
    // `ignore it` brushes aside, `ignore it for now in the tests` is a task.
    let ends = |(from, to): (usize, usize)| from > 0 || to == words.len();
    far || words.len() <= LONGEST && PHRASES.iter().any(|phrase| phrase.find(&words).is_some_and(ends))
}
