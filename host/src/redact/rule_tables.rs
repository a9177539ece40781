//! The tables of `rules.toml`, compiled into the binary by `build/redaction_rules.rs`: kinds, token formats,
//! anchors and commands. Only their types and lookups stand here; a new row needs no change of this file.

use super::ascii;

/// The name of a kind in the text that stays, and what the kind covers.
#[derive(Debug, Clone, Copy)]
pub struct KindInfo {
    /// The name in `[SECRET:name]`.
    pub name: &'static str,
    /// What it covers, for people.
    pub covers: &'static str,
}

/// One of [`KINDS`], by its place in the table: the smaller, the more specific. Where two detectors find
/// something at one place, the more specific kind is named, so a GitHub token in `TOKEN=…` is called one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(u8);

/// A home folder: not a secret, and therefore with a marker of its own.
pub const HOME: Kind = Kind::of("home");

impl Kind {
    /// Gives way to every other kind.
    pub const LEAST_SPECIFIC: Self = Self(KINDS.len() as u8 - 1);

    /// The kind of this name. In a constant, a name that is not in the table does not compile.
    pub const fn of(name: &str) -> Self {
        match Self::from_name(name) {
            Some(kind) => kind,
            None => panic!("no kind of that name is in rules.toml"),
        }
    }

    /// The kind of this name, if there is one.
    pub const fn from_name(name: &str) -> Option<Self> {
        let mut index = 0;
        while index < KINDS.len() {
            if is_equal(KINDS[index].name.as_bytes(), name.as_bytes()) {
                return Some(Self(index as u8));
            }
            index += 1;
        }
        None
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        KINDS[self.0 as usize].name
    }

    /// The text that replaces a secret of this kind.
    pub fn marker(self) -> String {
        if self == HOME { "~".to_owned() } else { format!("[SECRET:{}]", self.name()) }
    }
}

const fn is_equal(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// A token format that is recognized by its prefix.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// What it is.
    pub kind: Kind,
    /// How it begins, in this case.
    pub prefix: &'static str,
    /// The number of the class of the characters that follow.
    pub class: u8,
    /// Minimum number of characters after the prefix.
    pub min: usize,
    /// Maximum number of characters after the prefix: where the prefix says little, a longer run is
    /// something else.
    pub max: usize,
    /// The prefix counts only where a word begins.
    pub word_start: bool,
    /// Class and minimum number of the characters in front of the prefix.
    pub lead: Option<(u8, usize)>,
    /// The prefix is an address and stays; only what follows is secret.
    pub secret_is_body: bool,
    /// A body of zeros is not taken for a placeholder.
    pub zeros: bool,
}

impl Rule {
    /// Returns the end of the characters that follow the prefix from `from` on.
    pub fn body_end(&self, bytes: &[u8], from: usize) -> usize {
        ascii::run_end_where(bytes, from, |byte| is_in_class(byte, self.class))
    }
}

/// Returns whether the byte is in the class of this number.
pub fn is_in_class(byte: u8, class: u8) -> bool {
    CLASS_BITS[byte as usize] >> class & 1 == 1
}

/// A few letters that are part of everything a detector finds.
#[derive(Debug, Clone, Copy)]
pub struct Anchor {
    /// The letters, in any case.
    pub text: &'static str,
    /// Who looks at a place where they stand.
    pub detector: Detector,
}

/// The detectors; [`super::prefilter`] knows their functions.
#[derive(Debug, Clone, Copy)]
pub enum Detector {
    /// A row of [`RULES`].
    ProviderToken(usize),
    /// A JSON web token.
    JsonWebToken,
    /// An AWS access key id, and the secret key beside it.
    AwsKeyPair,
    /// A Datadog key near its name.
    DatadogKey,
    /// A name with a value.
    Assignment,
    /// `IDENTIFIED BY '…'` of SQL.
    SqlIdentifiedBy,
    /// What follows `Bearer`.
    BearerToken,
    /// What follows `Basic`.
    BasicAuth,
    /// An authorization header.
    AuthorizationHeader,
    /// A Cookie or Set-Cookie header.
    CookieHeader,
    /// A password in an address.
    UrlPassword,
    /// The first line of a private key.
    PrivateKeyBegin,
    /// The last line of a private key.
    PrivateKeyEnd,
    /// The body of a private key from its first letters on.
    PrivateKeyBody,
    /// The body of an RSA key from its seventh letter on.
    RsaKeyBody,
    /// The private lines of a PuTTY key.
    PuttyKey,
    /// A folder of homes.
    HomeFolder,
    /// The home of root.
    RootHome,
    /// Claude Code's folder for a project.
    ClaudeProjectFolder,
    /// A command that takes a password with a short flag.
    CommandPassword,
    /// A program that reads a password from a pipe.
    PipedPassword,
    /// `user/password@database` of Oracle.
    OraclePassword,
    /// `auth=("user", "password")`.
    CredentialPairCall,
    /// A line of `.pgpass`.
    PgpassLine,
    /// The word *password* in a sentence, in several languages.
    ProsePassword,
    /// A word that a user and a password may follow in a sentence.
    ProseCredentials,
}

/// A program that takes a password with a flag whose name does not say so.
#[derive(Debug, Clone, Copy)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Its flags, and how the password stands with each.
    pub flags: &'static [(&'static str, FlagValue)],
}

/// How a password stands with a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagValue {
    /// `-pPASSWORD`
    Attached,
    /// `-p PASSWORD`
    Separate,
    /// `-u USER:PASSWORD`
    AfterColon,
    /// `-U USER%PASSWORD`
    AfterPercent,
    /// `-b NAME=VALUE`
    AfterEquals,
}

include!(concat!(env!("OUT_DIR"), "/redaction_rules.rs"));
