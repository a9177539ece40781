//! `state`: small values that outlive the hook process.

use super::{Access, LayerHost, LayerIdentity, wit_error};
use crate::layer::Need;
use crate::sandbox::bindings::state::{Host, Scope as WitScope};
use crate::sandbox::bindings::types::Error;
use crate::state::{Scope, State};

/// The owner of values that all layers share; no layer can have this name.
pub(crate) const SHARED_OWNER: &str = "*";

/// Returns the scope and the owner under which a layer's values of this kind are stored.
fn scope_and_owner(scope: WitScope, layer: &LayerIdentity) -> (Scope<'_>, &str) {
    match scope {
        WitScope::Session => (Scope::Session(&layer.conversation.session), &layer.name),
        WitScope::Project => (Scope::Project, &layer.name),
        WitScope::Shared => (Scope::Project, SHARED_OWNER),
    }
}

impl Host for LayerHost {
    fn get(&mut self, scope: WitScope, key: String) -> Result<Option<String>, Error> {
        self.begin_call(Access::Interface(Need::State), key.len())?;
        let (scope, owner) = scope_and_owner(scope, &self.layer);
        self.host.state.get(scope, owner, &key).map_err(wit_error)
    }

    fn set(&mut self, scope: WitScope, key: String, value: String) -> Result<(), Error> {
        self.begin_call(Access::Interface(Need::State), key.len() + value.len())?;
        let (scope, owner) = scope_and_owner(scope, &self.layer);
        self.limited_state(owner).set(scope, owner, &key, &value).map_err(wit_error)
    }

    fn swap(
        &mut self,
        scope: WitScope,
        key: String,
        expected: Option<String>,
        value: String,
    ) -> Result<bool, Error> {
        self.begin_call(Access::Interface(Need::State), key.len() + value.len())?;
        let (scope, owner) = scope_and_owner(scope, &self.layer);
        self.limited_state(owner).swap(scope, owner, &key, expected.as_deref(), &value).map_err(wit_error)
    }

    fn remove(&mut self, scope: WitScope, key: String) -> Result<(), Error> {
        self.begin_call(Access::Interface(Need::State), key.len())?;
        let (scope, owner) = scope_and_owner(scope, &self.layer);
        self.host.state.remove(scope, owner, &key).map_err(wit_error)
    }
}

impl LayerHost {
    /// Returns the state with this layer's limit. Shared values belong to no single layer, so no layer's
    /// limit applies.
    fn limited_state(&self, owner: &str) -> State {
        let state = self.host.state.clone();
        match owner {
            SHARED_OWNER => state,
            _ => state.with_owner_limit(self.layer.limits.state_bytes as usize),
        }
    }
}
