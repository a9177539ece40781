//! The table of kinds in the documentation is the one in the code.

use super::super::KINDS;
use std::path::Path;

const BEGIN: &str = "<!-- kinds: checked against the code by a test -->\n";
const END: &str = "<!-- end of kinds -->";

fn table() -> String {
    let row = |kind: &super::super::About| format!("| `{}` | {} |\n", kind.name, kind.covers);
    let rows: String = KINDS.iter().map(row).collect();
    format!("\n| kind | covers |\n| --- | --- |\n{rows}\n")
}

#[test]
fn the_documentation_has_the_table_of_kinds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/redaction.md");
    let page = std::fs::read_to_string(&path).expect("docs/redaction.md is in the repository");
    let after = page.split_once(BEGIN).map(|(_, after)| after).unwrap_or_default();
    let is = after.split_once(END).map(|(table, _)| table).unwrap_or_default();

    assert_eq!(is, table(), "put this between the two comments of docs/redaction.md:\n{}", table());
}
