//! Servers that are slow, busy, broken, or somewhere else.

use super::*;
use interleaf_tests::stub_llm::Act;

/// The error of the small model, and how often the server was asked for it.
fn fails(acts: &[Act], more: &str) -> (String, usize, Scratch) {
    let stub = StubLlm::start(acts.to_vec());
    let scratch = chose_openai(&stub, more);
    let ran = check(&scratch, &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.out());
    let asked = stub.asked();
    let small = asked.iter().filter(|asked| asked.body["model"] == "tiny").count();
    (first(&ran), small, scratch)
}

#[test]
fn a_busy_server_is_asked_again_when_it_says_so() {
    for busy in
        [Act::busy(1), Act::refuses(500, "oh"), Act::refuses(529, "overloaded"), Act::refuses(503, "")]
    {
        let stub = StubLlm::start([busy, Act::chat("ready")]);

        let ran = check(&chose_openai(&stub, ""), &[]);

        assert_eq!((first(&ran).as_str(), stub.asked().len()), ("ready", 3));
        ran.success();
    }
}

#[test]
fn a_server_that_stays_busy_is_asked_three_times_and_costs_nothing() {
    let (error, asked, scratch) = fails(&[Act::refuses(529, "overloaded")], "");

    assert!(error.ends_with("answered 529: overloaded"), "{error}");
    assert_eq!((asked, spent(&scratch)), (3, 0));
}

#[test]
fn a_server_that_wants_an_hour_is_left_alone() {
    let (error, asked, scratch) = fails(&[Act::busy(3600)], "");

    assert!(error.contains("it asks to be left alone for 3600 s"), "{error}");
    assert_eq!((asked, spent(&scratch)), (1, 0));
}

#[test]
fn a_server_that_is_not_there_is_an_error_that_costs_nothing() {
    let url = StubLlm::start([Act::Silence]).url();
    let scratch = chose(&format!(
        "client = \"openai\"\nbase_url = \"{url}/v1\"\nsmall = \"a\"\nstrong = \"b\"\ntimeout_seconds = 2\n"
    ));
    // The stub is gone, and with the connection that its end woke it by nobody listens there.
    let ran = check(&scratch, &[]);

    assert!(first(&ran).contains("cannot be asked"), "{}", first(&ran));
    assert_eq!(spent(&scratch), 0);
}

#[test]
fn a_server_that_says_nothing_costs_what_it_was_sent() {
    for act in [Act::Silence, Act::Drip] {
        let (error, asked, scratch) = fails(&[act], "timeout_seconds = 1\n");

        assert!(error.contains("did not answer in time"), "{error}");
        let spent = spent(&scratch);
        assert_eq!(asked, 1);
        assert!(spent > 0 && spent < 100, "about 20 tokens were sent twice: {spent}");
    }
}

#[test]
fn an_answer_that_breaks_off_or_is_no_json_is_an_error_and_counts_as_the_most_that_it_can_be() {
    let half = "{\"choices\": [{\"message\": {\"content\": \"rea";
    for (act, told) in [
        (Act::Cut(half.to_owned()), "broke off"),
        (Act::Body(half.to_owned()), "what is not JSON"),
        (Act::Body("<html>hello</html>".to_owned()), "what is not JSON"),
        (Act::Flood, "is larger than"),
    ] {
        let (error, asked, scratch) = fails(&[act], "");

        assert!(error.contains(told), "{error}");
        assert_eq!(asked, 1);
        assert!(spent(&scratch) >= 512, "{error}");
    }
}

#[test]
fn a_redirect_leads_to_no_other_host() {
    let other = StubLlm::start([Act::chat("ready")]);
    let (error, asked, _) = fails(&[Act::redirects(&format!("{}/v1/chat/completions", other.url()))], "");

    assert!(error.contains("it redirects to another place, which is not asked"), "{error}");
    assert_eq!((asked, other.asked().len()), (1, 0));
}

#[test]
fn a_redirect_within_the_host_is_followed() {
    let stub = StubLlm::start([Act::redirects("/elsewhere"), Act::chat("ready")]);

    let ran = check(&chose_openai(&stub, ""), &[]);

    assert_eq!((first(&ran).as_str(), stub.asked()[1].path.as_str()), ("ready", "/elsewhere"));
}

#[test]
fn what_the_server_says_is_wrong_is_told_with_what_to_do() {
    let stub =
        StubLlm::start([Act::refuses(404, "model \u{1b}[2J\"tiny\" not found,\ntry pulling it first")]);

    let ran = scratch_check(&chose_openai(&stub, ""));

    assert!(
        ran.out().contains("answered 404: model [2J\"tiny\" not found, try pulling it first"),
        "{}",
        ran.out()
    );
    assert!(ran.err().contains("hint: see to the model's name"), "{}", ran.err());
    assert_eq!((ran.code, stub.asked().len()), (Some(2), 2), "it is not asked again");
}

#[test]
fn a_proxy_of_the_environment_is_for_other_hosts_and_not_for_this_machine() {
    let (stub, proxy) = (StubLlm::start([Act::chat("ready")]), StubLlm::start([Act::chat("ready")]));
    let through = |scratch: &Scratch| {
        let mut command = scratch.command(program());
        run(
            command.args(["llm", "check"]).env("HTTP_PROXY", proxy.url()).env("http_proxy", proxy.url()),
            b"",
            HANG,
        )
    };

    through(&chose_openai(&stub, "")).success();
    let own = (stub.asked().len(), proxy.asked().len());
    let table =
        "client = \"openai\"\nbase_url = \"http://models.example/v1\"\nsmall = \"a\"\nstrong = \"b\"\n";
    through(&chose(table)).success();

    assert_eq!((own, proxy.asked()[0].path.as_str()), ((2, 0), "http://models.example/v1/chat/completions"));
}

/// As a person sees it.
fn scratch_check(scratch: &Scratch) -> Ran {
    scratch.interleaf(&["llm", "check"])
}
