//! What a lock keeps, gives up and refuses.

use super::*;
use crate::dirs::scratch::Scratch;
use crate::layer::{EventName, FailurePolicy, Grants, Need};

fn accepted(name: &str, digit: char) -> AcceptedLayer {
    AcceptedLayer {
        name: name.to_owned(),
        digest: digit.to_string().repeat(64),
        file: PathBuf::from("/project/.claude/layers/x.wasm"),
        answers: vec![EventName::PreTool],
        needs: vec![Need::Memory],
        grants: Grants::default(),
        on_failure: FailurePolicy::Ask,
        at: 7,
    }
}

#[test]
fn what_was_accepted_is_read_again_and_revoked_as_a_whole() -> Result<()> {
    let folder = Scratch::new();
    let file = folder.path().join("deep/layers.json");
    let (mut lock, _) = LayerApprovals::read(&file);
    lock.accept(accepted("gate", 'a'))?;
    lock.accept(accepted("gate", 'b'))?;
    lock.accept(accepted("other", 'c'))?;

    let (mut again, _) = LayerApprovals::read(&file);

    assert_eq!(again.latest("gate").map(|layer| &layer.digest[..1]), Some("b"));
    assert!(again.find("gate", &"a".repeat(64)).is_some());
    assert_eq!(again.newest().len(), 2);
    assert_eq!(again.revoke("gate")?, 2);
    assert_eq!(LayerApprovals::read(&file).0.newest().len(), 1);
    Ok(())
}

#[test]
fn old_digests_are_given_up() -> Result<()> {
    let folder = Scratch::new();
    let (mut lock, _) = LayerApprovals::read(&folder.path().join("layers.json"));

    for digit in "0123456789".chars() {
        lock.accept(accepted("gate", digit))?;
    }

    assert!(lock.find("gate", &"1".repeat(64)).is_none());
    assert!(lock.find("gate", &"2".repeat(64)).is_some());
    Ok(())
}

#[test]
fn a_lock_that_cannot_be_understood_accepts_nothing_and_is_named() {
    let folder = Scratch::new();
    let file = folder.file("layers.json", "{\"layers\": 7}");

    let (mut lock, note) = LayerApprovals::read(&file);

    assert!(note.is_some_and(|note| note.contains("layers.json cannot be read")));
    assert!(lock.newest().is_empty());
    assert!(lock.accept(accepted("gate", 'a')).is_err(), "and is not overwritten");
}

#[test]
fn a_digest_that_is_none_is_not_heeded() {
    let folder = Scratch::new();
    let mut entry = serde_json::to_value(accepted("gate", 'a')).expect("JSON");
    entry["digest"] = "../../evil".into();
    let file = folder.file("layers.json", &serde_json::json!({"layers": [entry]}).to_string());

    assert!(LayerApprovals::read(&file).0.newest().is_empty());
}
