//! The form of a model file: a header, then sections whose places follow from the dimensions in the header.
//!
//! All numbers are little-endian. Every section begins at a multiple of [`ALIGNMENT_BYTES`]. No offset is
//! stored, so none can be wrong: all sections lie in the file if it has the length that follows from its
//! header.
//!
//! | bytes | header |
//! |---|---|
//! | 0–7 | [`MAGIC`] |
//! | 8–11 | [`VERSION`] |
//! | 12–39 | hidden size, intermediate size, layers, heads, positions, pieces, bytes of all pieces |
//! | 40–43 | epsilon of the layer norms, a 32-bit float |
//! | 44–47 | zero |
//! | 48–79 | BLAKE3 digest of all bytes before and after it |
//! | 80–127 | zero |

use std::ops::Range;

use crate::dimensions::Dimensions;

/// The first bytes of every model file.
pub(crate) const MAGIC: [u8; 8] = *b"ILEMBED\n";

/// The version of the form. Raise it also if the same file would yield other vectors, because it is part of
/// the digest that tells which model made a vector.
pub(crate) const VERSION: u32 = 1;

/// Sections begin at multiples of a processor's cache line.
const ALIGNMENT_BYTES: u64 = 64;

const HEADER_BYTES: usize = 128;

const DIGEST: Range<usize> = 48..80;

/// The places of the sections in a file, in bytes and in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileLayout {
    /// Where each piece of the vocabulary begins: 32-bit numbers.
    pub(crate) piece_starts: Range<usize>,
    /// The ids of the pieces: 32-bit numbers.
    pub(crate) piece_ids: Range<usize>,
    /// The pieces, sorted.
    pub(crate) piece_text: Range<usize>,
    /// Biases, scales and layer norms: 32-bit floats in the order of [`ModelTables`](crate::model_tables).
    pub(crate) floats: Range<usize>,
    /// The matrices of all layers: 8-bit integers.
    pub(crate) weights: Range<usize>,
    /// One 32-bit float per position.
    pub(crate) position_scales: Range<usize>,
    /// One row of 8-bit integers per position.
    pub(crate) position_rows: Range<usize>,
    /// One 32-bit float per piece.
    pub(crate) word_scales: Range<usize>,
    /// One row of 8-bit integers per piece. The largest section comes last: a process needs few of its pages.
    pub(crate) word_rows: Range<usize>,
}

impl FileLayout {
    /// Computes the places for dimensions that are within their limits.
    ///
    /// # Errors
    /// If this machine cannot address so many bytes.
    pub(crate) fn new(dimensions: &Dimensions) -> Result<Self, String> {
        let sizes = Dimensions::check(dimensions).map(|()| Sizes::of(dimensions))?;
        let mut end = HEADER_BYTES as u64;
        let mut next = |bytes: u64| {
            let begin = end.next_multiple_of(ALIGNMENT_BYTES);
            end = begin + bytes;
            let bound = |at| usize::try_from(at).map_err(|_| format!("the model needs {at} bytes"));
            Ok::<_, String>(bound(begin)?..bound(end)?)
        };
        Ok(Self {
            piece_starts: next(4 * (sizes.pieces + 1))?,
            piece_ids: next(4 * sizes.pieces)?,
            piece_text: next(u64::from(dimensions.piece_bytes))?,
            floats: next(4 * sizes.floats)?,
            weights: next(sizes.weights)?,
            position_scales: next(4 * sizes.positions)?,
            position_rows: next(sizes.positions * sizes.hidden)?,
            word_scales: next(4 * sizes.pieces)?,
            word_rows: next(sizes.pieces * sizes.hidden)?,
        })
    }

    /// Returns the length of the file in bytes.
    pub(crate) fn file_bytes(&self) -> usize {
        self.word_rows.end
    }
}

/// Numbers of values. With the limits of the dimensions, no product of them exceeds 64 bits.
struct Sizes {
    hidden: u64,
    positions: u64,
    pieces: u64,
    floats: u64,
    weights: u64,
}

impl Sizes {
    fn of(dimensions: &Dimensions) -> Self {
        let [hidden, intermediate, layers] =
            [dimensions.hidden, dimensions.intermediate, dimensions.layers].map(u64::from);
        // Of each of 4 products a scale and a bias per row (3, 1 and 1 times hidden, once intermediate), and
        // 2 norms of 2 rows; before the layers, the row of the token type and a norm.
        let layer_floats = 2 * (5 * hidden + intermediate) + 4 * hidden;
        Self {
            hidden,
            positions: dimensions.positions.into(),
            pieces: dimensions.pieces.into(),
            floats: 3 * hidden + layers * layer_floats,
            weights: layers * (4 * hidden * hidden + 2 * hidden * intermediate),
        }
    }
}

/// Writes the header, without the digest.
pub(crate) fn header(dimensions: &Dimensions) -> Vec<u8> {
    let Dimensions { hidden, intermediate, layers, heads, positions, pieces, piece_bytes, norm_epsilon } =
        dimensions;
    let mut header = MAGIC.to_vec();
    for number in [&VERSION, hidden, intermediate, layers, heads, positions, pieces, piece_bytes] {
        header.extend(number.to_le_bytes());
    }
    header.extend(norm_epsilon.to_le_bytes());
    header.resize(HEADER_BYTES, 0);
    header
}

/// Reads the header of a file and checks the dimensions in it.
///
/// # Errors
/// If it is not the header of a model file of this version, or if a dimension is beyond its limits.
pub(crate) fn read_header(file: &[u8]) -> Result<Dimensions, String> {
    let header = file.get(..HEADER_BYTES).ok_or_else(|| {
        format!("a model file begins with a header of {HEADER_BYTES} bytes, this one has {}", file.len())
    })?;
    if header[..MAGIC.len()] != MAGIC {
        return Err("it is not a model file: other first bytes".to_owned());
    }
    let (numbers, _) = header[MAGIC.len()..].as_chunks::<4>();
    let number = |index: usize| u32::from_le_bytes(numbers[index]);
    if number(0) != VERSION {
        return Err(format!("it has version {}, and this program reads version {VERSION}", number(0)));
    }
    let dimensions = Dimensions {
        hidden: number(1),
        intermediate: number(2),
        layers: number(3),
        heads: number(4),
        positions: number(5),
        pieces: number(6),
        piece_bytes: number(7),
        norm_epsilon: f32::from_le_bytes(numbers[8]),
    };
    dimensions.check().map(|()| dimensions)
}

/// Returns the digest that a file with a header states.
pub(crate) fn stated_digest(file: &[u8]) -> &[u8] {
    &file[DIGEST]
}

/// Computes the digest of a file with a header.
pub(crate) fn computed_digest(file: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&file[..DIGEST.start]).update(&file[DIGEST.end..]);
    *hasher.finalize().as_bytes()
}

/// Collects the sections of a file in their order.
pub(crate) struct FileWriter {
    file: Vec<u8>,
}

impl FileWriter {
    pub(crate) fn new(dimensions: &Dimensions) -> Self {
        Self { file: header(dimensions) }
    }

    /// Appends a section.
    pub(crate) fn section(&mut self, bytes: impl IntoIterator<Item = u8>) {
        self.file.resize(self.file.len().next_multiple_of(ALIGNMENT_BYTES as usize), 0);
        self.file.extend(bytes);
    }

    /// Appends a section of 32-bit floats.
    pub(crate) fn floats(&mut self, values: &[f32]) {
        self.section(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    /// Returns the file with its digest.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let digest = computed_digest(&self.file);
        self.file[DIGEST].copy_from_slice(&digest);
        self.file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TINY: Dimensions = Dimensions {
        hidden: 16,
        intermediate: 32,
        layers: 2,
        heads: 2,
        positions: 4,
        pieces: 5,
        piece_bytes: 20,
        norm_epsilon: 1e-12,
    };

    #[test]
    fn sections_follow_each_other_at_aligned_places() {
        let layout = FileLayout::new(&TINY).expect("the dimensions are within the limits");

        assert_eq!(layout.piece_starts, 128..152);
        assert_eq!(layout.piece_ids, 192..212);
        assert_eq!(layout.weights.len(), 2 * (4 * 16 * 16 + 2 * 16 * 32));
        assert_eq!(layout.file_bytes(), layout.word_rows.start + 5 * 16);
        assert_eq!(layout.word_rows.start % 64, 0);
    }

    #[test]
    fn a_header_is_read_as_it_was_written() {
        assert_eq!(read_header(&header(&TINY)), Ok(TINY));
    }

    #[test]
    fn a_header_of_another_kind_or_version_is_refused() {
        let mut other_kind = header(&TINY);
        other_kind[0] ^= 1;
        let mut other_version = header(&TINY);
        other_version[8] = 9;

        let cause = |file: &[u8]| read_header(file).unwrap_err();
        assert_eq!(cause(&other_kind), "it is not a model file: other first bytes");
        assert_eq!(cause(&other_version), "it has version 9, and this program reads version 1");
        assert_eq!(cause(b""), "a model file begins with a header of 128 bytes, this one has 0");
    }
}
