//! What a branch says of the work on it.

/// Branches that are there in every project and say nothing.
const ORDINARY: [&str; 6] = ["main", "master", "trunk", "develop", "dev", "staging"];

/// The topic of a branch of its own, beside the project's name. The name alone is no topic: in its own project every
/// memory may bear it.
pub fn of_branch(project: &str, branch: Option<&str>) -> Option<String> {
    let branch = branch.filter(|branch| !ORDINARY.contains(branch))?;
    Some(format!("{project} {branch}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_branch_of_its_own_is_a_topic() {
        assert_eq!(
            of_branch("shop", Some("feature/webhook-retries")).as_deref(),
            Some("shop feature/webhook-retries")
        );
        assert_eq!(of_branch("shop", Some("main")), None);
        assert_eq!(of_branch("shop", None), None);
    }
}
