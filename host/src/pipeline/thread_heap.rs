//! The heap of a thread that runs a layer.
//!
//! glibc gives a thread a heap of its own and makes it accessible page by page, with one `mprotect` call for
//! each, which takes 2 to 3 microseconds. A silent prompt needs nearly two hundred pages, and a tool call
//! that a memory matches nearly four hundred.

use std::array;
use std::hint::black_box;

/// Size of one allocation in bytes. glibc takes larger ones than 128 kB from elsewhere.
const PIECE_BYTES: usize = 120 << 10;
/// Number of allocations: more than the heap of most layers.
const PIECES: usize = 16;

/// Makes the calling thread's heap accessible in few steps. The memory is only reserved: pages that are never
/// used are never backed by memory.
pub(super) fn reserve() {
    let pieces: [Vec<u8>; PIECES] = array::from_fn(|_| Vec::with_capacity(PIECE_BYTES));
    black_box(&pieces);
}
