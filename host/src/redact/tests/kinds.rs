//! A test for every kind: examples that go, near misses that stay.

use super::super::KINDS;
use super::{ALNUM, BASE64, CAPITALS, DIGITS, HEX, LETTERS, WORD, base64, made, redact, stays};

/// Each secret, wherever it stands, becomes the mark of its kind; each near miss stays.
#[track_caller]
fn check(kind: &str, secrets: &[String], near_misses: &[String]) {
    let mark = format!("[SECRET:{kind}]");
    for secret in secrets {
        for (before, after) in [
            ("", ""),
            ("so ", " it is"),
            ("`", "`"),
            ("{\"a\":\"x\\n", "\\ny\"}"),
            ("(", ")"),
            ("ü\r\n", "\r\nü"),
        ] {
            let clean = redact(&format!("{before}{secret}{after}")).into_owned();
            assert_eq!(clean, format!("{before}{mark}{after}"), "{secret:?}");
            assert_eq!(redact(&clean), clean, "a second time");
        }
    }
    near_misses.iter().for_each(|text| stays(text));
}

/// What stands behind a prefix that stays goes.
#[track_caller]
fn check_behind(kind: &str, kept: &str, secret: &str, after: &str) {
    let clean = redact(&format!("see {kept}{secret}{after} there")).into_owned();
    assert_eq!(clean, format!("see {kept}[SECRET:{kind}]{after} there"));
    assert_eq!(redact(&clean), clean, "a second time");
}

fn all(prefixes: &[&str], alphabet: &str, length: usize) -> Vec<String> {
    prefixes
        .iter()
        .zip(1..)
        .map(|(prefix, seed)| format!("{prefix}{}", made(alphabet, length, seed)))
        .collect()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

macro_rules! kinds {
    ($($test:ident $kind:literal: $secrets:expr, $near_misses:expr;)*) => {
        $(#[test] fn $test() { check($kind, &$secrets, &$near_misses); })*

        const TESTED: &[&str] = &[$($kind),*];
    };
}

kinds! {
    aws_access_key "aws-access-key": all(&["AKIA", "ASIA", "ABIA", "ACCA"], CAPITALS, 16),
        [all(&["AKIA"], CAPITALS, 12), all(&["xAKIA", "akia"], CAPITALS, 16), texts(&["AKIA", "in ASIAN CONTINENTAL TERMS"])].concat();
    google_api_key "google-api-key": all(&["AIza"], WORD, 35), texts(&["AIza", "AIzaSy..."]);
    google_oauth_token "google-oauth-token": [all(&["ya29."], WORD, 60), all(&["GOCSPX-"], ALNUM, 28), all(&["1//0"], ALNUM, 40)].concat(),
        texts(&["maya29.example", "1//0 is one"]);
    github_token "github-token":
        [all(&["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], ALNUM, 36), vec![format!("github_pat_{}_{}", made(ALNUM, 22, 1), made(ALNUM, 59, 2))]].concat(),
        texts(&["ghp_short", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "github_pattern_matching_for_everyone"]);
    gitlab_token "gitlab-token": all(&["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glimt-", "GR1348941"], ALNUM, 24),
        texts(&["glpat-", "glft-handler"]);
    bitbucket_token "bitbucket-token": all(&["ATBB"], ALNUM, 32), texts(&["ATBBQ is short"]);
    atlassian_token "atlassian-token": all(&["ATATT3", "ATCTT3"], ALNUM, 180), texts(&["ATATT3"]);
    npm_token "npm-token": all(&["npm_"], ALNUM, 36), texts(&["npm_config_registry", "npm_lifecycle_event_of_the_package_that_runs"]);
    pypi_token "pypi-token": [format!("pypi-AgEIcHlwaS5vcmc{}", made(WORD, 80, 1).replace('-', "_"))], texts(&["pypi-AgE", "pypi-server"]);
    rubygems_token "rubygems-token": all(&["rubygems_"], HEX, 48), texts(&["rubygems_version"]);
    crates_token "crates-token": all(&["cio"], ALNUM, 32), [all(&["pre"], ALNUM, 20), all(&["cio"], ALNUM, 40)].concat();
    nuget_token "nuget-token": all(&["oy2"], "abcdefghijklmnopqrstuvwxyz234567", 43), [all(&["oy2"], "abcdefghijklmnopqrstuvwxyz234567", 40), all(&["toy2"], "abcdefghijklmnopqrstuvwxyz234567", 43)].concat();
    docker_token "docker-token": all(&["dckr_pat_", "dckr_oat_"], ALNUM, 27), texts(&["dckr_pat_"]);
    slack_token "slack-token": [
        format!("xoxb-{}-{}-{}", made(DIGITS, 12, 1), made(DIGITS, 12, 2), made(ALNUM, 24, 3)),
        format!("xoxp-{}-{}-{}", made(DIGITS, 11, 1), made(DIGITS, 11, 2), made(HEX, 32, 3)),
        format!("xapp-1-{}-{}-{}", made(CAPITALS, 11, 1), made(DIGITS, 13, 2), made(HEX, 64, 3)),
    ], texts(&["xoxb-", "xoxb-...", "xoxo-love"]);
    stripe_key "stripe-key": all(&["sk_live_", "rk_live_", "pk_live_", "sk_test_", "rk_test_", "whsec_"], ALNUM, 32),
        texts(&["sk_live_", "sk_test_xxxxxxxxxxxxxxxxxxxxxxxx", "task_test_runner"]);
    square_token "square-token": all(&["sq0atp-", "sq0csp-"], ALNUM, 22), texts(&["sq0atp-"]);
    shopify_token "shopify-token": all(&["shpat_", "shpca_", "shppa_", "shpss_"], HEX, 32), texts(&["shpat_short"]);
    twilio_key "twilio-key": all(&["SK"], HEX, 32), [all(&["RISK", "sk", "AC"], HEX, 32), all(&["SK"], HEX, 40)].concat();
    sendgrid_key "sendgrid-key": [format!("SG.{}.{}", made(ALNUM, 22, 1), made(ALNUM, 43, 2))], texts(&["SG.short.one", "MSG.with.many.dots"]);
    mail_key "mail-key": [
        format!("key-{}", made(HEX, 32, 1)), format!("{}-us14", made(HEX, 32, 2)), format!("xkeysib-{}-{}", made(HEX, 64, 3), made(ALNUM, 16, 4)),
    ], [all(&["monkey-"], HEX, 32), texts(&["key-value", "us-east-us1"])].concat();
    anthropic_key "anthropic-key": all(&["sk-ant-api03-", "sk-ant-oat01-", "sk-ant-admin01-"], ALNUM, 95), texts(&["sk-ant-", "sk-ant-api03-..."]);
    openai_key "openai-key": [
        format!("sk-{}T3BlbkFJ{}", made(ALNUM, 20, 1), made(ALNUM, 20, 2)), format!("sk-proj-{}", made(ALNUM, 120, 3)),
        format!("sk-svcacct-{}", made(ALNUM, 120, 4)), format!("sk-or-v1-{}", made(HEX, 64, 5)),
    ], [all(&["disk-"], ALNUM, 48), texts(&["sk-loading-indicator-for-the-page", "sk-...", "sk-your-key"])].concat();
    huggingface_token "huggingface-token": all(&["hf_", "api_org_"], LETTERS, 34), texts(&["hf_hub_download", "hf_transformers_pipeline_with_a_long_name"]);
    model_key "model-key": [all(&["gsk_"], ALNUM, 52), all(&["xai-"], ALNUM, 80), all(&["pplx-"], ALNUM, 48), all(&["r8_"], ALNUM, 37)].concat(),
        texts(&["gsk_buff", "r8_register"]);
    monitoring_token "monitoring-token": [all(&["NRAK-"], CAPITALS, 27), all(&["sntryu_"], HEX, 64), all(&["glsa_"], ALNUM, 41), all(&["squ_"], HEX, 40)].concat(),
        texts(&["NRAK-", "squ_are"]);
    digitalocean_token "digitalocean-token": all(&["dop_v1_", "doo_v1_", "dor_v1_"], HEX, 64), texts(&["dop_v1_short"]);
    payment_key "payment-key": [
        all(&["access-sandbox-", "access-production-"], HEX, 36), all(&["FLWSECK_TEST-", "FLWSECK-"], ALNUM, 32), all(&["rzp_live_", "rzp_test_"], ALNUM, 14), all(&["pdl_live_apikey_"], ALNUM, 40), all(&["EZAK", "EZTK"], ALNUM, 54),
    ].concat(), [all(&["EZAK"], ALNUM, 40), texts(&["access-production-database", "rzp_live_mode", "FLWSECK_TEST-"])].concat();
    vercel_token "vercel-token": all(&["vcp_", "vci_", "vca_", "vcr_", "vck_"], ALNUM, 24), texts(&["vcp_short", "vca_xxxxxxxxxxxxxxxxxxxxxxxx"]);
    cloudflare_token "cloudflare-token": [all(&["cfk_", "cfut_", "cfat_"], ALNUM, 48), [format!("v1.0-{}-{}", made(HEX, 24, 1), made(HEX, 146, 2))].into()].concat(),
        texts(&["cfk_short", "v1.0-beta"]);
    vault_token "vault-token": [
        all(&["hvs.", "hvb.", "hvr."], ALNUM, 90), all(&["dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."], ALNUM, 43), all(&["ops_eyJ"], ALNUM, 120),
        [format!("A3-{}-{}-{}-{}-{}", made(CAPITALS, 6, 1), made(CAPITALS, 11, 2), made(CAPITALS, 5, 3), made(CAPITALS, 5, 4), made(CAPITALS, 5, 5))].into(),
    ].concat(), texts(&["hvs.txt", "dp.pt.x", "ops_eyJ", "the page is A3-LANDSCAPE"]);
    ci_token "ci-token": [
        all(&["CCIPAT_", "CCIPRJ_"], ALNUM, 45), all(&["bkua_"], HEX, 40), all(&["API-"], CAPITALS, 26), all(&["sgp_"], HEX, 40), all(&["ico-"], ALNUM, 32),
        vec![format!("pat.{}.{}.{}", made(ALNUM, 22, 1), made(ALNUM, 24, 2), made(ALNUM, 20, 3))],
    ].concat(), texts(&["API-REFERENCE", "ico-arrow", "pat.example.org", "sgp_local"]);
    cloud_token "cloud-token": [
        all(&["HRKU-"], ALNUM, 60), all(&["dapi"], HEX, 32), all(&["pscale_tkn_"], ALNUM, 43), all(&["fm1a_", "fm1r_"], ALNUM, 100), all(&["4b1d"], ALNUM, 38), all(&["AKID"], ALNUM, 32), all(&["AQVN"], ALNUM, 38), all(&["tk-us-"], ALNUM, 48),
        all(&["rnd_"], ALNUM, 28), all(&["napi_"], ALNUM, 64), all(&["dnkey-"], ALNUM, 79), all(&["LTAI"], ALNUM, 20), all(&["tskey-auth-"], ALNUM, 40),
    ].concat(), [texts(&["dapi", "rnd_seed", "napi_env", "dnkey-1", "tk-us-east"]), all(&["4b1d"], HEX, 36)].concat();
    app_token "app-token": [
        all(&["ntn_"], ALNUM, 46), all(&["lin_api_"], ALNUM, 40), all(&["figd_", "figo_"], ALNUM, 40), all(&["tfp_"], ALNUM, 59), all(&["p8e-"], ALNUM, 32), all(&["sl."], ALNUM, 135), all(&["pat-na1-", "pat-eu1-"], HEX, 36), all(&["sk.eyJ"], ALNUM, 80),
        all(&["apify_api_"], ALNUM, 36), all(&["mlsn."], HEX, 64), all(&["sm_aat_", "sm_pat_", "sm_sat_"], ALNUM, 16), all(&["s-s4t2ud-"], HEX, 64),
        vec![format!("pat{}.{}", made(ALNUM, 14, 1), made(HEX, 64, 2)), format!("{}_{}_mmk", made(ALNUM, 6, 1), made(ALNUM, 29, 2))],
    ].concat(), texts(&["secret_name_of_the_thing", "lin_api_v1", "sl.is", "pattern", "some_mmk", "pat-na1-x"]);
    jwt "jwt": [web_token(), format!("{}.{}", base64_url("{\"alg\":\"none\"}"), base64_url("{\"sub\":\"1234567890\"}"))],
        texts(&["eyJ.eyJ", "eyJhbGciOiJIUzI1NiJ9"]);
}

fn base64_url(text: &str) -> String {
    base64(text).trim_end_matches('=').replace('+', "-").replace('/', "_")
}

fn web_token() -> String {
    let (header, claims) = (
        base64_url("{\"alg\":\"HS256\",\"typ\":\"JWT\"}"),
        base64_url("{\"sub\":\"1234567890\",\"iat\":1516239022}"),
    );
    format!("{header}.{claims}.{}", made(WORD, 43, 9).replace('-', "_"))
}

#[test]
fn webhooks_keep_their_host() {
    let slack = format!("T{}/B{}/{}", made(CAPITALS, 9, 1), made(CAPITALS, 9, 2), made(ALNUM, 24, 3));
    check_behind("slack-webhook", "https://hooks.slack.com/services/", &slack, "");
    let discord = format!("{}/{}", made(DIGITS, 18, 1), made(ALNUM, 68, 2));
    check_behind("discord-webhook", "https://discord.com/api/webhooks/", &discord, "?wait=true");
    check_behind("teams-webhook", "https://x.webhook.office.com/webhookb2/", &made(HEX, 40, 1), "");
    stays("https://hooks.slack.com/services/ is where they begin");
}

#[test]
fn telegram_token_starts_with_the_number_of_its_bot() {
    let token = format!("{}:AA{}", made(DIGITS, 9, 3), made(ALNUM, 33, 1));
    assert_eq!(redact(&format!("bot {token} sent")), "bot [SECRET:telegram-token] sent");
    stays("ratio 10:AA and more");
}

#[test]
fn azure_key_by_name_and_by_its_sign() {
    let key = format!("{}==", made(BASE64, 86, 1));
    let text = format!("AccountName=shop;AccountKey={key};EndpointSuffix=core.windows.net");
    assert_eq!(
        redact(&text),
        "AccountName=shop;AccountKey=[SECRET:azure-key];EndpointSuffix=core.windows.net"
    );
    let secret = format!("{}8Q~{}", made(ALNUM, 3, 1), made(ALNUM, 34, 2));
    assert_eq!(redact(&format!("use {secret} now")), "use [SECRET:azure-key] now");
    stays(&format!("\"integrity\": \"sha512-{key}\""));
}

#[test]
fn aws_secret_key_by_name_and_by_company() {
    let (id, secret) = (format!("AKIA{}", made(CAPITALS, 16, 1)), made(BASE64, 40, 2));
    for text in [
        format!("aws_secret_access_key = {secret}"),
        format!("AWS_SECRET_ACCESS_KEY={secret}"),
        format!("\"secretAccessKey\": \"{secret}\""),
    ] {
        let clean = redact(&text).into_owned();
        assert!(clean.contains("[SECRET:aws-secret-key]") && !clean.contains(&secret[..20]), "{clean}");
    }
    assert_eq!(redact(&format!("{id},{secret}\n")), "[SECRET:aws-access-key],[SECRET:aws-secret-key]\n");
    stays("the commit 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12 is on aws");
}

#[test]
fn datadog_key_on_the_line_of_its_name() {
    let key = made(HEX, 32, 4);
    assert_eq!(
        redact(&format!("datadog agent uses {key} here")),
        "datadog agent uses [SECRET:datadog-key] here"
    );
    assert_eq!(redact(&format!("DD_API_KEY={key}")), "DD_API_KEY=[SECRET:datadog-key]");
    stays(&format!("datadog was here\nmd5 {key}"));
    stays(&format!("uses: DataDog/action@{}", made(HEX, 40, 1)));
}

#[test]
fn every_kind_is_tested() {
    const ELSEWHERE: &[&str] = &[
        "private-key",
        "aws-secret-key",
        "azure-key",
        "slack-webhook",
        "discord-webhook",
        "teams-webhook",
        "telegram-token",
        "datadog-key",
        "basic-auth",
        "bearer-token",
        "authorization",
        "cookie",
        "session",
        "url-password",
        "password",
        "api-key",
        "token",
        "secret",
        "custom",
        "home",
    ];
    const TESTS: [&str; 3] = [include_str!("kinds.rs"), include_str!("keys.rs"), include_str!("names.rs")];
    for kind in KINDS {
        let listed = TESTED.contains(&kind.name) || ELSEWHERE.contains(&kind.name);
        let becomes = format!("[SECRET:{}]", kind.name);
        let checked = [format!("check_behind(\"{}\"", kind.name), format!("\", \"{}\"),", kind.name)];
        let says =
            |test: &str| test.contains(&becomes) || checked.iter().any(|checked| test.contains(checked));
        let tested = TESTS.iter().any(|test| says(test));
        assert!(listed, "no test for {}", kind.name);
        assert!(
            TESTED.contains(&kind.name) || kind.name == "home" || tested,
            "{} stands in no test",
            kind.name
        );
        assert!(!kind.covers.is_empty());
    }
    assert_eq!(TESTED.len() + ELSEWHERE.len(), KINDS.len());
}
