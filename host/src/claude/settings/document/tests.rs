//! Edits that leave everything else as it was.

use super::Step::{At, Key};
use super::*;

/// Appends `{"c": [1]}` as the file would have it.
fn appended(text: &str, path: &[Step<'_>], key: Option<&str>) -> Document {
    let mut document = Document::parse(text).unwrap();
    let value = document.written(&serde_json::json!({"c": [1]}));
    document.append(path, key, &value);
    document
}

#[test]
fn an_addition_takes_the_style_of_the_file() {
    let cases = [
        ("{}\n", "{\n  \"x\": {\n    \"c\": [\n      1\n    ]\n  }\n}\n"),
        ("{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"x\": {\n\t\t\"c\": [\n\t\t\t1\n\t\t]\n\t}\n}"),
        ("{\r\n \"a\": 1\r\n}", "{\r\n \"a\": 1,\r\n \"x\": {\r\n  \"c\": [\r\n   1\r\n  ]\r\n }\r\n}"),
        ("{\"a\":1}", "{\"a\":1,\"x\":{\"c\":[1]}}"),
        ("{ \"a\": 1 }", "{ \"a\": 1, \"x\": {\"c\":[1]} }"),
        ("\u{feff}{\"a\":{}}", "\u{feff}{\"a\":{},\"x\":{\"c\":[1]}}"),
    ];
    for (before, after) in cases {
        assert_eq!(appended(before, &[], Some("x")).text(), after);
    }
}

#[test]
fn removing_what_was_added_gives_back_the_same_bytes() {
    let texts = [
        "{}",
        "{}\n",
        "{\"a\": {}, \"b\": []}",
        "{\n  \"b\": [],\n\n  \"a\": {\n    \"k\": 1e5\n  }\n}\n",
        "{\r\n\t\"a\": { \"k\" : [ 1 ,\r\n\t2 ] },\r\n\t\"b\": [{\"x\": \"\\u00e9 }\"}]\r\n}\r\n",
        "\u{feff}{\"a\":{\"a\":1,\"a\":2},\"b\":[[],[]]}\n\n",
    ];
    for text in texts {
        for (path, key) in [(vec![], Some("x")), (vec![Key("a")], Some("x")), (vec![Key("b")], None)] {
            let mut document = appended(text, &path, key);
            let last = document.keys(&path).map_or_else(|| document.length(&path), |keys| Some(keys.len()));
            if let Some(last) = last {
                document.remove(&path, last - 1);
            }
            assert_eq!(document.text(), text);
        }
    }
}

#[test]
fn any_entry_can_be_removed_and_the_others_stay() {
    let text = "{\n  \"a\": [ 1 , {\"b\": [2]},\n  3 ],\n  \"c\": 4\n}";
    let without = |path: &[Step<'_>], index| {
        let mut document = Document::parse(text).unwrap();
        document.remove(path, index);
        document.text().to_owned()
    };

    assert_eq!(without(&[], 0), "{\n  \"c\": 4\n}");
    assert_eq!(without(&[], 1), "{\n  \"a\": [ 1 , {\"b\": [2]},\n  3 ]\n}");
    assert_eq!(without(&[Key("a")], 0), "{\n  \"a\": [ {\"b\": [2]},\n  3 ],\n  \"c\": 4\n}");
    assert_eq!(without(&[Key("a")], 1), "{\n  \"a\": [ 1,\n  3 ],\n  \"c\": 4\n}");
    assert_eq!(without(&[Key("a"), At(1), Key("b")], 0), text.replace("[2]", "[]"));
    assert_eq!(without(&[Key("a")], 3), text);
    assert_eq!(without(&[Key("nowhere")], 0), text);
}

#[test]
fn what_is_no_json_object_is_refused_with_its_place() {
    for (text, place) in [("{\n  // no\n}", "line 2 column 3"), ("[]", "line 1"), ("{\"a\": 1,}", "column 9")]
    {
        let error = Document::parse(text).unwrap_err();
        assert!(error.message.contains(place), "{error}");
    }
    assert_eq!(Document::parse(" \n").unwrap().text(), "{}\n");
}
