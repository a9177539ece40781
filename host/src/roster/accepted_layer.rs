//! A layer as the user accepted it: the digest of its component, its rights, and the answer if it fails.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::approvals_file::{Approval, ApprovalsFile};
use crate::clock::Millis;
use crate::layer::{Code, EventName, FailurePolicy, Grants, Layer, Need, is_digest};

/// A layer as it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptedLayer {
    /// The name.
    pub name: String,
    /// SHA-256 of the component, in hexadecimal.
    pub digest: String,
    /// The file that was accepted.
    pub file: PathBuf,
    /// The events that it answers.
    pub answers: Vec<EventName>,
    /// The imports that have to be granted.
    pub needs: Vec<Need>,
    /// Its grants.
    pub grants: Grants,
    /// The answer before a tool call if it fails.
    pub on_failure: FailurePolicy,
    /// When it was accepted.
    #[serde(rename = "at")]
    pub accepted_at: Millis,
}

/// The layers that the user accepted, from a project or the user's own folder. The digests of earlier
/// versions stay accepted.
pub type LayerApprovals = ApprovalsFile<AcceptedLayer>;

impl AcceptedLayer {
    /// Returns the layer, with the stored copy of its component.
    pub fn to_layer(&self, copy: PathBuf) -> Layer {
        Layer {
            name: Cow::Owned(self.name.clone()),
            about: Cow::Borrowed(""),
            digest: Cow::Owned(self.digest.clone()),
            code: Code::Stored(copy),
            source: Cow::Owned(self.file.display().to_string()),
            answers: self.answers.clone(),
            grants: self.grants.clone(),
            on_failure: self.on_failure,
            failure_words: Vec::new(),
        }
    }

    /// Returns whether an answer is given if it fails.
    pub fn has_failure_answer(&self) -> bool {
        self.on_failure != FailurePolicy::Pass && self.answers.contains(&EventName::PreTool)
    }
}

impl Approval for AcceptedLayer {
    const LIST_KEY: &'static str = "layers";
    const IF_UNREADABLE: (&'static str, &'static str) =
        ("no layer from a file runs", "remove the file, then accept the layers again");

    fn subject(&self) -> &str {
        &self.name
    }

    fn digest(&self) -> &str {
        &self.digest
    }

    /// Checks the digest, because it becomes part of a file name.
    fn is_valid(&self) -> bool {
        is_digest(&self.digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;
    use crate::error::Result;

    /// An approvals file in the format that a release wrote.
    const STORED: &str = r#"{
  "layers": [
    {
      "name": "gate",
      "digest": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "file": "/project/.claude/layers/x.wasm",
      "answers": [
        "pre-tool"
      ],
      "needs": [
        "memory"
      ],
      "grants": {
        "memory": "read",
        "llm": null,
        "project": false,
        "state": false,
        "transcript": false,
        "jobs": false,
        "files": [],
        "environment": [],
        "log": true,
        "decide": [
          "ask"
        ]
      },
      "on_failure": "ask",
      "at": 7
    }
  ]
}"#;

    fn accepted(name: &str, digit: char) -> AcceptedLayer {
        AcceptedLayer {
            name: name.to_owned(),
            digest: digit.to_string().repeat(64),
            file: PathBuf::from("/project/.claude/layers/x.wasm"),
            answers: vec![EventName::PreTool],
            needs: vec![Need::Memory],
            grants: Grants::from_json(serde_json::json!({"memory": "read", "decide": ["ask"]}))
                .expect("valid"),
            on_failure: FailurePolicy::Ask,
            accepted_at: 7,
        }
    }

    #[test]
    fn the_stored_format_is_unchanged() -> Result<()> {
        let folder = Scratch::new();
        let file = folder.file("accepted.json", STORED);
        let (mut approvals, warning) = LayerApprovals::load(&file);

        assert_eq!((approvals.latest("gate"), warning), (Some(&accepted("gate", 'a')), None));
        approvals.accept(accepted("gate", 'a'))?;
        assert_eq!(std::fs::read_to_string(&file).expect("it was written"), STORED);
        Ok(())
    }

    #[test]
    fn accepted_layers_are_read_back_and_revoked_by_name() -> Result<()> {
        let folder = Scratch::new();
        let file = folder.path().join("deep/layers.json");
        let (mut approvals, _) = LayerApprovals::load(&file);
        approvals.accept(accepted("gate", 'a'))?;
        approvals.accept(accepted("gate", 'b'))?;
        approvals.accept(accepted("other", 'c'))?;

        let (mut again, _) = LayerApprovals::load(&file);

        assert_eq!(again.latest("gate").map(|layer| &layer.digest[..1]), Some("b"));
        assert!(again.find("gate", &"a".repeat(64)).is_some());
        assert_eq!(again.latest_of_each().len(), 2);
        assert_eq!(again.revoke("gate")?, 2);
        assert_eq!(LayerApprovals::load(&file).0.latest_of_each().len(), 1);
        Ok(())
    }

    #[test]
    fn only_the_last_eight_digests_of_a_layer_stay_accepted() -> Result<()> {
        let folder = Scratch::new();
        let (mut approvals, _) = LayerApprovals::load(&folder.path().join("layers.json"));
        approvals.accept(accepted("other", 'a'))?;

        for digit in "0123456789".chars() {
            approvals.accept(accepted("gate", digit))?;
        }

        assert!(approvals.find("gate", &"1".repeat(64)).is_none());
        assert!(approvals.find("gate", &"2".repeat(64)).is_some());
        assert!(approvals.latest("other").is_some());
        Ok(())
    }

    #[test]
    fn an_invalid_approvals_file_accepts_nothing_and_is_not_overwritten() {
        let folder = Scratch::new();
        let file = folder.file("layers.json", "{\"layers\": 7}");

        let (mut approvals, warning) = LayerApprovals::load(&file);

        let warning = warning.expect("it cannot be read");
        assert!(warning.starts_with("cannot read ") && warning.contains("layers.json"), "{warning}");
        assert!(approvals.latest_of_each().is_empty());
        assert!(approvals.accept(accepted("gate", 'a')).is_err());
        assert_eq!(std::fs::read_to_string(&file).expect("it is there"), "{\"layers\": 7}");
    }

    #[test]
    fn an_approval_with_an_invalid_digest_is_ignored() {
        let folder = Scratch::new();
        let mut entry = serde_json::to_value(accepted("gate", 'a')).expect("JSON");
        entry["digest"] = "../../evil".into();
        let file = folder.file("layers.json", &serde_json::json!({"layers": [entry]}).to_string());

        assert!(LayerApprovals::load(&file).0.latest_of_each().is_empty());
    }
}
