//! The one pass that every text takes: at which places could anything be found at all?
//!
//! A lure is a few letters that stand in everything a finder finds: the prefix of a token, `pass`, `://`. All lures
//! are looked for at once, by their first three letters, in a table made at compile time: nothing is compiled or
//! allocated when a process first redacts, and a text without lures costs one to three nanoseconds a byte.

use super::letters::{self};
use super::rules::RULES;
use super::spans::Span;
use super::{addresses, assignments, commands, encoded, headers, keys, paths, places, prose, tokens};

/// Who looks at a place where a lure stands.
#[derive(Debug, Clone, Copy)]
enum Finder {
    Rule(usize),
    Jwt,
    Aws,
    Twilio,
    Datadog,
    Name,
    Identified,
    Bearer,
    Basic,
    Authorization,
    Cookie,
    Address,
    KeyBegin,
    KeyEnd,
    KeyBody(usize),
    Putty,
    Home,
    Root,
    Project,
    Program,
    Piped,
    Slashed,
    PairCall,
    Pgpass,
    Told,
    UserPair,
}

#[derive(Clone, Copy)]
struct Lure {
    text: &'static str,
    finder: Finder,
}

/// Every lure but the prefixes of the rules, in whatever case it stands in the text.
const OTHERS: &[(&[&str], Finder)] = &[
    (&["eyJ"], Finder::Jwt),
    (&["AKIA", "ASIA", "ABIA", "ACCA", "A3T"], Finder::Aws),
    (
        &[
            "SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb", "SKc", "SKd",
            "SKe", "SKf",
        ],
        Finder::Twilio,
    ),
    (&["datadog"], Finder::Datadog),
    (
        &[
            "pass",
            "pwd",
            "secret",
            "token",
            "key",
            "cred",
            "auth",
            "jwt",
            "sess",
            "_pw",
            "_pat",
            "sig=",
            "signature",
        ],
        Finder::Name,
    ),
    (&["identified by"], Finder::Identified),
    (&["bearer"], Finder::Bearer),
    (&["basic"], Finder::Basic),
    (&["authorization"], Finder::Authorization),
    (&["cookie"], Finder::Cookie),
    (&["://"], Finder::Address),
    (&["-BEGIN ", "- BEGIN "], Finder::KeyBegin),
    (&["-END ", "- END "], Finder::KeyEnd),
    (&["IBAAK", "IBADANBgkqhkiG9w0BAQEF"], Finder::KeyBody(6)),
    (&["MHcCAQEE", "MIGHAgEAMBMGByqGSM49", "MC4CAQAwBQYDK2V", "b3BlbnNzaC1rZXktdjE"], Finder::KeyBody(0)),
    (&["Private-Lines:"], Finder::Putty),
    (&["/home/", "/users/", "\\users\\"], Finder::Home),
    (&["/root"], Finder::Root),
    (&["projects/-home-", "projects/-users-"], Finder::Project),
    (&commands::names(), Finder::Program),
    (&["password-stdin", "sudo -S", "chpasswd"], Finder::Piped),
    (&["sqlplus ", "oracle:thin:"], Finder::Slashed),
    (&["auth=(", "BasicAuth("], Finder::PairCall),
    (&[":5432:"], Finder::Pgpass),
    (prose::WORDS, Finder::Told),
    (prose::PAIRS, Finder::UserPair),
];

const COUNT: usize = count();

const fn count() -> usize {
    let (mut count, mut group) = (RULES.len(), 0);
    while group < OTHERS.len() {
        count += OTHERS[group].0.len();
        group += 1;
    }
    count
}

static LURES: [Lure; COUNT] = lures();

const fn lures() -> [Lure; COUNT] {
    let mut all = [Lure { text: "", finder: Finder::Name }; COUNT];
    let mut next = 0;
    while next < RULES.len() {
        all[next] = Lure { text: RULES[next].prefix, finder: Finder::Rule(next) };
        next += 1;
    }
    let mut group = 0;
    while group < OTHERS.len() {
        let (texts, finder) = OTHERS[group];
        let mut text = 0;
        while text < texts.len() {
            all[next] = Lure { text: texts[text], finder };
            (next, text) = (next + 1, text + 1);
        }
        group += 1;
    }
    all
}

/// Five bits of each of three bytes, which are the same for a letter in either case.
const SLOTS: usize = 1 << 15;

const fn slot(before: usize, byte: u8) -> usize {
    ((before << 5) | (byte & 31) as usize) & (SLOTS - 1)
}

/// For every slot the first lure in it, and for every lure the next in its slot; counted from one, zero is none.
static FIRST: [u16; SLOTS] = CHAINS.0;
static NEXT: [u16; COUNT] = CHAINS.1;
const CHAINS: ([u16; SLOTS], [u16; COUNT]) = chains();

const fn chains() -> ([u16; SLOTS], [u16; COUNT]) {
    let (mut first, mut next) = ([0; SLOTS], [0; COUNT]);
    let all = lures();
    let mut lure = 0;
    while lure < COUNT {
        let text = all[lure].text.as_bytes();
        let slot = slot(slot(slot(0, text[0]), text[1]), text[2]);
        next[lure] = first[slot];
        first[slot] = lure as u16 + 1;
        lure += 1;
    }
    (first, next)
}

/// Everything there is to find, at `depth` wrappings inside of the text; the spans may overlap.
pub fn sweep(bytes: &[u8], depth: usize) -> Vec<Span> {
    let mut found = Vec::new();
    // What a finder has seen it is not asked about again: that keeps hostile text linear.
    let mut seen = [0; COUNT];
    let mut here = 0;
    for (last, &byte) in bytes.iter().enumerate() {
        here = slot(here, byte);
        let mut lure = FIRST[here];
        while lure > 0 {
            let number = usize::from(lure) - 1;
            let at = last.wrapping_sub(2);
            if letters::has(bytes, at, LURES[number].text.as_bytes()) && at >= seen[number] {
                seen[number] = look(bytes, at, LURES[number], &mut found);
            }
            lure = NEXT[number];
        }
    }
    encoded::find(bytes, depth, &mut found);
    found
}

/// Asks the finder of a lure, which answers up to where it has looked.
fn look(bytes: &[u8], at: usize, lure: Lure, found: &mut Vec<Span>) -> usize {
    match lure.finder {
        Finder::Rule(rule) => tokens::of_rule(bytes, at, &RULES[rule], found),
        Finder::Jwt => tokens::jwt(bytes, at, found),
        Finder::Aws => tokens::aws(bytes, at, found),
        Finder::Twilio => tokens::twilio(bytes, at, found),
        Finder::Datadog => tokens::datadog(bytes, at, found),
        Finder::Name => assignments::find(bytes, at, found),
        Finder::Identified => assignments::identified(bytes, at, found),
        Finder::Bearer => headers::bearer(bytes, at, found),
        Finder::Basic => headers::basic(bytes, at, found),
        Finder::Authorization => headers::authorization(bytes, at, found),
        Finder::Cookie => headers::cookie(bytes, at, found),
        Finder::Address => addresses::find(bytes, at, found),
        Finder::KeyBegin => keys::begin(bytes, at, lure.text.len(), found),
        Finder::KeyEnd => keys::end(bytes, at, lure.text.len(), found),
        Finder::KeyBody(head) => keys::body(bytes, at, head, found),
        Finder::Putty => keys::putty(bytes, at, found),
        Finder::Home => paths::home(bytes, at, lure.text, found),
        Finder::Root => paths::root(bytes, at, found),
        Finder::Project => paths::project(bytes, at, lure.text, found),
        Finder::Program => commands::find(bytes, at, lure.text, found),
        Finder::Piped => places::piped(bytes, at, lure.text, found),
        Finder::Slashed => places::slashed(bytes, at, lure.text.len(), found),
        Finder::PairCall => places::pair(bytes, at, lure.text.len(), found),
        Finder::Pgpass => places::pgpass(bytes, at, found),
        Finder::Told => prose::told(bytes, at, lure.text, found),
        Finder::UserPair => prose::pair(bytes, at, lure.text, found),
    }
}
