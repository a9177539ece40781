//! The wildcards of a shell, read so that a pattern that may fit is never missed.

/// The wildcards of a shell.
pub const WILDCARDS: [char; 3] = ['*', '?', '['];

/// Tells whether a name fits a pattern with `*`, `?` and `[…]`, which all count as `*`: a pattern that may
/// fit is never missed. A wildcard does not stand for a leading dot.
pub fn fits(pattern: &str, name: &str) -> bool {
    let Some(at) = pattern.find(WILDCARDS) else { return pattern == name };
    let (first, rest) = (&pattern[..at], &pattern[at + 1..]);
    let rest = rest.rsplit_once(']').map_or(rest, |(_, rest)| rest);
    let Some(mut name) = name.strip_prefix(first).filter(|_| at > 0 || !name.starts_with('.')) else {
        return false;
    };
    let mut literals = rest.split(['*', '?']).peekable();
    while let Some(literal) = literals.next() {
        if literals.peek().is_none() {
            return name.ends_with(literal);
        }
        let Some(found) = name.find(literal) else { return false };
        name = &name[found + literal.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wildcard_fits_what_a_shell_would_expand_it_to() {
        for (pattern, name, expected) in [
            ("lay*", "layers", true),
            ("*ers", "layers", true),
            ("l*y?r*", "layers", true),
            ("[lx]ayers", "layers", true),
            ("layers", "layers", true),
            ("lay*x", "layers", false),
            ("*", ".claude", false),
            (".*", ".claude", true),
            ("*.o", "layers", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern}");
        }
    }
}
