//! The table of keys in the documentation is the one in the code.

use super::*;

const BEGIN: &str = "<!-- keys: checked against the code by a test -->\n";
const END: &str = "<!-- end of keys -->";

fn table() -> String {
    let row = |key: &Key| {
        let paths: Vec<String> = key.paths.iter().map(|path| format!("`{path}`")).collect();
        let (value, default, who) = (key.kind.describe(), key.default_value(), key.who.as_str());
        format!("| {} | {} | {value} | {default} | {who} |\n", paths.join(", "), key.doc)
    };
    let rows: String = KEYS.iter().map(row).collect();
    format!(
        "\n| key | what it is | value | by default | who sets it |\n| --- | --- | --- | --- | --- |\n{rows}\n"
    )
}

#[test]
fn the_documentation_has_the_table_of_keys() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/configuration.md");
    let page = std::fs::read_to_string(&path).expect("docs/configuration.md is in the repository");
    let after = page.split_once(BEGIN).map(|(_, after)| after).unwrap_or_default();
    let is = after.split_once(END).map(|(table, _)| table).unwrap_or_default();

    assert_eq!(is, table(), "put this between the two comments of docs/configuration.md:\n{}", table());
}
