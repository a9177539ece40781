//! More than usual: many events at once, an import that no buffer holds.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::thread;

use serde_json::json;

use super::stored_project::{RULE, StoredProject};

/// Number of events at once, and how often.
const AT_ONCE: usize = 32;
const ROUNDS: usize = 4;

/// Length of an import in lines of a kilobyte: more than 256 MiB, the limit of an older version.
const IMPORT_LINES: usize = 257 * 1024;

#[test]
fn many_events_at_once_are_all_answered_in_form() {
    let project = StoredProject::new();

    for round in 0..ROUNDS {
        thread::scope(|scope| {
            for number in 0..AT_ONCE {
                let (project, session) = (&project, format!("session-{round}-{number}"));
                scope.spawn(move || send_one(project, &session, number));
            }
        });
    }

    let [start, prompt] = project.session("afterwards");
    assert!(start.contains(RULE) && prompt.contains(RULE), "{start} {prompt}");
    project.assert_nothing_lost();
    let _ = project.run(&["memory", "verify"]).success();
}

fn send_one(project: &StoredProject, session: &str, number: usize) {
    let (event, fields) = match number % 4 {
        0 => ("SessionStart", json!({ "source": "startup" })),
        1 => ("UserPromptSubmit", json!({ "prompt": "which package manager do we use here?" })),
        2 => ("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "done" })),
        _ => ("SessionEnd", json!({ "reason": "other" })),
    };
    project.hook(session, event, fields);
}

#[test]
fn an_import_of_any_length_is_read_to_its_end() {
    let project = StoredProject::new();
    let path = project.scratch.root.join("large.jsonl");
    let (first, last) = ("Owls nest in the tower of the old mill", "Ships wait in the harbour of Genoa");
    let mut file = BufWriter::new(File::create(&path).expect("ours"));
    let blank = [&[b' '; 1023][..], b"\n"].concat();
    writeln!(file, "{}", json!({ "text": first })).expect("ours");
    (0..IMPORT_LINES).for_each(|_| file.write_all(&blank).expect("room on the disk"));
    writeln!(file, "{}", json!({ "text": last })).expect("ours");
    file.flush().expect("room on the disk");

    let imported = project.run(&["memory", "import", path.to_str().expect("utf-8")]).success();

    assert!(imported.starts_with("2 written"), "{imported}");
    let texts = project.texts();
    assert!(texts.contains(first) && texts.contains(last), "{texts:?}");
    project.assert_nothing_lost();
}
