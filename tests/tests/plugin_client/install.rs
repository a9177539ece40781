//! The plugin's installation: the client's own validator, and the marketplace in this repository, without a
//! network.

use super::*;
use interleaf_tests::client::HANG_TIMEOUT;

#[test]
fn the_client_validates_plugin_and_marketplace() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (Scratch::new(), stub_that_says_fine());

    for path in [workspace::root().to_path_buf(), plugin().into()] {
        let path = path.to_str().expect("UTF-8");
        let output = claude(&client, &scratch, &stub, &["plugin", "validate", "--strict", path]).success();
        assert!(output.contains("Validation passed"), "{output}");
    }
}

#[test]
fn the_plugin_is_installed_from_the_repository_and_doctor_reports_it() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());
    let root = workspace::root().to_str().expect("UTF-8");

    claude(&client, &scratch, &stub, &["plugin", "marketplace", "add", root]).success();
    claude(&client, &scratch, &stub, &["plugin", "install", "memory@interleaf"]).success();
    client.run(&scratch, &stub).env("PATH", path_with_interleaf(&scratch)).prompt(INVOICE_PROMPT).success();

    assert_eq!(stub.requests_of("main")[0].count(INVOICE_MARK), 1);
    let report = scratch.interleaf(&["doctor", "--json"]).out();
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let settings = scratch.home.join(".claude/settings.json");
    assert_eq!(report["plugin_in"], json!([settings]));
    assert_eq!(report["registered_in"], json!([]));
    assert_eq!(report["troubles"], json!([]));
}

/// Runs one of the client's own commands.
fn claude(client: &Client, scratch: &Scratch, stub: &StubApi, arguments: &[&str]) -> ProcessOutput {
    let mut command = scratch.command(client.program());
    connect_to_stub(&mut command, scratch, stub);
    run(command.args(arguments), b"", HANG_TIMEOUT)
}
