//! How much a layer may ask of the language model.

use serde::{Deserialize, Deserializer, Serialize};

/// An allowance of calls and tokens, of one event and of one day (UTC). Tokens count what is sent and what comes back.
/// The spend cap over all layers and projects holds besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelGrant {
    /// Calls in one event.
    pub calls: u32,
    /// Tokens in one event.
    pub tokens: u32,
    /// Calls in one day.
    pub daily_calls: u32,
    /// Tokens in one day.
    pub daily_tokens: u32,
}

impl Default for ModelGrant {
    /// Enough for a draft and its verification on each of some twenty events a day.
    fn default() -> Self {
        Self { calls: 2, tokens: 8_000, daily_calls: 50, daily_tokens: 50_000 }
    }
}

/// `true` for the usual allowance, `false` for none, or a table with one's own figures.
pub(super) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ModelGrant>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "true, false or a table with calls, tokens, daily_calls, daily_tokens")]
    enum Written {
        Switch(bool),
        Figures(ModelGrant),
        Null(()),
    }
    Ok(match Written::deserialize(from)? {
        Written::Switch(true) => Some(ModelGrant::default()),
        Written::Switch(false) | Written::Null(()) => None,
        Written::Figures(figures) => Some(figures),
    })
}
