//! Token counts without the models' vocabularies: an estimate before a call, and afterwards the server's
//! counts unless they are implausible.

use super::Completion;
use super::model_client::{CallCost, ClientResponse, Usage};

/// Estimates the number of tokens in texts: four ASCII characters count as one token, and every other
/// character as a token of its own, as in scripts of which a vocabulary has few words.
pub(super) fn estimate<'t>(texts: impl IntoIterator<Item = &'t str>) -> u32 {
    let (mut ascii, mut others) = (0_usize, 0_usize);
    for text in texts {
        let ascii_of_text = text.bytes().filter(u8::is_ascii).count();
        ascii += ascii_of_text;
        others += text.chars().count() - ascii_of_text;
    }
    u32::try_from(ascii.div_ceil(4) + others).unwrap_or(u32::MAX)
}

/// Estimated input tokens of a call.
#[derive(Clone, Copy)]
pub(super) struct InputEstimate {
    /// Tokens of the layer's request.
    pub request: u32,
    /// Tokens that the client adds.
    pub overhead: u32,
}

impl InputEstimate {
    fn total(self) -> u64 {
        u64::from(self.request) + u64::from(self.overhead)
    }

    /// Returns the maximum that a call with an answer of up to `max_tokens` can take. The input counts a
    /// third more, for text of which a vocabulary has fewer words than of English.
    pub fn max_total(self, max_tokens: u32) -> u64 {
        self.total() * 4 / 3 + u64::from(max_tokens)
    }
}

/// Returns the answer with its token counts: those of the server, or estimates if these are implausibly low.
pub(super) fn completion(response: ClientResponse, estimated: InputEstimate) -> Completion {
    let Usage { input, output } = response.usage;
    let estimated_output = estimate([response.text.as_str()]);
    let estimated_input = u32::try_from(estimated.total()).unwrap_or(u32::MAX);
    let input_tokens =
        input.filter(|input| is_plausible(*input, estimated.request)).unwrap_or(estimated_input);
    let output_tokens =
        output.filter(|output| is_plausible(*output, estimated_output)).unwrap_or(estimated_output);
    Completion { text: response.text, input_tokens, output_tokens }
}

/// Tells whether a reported count is plausible. A quarter of the estimate would be sixteen characters for
/// each token, which no vocabulary reaches.
fn is_plausible(reported: u32, estimate: u32) -> bool {
    reported > 0 && reported >= estimate / 4
}

/// Returns the tokens that a failed call counts as, at most `max_total` unless the server reports more.
pub(super) fn charged_tokens(cost: CallCost, estimated: InputEstimate, max_total: u64) -> u64 {
    let total = estimated.total();
    match cost {
        CallCost::Nothing => 0,
        CallCost::Prompt => total,
        CallCost::Unknown => max_total,
        CallCost::Reported(Usage { input, output }) => {
            let input =
                input.filter(|input| is_plausible(*input, estimated.request)).map_or(total, u64::from);
            input + output.map_or(max_total - total, u64::from)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ESTIMATED: InputEstimate = InputEstimate { request: 80, overhead: 20 };

    fn token_counts(input: Option<u32>, output: Option<u32>) -> (u32, u32) {
        let response = ClientResponse { text: "word ".repeat(32), usage: Usage { input, output } };
        let completion = completion(response, ESTIMATED);
        (completion.input_tokens, completion.output_tokens)
    }

    #[test]
    fn each_character_outside_ascii_counts_as_a_token() {
        assert_eq!((estimate(["four", "more"]), estimate(["four", "\u{58}\u{6587}\u{5b57}"])), (2, 4));
    }

    #[test]
    fn reported_counts_are_used_unless_they_are_implausibly_low() {
        assert_eq!(token_counts(Some(70), Some(30)), (70, 30));
        assert_eq!(token_counts(Some(4_000_000), Some(30)), (4_000_000, 30));
        assert_eq!(token_counts(Some(19), Some(9)), (100, 40));
        assert_eq!(token_counts(Some(0), None), (100, 40));
    }

    #[test]
    fn a_failed_call_counts_the_tokens_that_it_may_have_used() {
        let reported = |input, output| CallCost::Reported(Usage { input, output });
        let costs = [
            CallCost::Nothing,
            CallCost::Prompt,
            CallCost::Unknown,
            reported(Some(90), Some(5)),
            reported(None, None),
        ];

        let max_total = ESTIMATED.max_total(50);
        assert_eq!(costs.map(|cost| charged_tokens(cost, ESTIMATED, max_total)), [0, 100, 183, 95, 183]);
    }
}
