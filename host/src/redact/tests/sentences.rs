//! Tests with passwords in sentences: a stated password is redacted, a sentence about passwords stays.

use super::{assert_redacted, assert_unchanged};

/// Invented passwords.
const STRONG: &[&str] = &["tr0ub4dor&3x", "Hai-fisch!9Riff", "Winter2019!", "xK4mPq8wLz"];

#[test]
fn a_password_in_a_sentence_is_redacted() {
    for (before, after) in [
        ("log in with password ", " on staging"),
        ("Always use the password ", ", never another"),
        ("the demo password is ", " and nothing else"),
        ("Immer mit dem Passwort ", " anmelden"),
        ("das Kennwort lautet ", " seit gestern"),
        ("entra con la contraseña ", " en pruebas"),
        ("le mot de passe est ", " pour la démo"),
        ("connecte-toi avec le mot de passe ", " stp"),
        ("entre com a senha ", " no ambiente"),
        ("パスワードは ", " です"),
        ("パスワード：", "です"),
        ("密码是", "，别告诉别人"),
        ("密码 ", " 登录"),
        ("the login admin / ", " works on the box"),
        ("login: admin@example.org / ", "\n"),
        ("use the credentials root / ", ""),
    ] {
        for value in STRONG {
            assert_redacted(&format!("{before}{value}{after}"), &format!("{before}[SECRET:password]{after}"));
        }
    }
}

#[test]
fn a_word_with_digits_is_redacted_if_the_sentence_introduces_it_as_a_password() {
    let value = ["swordfish", "42"].concat();
    for before in ["sign in with password ", "anmelden mit passwort ", "la contraseña es ", "senha: "] {
        assert_redacted(&format!("{before}{value}"), &format!("{before}[SECRET:password]"));
    }
    assert_unchanged(&format!("which password {value} stands for"));
}

#[test]
fn a_sentence_about_passwords_stays() {
    for text in [
        "the password must have 12 characters",
        "the password field is empty",
        "I forgot my password",
        "send the password reset link again",
        "Passwort vergessen, was nun",
        "das Passwort muss 12 Zeichen haben",
        "password 12-character minimum",
        "hash the password with argon2id",
        "use password argon2id hashing",
        "store the password as SHA-256",
        "password v2.1 of the form",
        "mit passwort oder schlüssel",
        "contraseña olvidada",
        "mot de passe oublié",
        "esqueci minha senha",
        "パスワードを忘れた",
        "密码不能为空",
        "the password expires after 90days",
        "the login page / the signup page",
        "login flow / oauth2 flow",
        "login/logout handlers",
        "user settings / Page2",
        "account/user2 routes",
        "the user admin / root question",
        "password: see 1Password",
        "the password is in 1Password",
        "change the password on 2024-01-31",
        "password_reset_v2 and password-field-2",
    ] {
        assert_unchanged(text);
    }
}
