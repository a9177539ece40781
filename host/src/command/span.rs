//! A stretch of time as people say it.

use crate::clock::Millis;

/// How long, in the largest unit that fits.
pub fn span(passed: Millis) -> String {
    let seconds = passed.max(0) / 1_000;
    let (count, unit) = match seconds {
        0..60 => (seconds, "s"),
        60..3_600 => (seconds / 60, "min"),
        3_600..86_400 => (seconds / 3_600, "h"),
        _ => (seconds / 86_400, "d"),
    };
    format!("{count} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_told_in_the_largest_unit_that_fits() {
        for (passed, expected) in
            [(-5, "0 s"), (59_000, "59 s"), (60_000, "1 min"), (7_200_000, "2 h"), (180_000_000, "2 d")]
        {
            assert_eq!(span(passed), expected);
        }
    }
}
