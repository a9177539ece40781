//! The hooks of a settings file one by one: where they stand, how they are taken out and added.

use serde::Serialize;

use super::document::Step::{At, Key};
use super::hook::Found;
use super::{RemovedHook, Settings};

/// Where a hook stands: `hooks.EVENT[group].hooks[at]`.
pub(super) struct Place {
    pub(super) event: String,
    group: usize,
    at: usize,
    pub(super) matcher: Option<String>,
    pub(super) found: Found,
    /// Whether the same hook stands further up for the same event and matcher.
    pub(super) repeated: bool,
}

impl Settings {
    /// All hooks, in the order of the file.
    pub(super) fn places(&self) -> Vec<Place> {
        let events = self.0.keys(&[Key("hooks")]).unwrap_or_default();
        events.iter().flat_map(|event| self.places_of(event)).collect()
    }

    /// The hooks of one event.
    pub(super) fn places_of(&self, event: &str) -> Vec<Place> {
        let mut places = Vec::new();
        for group in 0..self.0.length(&[Key("hooks"), Key(event)]).unwrap_or_default() {
            self.add_places(event, group, &mut places);
        }
        places
    }

    fn add_places(&self, event: &str, group: usize, places: &mut Vec<Place>) {
        let within = [Key("hooks"), Key(event), At(group)];
        let hooks = [&within[..], &[Key("hooks")]].concat();
        let matcher = self.0.get(&[&within[..], &[Key("matcher")]].concat());
        let matcher: Option<String> = matcher.and_then(|json| serde_json::from_str(json).ok());
        for at in 0..self.0.length(&hooks).unwrap_or_default() {
            let found = Found::read(self.0.get(&[&hooks[..], &[At(at)]].concat()).unwrap_or_default());
            let same = |it: &Place| it.event == event && it.matcher == matcher && it.found == found;
            let repeated = places.iter().any(same);
            places.push(Place {
                event: event.to_owned(),
                group,
                at,
                matcher: matcher.clone(),
                found,
                repeated,
            });
        }
    }

    /// Takes out all hooks that `which` names, one by one because each removal moves the others.
    pub(super) fn take(&mut self, keep: &[String], which: impl Fn(&Place) -> bool) -> Vec<RemovedHook> {
        let mut taken = Vec::new();
        while let Some(place) = self.places().into_iter().find(&which) {
            taken.push(self.copy(&place));
            self.remove(&place, keep);
        }
        taken
    }

    fn copy(&self, place: &Place) -> RemovedHook {
        let path = [Key("hooks"), Key(&place.event), At(place.group), Key("hooks"), At(place.at)];
        let hook = outdented(self.0.get(&path).unwrap_or_default());
        RemovedHook { event: place.event.clone(), matcher: place.matcher.clone(), hook }
    }

    /// Removes a hook with everything around it that it leaves empty.
    fn remove(&mut self, place: &Place, keep: &[String]) {
        let kept = |name: &str| keep.iter().any(|it| it == name);
        let event = [Key("hooks"), Key(&place.event)];
        let group = [event[0], event[1], At(place.group), Key("hooks")];
        let events = self.0.keys(&event[..1]).unwrap_or_default();
        if self.0.length(&group) > Some(1) {
            self.0.remove(&group, place.at);
        } else if self.0.length(&event) > Some(1) || kept(&place.event) {
            self.0.remove(&event, place.group);
        } else if events.len() > 1 || kept("hooks") {
            let index = events.iter().rposition(|name| *name == place.event);
            self.0.remove(&event[..1], index.unwrap_or_default());
        } else {
            let index = self.0.keys(&[]).and_then(|keys| keys.iter().rposition(|name| name == "hooks"));
            self.0.remove(&[], index.unwrap_or_default());
        }
    }

    /// Adds a hook in a group of its own.
    pub(super) fn add(&mut self, event: &str, matcher: Option<&str>, hook: &str) {
        #[derive(Serialize)]
        struct Group<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            matcher: Option<&'a str>,
            hooks: [u8; 0],
        }

        let list = [Key("hooks"), Key(event)];
        if self.0.get(&list[..1]).is_none() {
            self.0.append(&[], Some("hooks"), "{}");
        }
        if self.0.get(&list).is_none() {
            self.0.append(&list[..1], Some(event), "[]");
        }
        let group = self.0.length(&list).unwrap_or_default();
        let empty = self.0.written(&Group { matcher, hooks: [] });
        self.0.append(&list, None, &empty);
        self.0.append(&[list[0], list[1], At(group), Key("hooks")], None, hook);
    }
}

/// A value's text without the indentation that it had where it stood.
fn outdented(json: &str) -> String {
    let last = json.lines().last().unwrap_or_default();
    let indentation = &last[..last.len() - last.trim_start().len()];
    let mut lines = json.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |text, line| text + "\n" + line.strip_prefix(indentation).unwrap_or(line.trim_start()))
}
