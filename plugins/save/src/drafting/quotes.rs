//! What a draft says it quotes, looked up where it was shown. A model invents quotations as easily as anything else;
//! without one that stands there, nothing is written and nobody is asked to verify it.

use crate::find::Evidence;

use super::escape::unescaped;
use super::excerpt::{Excerpt, Voice};
use super::refusal::Unfit;

/// Quotes of one draft that are kept.
const MOST: usize = 6;
/// Letters of the shortest quote: what is shorter stands everywhere.
const SHORTEST: usize = 6;
/// Characters of the longest.
const LONGEST: usize = 600;

/// Where each of them stands, and whose words they are. The reason where one does not.
pub(super) fn found(quotes: &[String], excerpt: &Excerpt) -> Result<Vec<(Evidence, Voice)>, Unfit> {
    if quotes.is_empty() {
        return Err(Unfit::new("it quotes nothing"));
    }
    quotes.iter().take(MOST).map(|quote| find(quote, excerpt)).collect()
}

fn find(quote: &str, excerpt: &Excerpt) -> Result<(Evidence, Voice), Unfit> {
    let letters = quote.chars().filter(|letter| letter.is_alphanumeric()).count();
    if letters < SHORTEST || quote.chars().count() > LONGEST {
        return Err(Unfit::of("a quote of it is too short or too long to say anything", &head(quote)));
    }
    for wanted in [plain(quote), plain(&unescaped(quote))] {
        let stands = excerpt.pieces.iter().filter(|piece| plain(piece.text).contains(&wanted));
        if let Some(piece) = stands.min_by_key(|piece| piece.voice) {
            return Ok((Evidence { quote: wanted, cursor: piece.cursor }, piece.voice));
        }
    }
    Err(Unfit::of("a quote of it does not stand in the excerpt", &head(quote)))
}

/// White space is no difference.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn head(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::super::excerpt::Around;
    use super::*;
    use crate::sample::{ran, talk, user};

    #[test]
    fn a_quote_is_found_whatever_its_white_space_and_an_invented_one_is_not() {
        let talk = talk([user("never  use\nnpm here"), ran("cat x", "never use npm here, says x")]);
        let excerpt = Excerpt::of(&talk, &[0], &Around { reach: 5, tools: 5, room: 9000 });
        let find = |quote: &str| found(&[quote.to_owned()], &excerpt);

        assert_eq!(find("never use npm").unwrap()[0].1, Voice::User);
        assert_eq!(find("npm here, says").unwrap()[0].1, Voice::Tool);
        assert!(find("always use npm").is_err());
        assert!(find("npm").is_err());
        assert!(found(&[], &excerpt).is_err());
    }
}
