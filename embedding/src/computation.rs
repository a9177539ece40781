//! Computations with floats that are compiled for each kind of vector instructions.

/// A computation that the compiler turns into vector instructions by itself.
///
/// It is compiled once for each kind of instructions. For this, [`compute`](Self::compute) and what it calls
/// have to be marked `#[inline(always)]`; a closure cannot be.
pub(crate) trait Computation {
    /// The result.
    type Output;

    /// Computes the result.
    fn compute(self) -> Self::Output;
}
