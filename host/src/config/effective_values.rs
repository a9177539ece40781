//! The effective value of each key, for commands that show the configuration.

use serde_json::Value;

use super::key::{Effect, Key};
use super::key_path::{PathEntry, lookup, names_of_segment};
use super::key_table::{KEYS, SUMMARY};
use super::settings_merge::{limit_field, wasted_tokens_field};
use super::{Activation, Config, RecordChoice, model_config, sync_config};
use crate::layer::EventName;

impl Config {
    /// Returns the value at this path, as it would be written in a file; `None` if nothing is set and there
    /// is no default.
    pub fn value(&self, path: &[String]) -> Option<Value> {
        let PathEntry::Key(key) = lookup(path) else { return None };
        let mut config = self.clone();
        let name = path.get(1).map(String::as_str).unwrap_or_default();
        Some(match key.effect {
            Effect::Number(field) => (*field(&mut config)).into(),
            Effect::WastedTokens(field) => (*wasted_tokens_field(&mut config, path, field)).into(),
            Effect::Switch(field) => (*field(&mut config)).into(),
            Effect::Limit(_) | Effect::Deadline => limit_at(&config, key, path).into(),
            Effect::CategorySwitch(field) => (*field(config.policy.of_mut(name.parse().ok()?))).into(),
            Effect::CategoryNumber(field) => (*field(config.policy.of_mut(name.parse().ok()?))).into(),
            Effect::Description => config.policy.of(name.parse().ok()?).description.clone().into(),
            Effect::ModelText(_) => model_config::model_text(&config.llm, name)?.into(),
            Effect::Record if config.record.is_off_by_project => RecordChoice::Off.name()?.into(),
            Effect::Record => config.record.choice.name()?.into(),
            Effect::SyncText(_) => sync_config::sync_text(&config.sync, name)?.into(),
            Effect::RedactPatterns if config.redact.is_empty() => return None,
            Effect::RedactPatterns => config.redact.into(),
            Effect::Fixed(value) => value.into(),
            _ => return config.layer_value(key, name),
        })
    }

    fn layer_value(&self, key: &Key, name: &str) -> Option<Value> {
        let layer = self.layer(name);
        Some(match key.effect {
            Effect::Enabled => (layer.enabled == Activation::Enabled).into(),
            Effect::Order => layer.order.into(),
            Effect::File => layer.file?.1.to_string_lossy().into(),
            Effect::Grants => serde_json::to_value(layer.requested_grants?).ok()?,
            Effect::OnFailure => layer.on_failure?.as_str().into(),
            Effect::Detail => if layer.shows_titles_only { SUMMARY } else { "full" }.into(),
            Effect::Settings if layer.settings.as_object()?.is_empty() => return None,
            Effect::Settings => layer.settings,
            _ => return None,
        })
    }

    /// Returns every path that has a value: each key for each layer, event and category. The limits of a
    /// layer are left out if they are those of all layers.
    pub fn paths(&self) -> Vec<Vec<String>> {
        let patterns = KEYS.iter().flat_map(|key| key.paths);
        let mut paths: Vec<Vec<String>> = patterns.flat_map(|pattern| self.expand(pattern)).collect();
        let limit_of_all =
            |path: &[String]| path.get(2).is_some_and(|name| name == "limits").then(|| path[2..].to_vec());
        paths.retain(|path| {
            let value = self.value(path);
            value.is_some() && limit_of_all(path).is_none_or(|general| value != self.value(&general))
        });
        paths
    }

    /// Returns the paths that match a pattern such as `layers.NAME.enabled`.
    fn expand(&self, pattern: &'static str) -> Vec<Vec<String>> {
        pattern.split('.').fold(vec![Vec::new()], |paths, segment| {
            let names = self.names(segment);
            let with_names = |path: Vec<String>| {
                names.iter().map(move |name| [path.as_slice(), std::slice::from_ref(name)].concat())
            };
            paths.into_iter().flat_map(with_names).collect()
        })
    }

    fn names(&self, segment: &'static str) -> Vec<String> {
        match names_of_segment(segment) {
            Some(names) => names.into_iter().map(str::to_owned).collect(),
            None => self.layers.keys().cloned().collect(),
        }
    }
}

fn limit_at(config: &Config, key: &Key, path: &[String]) -> u64 {
    let mut limits = if path[0] == "layers" { config.layer(&path[1]).limits } else { config.limits };
    let event = path.last().and_then(|name| EventName::parse(name));
    *limit_field(key.effect, event, &mut limits)
}
