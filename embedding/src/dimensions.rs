//! The sizes of a model, and the limits within which the arithmetic is proved.

/// Largest hidden or intermediate size. A sum of `MAX_WIDTH` products of a weight and an input (see
/// [`MAX_INPUT`](crate::matrix::MAX_INPUT)) fits into 32 bits.
pub(crate) const MAX_WIDTH: u32 = 4096;

/// The widths of matrices are multiples of this, so that every row is a whole number of vector registers.
pub(crate) const WIDTH_STEP: u32 = 16;

/// The numbers of a head are a multiple of this, for the same reason.
const HEAD_STEP: u32 = 8;

/// The sizes of a BERT encoder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dimensions {
    /// Numbers per token, and in the sentence vector.
    pub(crate) hidden: u32,
    /// Numbers per token between the two matrices of the feed-forward network.
    pub(crate) intermediate: u32,
    /// Layers of the encoder.
    pub(crate) layers: u32,
    /// Heads of the attention.
    pub(crate) heads: u32,
    /// The largest number of tokens.
    pub(crate) positions: u32,
    /// Pieces of the vocabulary.
    pub(crate) pieces: u32,
    /// Bytes of all pieces together.
    pub(crate) piece_bytes: u32,
    /// What a layer norm adds to a variance before it divides by its root.
    pub(crate) norm_epsilon: f32,
}

impl Dimensions {
    /// Checks that every size is within its limits.
    ///
    /// # Errors
    /// Says which size is not.
    pub(crate) fn check(&self) -> Result<(), String> {
        within("hidden size", self.hidden, 1, MAX_WIDTH)?;
        within("intermediate size", self.intermediate, 1, MAX_WIDTH)?;
        within("number of layers", self.layers, 1, 64)?;
        within("number of attention heads", self.heads, 1, 256)?;
        within("number of positions", self.positions, 2, 1 << 16)?;
        within("size of the vocabulary", self.pieces, 1, 1 << 20)?;
        within("length of the vocabulary", self.piece_bytes, 1, 1 << 26)?;
        self.check_steps()
    }

    fn check_steps(&self) -> Result<(), String> {
        multiple("hidden size", self.hidden, WIDTH_STEP)?;
        multiple("intermediate size", self.intermediate, WIDTH_STEP)?;
        multiple("hidden size", self.hidden, self.heads * HEAD_STEP)?;
        match self.norm_epsilon.is_finite() && self.norm_epsilon >= 0.0 {
            true => Ok(()),
            false => Err(format!("epsilon of the layer norms is {}", self.norm_epsilon)),
        }
    }

    /// Returns the numbers per token and head.
    pub(crate) fn head(&self) -> u32 {
        self.hidden / self.heads
    }
}

fn within(name: &str, value: u32, min: u32, max: u32) -> Result<(), String> {
    match (min..=max).contains(&value) {
        true => Ok(()),
        false => Err(format!("{name} is {value}, not {min} to {max}")),
    }
}

fn multiple(name: &str, value: u32, step: u32) -> Result<(), String> {
    match value.is_multiple_of(step) {
        true => Ok(()),
        false => Err(format!("{name} is {value}, not a multiple of {step}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINILM: Dimensions = Dimensions {
        hidden: 384,
        intermediate: 1536,
        layers: 6,
        heads: 12,
        positions: 512,
        pieces: 30522,
        piece_bytes: 200_000,
        norm_epsilon: 1e-12,
    };

    #[test]
    fn the_sizes_of_minilm_are_within_the_limits() {
        assert_eq!(MINILM.check(), Ok(()));
        assert_eq!(MINILM.head(), 32);
    }

    #[test]
    fn a_size_beyond_its_limit_is_named() {
        let cause = |dimensions: Dimensions| dimensions.check().unwrap_err();

        assert_eq!(cause(Dimensions { hidden: 0, ..MINILM }), "hidden size is 0, not 1 to 4096");
        assert_eq!(cause(Dimensions { hidden: 392, ..MINILM }), "hidden size is 392, not a multiple of 16");
        assert_eq!(cause(Dimensions { heads: 7, ..MINILM }), "hidden size is 384, not a multiple of 56");
        assert_eq!(cause(Dimensions { layers: 65, ..MINILM }), "number of layers is 65, not 1 to 64");
        let not_a_number = Dimensions { norm_epsilon: f32::NAN, ..MINILM };
        assert_eq!(cause(not_a_number), "epsilon of the layer norms is NaN");
    }
}
