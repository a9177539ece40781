//! The tables of `rules.toml`, compiled into the binary by `build/redaction_rules.rs`: kinds, token formats,
//! anchors and commands. This file contains only their types and lookups; a new row needs no change here.

use super::ascii;

/// The name and the description of a kind.
#[derive(Debug, Clone, Copy)]
pub struct KindInfo {
    /// The name in `[SECRET:name]`.
    pub name: &'static str,
    /// The secrets that the kind covers, for the documentation.
    pub covers: &'static str,
}

/// One of [`KINDS`], by its index in the table: the smaller, the more specific. If two detectors find
/// overlapping secrets, the more specific kind is used, so a GitHub token in `TOKEN=…` is named as such.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(u8);

/// A home folder, which is not a secret and therefore has its own marker.
pub const HOME: Kind = Kind::of("home");

impl Kind {
    /// The kind to which every other kind is preferred.
    pub const LEAST_SPECIFIC: Self = Self(KINDS.len() as u8 - 1);

    /// Returns the kind of this name. In a constant, a name that is not in the table does not compile.
    pub const fn of(name: &str) -> Self {
        match Self::from_name(name) {
            Some(kind) => kind,
            None => panic!("no kind of that name is in rules.toml"),
        }
    }

    /// Returns the kind of this name, if there is one.
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

    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        KINDS[self.0 as usize].name
    }

    /// Returns the text that replaces a secret of this kind.
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
    /// The kind of the token.
    pub kind: Kind,
    /// The prefix, case-sensitive.
    pub prefix: &'static str,
    /// The index of the class of the characters after the prefix.
    pub class: u8,
    /// Minimum number of characters after the prefix.
    pub min: usize,
    /// Maximum number of characters after the prefix: after a common prefix, a longer run is something else.
    pub max: usize,
    /// Number of characters after the prefix of the example, which is the full format as issued.
    pub issued: usize,
    /// Whether the prefix must begin a word.
    pub word_start: bool,
    /// Class and minimum number of the characters before the prefix.
    pub lead: Option<(u8, usize)>,
    /// Whether the prefix is a URL that stays; only the rest is secret.
    pub secret_is_body: bool,
    /// Whether a body of zeros is a secret; otherwise it is a placeholder.
    pub zeros: bool,
}

impl Rule {
    /// Returns the end of the token's characters that begin at `from`.
    pub fn body_end(&self, bytes: &[u8], from: usize) -> usize {
        ascii::run_end_where(bytes, from, |byte| self.has_in_body(byte))
    }

    /// Returns whether the byte can follow the prefix.
    pub fn has_in_body(&self, byte: u8) -> bool {
        is_in_class(byte, self.class)
    }
}

/// Returns whether the byte is in the class with this index.
pub fn is_in_class(byte: u8, class: u8) -> bool {
    CLASS_BITS[byte as usize] >> class & 1 == 1
}

/// A few letters that occur in everything a detector finds.
#[derive(Debug, Clone, Copy)]
pub struct Anchor {
    /// The letters, in any case.
    pub text: &'static str,
    /// The detector that examines the text around the letters.
    pub detector: Detector,
}

/// The detectors; [`super::prefilter`] calls their functions.
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
    /// The token after `Bearer`.
    BearerToken,
    /// The credentials after `Basic`.
    BasicAuth,
    /// An authorization header.
    AuthorizationHeader,
    /// A Cookie or Set-Cookie header.
    CookieHeader,
    /// A password in a URL.
    UrlPassword,
    /// The first line of a private key.
    PrivateKeyBegin,
    /// The last line of a private key.
    PrivateKeyEnd,
    /// The body of a private key from its first letters on.
    PrivateKeyBody,
    /// The body of an RSA key from its seventh letter on.
    RsaKeyBody,
    /// A JSON web key.
    JsonWebKey,
    /// The private lines of a PuTTY key.
    PuttyKey,
    /// A folder that contains home folders.
    HomeFolder,
    /// The home of root.
    RootHome,
    /// Claude Code's folder for a project.
    ClaudeProjectFolder,
    /// A command that takes a password with a short flag.
    CommandPassword,
    /// A program that reads a password from a pipe.
    PipedPassword,
    /// A command that prints a secret on the next line.
    PrintedSecret,
    /// A secret of Kubernetes in JSON.
    SecretJson,
    /// A literal of a secret of Kubernetes on a command line.
    SecretLiteral,
    /// The password of a user in a list of access rules of Redis.
    AccessRule,
    /// A secret of Kubernetes.
    SecretManifest,
    /// An address that lets in whoever has it: to reset a password, to accept an invitation.
    LinkToken,
    /// The text of a QR code for a wireless network.
    WifiCode,
    /// A label of the words from which a wallet is restored.
    SeedPhrase,
    /// `user/password@database` of Oracle.
    OraclePassword,
    /// `auth=("user", "password")`.
    CredentialPairCall,
    /// A function that signs or verifies with a key.
    SigningCall,
    /// A list of codes, each of which lets in once.
    CodeList,
    /// A line of `.pgpass`.
    PgpassLine,
    /// The word *password* in a sentence, in several languages.
    ProsePassword,
    /// The word *password* in a note, in many languages.
    PasswordLabel,
    /// A word for an account, in many languages.
    AccountLabel,
    /// A slash between a user and a password.
    CredentialPair,
    /// The word for a code of digits.
    CodeLabel,
    /// The word for a key that people copy by hand.
    KeyLabel,
    /// A word that a user and a password may follow in a sentence.
    ProseCredentials,
}

/// A program that takes a password with a short flag.
#[derive(Debug, Clone, Copy)]
pub struct Command {
    /// The name of the program.
    pub name: &'static str,
    /// Its flags, with the position of the password for each.
    pub flags: &'static [(&'static str, FlagValue)],
}

/// The position of a password relative to a flag.
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
    /// The first word that is no flag.
    FirstOperand,
    /// The second word that is no flag.
    SecondOperand,
    /// The third word that is no flag.
    ThirdOperand,
}

include!(concat!(env!("OUT_DIR"), "/redaction_rules.rs"));
