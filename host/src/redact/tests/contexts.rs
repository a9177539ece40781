//! Tests with secrets that only their context reveals: names, headers, URLs, command lines, folders; and with
//! the user's own patterns.

use super::super::Redactor;
use super::{ALNUM, HEX, assert_redacted, assert_unchanged, base64, random_text, redact};

/// An invented password with characters that people and password managers use.
const PASSWORD: &str = "tr0ub4dor&3x";

#[test]
fn a_password_is_redacted_in_every_notation() {
    for (before, after) in [
        ("DB_PASSWORD=", ""),
        ("export PGPASSWORD=", " && psql"),
        ("export DB_PASSWORD='", "'"),
        ("password: ", ""),
        ("  password: ", " # the old one"),
        ("password = \"", "\""),
        ("\"password\": \"", "\","),
        ("{\\\"password\\\":\\\"", "\\\"}"),
        ("'password' => '", "',"),
        (":passwd => \"", "\""),
        ("<password>", "</password>"),
        ("let password: &str = \"", "\";"),
        ("config[\"password\"] = \"", "\""),
        ("setPassword(\"", "\")"),
        ("env::set_var(\"DB_PASSWORD\", \"", "\");"),
        ("- name: DB_PASSWORD\n  value: ", "\n"),
        ("{\"name\": \"DB_PASSWORD\", \"value\": \"", "\"}"),
        ("ALTER USER app WITH PASSWORD '", "';"),
        ("CREATE USER app IDENTIFIED BY '", "';"),
        ("machine example.org login app password ", "\n"),
        ("tool --password ", " --verbose"),
        ("tool --password=", ""),
        ("[\"--password\", \"", "\"]"),
        ("ENV DB_PASSWORD ", "\n"),
        ("Server=db;User Id=app;Password=", ";Timeout=3"),
        ("https://example.org/login?user=app&password=", "&next=1"),
        ("The password is ", ""),
        ("**Password:** ", ""),
        ("| password | ", " |"),
        ("spring.datasource.password=", "\r\n"),
        ("     7\tDB_PASSWORD=", "\n"),
    ] {
        let value = if before.contains("login?") { "tr0ub4dor3x" } else { PASSWORD };
        assert_redacted(&format!("{before}{value}{after}"), &format!("{before}[SECRET:password]{after}"));
    }
}

#[test]
fn a_password_that_is_a_word_is_redacted_in_notations_for_values() {
    assert_redacted("password: swordfish\n", "password: [SECRET:password]\n");
    assert_redacted("DB_PASSWORD=swordfish", "DB_PASSWORD=[SECRET:password]");
    assert_redacted("password = \"correct horse battery staple\"", "password = \"[SECRET:password]\"");
    assert_redacted("PASSWORD=12345678", "PASSWORD=[SECRET:password]");
    assert_redacted("the password is \"Пароль-2024\"", "the password is \"[SECRET:password]\"");
}

#[test]
fn a_password_on_a_command_line_is_redacted() {
    for (before, after) in [
        ("mysql -u root -p", " shop"),
        ("mysqldump -p'", "' shop > dump.sql"),
        ("sshpass -p ", " ssh host"),
        ("docker login -u app -p ", " registry.example.org"),
        ("[\"docker\", \"login\", \"-u\", \"app\", \"-p\", \"", "\"]"),
        ("curl -u app:", " https://example.org"),
        ("curl --user 'app:", "' https://example.org"),
        ("redis-cli -h host -a ", " ping"),
        ("openssl rsa -in key.pem -passin pass:", ""),
        ("ldapsearch -x -w ", " -b dc=example"),
    ] {
        let value = "tr0ub4dor3x";
        assert_redacted(&format!("{before}{value}{after}"), &format!("{before}[SECRET:password]{after}"));
    }
    for text in [
        "mysql -u root -p shop",
        "docker run -p 8080:80 web",
        "mkdir -p /srv/data",
        "ssh -p 2222 host",
        "curl -u \"$USER:$PASS\" x",
        "openssl -passin env:KEY_PASS",
    ] {
        assert_unchanged(text);
    }
}

#[test]
fn a_password_is_redacted_by_its_position() {
    for (before, after) in [
        ("echo ", " | docker login -u app --password-stdin"),
        ("echo -n '", "' | helm registry login --password-stdin x"),
        ("printf '%s' ", " | docker login --password-stdin"),
        ("echo ", " | sudo -S apt install x"),
        ("echo app:", " | chpasswd"),
        ("sqlplus app/", "@db.example.org"),
        ("sqlplus -s app/", "@db"),
        ("jdbc:oracle:thin:app/", "@db:1521:shop"),
        ("requests.get(url, auth=(\"app\", \"", "\"))"),
        ("HTTPBasicAuth('app', '", "')"),
        ("db.example.org:5432:shop:app:", "\n"),
        ("*:5432:*:app:", "\n"),
        ("smbclient -U app%", " //host/share"),
        ("http -a app:", " example.org"),
        ("aws configure set aws_session_password ", "\n"),
        ("Password for app: ", "\n"),
        ("password    ", "\nuser        app\n"),
        ("DB_PASSWORD ", "\n"),
    ] {
        let value = "tr0ub4dor3x";
        assert_redacted(&format!("{before}{value}{after}"), &format!("{before}[SECRET:password]{after}"));
    }
    for text in [
        "cat password.txt | docker login --password-stdin",
        "echo $PASS | docker login --password-stdin",
        "echo password | sudo -S ls",
        "127.0.0.1:5432:5432",
        "ports: 5432:5432, see db:5432:",
        "auth=(user, password)",
        "auth=(\"user\", PASSWORD)",
        "sqlplus / as sysdba",
        "sqlplus app@db",
        "http://example.org -a",
        "password    required    the password",
        "  --password   STRING   the password to use",
        "password  must have 8 characters",
        "TOKEN_KIND Ident",
        "the password for the demo: see below",
    ] {
        assert_unchanged(text);
    }
}

#[test]
fn a_key_is_read_with_the_word_before_it() {
    let value = random_text(ALNUM, 32, 3);
    for before in ["API key: ", "the api key is ", "Secret key: ", "| API key | "] {
        assert_redacted(&format!("{before}{value}"), &format!("{before}[SECRET:api-key]"));
    }
    assert_unchanged("the api key is required");
    assert_unchanged(&format!("cache key: {value}"));
}

#[test]
fn tokens_secrets_and_api_keys_are_redacted_by_name() {
    for (name, kind) in [
        ("API_TOKEN", "token"),
        ("access_token", "token"),
        ("authToken", "token"),
        ("refresh-token", "token"),
        ("credentials", "token"),
        ("CLIENT_SECRET", "secret"),
        ("clientSecret", "secret"),
        ("JWT_SECRET", "secret"),
        ("SECRET_KEY_BASE", "secret"),
        ("API_KEY", "api-key"),
        ("apiKey", "api-key"),
        ("x-api-key", "api-key"),
        ("APIKEY", "api-key"),
        ("STRIPE_KEY", "api-key"),
    ] {
        let value = random_text(ALNUM, 32, 3);
        for (before, joint, after) in [
            ("", "=", ""),
            ("", ": \"", "\""),
            ("{\"", "\":\"", "\"}"),
            ("const ", " = '", "';"),
            ("--", "=", " -v"),
        ] {
            assert_redacted(
                &format!("{before}{name}{joint}{value}{after}"),
                &format!("{before}{name}{joint}[SECRET:{kind}]{after}"),
            );
        }
    }
}

#[test]
fn the_more_specific_of_two_kinds_is_named() {
    let token = format!("ghp_{}", random_text(ALNUM, 36, 1));
    assert_redacted(&format!("GITHUB_TOKEN={token}"), "GITHUB_TOKEN=[SECRET:github-token]");
    assert_redacted(&format!("Authorization: Bearer {token}"), "Authorization: Bearer [SECRET:github-token]");
    assert_redacted(
        &format!("https://app:{token}@github.com/a/b"),
        "https://app:[SECRET:github-token]@github.com/a/b",
    );
}

#[test]
fn authorization_of_every_scheme_is_redacted() {
    let token = random_text(ALNUM, 32, 5);
    assert_redacted(&format!("Authorization: Bearer {token}"), "Authorization: Bearer [SECRET:bearer-token]");
    assert_redacted(
        &format!("-H 'authorization: bearer {token}'"),
        "-H 'authorization: bearer [SECRET:bearer-token]'",
    );
    assert_redacted(&format!("Authorization: token {token}"), "Authorization: token [SECRET:authorization]");
    assert_redacted(
        &format!("\"Authorization\": \"{token}\""),
        "\"Authorization\": \"[SECRET:authorization]\"",
    );
    let pair = base64("app:tr0ub4dor&3x");
    assert_redacted(&format!("Authorization: Basic {pair}"), "Authorization: Basic [SECRET:basic-auth]");
    assert_redacted(
        &format!("{{\"auths\":{{\"x\":{{\"auth\":\"{pair}\"}}}}}}"),
        "{\"auths\":{\"x\":{\"auth\":\"[SECRET:basic-auth]\"}}}",
    );
    for text in [
        "Authorization: Bearer ${TOKEN}",
        "Authorization: Bearer <token>",
        "Bearer authentication is required",
        "Basic authentication",
        "authorization: required",
    ] {
        assert_unchanged(text);
    }
}

#[test]
fn the_values_of_cookies_are_redacted() {
    assert_redacted("Cookie: sid=8f3a9c; theme=dark\r\n", "Cookie: [SECRET:cookie]\r\n");
    assert_redacted("curl -H \"Cookie: sid=8f3a9c\" x", "curl -H \"Cookie: [SECRET:cookie]\" x");
    assert_redacted(
        "Set-Cookie: sid=8f3a9c; Path=/; HttpOnly",
        "Set-Cookie: sid=[SECRET:cookie]; Path=/; HttpOnly",
    );
    let session = random_text(ALNUM, 26, 6);
    assert_redacted(&format!("PHPSESSID={session}; path=/"), "PHPSESSID=[SECRET:session]; path=/");
    assert_redacted(&format!("/list;jsessionid={session}?a=1"), "/list;jsessionid=[SECRET:session]");
    assert_unchanged("Cookie: the browser sends it");
    assert_unchanged("cookie = parse(header)");
}

#[test]
fn only_the_password_of_a_url_is_redacted() {
    for (before, secret, after) in [
        ("postgres://app:", "tr0ub4dor", "@db.example.org:5432/shop?sslmode=require"),
        ("mongodb+srv://app:", "p%40ss1", "@cluster.example.org"),
        ("redis://:", "tr0ub4dor", "@cache:6379/0"),
        ("amqp://app:", "a/b#c1", "@queue/vhost"),
        ("jdbc:mysql://app:", "tr0ub4dor", "@db/shop"),
        ("https://", &random_text(HEX, 32, 1), "@sentry.example.org/1"),
    ] {
        assert_redacted(
            &format!("{before}{secret}{after}"),
            &format!("{before}[SECRET:url-password]{after}"),
        );
    }
    for text in [
        "postgres://db.example.org/shop",
        "postgres://app@db/shop",
        "ssh://git@github.com/a/b",
        "https://example.org:8443/@user/page",
        "postgres://user:password@localhost/db",
        "https://user:${PASS}@host",
        "redis://:<password>@host",
        "http://{host}:{port}/x@y",
        "proto://user:****@host",
    ] {
        assert_unchanged(text);
    }
}

#[test]
fn credentials_without_a_scheme_are_redacted_wherever_they_stand() {
    for before in ["", "proxy: ", "see\n"] {
        let text = format!("{before}bob:S3cr3tPw99@db.example:5432");

        assert_eq!(redact(&text), format!("{before}bob:[SECRET:url-password]@db.example:5432"));
    }
}

#[test]
fn a_secret_in_base64_is_redacted_with_the_encoded_text_around_it() {
    let token = format!("ghp_{}", random_text(ALNUM, 36, 1));
    assert_redacted(
        &format!("echo {} | base64 -d", base64(&token)),
        "echo [SECRET:github-token] | base64 -d",
    );
    assert_redacted(
        &format!("data:\n  conf: {}\n", base64("DB_PASSWORD=tr0ub4dor&3x")),
        "data:\n  conf: [SECRET:password]\n",
    );
    assert_redacted(&base64(&base64(&token)), "[SECRET:github-token]");
    let long = base64(&format!("{}{token} and some more text behind it", "text before it ".repeat(9)));
    let broken: String =
        long.as_bytes().chunks(76).flat_map(|line| [std::str::from_utf8(line).unwrap(), "\n"]).collect();
    assert_redacted(&broken, "[SECRET:github-token]\n");
    let cut = &base64(&format!("some text, {token} and more"))[1..];
    assert!(!redact(cut).contains(&cut[24..60]), "found at any alignment: {cut}");
    assert_redacted(&format!("password: {}", base64("swordfish")), "password: [SECRET:password]");
}

#[test]
fn home_folders_become_a_tilde() {
    assert_redacted("/home/ada/src and /Users/ada/src", "~/src and ~/src");
    assert_redacted(
        "C:\\Users\\Ada\\src, C:\\\\Users\\\\Ada L\\\\src, /mnt/c/Users/ada/x",
        "~\\src, ~\\\\src, ~/x",
    );
    assert_redacted(
        "file:///home/ada/x PATH=/home/ada/bin:/root/bin -I/home/ada/include",
        "file://~/x PATH=~/bin:~/bin -I~/include",
    );
    assert_redacted(
        "{\"cwd\":\"/home/ada\",\"t\":\"/home/ada/.claude/projects/-home-ada-shop/1.jsonl\"}",
        "{\"cwd\":\"~\",\"t\":\"~/.claude/projects/~-shop/1.jsonl\"}",
    );
    assert_redacted("/home/zoë/src", "~/src");
    for text in [
        "/home",
        "/home/",
        "/home/$USER/x",
        "/home/<name>",
        "src/home/index.ts",
        "https://example.org/home/page",
        "GET /users/12",
        "/Users/Shared/x",
        "C:\\Users\\Public\\x",
        "<root></root>",
        "/rootfs",
        "./root/x",
        "s3://bucket/root",
        "~/src",
    ] {
        assert_unchanged(text);
    }
}

#[test]
fn text_around_overlapping_findings_stays() {
    let token = format!("ghp_{}", random_text(ALNUM, 36, 1));
    assert_redacted(&format!("a password=\"x {token} y\" b\nc"), "a password=\"[SECRET:github-token]\" b\nc");
    assert_redacted(&format!("a password={token}/home/ada b"), "a password=[SECRET:github-token] b");
}

#[test]
fn matches_of_custom_patterns_are_redacted() {
    let redactor = Redactor::new(&["corp-[0-9]{6}".to_owned(), ".*codename.*".to_owned()]).unwrap();
    let clean = redactor.redact("ask corp-123456\nthe codename is x\nDB_PASSWORD=swordfish").into_owned();
    assert_eq!(clean, "ask [SECRET:custom]\n[SECRET:custom]\nDB_PASSWORD=[SECRET:password]");
    assert_eq!(redactor.redact(&clean), clean);
}

#[test]
fn a_custom_pattern_that_matches_everything_or_nothing_does_no_harm() {
    for pattern in ["", "x*", ".*", "(?s).*", "SECRET", r"\w+", "[\\[\\]:]"] {
        let redactor = Redactor::new(&[pattern.to_owned()]).unwrap();
        let clean = redactor.redact("one two\nthree DB_PASSWORD=swordfish").into_owned();
        assert_eq!(redactor.redact(&clean), clean, "{pattern}");
        assert!(!clean.contains("swordfish"));
    }
}

#[test]
fn an_invalid_custom_pattern_is_named() {
    let error = Redactor::new(&["fine".to_owned(), "un(closed".to_owned()]).unwrap_err();
    assert_eq!(error.message, "redaction pattern `un(closed`: unclosed group");
    let error = Redactor::new(&["(a{1000}){1000}".to_owned()]).unwrap_err();
    assert!(error.message.starts_with("redaction pattern `(a{1000}){1000}`: "), "{}", error.message);
}

#[test]
fn secrets_are_counted_by_kind() {
    let (_, counts) =
        Redactor::BUILT_IN.redact_and_count("A_PASSWORD=swordfish B_PASSWORD=swordfish /home/ada");
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), [("home", 1), ("password", 2)]);
}
