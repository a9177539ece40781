//! Tests with texts that look like secrets and must stay. A false alarm destroys the meaning of a memory.

use super::{BASE64, HEX, assert_unchanged, random_text};

#[test]
fn digests_and_identifiers_stay() {
    for text in [
        format!("commit {}", random_text(HEX, 40, 1)),
        format!("sha256:{}", random_text(HEX, 64, 2)),
        format!("image@sha256:{}", random_text(HEX, 64, 3)),
        format!("\"integrity\": \"sha512-{}==\"", random_text(BASE64, 86, 4)),
        format!("checksum = \"{}\"", random_text(HEX, 64, 5)),
        "id 5c2f1a52-07f3-4f0a-9f0e-2f6b6a3f6f10".to_owned(),
        "\"session_id\":\"5c2f1a52-07f3-4f0a-9f0e-2f6b6a3f6f10\"".to_owned(),
        format!("cache-key: linux-cargo-{}", random_text(HEX, 40, 6)),
        format!("github.com/DataDog/zstd v1.5.6 h1:{}=", random_text(BASE64, 43, 7)),
        format!("data:image/png;base64,{}", random_text(BASE64, 4000, 8)),
        format!(
            "src=\"data:image/png;base64,{}\"",
            (0..40).map(|line| random_text(BASE64, 76, line) + "\n").collect::<String>()
        ),
    ] {
        assert_unchanged(&text);
    }
}

#[test]
fn placeholders_stay() {
    for value in [
        "${TOKEN}",
        "$TOKEN",
        "$(cat file)",
        "<token>",
        "<your token here>",
        "{{ token }}",
        "{token}",
        "%TOKEN%",
        "%s",
        "xxxx",
        "xxxxxxxxxxxx",
        "****",
        "********",
        "...",
        "your-api-key-here",
        "YOUR_API_KEY",
        "changeme",
        "REDACTED",
        "example",
        "replace-me-please",
        "[SECRET:token]",
        "$env:TOKEN",
        "${{ secrets.TOKEN }}",
        "op://vault/item/field",
        "process.env.TOKEN",
        "null",
        "None",
        "true",
    ] {
        for name in ["password", "API_KEY", "token", "secret"] {
            assert_unchanged(&format!("{name}={value}"));
            assert_unchanged(&format!("{name}: {value}"));
            assert_unchanged(&format!("{name} = \"{value}\""));
        }
    }
}

#[test]
fn source_code_stays() {
    for text in [
        "password: string",
        "token: string | undefined;",
        "password?: string",
        "token: &str,",
        "secret: Option<String>,",
        "password: String,",
        "secret = os.environ[\"X\"]",
        "token = os.getenv(\"TOKEN\")",
        "const token = process.env.GITHUB_TOKEN;",
        "apiKey: config.apiKey,",
        "password = getpass(\"Password: \")",
        "let token = tokens.next().unwrap();",
        "if token == Token::Comma {",
        "password = self.password",
        "def login(user, password=None, token=None):",
        "connect(user=user, password=password)",
        "return { token, secret };",
        "token := lexer.Next()",
        "pub token: TokenStream,",
        "secretName: my-app-secret",
        "secretKeyRef:\n  name: db\n  key: password",
        "env::var(\"API_TOKEN\")",
        "auth: bool",
        "key = \"value\"",
        "keys: [a, b]",
        "primary_key: id",
        "tokens: 500",
        "max_tokens=4096",
        "token_count: 12",
        "passwordless: true",
        "password_hash = hash(password)",
        "PASSWORD_FILE=/run/secrets/db",
        "#[error(\"invalid token: {token}\")]",
        "assert_eq!(token.kind, TokenKind::Ident);",
        "const OID_USER_PASSWORD: &str = \"1.3.6.1.4.1.311.21.3\";",
        "const MAX_PASSWORD: u32 = 1326u32;",
        "pub const E_PASSWORD: HRESULT = 0x8007052B_u32 as _;",
        "printf(\"Password: %s\\n\", password);",
        "\"password\": \"Forgot your password?\"",
        "\"passwordLabel\": \"Enter it\"",
        "type: \"password\"",
        "<input type=\"password\" name=\"password\">",
        "<label>Password</label>",
        "PWD=/srv/app",
        "cd \"$PWD\"",
        "new_password != old_password",
        "git config credential.helper store",
    ] {
        assert_unchanged(text);
    }
}

#[test]
fn prose_stays() {
    for text in [
        "password: required",
        "Password: at least 8 characters",
        "The password is required.",
        "the token is invalid",
        "a passwordless login",
        "token: 5 minutes",
        "Wrong password: try again",
        "we use bearer tokens",
        "the secret: keep it simple",
        "Use --password instead of -p",
        "`--token` is deprecated",
        "keys: sorted, tokens: counted",
        "secret: sha256 of the body",
        "the private key must stay on the host",
        "basic authentication over https",
        "password: bcrypt",
        "Authorization: see the header",
        "the API key: where to find it",
        "3 passed, 2 failed",
        "pass: 12, fail: 3",
    ] {
        assert_unchanged(text);
    }
}
