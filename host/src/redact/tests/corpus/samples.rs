//! Secrets of every kind, made up: those of the table of rules, those that a name announces, and those that are known
//! by what stands around them.

use super::super::super::letters::{self, DIGIT, HEX, LOWER, UPPER};
use super::super::super::rules::{RULES, Rule};
use super::super::{ALNUM, BASE64, CAPITALS, DIGITS, base64, made};

/// How many different secrets of each are made.
const EACH: u64 = 3;

/// A secret.
pub struct Sample {
    /// What it is.
    pub kind: &'static str,
    /// What must be gone.
    pub secret: String,
    /// What is written of it where nothing is said about it: the secret, and what always stands with it.
    pub text: String,
    /// The name under which alone it is known.
    pub name: Option<&'static str>,
}

impl Sample {
    fn alone(kind: &'static str, secret: String) -> Self {
        Self { kind, text: secret.clone(), secret, name: None }
    }

    fn within(kind: &'static str, before: &str, secret: String, after: &str) -> Self {
        Self { kind, text: format!("{before}{secret}{after}"), secret, name: None }
    }

    fn named(kind: &'static str, name: &'static str, secret: String) -> Self {
        Self { kind, text: secret.clone(), secret, name: Some(name) }
    }
}

/// All of them.
pub fn all() -> Vec<Sample> {
    (1..=EACH)
        .flat_map(|seed| {
            let ruled = RULES.iter().map(move |rule| of_rule(rule, seed));
            ruled.chain(by_sight(seed)).chain(by_surroundings(seed)).chain(by_name(seed))
        })
        .collect()
}

/// A secret as the rule describes it, of its letters and digits only.
fn of_rule(rule: &Rule, seed: u64) -> Sample {
    let body = made(alphabet(rule.body), rule.least.max(24).min(rule.most), seed);
    let lead = rule.lead.map(|(class, least)| made(alphabet(class), least + usize::from(least > 3), seed));
    let lead = lead.unwrap_or_default();
    match rule.keep {
        true => Sample::within(rule.kind.name(), &format!("https://{}", rule.prefix), body, ""),
        false => Sample::alone(rule.kind.name(), format!("{lead}{}{body}", rule.prefix)),
    }
}

fn alphabet(class: u8) -> &'static str {
    let has = |one: u8| class & one == one;
    match () {
        () if has(LOWER | UPPER) => ALNUM,
        () if has(LOWER) => "abcdefghijklmnopqrstuvwxyz0123456789",
        () if has(UPPER) => CAPITALS,
        () if has(HEX) => "0123456789abcdef",
        () if has(DIGIT) => DIGITS,
        () => ALNUM,
    }
}

fn by_sight(seed: u64) -> Vec<Sample> {
    let hex = |length| made("0123456789abcdef", length, seed);
    let url = |text: &str| base64(text).trim_end_matches('=').replace('+', "-").replace('/', "_");
    let claims = format!("{{\"sub\":\"{}\",\"iat\":1516239022}}", made(DIGITS, 10, seed));
    let header = url("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
    let jwt = format!("{header}.{}.{}", url(&claims), made(ALNUM, 43, seed));
    vec![
        Sample::alone("aws-access-key", format!("AKIA{}", made(CAPITALS, 16, seed))),
        Sample::alone("twilio-key", format!("SK{}", hex(32))),
        Sample::alone("jwt", jwt),
        Sample::within("datadog-key", "datadog ", hex(32), ""),
    ]
}

fn by_surroundings(seed: u64) -> Vec<Sample> {
    let word = made(ALNUM, 14, seed) + "7x";
    let body: Vec<String> = (0..12).map(|line| made(BASE64, 64, seed * 100 + line)).collect();
    let body = body.join("\n");
    let bar = |end: &str| format!("-----{end} {} KEY-----", ["RSA", "PRIVATE"].join(" "));
    let token = made(ALNUM, 32, seed);
    vec![
        Sample::within("private-key", &(bar("BEGIN") + "\n"), body, &format!("\n{}", bar("END"))),
        Sample::within("basic-auth", "Authorization: Basic ", base64(&format!("ada:{word}")), ""),
        Sample::within("bearer-token", "Authorization: Bearer ", token.clone(), ""),
        Sample::within("authorization", "Authorization: token ", token.clone(), ""),
        Sample::within("cookie", "Cookie: sid=", token, "; theme=dark"),
        Sample::within("url-password", "postgres://app:", word.clone(), "@db.example.org:5432/shop"),
        Sample::within("url-password", "https://ada:", word, "@git.example.org/shop.git"),
    ]
}

fn by_name(seed: u64) -> Vec<Sample> {
    let alnum = |length| made(ALNUM, length, seed);
    let hex = |length| made("0123456789abcdef", length, seed);
    let chosen =
        format!("{}{}!{}", made(&ALNUM[..52], 6, seed), made(DIGITS, 2, seed), made(&ALNUM[26..52], 3, seed));
    let mut samples: Vec<Sample> =
        ["DB_PASSWORD", "password", "PGPASSWORD", "smtp_passwd", "KEYSTORE_PASSPHRASE"]
            .into_iter()
            .flat_map(|name| [chosen.clone(), alnum(16)].map(|value| Sample::named("password", name, value)))
            .collect();
    for (kind, name, value) in [
        ("api-key", "API_KEY", alnum(32)),
        ("api-key", "apiKey", hex(40)),
        ("api-key", "ALGOLIA_ADMIN_API_KEY", hex(32)),
        ("api-key", "access_key", alnum(24)),
        ("token", "ACCESS_TOKEN", alnum(40)),
        ("token", "authToken", hex(64)),
        ("token", "refresh_token", alnum(64)),
        ("token", "TWITCH_TOKEN", made(&ALNUM[26..], 30, seed)),
        ("secret", "CLIENT_SECRET", alnum(32)),
        ("secret", "clientSecret", hex(64)),
        ("secret", "JWT_SECRET", made(BASE64, 44, seed)),
        ("aws-secret-key", "AWS_SECRET_ACCESS_KEY", made(BASE64, 40, seed)),
        ("aws-secret-key", "aws_secret_access_key", made(BASE64, 40, seed)),
        ("azure-key", "AccountKey", format!("{}==", made(BASE64, 86, seed))),
        ("datadog-key", "DD_API_KEY", hex(32)),
        ("session", "PHPSESSID", alnum(26)),
        ("session", "sessionid", made(&ALNUM[26..], 32, seed)),
    ] {
        samples.push(Sample::named(kind, name, value));
    }
    samples
}

/// The rules and the samples agree on what a class is.
#[test]
fn bodies_are_of_the_class_of_their_rule() {
    for rule in RULES {
        assert!(alphabet(rule.body).bytes().all(|byte| rule.body == 0 || letters::is(byte, rule.body)));
    }
}
