//! The tokens that each minimum relevance wastes. Written by `cargo xtask recall --fit`; do not edit.

use super::waste_curve::WasteCurve;

#[rustfmt::skip]
const MIN_RELEVANCES: [f32; 24] = [
    0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.18, 0.21,
    0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 0.95,
];

#[rustfmt::skip]
pub(super) const PROMPTS_BY_WORDS: WasteCurve = WasteCurve {
    min_relevances: &MIN_RELEVANCES,
    whole: &[
        9584, 7195, 4986, 4079, 3168, 2315, 1772, 1483, 1295, 1081, 886, 738,
        674, 571, 481, 395, 292, 227, 133, 133, 56, 14, 14, 0,
    ],
    titles: &[
        5898, 4701, 3493, 3009, 2416, 1767, 1407, 1172, 1039, 878, 731, 610,
        557, 469, 389, 329, 235, 188, 121, 121, 54, 13, 13, 0,
    ],
};

#[rustfmt::skip]
pub(super) const PROMPTS_BY_VECTORS: WasteCurve = WasteCurve {
    min_relevances: &MIN_RELEVANCES,
    whole: &[
        12962, 8642, 5050, 3307, 2418, 1961, 1368, 1036, 898, 741, 579, 447,
        327, 283, 172, 130, 99, 61, 61, 30, 16, 16, 0, 0,
    ],
    titles: &[
        8054, 5918, 3771, 2543, 1936, 1588, 1106, 865, 751, 631, 503, 389,
        282, 242, 148, 107, 81, 54, 54, 27, 13, 13, 0, 0,
    ],
};

#[rustfmt::skip]
pub(super) const COMMANDS: WasteCurve = WasteCurve {
    min_relevances: &MIN_RELEVANCES,
    whole: &[
        4648, 3026, 2069, 1339, 981, 758, 451, 263, 217, 217, 160, 160,
        160, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ],
    titles: &[
        3222, 2321, 1513, 1071, 788, 606, 405, 243, 202, 202, 162, 162,
        162, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ],
};

#[rustfmt::skip]
pub(super) const FAILURES: WasteCurve = WasteCurve {
    min_relevances: &MIN_RELEVANCES,
    whole: &[
        4848, 2665, 1585, 1394, 912, 912, 790, 525, 462, 462, 362, 271,
        271, 271, 271, 171, 171, 171, 171, 171, 86, 86, 0, 0,
    ],
    titles: &[
        2845, 1698, 1031, 940, 637, 637, 515, 333, 304, 304, 243, 182,
        182, 182, 182, 121, 121, 121, 121, 121, 61, 61, 0, 0,
    ],
};
