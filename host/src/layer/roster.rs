//! Which layers run here, in which order and with what: the layers there are and what the configuration says of them.

use super::{EventName, FileLayers, Layer};
use crate::config::{Activation, Config, LayerConfig};

/// A layer as it takes part.
pub struct Member {
    /// The layer.
    pub layer: Layer,
    /// Whether it runs, its place in the fold, its settings and limits.
    pub config: LayerConfig,
    /// Why it cannot run, if it cannot: then it only gives the answer that is pinned for it.
    pub unavailable: Option<String>,
}

/// The layers of a project, in the order in which they are folded.
pub struct Roster {
    members: Vec<Member>,
    /// A line for the person about layers that wait for them.
    pub notice: Option<String>,
}

impl Roster {
    /// The roster that this configuration makes of these layers. Lower order comes first, then the name decides.
    pub fn new(layers: Vec<Layer>, config: &Config) -> Self {
        Self::with_files(layers, FileLayers::default(), config)
    }

    /// The same with the layers of a team: an accepted one takes the place of another of its name, an unaccepted one
    /// takes nobody's.
    pub fn with_files(mut layers: Vec<Layer>, team: FileLayers, config: &Config) -> Self {
        let notice = team.notice();
        layers.retain(|layer| team.accepted.iter().all(|ready| ready.name != layer.name));
        let running = layers.into_iter().chain(team.accepted).map(|layer| (layer, None));
        let gone = team.missing_gates.into_iter().map(|(layer, why)| (layer, Some(why)));
        let member = |(layer, gone): (Layer, _)| Member {
            config: config.layer(&layer.name),
            layer,
            unavailable: gone,
        };
        let mut members: Vec<Member> = running.chain(gone).map(member).collect();
        members.sort_by(|a, b| (a.config.order, &a.layer.name).cmp(&(b.config.order, &b.layer.name)));
        Self { members, notice }
    }

    /// All layers, also those switched off.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The layers that answer this event, in order.
    pub fn answering(&self, event: EventName) -> Vec<&Member> {
        let answers = |member: &&Member| member.is_on() && member.layer.answers.contains(&event);
        let able =
            |member: &&Member| member.unavailable.is_none() || member.layer.failure_answer(event).is_some();
        self.members.iter().filter(answers).filter(able).collect()
    }
}

impl Member {
    /// Whether it takes part. A project cannot switch off a gate that the person accepted.
    pub fn is_on(&self) -> bool {
        match self.config.enabled {
            Activation::Enabled => true,
            Activation::DisabledByUser => false,
            Activation::DisabledByProject => self.layer.failure_answer(EventName::PreTool).is_some(),
        }
    }
}
