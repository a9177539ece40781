//! Token counts without the models' vocabularies: an estimate before a call, and afterwards the server's
//! counts unless they are implausible.

use super::Completion;
use super::model_client::{CallCost, ClientResponse, Usage};

/// About how many tokens texts are: four letters of ASCII are taken as one, and every other letter as one of
/// its own, as it is for scripts of which a vocabulary has few words.
pub(super) fn estimate<'t>(texts: impl IntoIterator<Item = &'t str>) -> u32 {
    let (mut plain, mut others) = (0_usize, 0_usize);
    for text in texts {
        let ascii = text.bytes().filter(u8::is_ascii).count();
        plain += ascii;
        others += text.chars().count() - ascii;
    }
    u32::try_from(plain.div_ceil(4) + others).unwrap_or(u32::MAX)
}

/// Estimated tokens of a question.
#[derive(Clone, Copy)]
pub(super) struct Sent {
    /// By the layer.
    pub asked: u32,
    /// By the client.
    pub added: u32,
}

impl Sent {
    fn all(self) -> u64 {
        u64::from(self.asked) + u64::from(self.added)
    }

    /// The most that is taken with an answer of so many tokens: a third more is for text of which a
    /// vocabulary has fewer words than of plain English.
    pub fn most(self, max_tokens: u32) -> u64 {
        self.all() * 4 / 3 + u64::from(max_tokens)
    }
}

/// The answer with what it took: what the other side says, unless that is far less than such an answer can
/// take.
pub(super) fn counted(answer: ClientResponse, sent: Sent) -> Completion {
    let Usage { input, output } = answer.usage;
    let answered = estimate([answer.text.as_str()]);
    let all = u32::try_from(sent.all()).unwrap_or(u32::MAX);
    let input_tokens = input.filter(|input| is_plausible(*input, sent.asked)).unwrap_or(all);
    let output_tokens = output.filter(|output| is_plausible(*output, answered)).unwrap_or(answered);
    Completion { text: answer.text, input_tokens, output_tokens }
}

/// A quarter of the estimate would be sixteen letters for each token, which no vocabulary has.
fn is_plausible(said: u32, estimate: u32) -> bool {
    said > 0 && said >= estimate / 4
}

/// What a failed call counts as, where it was to take so many tokens at most.
pub(super) fn cost(cost: CallCost, sent: Sent, most: u64) -> u64 {
    match cost {
        CallCost::Nothing => 0,
        CallCost::Prompt => sent.all(),
        CallCost::Unknown => most,
        CallCost::Told(Usage { input, output }) => {
            let input = input.filter(|input| is_plausible(*input, sent.asked)).map_or(sent.all(), u64::from);
            input + output.map_or(most - sent.all(), u64::from)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENT: Sent = Sent { asked: 80, added: 20 };

    fn took(input: Option<u32>, output: Option<u32>) -> (u32, u32) {
        let answer = ClientResponse { text: "word ".repeat(32), usage: Usage { input, output } };
        let counted = counted(answer, SENT);
        (counted.input_tokens, counted.output_tokens)
    }

    #[test]
    fn letters_of_other_scripts_count_for_themselves() {
        assert_eq!((estimate(["four", "more"]), estimate(["four", "\u{58}\u{6587}\u{5b57}"])), (2, 4));
    }

    #[test]
    fn what_the_other_side_says_is_believed_unless_it_is_far_too_little() {
        assert_eq!(took(Some(70), Some(30)), (70, 30));
        assert_eq!(took(Some(4_000_000), Some(30)), (4_000_000, 30));
        assert_eq!(took(Some(19), Some(9)), (100, 40));
        assert_eq!(took(Some(0), None), (100, 40));
    }

    #[test]
    fn a_failed_call_counts_as_what_it_may_have_taken() {
        let told = |input, output| CallCost::Told(Usage { input, output });
        let costs = [
            CallCost::Nothing,
            CallCost::Prompt,
            CallCost::Unknown,
            told(Some(90), Some(5)),
            told(None, None),
        ];

        assert_eq!(costs.map(|what| cost(what, SENT, SENT.most(50))), [0, 100, 183, 95, 183]);
    }
}
