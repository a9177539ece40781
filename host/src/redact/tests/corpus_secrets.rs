//! Secrets for the corpus: those of `samples.toml` that need no context, and those that a name or a context
//! reveals.

use super::samples;
use super::{ALNUM, BASE32, BASE64, DIGITS, HEX, base64, random_text};

/// Number of different secrets of each form.
const VARIANTS: u64 = 3;

/// A secret and its written form.
pub struct CorpusSecret {
    /// The kind of the secret.
    pub kind: String,
    /// The text that redaction must remove.
    pub secret: String,
    /// The secret with the text that always surrounds it.
    pub text: String,
    /// The name that it needs to be recognized.
    pub name: Option<&'static str>,
}

impl CorpusSecret {
    fn alone(kind: &str, secret: String) -> Self {
        Self { kind: kind.to_owned(), text: secret.clone(), secret, name: None }
    }

    fn within(kind: &str, before: &str, secret: String, after: &str) -> Self {
        Self { kind: kind.to_owned(), text: format!("{before}{secret}{after}"), secret, name: None }
    }

    fn named(kind: &str, name: &'static str, secret: String) -> Self {
        Self { kind: kind.to_owned(), text: secret.clone(), secret, name: Some(name) }
    }
}

/// Returns all secrets of the corpus.
pub fn all() -> Vec<CorpusSecret> {
    (1..=VARIANTS)
        .flat_map(|variant| {
            let tokens = samples::tokens(variant).into_iter();
            let tokens = tokens.map(|(kind, token)| CorpusSecret::alone(&kind, token));
            tokens
                .chain(webhooks(variant))
                .chain(by_form(variant))
                .chain(by_context(variant))
                .chain(by_name(variant))
        })
        .collect()
}

/// Returns URLs whose part after the host is secret.
fn webhooks(seed: u64) -> Vec<CorpusSecret> {
    let capitals = |length| random_text(BASE32, length, seed);
    let slack = format!("T{}/B{}/{}", capitals(9), capitals(8), random_text(ALNUM, 24, seed));
    let discord = format!("{}/{}", random_text(DIGITS, 18, seed), random_text(ALNUM, 68, seed));
    vec![
        CorpusSecret::within("slack-webhook", "https://hooks.slack.com/services/", slack, ""),
        CorpusSecret::within("discord-webhook", "https://discord.com/api/webhooks/", discord, ""),
        CorpusSecret::within(
            "teams-webhook",
            "https://x.webhook.office.com/webhookb2/",
            random_text(HEX, 40, seed),
            "",
        ),
    ]
}

fn by_form(seed: u64) -> Vec<CorpusSecret> {
    let hex = random_text(HEX, 32, seed);
    let url = |text: &str| base64(text).trim_end_matches('=').replace('+', "-").replace('/', "_");
    let claims = format!("{{\"sub\":\"{}\",\"iat\":1516239022}}", random_text(DIGITS, 10, seed));
    let header = url("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
    let jwt = format!("{header}.{}.{}", url(&claims), random_text(ALNUM, 43, seed));
    vec![CorpusSecret::alone("jwt", jwt), CorpusSecret::within("datadog-key", "datadog ", hex, "")]
}

fn by_context(seed: u64) -> Vec<CorpusSecret> {
    let word = random_text(ALNUM, 14, seed) + "7x";
    let body: Vec<String> = (0..12).map(|line| random_text(BASE64, 64, seed * 100 + line)).collect();
    let body = body.join("\n");
    let bar = |end: &str| format!("-----{end} {} KEY-----", ["RSA", "PRIVATE"].join(" "));
    let token = random_text(ALNUM, 32, seed);
    vec![
        CorpusSecret::within("private-key", &(bar("BEGIN") + "\n"), body, &format!("\n{}", bar("END"))),
        CorpusSecret::within("basic-auth", "Authorization: Basic ", base64(&format!("ada:{word}")), ""),
        CorpusSecret::within("bearer-token", "Authorization: Bearer ", token.clone(), ""),
        CorpusSecret::within("authorization", "Authorization: token ", token.clone(), ""),
        CorpusSecret::within("cookie", "Cookie: sid=", token, "; theme=dark"),
        CorpusSecret::within("url-password", "postgres://app:", word.clone(), "@db.example.org:5432/shop"),
        CorpusSecret::within("url-password", "https://ada:", word, "@git.example.org/shop.git"),
    ]
}

fn by_name(seed: u64) -> Vec<CorpusSecret> {
    let alnum = |length| random_text(ALNUM, length, seed);
    let hex = |length| random_text(HEX, length, seed);
    let chosen = format!(
        "{}{}!{}",
        random_text(&ALNUM[..52], 6, seed),
        random_text(DIGITS, 2, seed),
        random_text(&ALNUM[26..52], 3, seed)
    );
    let mut samples: Vec<CorpusSecret> =
        ["DB_PASSWORD", "password", "PGPASSWORD", "smtp_passwd", "KEYSTORE_PASSPHRASE"]
            .into_iter()
            .flat_map(|name| {
                [chosen.clone(), alnum(16)].map(|value| CorpusSecret::named("password", name, value))
            })
            .collect();
    for (kind, name, value) in [
        ("api-key", "API_KEY", alnum(32)),
        ("api-key", "apiKey", hex(40)),
        ("api-key", "ALGOLIA_ADMIN_API_KEY", hex(32)),
        ("api-key", "access_key", alnum(24)),
        ("token", "ACCESS_TOKEN", alnum(40)),
        ("token", "authToken", hex(64)),
        ("token", "refresh_token", alnum(64)),
        ("token", "TWITCH_TOKEN", random_text(&ALNUM[26..], 30, seed)),
        ("secret", "CLIENT_SECRET", alnum(32)),
        ("secret", "clientSecret", hex(64)),
        ("secret", "JWT_SECRET", random_text(BASE64, 44, seed)),
        ("aws-secret-key", "AWS_SECRET_ACCESS_KEY", random_text(BASE64, 40, seed)),
        ("aws-secret-key", "aws_secret_access_key", random_text(BASE64, 40, seed)),
        ("azure-key", "AccountKey", format!("{}==", random_text(BASE64, 86, seed))),
        ("datadog-key", "DD_API_KEY", hex(32)),
        ("session", "PHPSESSID", alnum(26)),
        ("session", "sessionid", random_text(&ALNUM[26..], 32, seed)),
    ] {
        samples.push(CorpusSecret::named(kind, name, value));
    }
    samples
}
