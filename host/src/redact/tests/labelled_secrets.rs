//! Tests with secrets that a note, a table or a call gives, and with what looks like them.

use super::{ALNUM, DIGITS, HEX, assert_redacted, assert_unchanged, random_text};

/// An invented password of several words.
const COMPOSED: &str = "Quiet-Otter.41";

#[test]
fn a_password_after_its_label_is_redacted_in_several_languages() {
    for (before, after) in [
        ("Das Passwort lautet nicht mehr wie in der Doku, sondern ", ", bitte merken"),
        ("Startkennwort ", ", danach ändern"),
        ("mot de passe provisoire ", ". Merci"),
        ("j'ai changé le mdp hier soir : ", ""),
        ("la clave buena es ", ", la otra no"),
        ("a senha do wifi é ", ""),
        ("пароль от архива: ", ", распакуй"),
        ("Hasło do panelu: ", ""),
        ("Wi-Fiのパスワードは ", " です"),
        ("redis 的密码昨天改了,新的是 ", " ,改一下"),
        ("modem şifresi ", ""),
    ] {
        assert_redacted(&format!("{before}{COMPOSED}{after}"), &format!("{before}[SECRET:password]{after}"));
    }
}

#[test]
fn a_passphrase_of_several_words_is_redacted_and_a_sentence_about_one_stays() {
    assert_redacted(
        "the ssh key passphrase is seven tall ships sailing, please add it",
        "the ssh key passphrase is [SECRET:password], please add it",
    );
    for text in [
        "the passphrase is stored in the vault",
        "the password is the same as before",
        "Das Passwort ist zu kurz für diese Seite",
        "the password is rotated every ninety days",
    ] {
        assert_unchanged(text);
    }
}

#[test]
fn a_name_near_a_label_stays() {
    for text in [
        "I reset the password for Jane.Doe2 and closed Ticket-4711",
        "log in to Grafana.Prod.EU1 and look at API-Latency-99",
        "To change your password press Ctrl+Alt+Del",
        "Cache restored from key: Linux-node-0c80ac281c32c473ba781ec5a58a46d454ea0d176ad077cd",
        "the password field of LoginForm.tsx",
    ] {
        assert_unchanged(text);
    }
}

#[test]
fn a_code_is_redacted_if_its_label_says_that_it_opens_something() {
    for (before, code) in [
        ("PIN ", "7869"),
        ("Duress code: ", "24916"),
        ("your verification code is ", "483920"),
        ("验证码 ", "599586"),
        ("提取码:", "fb7w"),
        ("Recovery codes: ", "8f3k2-9dk3l"),
        ("licence key: ", "V2F4Y-X9P0B-DDU1H-ICDQR-ASHJF"),
    ] {
        let kind = if before.contains("key") { "api-key" } else { "password" };
        assert_redacted(&format!("{before}{code}"), &format!("{before}[SECRET:{kind}]"));
    }
    for text in [
        "exit code: 1045",
        "error code 10060",
        "Zip code: 94107",
        "Pin 1024 of the bank",
        "código de error 1045",
    ] {
        assert_unchanged(text);
    }
}

#[test]
fn the_values_below_the_heading_of_a_column_are_redacted() {
    let secret = "[SECRET:password]";
    for table in [
        "| host | user | password |\n|---|---|---|\n| db1 | app | @ |\n| db2 | app | via SSO |",
        "url,username,password\nhttps://a.example,app,@\n",
        "INSERT INTO users (id, password) VALUES (1, '@'), (2, NULL);",
        "COPY users (id, password) FROM stdin;\n1\t@\n\\.",
        "USER      PASSWORD        HOST\napp       @  db1\n",
    ] {
        assert_redacted(&table.replace('@', COMPOSED), &table.replace('@', secret));
    }
    assert_unchanged("key,en,de\npassword,Password,Passwort\nlogin,Login,Anmelden\n");
}

#[test]
fn the_key_of_a_signing_call_is_redacted() {
    for (before, after) in [
        ("jwt.sign({ sub: user.id }, '", "', { expiresIn: '1h' })"),
        ("jwt.encode({\"sub\": 1}, \"", "\", algorithm=\"HS256\")"),
        ("crypto.createHmac('sha256', '", "').update(body)"),
        ("hmac.new(b\"", "\", body, hashlib.sha256)"),
    ] {
        assert_redacted(&format!("{before}{COMPOSED}{after}"), &format!("{before}[SECRET:secret]{after}"));
    }
    assert_unchanged("jwt.sign(payload, process.env.JWT_SECRET, { algorithm: 'HS256' })");
    assert_unchanged("crypto.createHmac('sha256', key).digest('hex')");
}

#[test]
fn notations_of_routers_documents_and_lists_are_read() {
    let (hex, token) = (random_text(HEX, 32, 3), random_text(ALNUM, 40, 4));
    let digits = random_text(DIGITS, 22, 5);
    for (before, secret, after, kind) in [
        ("username ada password 7 ", digits.as_str(), "", "password"),
        ("radius-server key 7 ", &digits, "", "api-key"),
        ("{\"username\":\"ada\",\"key\":\"", &hex, "\"}", "api-key"),
        ("<key>Password</key><string>", COMPOSED, "</string>", "password"),
        ("npm config set //registry.example/:_authToken ", &token, "", "token"),
        ("kubectl create secret generic app --from-literal=cache=", COMPOSED, "", "secret"),
        ("{\"kind\":\"Secret\",\"data\":{\"cache\":\"", "VmlvbGV0LUVuZ2luZQ==", "\"}}", "secret"),
        ("user app on >", COMPOSED, " ~* +@all", "password"),
        ("https://notes.example/?id=1#", &token, "", "secret"),
    ] {
        assert_redacted(&format!("{before}{secret}{after}"), &format!("{before}[SECRET:{kind}]{after}"));
    }
}

#[test]
fn the_words_of_a_wallet_are_redacted_in_a_numbered_list() {
    let words = [
        "muffin", "excite", "raven", "cradle", "symbol", "oyster", "ginger", "pudding", "august", "toward",
        "zebra", "napkin",
    ];
    let list = |shown: &dyn Fn(&str) -> String| -> String {
        words.iter().enumerate().map(|(at, word)| format!("{}. {}\n", at + 1, shown(word))).collect()
    };
    assert_redacted(
        &format!("wallet backup\n{}", list(&|word| word.to_owned())),
        &format!("wallet backup\n{}", list(&|_| "[SECRET:password]".to_owned())),
    );
}

#[test]
fn what_is_published_with_a_secret_stays() {
    for text in [
        "sparkle:edSignature=\"Yt+0D8EkTe2Rn6ZSllCOrYFSNp8M7y0qQUbmji7cl7f4n1BkKmh0StBx7Lc89XHuU5rv==\"",
        "\"SCRAM-SHA-256\": { \"iterations\": 900, \"salt\": \"f+0XeSWkrxpZ9wTWuJQ1y17a04zaILamtk58Bk==\" }",
        "<PublicKeyToken>b77a5c561934e089</PublicKeyToken>",
        "mapboxgl.accessToken = 'pk.eyJ1IjoiaGFyYm9ybGluZSIsImEiOiJjsvnBtU57enH';",
        "deploy:$apr1$A5EwPeXj$19fDqohXZEystP0D36vyAg",
        "ALTER ROLE app PASSWORD 'md5e0ca04bf46c9ba8d657134c78e1a8098';",
        "set-cookie: cookie_consent=v2%7Cfunctional%3A1; Path=/",
        "CI_DEPLOY_PASSWORD=[MASKED]",
        "usage: tool [--user USER] [--password PASSWORD] [--ssl-key=FILE] DATABASE",
        "const mnemonic = \"test test test test test test test test test test test junk\";",
    ] {
        assert_unchanged(text);
    }
}
