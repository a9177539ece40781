//! The product of a matrix with many inputs, in blocks whose sums fit into the registers of a processor.

/// Inputs that one pass over some rows takes, so that their weights are loaded once for all of them.
const INPUTS: usize = 6;

/// Computes the sums of one block: `ROWS` rows with up to [`INPUTS`] inputs. A register has `LANES` numbers
/// of 16 bits. The rows of every matrix are a multiple of `ROWS`, see
/// [`WIDTH_STEP`](crate::dimensions::WIDTH_STEP).
pub(crate) trait BlockSums<const LANES: usize, const ROWS: usize>: Copy {
    /// Multiplies rows of weights with a block of `N` inputs. The values of the inputs that meet the same
    /// weights lie side by side.
    fn block_sums<const N: usize>(
        self,
        weights: [&[[u8; LANES]]; ROWS],
        block: &[[i16; LANES]],
    ) -> [[i32; ROWS]; N];
}

/// See [`Instructions::products`](crate::instructions::Instructions::products). `width` is a multiple of
/// `LANES`.
pub(crate) fn products<const LANES: usize, const ROWS: usize>(
    instructions: impl BlockSums<LANES, ROWS>,
    matrix: &[u8],
    inputs: &[i16],
    width: usize,
    sums: &mut [f32],
) {
    let (rows, steps) = (matrix.len() / width, width / LANES);
    let blocks = interleaved(inputs, width);
    // A few rows stay in the nearest cache while all inputs pass by.
    for (group, weights) in matrix.as_chunks().0.chunks_exact(ROWS * steps).enumerate() {
        let weights = std::array::from_fn(|row| &weights[row * steps..][..steps]);
        for (block, sums) in blocks.chunks(INPUTS * steps).zip(sums.chunks_mut(INPUTS * rows)) {
            let sums = sums.chunks_exact_mut(rows).map(|sums| &mut sums[group * ROWS..][..ROWS]);
            match block.len() / steps {
                1 => write(instructions.block_sums::<1>(weights, block), sums),
                2 => write(instructions.block_sums::<2>(weights, block), sums),
                3 => write(instructions.block_sums::<3>(weights, block), sums),
                4 => write(instructions.block_sums::<4>(weights, block), sums),
                5 => write(instructions.block_sums::<5>(weights, block), sums),
                _ => write(instructions.block_sums::<INPUTS>(weights, block), sums),
            }
        }
    }
}

/// Returns the inputs in blocks of [`INPUTS`]; values that meet the same weights lie side by side.
fn interleaved<const LANES: usize>(inputs: &[i16], width: usize) -> Vec<[i16; LANES]> {
    let steps = width / LANES;
    let mut interleaved = Vec::with_capacity(inputs.len() / LANES);
    for block in inputs.as_chunks().0.chunks(INPUTS * steps) {
        for step in 0..steps {
            interleaved.extend(block.iter().skip(step).step_by(steps));
        }
    }
    interleaved
}

fn write<'a, const ROWS: usize>(
    sums: impl IntoIterator<Item = [i32; ROWS]>,
    places: impl Iterator<Item = &'a mut [f32]>,
) {
    for (sums, place) in sums.into_iter().zip(places) {
        place.copy_from_slice(&sums.map(|sum| sum as f32));
    }
}
