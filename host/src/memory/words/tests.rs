use super::*;

fn words(text: &str) -> Vec<String> {
    terms(text).into_iter().map(|term| term.text).collect()
}

fn kind(text: &str) -> Kind {
    terms(text)[0].kind
}

#[test]
fn function_words_are_no_terms() {
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
fn an_identifier_is_found_whole_and_by_its_parts() {
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
fn a_word_of_the_sentence_is_no_identifier() {
    assert_eq!(words("Prometheus."), ["prometheus"]);
    assert_eq!(words("'quoted'"), ["quot"]);
    assert_eq!(words("and/or"), Vec::<String>::new());
}

#[test]
fn languages_named_with_marks_keep_them() {
    assert_eq!(words("C++ or C#."), ["c++", "c#"]);
}

#[test]
fn numbers_count_when_they_are_large_enough_to_mean_one_thing() {
    assert_eq!(kind("20"), Kind::Everyday);
    assert_eq!(kind("5000"), Kind::Ordinary);
    assert_eq!(words("v2.3.1 at 10:30"), ["v2", "v2.3.1", "10", "30", "10:30"]);
}

#[test]
fn everyday_words_are_marked() {
    assert_eq!(kind("file"), Kind::Everyday);
    assert_eq!(kind("running"), Kind::Everyday);
    assert_eq!(kind("Datei"), Kind::Everyday);
    assert_eq!(kind("pnpm"), Kind::Ordinary);
    assert_eq!(terms("fixParser").last().unwrap().kind, Kind::Whole);
}

#[test]
fn scripts_without_spaces_are_read_in_pairs() {
    assert_eq!(words("数据库"), ["数据", "据库"]);
    assert_eq!(words("使用pnpm安装"), ["使用", "pnpm", "安装"]);
    assert_eq!(words("猫"), ["猫"]);
    assert_eq!(words("데이터베이스"), ["데이", "이터", "터베", "베이", "이스"]);
    assert_eq!(kind("です"), Kind::Everyday);
}

#[test]
fn composed_and_decomposed_letters_are_the_same() {
    assert_eq!(words("u\u{308}bersetzung"), words("übersetzung"));
    assert_eq!(words("ＡＰＩｋｅｙ"), words("APIkey"));
}

#[test]
fn what_is_no_word_gives_no_term() {
    assert_eq!(words("\0 \u{7} \" * ( ) -- ... / :: a x 7"), Vec::<String>::new());
    assert_eq!(words(&"f".repeat(100)), Vec::<String>::new());
}

#[test]
fn a_picture_sign_is_a_term_of_its_own() {
    assert_eq!(words("🚀🔥 ship it 🚀"), ["🚀", "🔥", "ship"]);
}

#[test]
fn the_number_of_terms_is_bounded() {
    let text: String = (0..10_000).map(|n| format!("word{n} ")).collect();

    assert_eq!(terms(&text).len(), MOST_TERMS);
}
