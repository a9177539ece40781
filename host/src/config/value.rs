//! The value that holds at a place of the table of keys, and every place there is: for who shows the configuration.

use serde_json::Value;

use super::apply::limit;
use super::keys::{Effect, KEYS, Key};
use super::lookup::{self, Spot};
use super::{Activation, Config, Store, model};
use crate::layer::EventName;
use crate::memory::Category;

impl Config {
    /// What holds at this path, as it would be written; none where nothing is set and there is no default.
    pub fn value(&self, path: &[String]) -> Option<Value> {
        let Spot::Key(key) = lookup::spot(path) else { return None };
        let mut config = self.clone();
        let name = path.get(1).map(String::as_str).unwrap_or_default();
        Some(match key.effect {
            Effect::Number(of) => (*of(&mut config)).into(),
            Effect::Switch(of) => (*of(&mut config)).into(),
            Effect::Limit(_) | Effect::Deadline => limit_at(&config, key, path).into(),
            Effect::CategorySwitch(of) => (*of(config.policy.of_mut(name.parse().ok()?))).into(),
            Effect::CategoryNumber(of) => (*of(config.policy.of_mut(name.parse().ok()?))).into(),
            Effect::Description => config.policy.of(name.parse().ok()?).description.clone().into(),
            Effect::Model(_) => model::value(&config.llm, name)?.into(),
            Effect::Patterns if config.redact.is_empty() => return None,
            Effect::Patterns => config.redact.into(),
            Effect::Store => match config.store {
                Store::Sqlite => "sqlite".into(),
            },
            _ => return config.of_layer(key, name),
        })
    }

    fn of_layer(&self, key: &Key, name: &str) -> Option<Value> {
        let layer = self.layer(name);
        Some(match key.effect {
            Effect::Enabled => (layer.enabled == Activation::Enabled).into(),
            Effect::Order => layer.order.into(),
            Effect::File => layer.file?.1.to_string_lossy().into(),
            Effect::Grants => serde_json::to_value(layer.requested_grants?).ok()?,
            Effect::FailurePolicy => layer.on_failure?.as_str().into(),
            Effect::Settings if layer.settings.as_object()?.is_empty() => return None,
            Effect::Settings => layer.settings,
            _ => return None,
        })
    }

    /// Every path at which something holds: each key for each layer, event and category. The limits of a layer are left
    /// out where they are those of all.
    pub fn paths(&self) -> Vec<Vec<String>> {
        let places = KEYS.iter().flat_map(|key| key.paths);
        let mut paths: Vec<Vec<String>> = places.flat_map(|place| self.written_out(place)).collect();
        let of_all =
            |path: &[String]| path.get(2).is_some_and(|name| name == "limits").then(|| path[2..].to_vec());
        paths.retain(|path| {
            let value = self.value(path);
            value.is_some() && of_all(path).is_none_or(|general| value != self.value(&general))
        });
        paths
    }

    fn written_out(&self, place: &str) -> Vec<Vec<String>> {
        place.split('.').fold(vec![Vec::new()], |paths, name| {
            let words = self.words(name);
            let with = |path: Vec<String>| {
                words.iter().map(move |word| [path.as_slice(), std::slice::from_ref(word)].concat())
            };
            paths.into_iter().flat_map(with).collect()
        })
    }

    fn words(&self, name: &str) -> Vec<String> {
        match name {
            "NAME" => self.layers.keys().cloned().collect(),
            "EVENT" => EventName::ALL.iter().map(|event| event.as_str().to_owned()).collect(),
            "CATEGORY" => Category::ALL.iter().map(|category| category.as_str().to_owned()).collect(),
            name => vec![name.to_owned()],
        }
    }
}

fn limit_at(config: &Config, key: &Key, path: &[String]) -> u64 {
    let mut limits = if path[0] == "layers" { config.layer(&path[1]).limits } else { config.limits };
    let event = path.last().and_then(|name| EventName::parse(name));
    *limit(key.effect, event, &mut limits)
}
