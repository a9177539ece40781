//! The heap of a thread that runs a layer.
//!
//! glibc gives a thread a heap of its own and makes it accessible page by page, with one `mprotect` call for
//! each, which takes 2 to 3 microseconds. A silent prompt needs nearly two hundred pages, and a tool call
//! that a memory matches nearly four hundred.

use std::hint::black_box;

/// Size of the heap in bytes: more than most layers need.
const HEAP_BYTES: usize = 2 << 20;

/// Makes the calling thread's heap accessible in one step. The memory is only reserved: pages that are never
/// used are never backed by memory.
pub(super) fn reserve() {
    // glibc maps the first allocation of this size by itself. Once it is freed, glibc takes allocations up to
    // this size from the heap (`M_MMAP_THRESHOLD` in mallopt(3)).
    for _ in 0..2 {
        black_box(Vec::<u8>::with_capacity(HEAP_BYTES));
    }
}
