//! Views of a text: what a person sees of it, or what a program decodes from it, with the way back.
//!
//! A secret in a terminal's output may contain the codes for a color, and one in an address or in JSON may be
//! written with escapes. The detectors know neither; they search a view. A finding is mapped back to the
//! original text, together with everything that the view left out or decoded inside it.

mod decoded;
mod visible;

pub use decoded::decoded_windows;
pub use visible::visible;

use super::spans::Span;
use std::ops::Range;

/// A text that was made from another one, with the position of each of its bytes there.
#[derive(Debug, Default)]
pub struct View {
    text: String,
    /// In the order of the text. Their ranges in the source do not overlap.
    pieces: Vec<Piece>,
}

/// A part of a view, up to the next one.
#[derive(Debug)]
struct Piece {
    /// Its first byte in the view.
    start: usize,
    /// Its bytes in the source.
    source: Range<usize>,
    /// Whether the source says it with other bytes.
    is_replaced: bool,
}

impl View {
    /// The text of the view.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds this range of the source as it is.
    fn push(&mut self, source: &str, range: Range<usize>) {
        if !range.is_empty() {
            self.pieces.push(Piece { start: self.text.len(), source: range.clone(), is_replaced: false });
            self.text.push_str(&source[range]);
        }
    }

    /// Adds a character that stands for this range of the source.
    fn push_instead(&mut self, character: char, source: Range<usize>) {
        self.pieces.push(Piece { start: self.text.len(), source, is_replaced: true });
        self.text.push(character);
    }

    /// Returns the span in the source.
    pub fn in_source(&self, span: &Span) -> Span {
        let (first, last) = (self.piece_at(span.start), self.piece_at(span.end - 1));
        let start = match first.is_replaced {
            true => first.source.start,
            false => first.source.start + span.start - first.start,
        };
        let end = match last.is_replaced {
            true => last.source.end,
            false => last.source.start + span.end - last.start,
        };
        Span::new(start, end, span.kind)
    }

    fn piece_at(&self, at: usize) -> &Piece {
        &self.pieces[self.pieces.partition_point(|piece| piece.start <= at).saturating_sub(1)]
    }
}
