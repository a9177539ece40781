//! Whose words a line is. What the person pasted (`> …`, fenced) is not theirs.

/// Whose words a line is, best first: of a quote that stands in several places, the best counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::drafting) enum Voice {
    User,
    Assistant,
    Call,
    Pasted,
    Tool,
}

impl Voice {
    pub const fn mark(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Call => "call",
            Self::Pasted => "pasted",
            Self::Tool => "tool",
        }
    }

    /// Whether these are words that somebody in the session stands for.
    pub const fn is_own(self) -> bool {
        !matches!(self, Self::Pasted | Self::Tool)
    }

    /// Characters that are shown of the beginning and of the end of an entry. Errors are at both.
    pub const fn shown(self) -> (usize, usize) {
        match self {
            Self::User | Self::Pasted => (1500, 300),
            Self::Assistant => (1000, 500),
            Self::Call => (300, 0),
            Self::Tool => (400, 300),
        }
    }
}

/// A prompt in stretches of the person's own words and of pasted ones.
pub(in crate::drafting) fn own_and_pasted(text: &str) -> Vec<(Voice, &str)> {
    let (mut stretches, mut fenced) = (Vec::<(Voice, usize, usize)>::new(), false);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start();
        let fence = bare.starts_with("```") || bare.starts_with("~~~");
        let voice = if fenced || fence || bare.starts_with('>') { Voice::Pasted } else { Voice::User };
        fenced ^= fence;
        let end = start + line.len();
        match stretches.last_mut() {
            Some(last) if last.0 == voice => last.2 = end,
            _ => stretches.push((voice, start, end)),
        }
        start = end;
    }
    stretches.into_iter().map(|(voice, start, end)| (voice, &text[start..end])).collect()
}
