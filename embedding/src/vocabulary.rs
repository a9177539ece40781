//! The pieces of words that a model knows, sorted, so that a short-lived process searches them where they lie
//! instead of building a table of 30 000 entries first.

use std::cmp::Ordering;

/// The number of a piece: its row in the table of embeddings.
pub(crate) type PieceId = u32;

/// A view of the three sections of a model file that hold the pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vocabulary<'a> {
    /// Where each piece begins in `text`, and where the last one ends: little-endian numbers.
    starts: &'a [[u8; 4]],
    /// The id of each piece.
    ids: &'a [[u8; 4]],
    /// All pieces in the order of their bytes.
    text: &'a [u8],
}

impl<'a> Vocabulary<'a> {
    /// Makes a view of the three sections; their lengths follow from the dimensions of the model.
    pub(crate) fn new(starts: &'a [u8], ids: &'a [u8], text: &'a [u8]) -> Self {
        Self { starts: starts.as_chunks().0, ids: ids.as_chunks().0, text }
    }

    /// Checks that every piece lies in the text and has an id below `pieces`. Returns the length of the
    /// longest piece in bytes.
    pub(crate) fn check(&self, pieces: usize) -> Result<usize, String> {
        let (mut longest, mut end) = (0, 0);
        for (index, start) in self.starts.iter().map(number).enumerate() {
            if start < end || start > self.text.len() {
                return Err(format!("piece {index} of the vocabulary begins outside of the text"));
            }
            longest = longest.max(start - end);
            end = start;
        }
        match self.ids.iter().position(|id| number(id) >= pieces) {
            Some(index) => Err(format!("piece {index} of the vocabulary has no embedding")),
            None => Ok(longest),
        }
    }

    /// Returns the id of `piece`.
    pub(crate) fn id(&self, piece: &str) -> Option<PieceId> {
        let (mut low, mut high) = (0, self.ids.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.piece(middle).cmp(piece.as_bytes()) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return self.ids.get(middle).map(|id| PieceId::from_le_bytes(*id)),
            }
        }
        None
    }

    fn piece(&self, index: usize) -> &'a [u8] {
        let bounds = self.starts.get(index).zip(self.starts.get(index + 1));
        bounds.and_then(|(start, end)| self.text.get(number(start)..number(end))).unwrap_or_default()
    }
}

fn number(bytes: &[u8; 4]) -> usize {
    u32::from_le_bytes(*bytes) as usize
}

/// The three sections of a model file that hold `pieces`, which have the ids 0, 1, 2, ….
#[derive(Debug, Default)]
pub(crate) struct VocabularySections {
    pub(crate) starts: Vec<u8>,
    pub(crate) ids: Vec<u8>,
    pub(crate) text: Vec<u8>,
}

impl VocabularySections {
    pub(crate) fn new(pieces: &[String]) -> Self {
        let mut sorted: Vec<(PieceId, &String)> = (0..).zip(pieces).collect();
        sorted.sort_by_key(|(_, piece)| piece.as_bytes());
        let mut sections = Self::default();
        for (id, piece) in sorted {
            sections.push_start();
            sections.ids.extend(id.to_le_bytes());
            sections.text.extend(piece.as_bytes());
        }
        sections.push_start();
        sections
    }

    fn push_start(&mut self) {
        // Before this is called, the limits of `Dimensions` keep the text far below 4 GB.
        self.starts.extend((self.text.len() as u32).to_le_bytes());
    }

    #[cfg(test)]
    pub(crate) fn view(&self) -> Vocabulary<'_> {
        Vocabulary::new(&self.starts, &self.ids, &self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections(pieces: &[&str]) -> VocabularySections {
        VocabularySections::new(&pieces.iter().map(|piece| (*piece).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn every_piece_is_found_under_its_place_in_the_list() {
        let pieces = ["[UNK]", "the", "##s", "é", "a", "them", "中"];
        let sections = sections(&pieces);

        for (id, piece) in (0..).zip(pieces) {
            assert_eq!(sections.view().id(piece), Some(id), "{piece}");
        }
        for unknown in ["", "th", "thex", "zz", "##", "\u{10ffff}"] {
            assert_eq!(sections.view().id(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn a_sound_vocabulary_tells_the_length_of_its_longest_piece() {
        assert_eq!(sections(&["a", "them", "##s"]).view().check(3), Ok(4));
    }

    #[test]
    fn a_piece_outside_of_the_text_or_without_embedding_is_named() {
        let mut outside = sections(&["a", "b"]);
        outside.starts[8] = 9;
        let without_embedding = sections(&["a", "b", "c"]);

        let cause = outside.view().check(2).unwrap_err();
        assert_eq!(cause, "piece 2 of the vocabulary begins outside of the text");
        let cause = without_embedding.view().check(2).unwrap_err();
        assert_eq!(cause, "piece 2 of the vocabulary has no embedding");
    }
}
