//! Hostile input derived from a recorded event: every way in which it could arrive broken.

use crate::recorded_events::RecordedEvent;
use serde_json::Value;

/// One standard input for a hook, and how it was damaged.
pub struct Case {
    /// The event's name and the damage, for the message of a failing test.
    pub name: String,
    /// All of standard input.
    pub stdin: Vec<u8>,
}

/// Maximum number of cuts of an event. Those of a long one are spread over it.
const MAX_CUTS: usize = 500;

/// Number of positions at which a byte of an event is replaced.
const WRONG_BYTES: usize = 24;

/// JSON values that no field expects: every type, a number that overflows, a lone surrogate, a NUL.
const WRONG_VALUES: [&str; 9] =
    ["null", "true", "-1", "1e999", "[]", "{}", "[[{}]]", r#""\ud800""#, r#""\u0000""#];

/// Marks the position of a value that is inserted as text, because `serde_json` cannot represent it.
const PLACEHOLDER: &str = "the value goes here";

/// Cuts the event off everywhere but inside words: nearly all are text, where one cut is like the next. Also
/// yields it complete.
pub fn cuts(event: &RecordedEvent) -> impl Iterator<Item = Case> {
    let is_in_word =
        |at: usize| event.bytes[at - 1].is_ascii_alphanumeric() && event.bytes[at].is_ascii_alphanumeric();
    let inner = (1..event.bytes.len()).filter(|at| !is_in_word(*at));
    let points: Vec<usize> = [0].into_iter().chain(inner).chain([event.bytes.len()]).collect();
    let count = points.len().min(MAX_CUTS);
    (0..count).map(move |number| {
        let cut = points[(points.len() - 1) * number / (count - 1)];
        Case { name: format!("{} cut at byte {cut}", event.name), stdin: event.bytes[..cut].to_vec() }
    })
}

/// Replaces each value of the event, at any depth, with each of [`WRONG_VALUES`].
pub fn wrong_types(event: &RecordedEvent) -> impl Iterator<Item = Case> {
    let whole: Value = serde_json::from_slice(&event.bytes).expect("a recorded event is JSON");
    paths(&whole).into_iter().flat_map(move |path| {
        let text = with_placeholder(&whole, &path);
        WRONG_VALUES.map(|wrong| Case {
            name: format!("{} with {wrong} at {path:?}", event.name),
            stdin: fill(&text, wrong).into_bytes(),
        })
    })
}

/// Removes each field of the event in turn.
pub fn missing_fields(event: &RecordedEvent) -> impl Iterator<Item = Case> {
    fields(event).into_iter().map(move |(field, mut rest)| {
        rest.as_object_mut().expect("a recorded event is an object").remove(&field);
        Case { name: format!("{} without {field}", event.name), stdin: rest.to_string().into_bytes() }
    })
}

/// Replaces each field of the event with `value`, which need not be JSON.
pub fn every_field(event: &RecordedEvent, what: &str, value: &str) -> impl Iterator<Item = Case> {
    fields(event).into_iter().map(move |(field, whole)| {
        let text = with_placeholder(&whole, &format!("/{field}"));
        Case {
            name: format!("{} with {what} as {field}", event.name),
            stdin: fill(&text, value).into_bytes(),
        }
    })
}

/// Replaces one byte of the event with `byte`, at [`WRONG_BYTES`] positions, or every 16th in a short event.
pub fn one_byte_wrong(event: &RecordedEvent, byte: u8) -> impl Iterator<Item = Case> {
    let step = (event.bytes.len() / WRONG_BYTES).max(16);
    (0..event.bytes.len()).step_by(step).map(move |position| {
        let mut stdin = event.bytes.clone();
        stdin[position] = byte;
        Case { name: format!("{} with byte {byte:#04x} at {position}", event.name), stdin }
    })
}

/// Returns the names of the event's top-level fields, each with a copy of the whole event.
fn fields(event: &RecordedEvent) -> Vec<(String, Value)> {
    let whole: Value = serde_json::from_slice(&event.bytes).expect("a recorded event is JSON");
    let names = whole.as_object().expect("a recorded event is an object").keys().cloned();
    names.collect::<Vec<_>>().into_iter().map(|name| (name, whole.clone())).collect()
}

/// Returns JSON Pointers to all values inside `value`.
fn paths(value: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (escape(name), value)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        _ => Vec::new(),
    };
    let below = children.into_iter().flat_map(|(name, child)| {
        let own = format!("/{name}");
        let deeper: Vec<String> = paths(child).into_iter().map(|path| format!("{own}{path}")).collect();
        std::iter::once(own).chain(deeper)
    });
    below.collect()
}

fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn with_placeholder(whole: &Value, path: &str) -> String {
    let mut whole = whole.clone();
    *whole.pointer_mut(path).expect("the path was taken from this value") = Value::from(PLACEHOLDER);
    whole.to_string()
}

fn fill(text: &str, value: &str) -> String {
    text.replace(&format!("{PLACEHOLDER:?}"), value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event() -> RecordedEvent {
        RecordedEvent { name: "Stop".into(), bytes: br#"{"a":{"b":[1]},"c/d":"x"}"#.to_vec() }
    }

    #[test]
    fn an_event_is_cut_everywhere_but_inside_words() {
        let event = RecordedEvent { name: "Stop".into(), bytes: br#"{"abc":true}"#.to_vec() };
        let cuts: Vec<usize> = cuts(&event).map(|case| case.stdin.len()).collect();

        assert_eq!(cuts, [0, 1, 2, 5, 6, 7, 11, 12]);
    }

    #[test]
    fn the_cuts_of_a_long_event_are_spread_over_it() {
        let event = RecordedEvent { name: "Stop".into(), bytes: vec![b'{'; 10_000] };
        let cuts: Vec<usize> = cuts(&event).map(|case| case.stdin.len()).collect();

        assert_eq!((cuts.len(), cuts[0], cuts[MAX_CUTS - 1]), (MAX_CUTS, 0, 10_000));
    }

    #[test]
    fn every_value_is_replaced_by_every_wrong_value() {
        let cases: Vec<Case> = wrong_types(&event()).collect();

        assert_eq!(cases.len(), 4 * WRONG_VALUES.len());
        assert!(cases.iter().any(|case| case.stdin == br#"{"a":{"b":[1e999]},"c/d":"x"}"#));
        assert!(cases.iter().any(|case| case.stdin == br#"{"a":{"b":[1]},"c/d":"\ud800"}"#));
    }

    #[test]
    fn every_field_is_removed_once() {
        let cases: Vec<Case> = missing_fields(&event()).collect();

        assert_eq!(
            cases.iter().map(|case| case.stdin.as_slice()).collect::<Vec<_>>(),
            [br#"{"c/d":"x"}"#.as_slice(), br#"{"a":{"b":[1]}}"#]
        );
    }
}
