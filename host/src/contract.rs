//! What a component exports, by name; its types are not compared yet.
#![allow(missing_docs)]
use crate::layer::{EventName, Need};
pub struct Inspection {
    pub size: usize,
    pub answers: Vec<EventName>,
    pub needs: Vec<Need>,
    pub imports: Vec<String>,
    pub contract: Option<String>,
    pub faults: Vec<Fault>,
}
pub struct Fault {
    pub what: String,
}
impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}
pub fn inspect(wasm: &[u8]) -> crate::error::Result<Inspection> {
    let s = crate::sandbox::Sandbox::new(None)?;
    let names = s.exports(wasm)?;
    Ok(Inspection {
        size: wasm.len(),
        answers: names.iter().filter_map(|n| EventName::of_export(n)).collect(),
        needs: vec![],
        imports: vec![],
        contract: None,
        faults: vec![],
    })
}
