//! Which layers run here, in which order and with what: the layers there are and what the configuration says of them.

use super::{EventName, Layer};
use crate::config::{Config, LayerConfig};

/// A layer as it takes part.
pub struct Member {
    /// The layer.
    pub layer: Layer,
    /// Whether it runs, its place in the fold, its settings and limits.
    pub config: LayerConfig,
}

/// The layers of a project, in the order in which they are folded.
pub struct Roster {
    members: Vec<Member>,
}

impl Roster {
    /// The roster that this configuration makes of these layers. Lower order comes first, then the name decides.
    pub fn new(layers: Vec<Layer>, config: &Config) -> Self {
        let member = |layer: Layer| Member { config: config.layer(&layer.name), layer };
        let mut members: Vec<Member> = layers.into_iter().map(member).collect();
        members.sort_by(|a, b| (a.config.order, &a.layer.name).cmp(&(b.config.order, &b.layer.name)));
        Self { members }
    }

    /// All layers, also those switched off.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The layers that answer this event, in order.
    pub fn answering(&self, event: EventName) -> Vec<&Member> {
        let answers = |member: &&Member| member.config.enabled && member.layer.answers.contains(&event);
        self.members.iter().filter(answers).collect()
    }
}
