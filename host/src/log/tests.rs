//! What is written, and what is kept.

use super::*;

#[test]
fn a_message_is_cut_between_characters() {
    assert!(clip(&"ü".repeat(MESSAGE)).len() <= MESSAGE);
    assert_eq!(clip("short"), "short");
}

#[test]
fn lines_name_project_event_and_layer() {
    let log = Log::in_memory(Clock::Fixed(7)).for_event("abc", "user-prompt");
    log.write(Level::Error, Some("recall"), "it trapped");

    let lines = log.lines();

    assert_eq!((lines[0].at, lines[0].project.as_str()), (7, "abc"));
    assert_eq!((lines[0].event.as_str(), lines[0].layer.as_deref()), ("user-prompt", Some("recall")));
}

#[test]
fn an_object_of_a_layer_is_kept_for_the_line_of_the_event_and_words_are_a_line() {
    let log = Log::in_memory(Clock::Fixed(7)).for_session("s");
    log.write(Level::Info, Some("posttool"), r#"{"detector":{"score":0.7,"password":"tr0ub4dor&3"}}"#);
    log.write(Level::Info, Some("posttool"), "words");
    log.write(Level::Warn, Some("posttool"), "{}");

    let [(layer, said)] = &log.take_layer_objects()[..] else { panic!("one object was kept") };

    assert_eq!((layer.as_str(), &said["detector"]["score"]), ("posttool", &serde_json::json!(0.7)));
    assert_eq!(said["detector"]["password"], "[SECRET:password]");
    assert_eq!(log.lines().len(), 2);
    assert!(log.take_layer_objects().is_empty());
}

#[test]
fn without_a_session_an_object_is_a_line_like_any_other() {
    let log = Log::in_memory(Clock::Fixed(7));
    log.write(Level::Info, Some("posttool"), "{}");

    assert_eq!(log.lines()[0].message, "{}");
}
