//! Tests with secrets in JSON values.

use super::super::Redactor;
use super::{ALNUM, random_text};
use serde_json::{Value, json};

#[track_caller]
fn assert_redacted(mut value: Value, expected: Value) {
    Redactor::BUILT_IN.redact_json(&mut value);
    assert_eq!(value, expected);
    Redactor::BUILT_IN.redact_json(&mut value);
    assert_eq!(value, expected, "a second time");
}

#[test]
fn a_string_under_the_name_of_a_secret_is_replaced_as_a_whole() {
    assert_redacted(
        json!({
            "password": "one two", "clientSecret": "abcdefgh", "api_key": "k", "access_token": "plainword",
            "user": "ada",
        }),
        json!({
            "password": "[SECRET:password]", "clientSecret": "[SECRET:secret]", "api_key": "k",
            "access_token": "[SECRET:token]", "user": "ada",
        }),
    );
    assert_redacted(
        json!({
            "private_key": "x y z", "passwords": ["a1", "swordfish"], "pin": {"password": 12345678},
            "Cookie": "a=b",
        }),
        json!({
            "private_key": "[SECRET:api-key]", "passwords": ["[SECRET:password]", "[SECRET:password]"],
            "pin": {"password": "[SECRET:password]"}, "Cookie": "[SECRET:cookie]",
        }),
    );
}

#[test]
fn the_value_of_a_named_variable_in_a_list_is_redacted() {
    assert_redacted(
        json!([{"name": "DB_PASSWORD", "value": "swordfish"}, {"name": "DB_HOST", "value": "swordfish"}]),
        json!([
            {"name": "DB_PASSWORD", "value": "[SECRET:password]"},
            {"name": "DB_HOST", "value": "swordfish"},
        ]),
    );
}

#[test]
fn strings_and_keys_at_any_depth_are_redacted() {
    let token = format!("ghp_{}", random_text(ALNUM, 36, 1));
    assert_redacted(
        json!({"a": [{"b": format!("use {token}")}], token: 1}),
        json!({"a": [{"b": "use [SECRET:github-token]"}], "[SECRET:github-token]": 1}),
    );
    assert_redacted(
        json!({"tool_input": {"command": "DB_PASSWORD=swordfish psql"}, "cwd": "/home/ada/x"}),
        json!({"tool_input": {"command": "DB_PASSWORD=[SECRET:password] psql"}, "cwd": "~/x"}),
    );
}

#[test]
fn values_that_are_not_secret_stay() {
    let value = json!({
        "password": {"type": "string"}, "token": "string", "tokens": 500, "max_tokens": "4096",
        "secret": "${SECRET}", "api_key": "your-api-key-here", "token_type": "bearer", "passwordless": "yes",
        "key": "value", "session_id": "5c2f1a52-07f3-4f0a-9f0e-2f6b6a3f6f10", "primary_key": "id",
        "next_page_token": "CAUQAA", "author": "ada", "token_count": 12, "secret_name": "db",
        "credentials": null, "password_file": "/run/x", "pass": true,
    });
    assert_redacted(value.clone(), value);
}
