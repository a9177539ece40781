//! Scans a text once for the anchors of all detectors, and calls the detector of each anchor found.
//!
//! All anchors are searched for at once, by their first three letters, in a table that is built at compile
//! time. So the first redaction of a process compiles and allocates nothing, and a text without anchors costs
//! about one nanosecond per byte. An Aho-Corasick automaton over the same anchors takes twice as long per
//! byte.

use super::rule_tables::{ANCHORS, Anchor, Detector, HOME, RULES};
use super::spans::Span;
use super::{
    ascii, assignments, bare_credentials, base64, command_lines, continuations, home_folders, http_headers,
    labelled_codes, labelled_values, next_lines, positional_passwords, private_keys, prose_passwords,
    provider_tokens, secret_manifests, signing_calls, url_passwords,
};

/// Number of slots: five bits of each of three bytes. The bits are equal for a letter in either case.
const SLOTS: usize = 1 << 15;

/// For each slot, the number of its first anchor, counted from one; zero means none.
static FIRST: [u16; SLOTS] = CHAINS.0;
/// For each anchor, the number of the next anchor in its slot, counted from one; zero means none.
static NEXT: [u16; ANCHORS.len()] = CHAINS.1;
const CHAINS: ([u16; SLOTS], [u16; ANCHORS.len()]) = chains();
/// One bit for each slot that has an anchor. It stays in the fastest cache, which [`FIRST`] would fill.
static OCCUPIED: [u64; SLOTS / 64] = occupied();

/// Returns the slot of the last three bytes, given the slot before the last of them.
const fn slot(before: usize, byte: u8) -> usize {
    ((before << 5) | (byte & 31) as usize) & (SLOTS - 1)
}

const fn chains() -> ([u16; SLOTS], [u16; ANCHORS.len()]) {
    let (mut first, mut next) = ([0; SLOTS], [0; ANCHORS.len()]);
    let mut anchor = 0;
    while anchor < ANCHORS.len() {
        let text = ANCHORS[anchor].text.as_bytes();
        let slot = slot(slot(slot(0, text[0]), text[1]), text[2]);
        next[anchor] = first[slot];
        first[slot] = anchor as u16 + 1;
        anchor += 1;
    }
    (first, next)
}

const fn occupied() -> [u64; SLOTS / 64] {
    let mut bits = [0; SLOTS / 64];
    let mut slot = 0;
    while slot < SLOTS {
        if CHAINS.0[slot] > 0 {
            bits[slot / 64] |= 1 << (slot % 64);
        }
        slot += 1;
    }
    bits
}

/// For each anchor, five bits of its fourth byte, or [`ANY`]. Most hits of the first three letters fail it.
static FOURTH: [u8; ANCHORS.len()] = fourth();
/// The anchor has three bytes only.
const ANY: u8 = u8::MAX;

const fn fourth() -> [u8; ANCHORS.len()] {
    let mut bits = [ANY; ANCHORS.len()];
    let mut anchor = 0;
    while anchor < ANCHORS.len() {
        let text = ANCHORS[anchor].text.as_bytes();
        if text.len() > 3 {
            bits[anchor] = text[3] & 31;
        }
        anchor += 1;
    }
    bits
}

/// Returns all findings in the text, which was decoded from base64 `depth` times. Spans may overlap.
pub fn find_all(bytes: &[u8], depth: usize) -> Vec<Span> {
    let mut found = Vec::new();
    // A detector is not called for bytes that it has examined, which keeps the time linear for hostile texts.
    let mut seen_until = [0; ANCHORS.len()];
    let mut current = 0;
    for (last, &byte) in bytes.iter().enumerate() {
        current = slot(current, byte);
        if OCCUPIED[current / 64] >> (current % 64) & 1 == 0 {
            continue;
        }
        let Some(at) = last.checked_sub(2) else { continue };
        let after = bytes.get(last + 1).map_or(0, |byte| byte & 31);
        let mut next = FIRST[current];
        while next > 0 {
            let number = usize::from(next) - 1;
            next = NEXT[number];
            if FOURTH[number] != after && FOURTH[number] != ANY {
                continue;
            }
            let anchor = &ANCHORS[number];
            if ascii::has_word_at(bytes, at, anchor.text.as_bytes()) && at >= seen_until[number] {
                seen_until[number] = detect(bytes, at, anchor, &mut found);
            }
        }
    }
    bare_credentials::find(bytes, &mut found);
    base64::find(bytes, depth, &most_specific_kind, &mut found);
    continuations::extend(bytes, &mut found);
    found
}

/// Returns the most specific kind of secret in a text. A home folder alone does not count.
fn most_specific_kind(bytes: &[u8], depth: usize) -> Option<super::rule_tables::Kind> {
    find_all(bytes, depth).iter().map(|span| span.kind).filter(|&kind| kind != HOME).min()
}

/// Calls the detector of an anchor, and returns the end of the bytes that the detector has examined.
fn detect(bytes: &[u8], at: usize, anchor: &Anchor, found: &mut Vec<Span>) -> usize {
    let text = anchor.text;
    match anchor.detector {
        Detector::ProviderToken(rule) => provider_tokens::by_rule(bytes, at, &RULES[rule], found),
        Detector::JsonWebToken => provider_tokens::json_web_token(bytes, at, found),
        Detector::AwsKeyPair => provider_tokens::aws_key_pair(bytes, at, found),
        Detector::DatadogKey => provider_tokens::datadog_key(bytes, at, found),
        Detector::Assignment => assignments::find(bytes, at, found),
        Detector::SqlIdentifiedBy => assignments::sql_identified_by(bytes, at, found),
        Detector::BearerToken => http_headers::bearer(bytes, at, found),
        Detector::BasicAuth => http_headers::basic(bytes, at, found),
        Detector::AuthorizationHeader => http_headers::authorization(bytes, at, found),
        Detector::CookieHeader => http_headers::cookie(bytes, at, found),
        Detector::UrlPassword => url_passwords::find(bytes, at, found),
        Detector::PrivateKeyBegin => private_keys::begin(bytes, at, text.len(), found),
        Detector::PrivateKeyEnd => private_keys::end(bytes, at, text.len(), found),
        Detector::PrivateKeyBody => private_keys::body(bytes, at, found),
        Detector::RsaKeyBody => private_keys::rsa_body(bytes, at, found),
        Detector::JsonWebKey => private_keys::json_web_key(bytes, at, found),
        Detector::PuttyKey => private_keys::putty(bytes, at, text.len(), found),
        Detector::HomeFolder => home_folders::user_home(bytes, at, text, found),
        Detector::RootHome => home_folders::root_home(bytes, at, text, found),
        Detector::ClaudeProjectFolder => home_folders::claude_project(bytes, at, text, found),
        Detector::CommandPassword => command_lines::find(bytes, at, text, found),
        Detector::PipedPassword => positional_passwords::piped(bytes, at, text, found),
        Detector::PrintedSecret => next_lines::after_command(bytes, at, text.len(), found),
        Detector::SecretManifest => secret_manifests::find(bytes, at, text.len(), found),
        Detector::SecretJson => secret_manifests::find_json(bytes, at, text.len(), found),
        Detector::SecretLiteral => secret_manifests::literal(bytes, at, text.len(), found),
        Detector::AccessRule => positional_passwords::access_rule(bytes, at, text.len(), found),
        Detector::LinkToken => url_passwords::link_token(bytes, at, text.len(), found),
        Detector::WifiCode => positional_passwords::wifi_code(bytes, at, text.len(), found),
        Detector::SeedPhrase => prose_passwords::seed_phrase(bytes, at, text.len(), found),
        Detector::OraclePassword => positional_passwords::oracle(bytes, at, text.len(), found),
        Detector::CredentialPairCall => positional_passwords::pair_call(bytes, at, text.len(), found),
        Detector::SigningCall => signing_calls::find(bytes, at, text.len(), found),
        Detector::CodeList => labelled_codes::list(bytes, at, text.len(), found),
        Detector::PgpassLine => positional_passwords::pgpass(bytes, at, text.len(), found),
        Detector::ProsePassword => prose_passwords::password(bytes, at, text, found),
        Detector::PasswordLabel => labelled_values::password(bytes, at, text, found),
        Detector::AccountLabel => labelled_values::account(bytes, at, text, found),
        Detector::CredentialPair => labelled_values::pair(bytes, at, text.len(), found),
        Detector::CodeLabel => labelled_codes::digits(bytes, at, text, found),
        Detector::KeyLabel => labelled_codes::grouped_key(bytes, at, text, found),
        Detector::ProseCredentials => prose_passwords::credentials(bytes, at, text, found),
    }
}
