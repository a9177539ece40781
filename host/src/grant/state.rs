//! `state`: small values that outlive the hook process.

use super::{LayerHost, Use, wire};
use crate::layer::Need;
use crate::sandbox::bindings::state::{Host, Scope as Wanted};
use crate::sandbox::bindings::types::Error;
use crate::state::{Scope, State};

/// The owner of values that all layers share; no layer can bear this name.
pub(crate) const SHARED_OWNER: &str = "*";

/// Where a layer's values of this scope are kept, and under whose name.
fn place<'a>(scope: Wanted, layer: &'a super::LayerIdentity) -> (Scope<'a>, &'a str) {
    match scope {
        Wanted::Session => (Scope::Session(&layer.conversation.session), &layer.name),
        Wanted::Project => (Scope::Project, &layer.name),
        Wanted::Shared => (Scope::Project, SHARED_OWNER),
    }
}

impl Host for LayerHost {
    fn get(&mut self, scope: Wanted, key: String) -> Result<Option<String>, Error> {
        self.permit(Use::Other(Need::State), key.len())?;
        let (scope, owner) = place(scope, &self.layer);
        self.host.state.get(scope, owner, &key).map_err(wire)
    }

    fn set(&mut self, scope: Wanted, key: String, value: String) -> Result<(), Error> {
        self.permit(Use::Other(Need::State), key.len() + value.len())?;
        let (scope, owner) = place(scope, &self.layer);
        self.held(owner).set(scope, owner, &key, &value).map_err(wire)
    }

    fn swap(
        &mut self,
        scope: Wanted,
        key: String,
        expected: Option<String>,
        value: String,
    ) -> Result<bool, Error> {
        self.permit(Use::Other(Need::State), key.len() + value.len())?;
        let (scope, owner) = place(scope, &self.layer);
        self.held(owner).swap(scope, owner, &key, expected.as_deref(), &value).map_err(wire)
    }

    fn remove(&mut self, scope: Wanted, key: String) -> Result<(), Error> {
        self.permit(Use::Other(Need::State), key.len())?;
        let (scope, owner) = place(scope, &self.layer);
        self.host.state.remove(scope, owner, &key).map_err(wire)
    }
}

impl LayerHost {
    /// The state, as far as this layer may fill it. What is common to all layers is no single layer's to limit.
    fn held(&self, owner: &str) -> State {
        let state = self.host.state.clone();
        if owner == SHARED_OWNER { state } else { state.with_owner_limit(self.layer.limits.state) }
    }
}
