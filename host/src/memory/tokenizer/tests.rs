use super::*;

fn words(text: &str) -> Vec<String> {
    terms(text).into_iter().map(|term| term.text).collect()
}

fn kind(text: &str) -> TermKind {
    terms(text)[0].kind
}

#[test]
fn stop_words_are_not_terms() {
    assert_eq!(words("what is it that we should do about the this?"), Vec::<String>::new());
    assert_eq!(words("was ist es, das wir für die machen sollten"), ["mach"]);
    assert_eq!(words("don't can’t it's E.g. i.e."), Vec::<String>::new());
}

#[test]
fn forms_of_a_word_share_a_term() {
    for forms in [
        "migration migrations",
        "dependency dependencies",
        "Häuser häuser HÄUSER Hauser",
        "Link Links links",
        "Seite Seiten",
        "retry retries",
        "limit limited limits",
        "vendor vendor's",
    ] {
        assert_eq!(words(forms).len(), 1, "{forms}: {:?}", words(forms));
    }
}

#[test]
fn an_identifier_and_its_parts_are_terms() {
    assert_eq!(words("VendorClient"), ["vendor", "client", "vendorclient"]);
    assert_eq!(words("user_login_token"), ["user", "login", "tok", "user_login_token"]);
    assert_eq!(words("parseHTTPHeader"), ["par", "http", "head", "parsehttpheader"]);
    assert_eq!(words("sha256Client of URLs"), ["sha256", "client", "sha256client", "url"]);
    assert_eq!(words("--no-verify"), ["verif", "no-verify"]);
    assert_eq!(
        words("services/portal/header.tsx,"),
        ["servic", "portal", "head", "tsx", "services/portal/header.tsx"]
    );
    assert_eq!(words("(std::sync::Mutex)"), ["std", "sync", "mutex", "std::sync::mutex"]);
}

#[test]
fn punctuation_does_not_make_a_word_an_identifier() {
    assert_eq!(words("Prometheus."), ["prometheus"]);
    assert_eq!(words("'quoted'"), ["quot"]);
    assert_eq!(words("and/or"), Vec::<String>::new());
}

#[test]
fn language_names_keep_their_marks() {
    assert_eq!(words("C++ or C#."), ["c++", "c#"]);
}

#[test]
fn small_numbers_are_common_and_large_ones_are_not() {
    assert_eq!(kind("20"), TermKind::Common);
    assert_eq!(kind("5000"), TermKind::Word);
    assert_eq!(words("v2.3.1 at 10:30"), ["v2", "v2.3.1", "10", "30", "10:30"]);
}

#[test]
fn common_words_are_recognized() {
    assert_eq!(kind("file"), TermKind::Common);
    assert_eq!(kind("running"), TermKind::Common);
    assert_eq!(kind("Datei"), TermKind::Common);
    assert_eq!(kind("pnpm"), TermKind::Word);
    assert_eq!(terms("fixParser").last().unwrap().kind, TermKind::Identifier);
}

#[test]
fn scripts_without_spaces_are_split_into_bigrams() {
    assert_eq!(words("数据库"), ["数据", "据库"]);
    assert_eq!(words("使用pnpm安装"), ["使用", "pnpm", "安装"]);
    assert_eq!(words("猫"), ["猫"]);
    assert_eq!(words("데이터베이스"), ["데이", "이터", "터베", "베이", "이스"]);
    assert_eq!(kind("です"), TermKind::Common);
}

#[test]
fn composed_and_decomposed_letters_fold_to_the_same_term() {
    assert_eq!(words("u\u{308}bersetzung"), words("übersetzung"));
    assert_eq!(words("ＡＰＩｋｅｙ"), words("APIkey"));
}

#[test]
fn marks_and_overlong_words_are_not_terms() {
    assert_eq!(words("\0 \u{7} \" * ( ) -- ... / :: a x 7"), Vec::<String>::new());
    assert_eq!(words(&"f".repeat(100)), Vec::<String>::new());
}

#[test]
fn each_emoji_is_a_term() {
    assert_eq!(words("🚀🔥 ship it 🚀"), ["🚀", "🔥", "ship"]);
}

#[test]
fn the_number_of_terms_is_bounded() {
    let text: String = (0..10_000).map(|n| format!("word{n} ")).collect();

    assert_eq!(terms(&text).len(), MAX_TERMS);
}
