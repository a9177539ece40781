//! Servers that are slow, busy, broken, unreachable or behind a redirect.

use super::*;
use interleaf_tests::stub_llm::StubReply;

/// Runs a check that must fail. Returns the error of the small model and the number of requests for it.
fn failed_check(replies: &[StubReply], more: &str) -> (String, usize, Scratch) {
    let stub = StubLlm::start(replies.to_vec());
    let scratch = configured_openai(&stub, more);
    let ran = check(&scratch, &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.out());
    let requests = stub.requests();
    let small = requests.iter().filter(|request| request.body["model"] == "tiny").count();
    (first_result(&ran), small, scratch)
}

#[test]
fn a_busy_server_is_asked_again() {
    for busy in [
        StubReply::busy(1),
        StubReply::refuses(500, "oh"),
        StubReply::refuses(529, "overloaded"),
        StubReply::refuses(503, ""),
    ] {
        let stub = StubLlm::start([busy, StubReply::chat("ready")]);

        let ran = check(&configured_openai(&stub, ""), &[]);

        assert_eq!((first_result(&ran).as_str(), stub.requests().len()), ("ready", 3));
        ran.success();
    }
}

#[test]
fn a_server_that_stays_busy_is_asked_three_times_and_costs_nothing() {
    let (error, requests, scratch) = failed_check(&[StubReply::refuses(529, "overloaded")], "");

    assert!(error.ends_with("answered 529: overloaded"), "{error}");
    assert_eq!((requests, spent_tokens(&scratch)), (3, 0));
}

#[test]
fn a_server_that_asks_for_an_hour_is_not_asked_again() {
    let (error, requests, scratch) = failed_check(&[StubReply::busy(3600)], "");

    assert!(error.contains("it asks for a pause of 3600 s"), "{error}");
    assert_eq!((requests, spent_tokens(&scratch)), (1, 0));
}

#[test]
fn an_unreachable_server_is_an_error_that_costs_nothing() {
    let url = StubLlm::start([StubReply::Silence]).url();
    let scratch = configured(&format!(
        "client = \"openai\"\nbase_url = \"{url}/v1\"\nsmall = \"a\"\nstrong = \"b\"\ntimeout_seconds = 2\n"
    ));
    // The stub is dropped here, so nothing listens at its address any more.
    let ran = check(&scratch, &[]);

    assert!(first_result(&ran).contains("cannot reach"), "{}", first_result(&ran));
    assert_eq!(spent_tokens(&scratch), 0);
}

#[test]
fn a_silent_server_costs_the_prompt() {
    for reply in [StubReply::Silence, StubReply::Drip] {
        let (error, requests, scratch) = failed_check(&[reply], "timeout_seconds = 1\n");

        assert!(error.contains("did not answer in time"), "{error}");
        let spent = spent_tokens(&scratch);
        assert_eq!(requests, 1);
        assert!(spent > 0 && spent < 100, "about 20 tokens were sent twice: {spent}");
    }
}

#[test]
fn an_answer_that_breaks_off_or_is_not_json_is_charged_at_the_maximum() {
    let half = "{\"choices\": [{\"message\": {\"content\": \"rea";
    for (reply, message) in [
        (StubReply::Cut(half.to_owned()), "broke off"),
        (StubReply::Body(half.to_owned()), "is not JSON"),
        (StubReply::Body("<html>hello</html>".to_owned()), "is not JSON"),
        (StubReply::Flood, "is larger than"),
    ] {
        let (error, requests, scratch) = failed_check(&[reply], "");

        assert!(error.contains(message), "{error}");
        assert_eq!(requests, 1);
        assert!(spent_tokens(&scratch) >= 512, "{error}");
    }
}

#[test]
fn a_redirect_to_another_host_is_not_followed() {
    let other = StubLlm::start([StubReply::chat("ready")]);
    let (error, requests, _) =
        failed_check(&[StubReply::redirects(&format!("{}/v1/chat/completions", other.url()))], "");

    assert!(error.contains("redirects to another server are not followed"), "{error}");
    assert_eq!((requests, other.requests().len()), (1, 0));
}

#[test]
fn a_redirect_within_the_host_is_followed() {
    let stub = StubLlm::start([StubReply::redirects("/elsewhere"), StubReply::chat("ready")]);

    let ran = check(&configured_openai(&stub, ""), &[]);

    assert_eq!((first_result(&ran).as_str(), stub.requests()[1].path.as_str()), ("ready", "/elsewhere"));
}

#[test]
fn the_server_s_error_message_is_reported_with_a_hint() {
    let stub =
        StubLlm::start([StubReply::refuses(404, "model \u{1b}[2J\"tiny\" not found,\ntry pulling it first")]);

    let ran = scratch_check(&configured_openai(&stub, ""));

    assert!(
        ran.out().contains("answered 404: model [2J\"tiny\" not found, try pulling it first"),
        "{}",
        ran.out()
    );
    assert!(ran.err().contains("hint: check the model's name"), "{}", ran.err());
    assert_eq!((ran.code, stub.requests().len()), (Some(2), 2), "it is not asked again");
}

#[test]
fn a_proxy_is_used_for_other_hosts_and_not_for_this_machine() {
    let (stub, proxy) =
        (StubLlm::start([StubReply::chat("ready")]), StubLlm::start([StubReply::chat("ready")]));
    let through = |scratch: &Scratch| {
        let mut command = scratch.command(program());
        run(
            command.args(["llm", "check"]).env("HTTP_PROXY", proxy.url()).env("http_proxy", proxy.url()),
            b"",
            HANG_TIMEOUT,
        )
    };

    through(&configured_openai(&stub, "")).success();
    let own = (stub.requests().len(), proxy.requests().len());
    let table =
        "client = \"openai\"\nbase_url = \"http://models.example/v1\"\nsmall = \"a\"\nstrong = \"b\"\n";
    through(&configured(table)).success();

    assert_eq!(
        (own, proxy.requests()[0].path.as_str()),
        ((2, 0), "http://models.example/v1/chat/completions")
    );
}

/// Runs the check with its output for a person.
fn scratch_check(scratch: &Scratch) -> ProcessOutput {
    scratch.interleaf(&["llm", "check"])
}
