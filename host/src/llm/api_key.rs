//! The API key of a model server. The default variable is used only with the default server: a person who
//! configures another server does not want to send it a key of the default one.

use crate::config::ModelConfig;
use crate::error::{Error, Result};
use crate::secret_source::SecretSource;

/// Returns the configured source; without one, `default_variable` if the server is the default one.
pub(super) fn find_source(config: &ModelConfig, default_variable: &str) -> SecretSource {
    match (&config.key_file, &config.key_env) {
        (Some(file), _) => SecretSource::File(file.clone()),
        (None, Some(name)) => SecretSource::Variable(name.clone()),
        (None, None) if config.base_url.is_none() => SecretSource::Variable(default_variable.to_owned()),
        (None, None) => SecretSource::NotNeeded,
    }
}

/// Reads the key; `None` if no key is needed.
///
/// # Errors
/// `Unavailable` if the key is missing or others can read its file.
pub(super) fn read(source: &SecretSource) -> Result<Option<String>> {
    const SOURCES: &str = "set it, or name another source with `llm.key_env` or `llm.key_file`";
    let Some(key) = source.read("API key").map_err(|error| match error.hint.is_some() {
        true => error,
        false => error.hint(SOURCES),
    })?
    else {
        return Ok(None);
    };
    if !key.chars().all(|letter| letter.is_ascii_graphic()) {
        return Err(Error::invalid(format!("{} does not contain a valid API key", source.describe())));
    }
    Ok(Some(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_default_variable_is_used_only_with_the_default_server() {
        let default = ModelConfig::default();
        let own = ModelConfig { base_url: Some("http://localhost:11434/v1".to_owned()), ..default.clone() };
        let named = ModelConfig { key_env: Some("MY_KEY".to_owned()), ..own.clone() };

        assert_eq!(
            find_source(&default, "OPENAI_API_KEY"),
            SecretSource::Variable("OPENAI_API_KEY".to_owned())
        );
        assert_eq!(find_source(&own, "OPENAI_API_KEY"), SecretSource::NotNeeded);
        assert_eq!(find_source(&named, "OPENAI_API_KEY"), SecretSource::Variable("MY_KEY".to_owned()));
    }

    #[test]
    fn content_that_is_not_a_key_is_not_quoted() {
        let scratch = Scratch::new();
        let file = scratch.file("key", "first line\nsecond line\n");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("ours");

        let refused = read(&SecretSource::File(file)).expect_err("two lines are not a key");

        assert!(!refused.message.contains("line"), "{}", refused.message);
    }
}
