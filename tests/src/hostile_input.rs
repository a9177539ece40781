//! Hostile input made from a recorded event: every way in which it could arrive broken.

use crate::recorded_events::Recorded;
use serde_json::Value;

/// One standard input for a hook, and what was done to it.
pub struct Case {
    /// The event's name and the damage, for the message of a failing test.
    pub name: String,
    /// All of standard input.
    pub stdin: Vec<u8>,
}

/// An event longer than this is cut at [`POINTS`] points instead of every byte.
const SHORT: usize = 4096;

/// How many cuts a long event gets.
const POINTS: usize = 500;

/// What no field expects, as it stands in JSON: every type, a number that is none, a lone surrogate, a NUL.
const WRONG: [&str; 9] = ["null", "true", "-1", "1e999", "[]", "{}", "[[{}]]", r#""\ud800""#, r#""\u0000""#];

/// Stands for a value that is put into the text afterwards, because `serde_json` would refuse to hold it.
const PLACE: &str = "the value goes here";

/// The event cut off at every byte, the whole of it included.
pub fn cuts(event: &Recorded) -> impl Iterator<Item = Case> {
    let length = event.bytes.len();
    let points = if length < SHORT { length } else { POINTS };
    (0..=points).map(move |point| {
        let cut = length * point / points;
        Case { name: format!("{} cut at byte {cut}", event.name), stdin: event.bytes[..cut].to_vec() }
    })
}

/// The event with each of its values, at any depth, replaced by what it does not expect.
pub fn wrong_types(event: &Recorded) -> impl Iterator<Item = Case> {
    let whole: Value = serde_json::from_slice(&event.bytes).expect("a recorded event is JSON");
    paths(&whole).into_iter().flat_map(move |path| {
        let text = with_place(&whole, &path);
        WRONG.map(|wrong| Case {
            name: format!("{} with {wrong} at {path:?}", event.name),
            stdin: fill(&text, wrong).into_bytes(),
        })
    })
}

/// The event without each of its fields.
pub fn missing_fields(event: &Recorded) -> impl Iterator<Item = Case> {
    fields(event).into_iter().map(move |(field, mut rest)| {
        rest.as_object_mut().expect("a recorded event is an object").remove(&field);
        Case { name: format!("{} without {field}", event.name), stdin: rest.to_string().into_bytes() }
    })
}

/// The event with `value`, which need not be JSON, as each of its fields.
pub fn every_field(event: &Recorded, what: &str, value: &str) -> impl Iterator<Item = Case> {
    fields(event).into_iter().map(move |(field, whole)| {
        let text = with_place(&whole, &format!("/{field}"));
        Case {
            name: format!("{} with {what} as {field}", event.name),
            stdin: fill(&text, value).into_bytes(),
        }
    })
}

/// The event with one byte replaced by `byte`, at every 16th place.
pub fn one_byte_wrong(event: &Recorded, byte: u8) -> impl Iterator<Item = Case> {
    let step = (event.bytes.len() / 64).max(16);
    (0..event.bytes.len()).step_by(step).map(move |place| {
        let mut stdin = event.bytes.clone();
        stdin[place] = byte;
        Case { name: format!("{} with byte {byte:#04x} at {place}", event.name), stdin }
    })
}

/// The event's top-level fields, each with the whole event.
fn fields(event: &Recorded) -> Vec<(String, Value)> {
    let whole: Value = serde_json::from_slice(&event.bytes).expect("a recorded event is JSON");
    let names = whole.as_object().expect("a recorded event is an object").keys().cloned();
    names.collect::<Vec<_>>().into_iter().map(|name| (name, whole.clone())).collect()
}

/// JSON Pointers to every value inside `value`.
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

fn with_place(whole: &Value, path: &str) -> String {
    let mut whole = whole.clone();
    *whole.pointer_mut(path).expect("the path was taken from this value") = Value::from(PLACE);
    whole.to_string()
}

fn fill(text: &str, value: &str) -> String {
    text.replace(&format!("{PLACE:?}"), value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event() -> Recorded {
        Recorded { name: "Stop".into(), bytes: br#"{"a":{"b":[1]},"c/d":"x"}"#.to_vec() }
    }

    #[test]
    fn a_short_event_is_cut_at_every_byte() {
        let cuts: Vec<Case> = cuts(&event()).collect();

        assert_eq!(cuts.len(), event().bytes.len() + 1);
        assert_eq!((cuts[0].stdin.len(), cuts[3].stdin.len()), (0, 3));
    }

    #[test]
    fn every_value_is_replaced_by_every_wrong_one() {
        let cases: Vec<Case> = wrong_types(&event()).collect();

        assert_eq!(cases.len(), 4 * WRONG.len());
        assert!(cases.iter().any(|case| case.stdin == br#"{"a":{"b":[1e999]},"c/d":"x"}"#));
        assert!(cases.iter().any(|case| case.stdin == br#"{"a":{"b":[1]},"c/d":"\ud800"}"#));
    }

    #[test]
    fn every_field_goes_missing() {
        let cases: Vec<Case> = missing_fields(&event()).collect();

        assert_eq!(
            cases.iter().map(|case| case.stdin.as_slice()).collect::<Vec<_>>(),
            [br#"{"c/d":"x"}"#.as_slice(), br#"{"a":{"b":[1]}}"#]
        );
    }
}
