//! Statements without a word that marks them: contrasts, customs, limits of vendors, proposals with a yes; and what
//! looks like them.

use super::{mined, table};
use interleaf_layer::memory::Category::{Constraint, Context, Decision, Preference, TechDebt};

/// All of these teach nothing.
fn silent(scripts: &[&str]) {
    let found = scripts.iter().filter(|script| !mined(script).finds.is_empty());
    let found: Vec<_> = found.map(|script| (script, mined(script).finds)).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_contrast_is_a_rule_and_a_correction_of_what_is_at_hand_is_none() {
    table(&[
        ("u: double quotes, not single", &[(Preference, &["double"])]),
        ("u: write errors to stderr, not stdout", &[(Preference, &["stderr"])]),
        ("u: we put feature code under src/features, not src/components", &[(Preference, &["features"])]),
        ("u: docs go in docs/, not in the wiki", &[(Preference, &["docs/"])]),
        ("u: on met les tests à côté du fichier, pas dans un dossier à part", &[(Preference, &["tests"])]),
        ("u: the mail relay is on port 2525, not 25", &[(Context, &["2525"])]),
    ]);
    silent(&[
        "u: the label says total, not sum",
        "u: change the color to green, not blue",
        "u: i meant the footer, not the header",
        "u: it should be left aligned, not centered",
        "u: it returns 7, not 9",
        "u: rename it to amount, not price",
    ]);
}

#[test]
fn customs_and_bans_are_rules_and_reports_are_none() {
    table(&[
        ("u: controllers are always thin", &[(Preference, &["thin"])]),
        ("u: inline styles are forbidden here", &[(Preference, &["forbidden"])]),
        ("u: no jquery anywhere please", &[(Preference, &["jquery"])]),
        ("u: run the formatter before every push", &[(Preference, &["formatter"])]),
        ("u: kein jquery hier", &[(Preference, &["jquery"])]),
        ("u: we use rayon because async is overkill", &[(Preference, &["rayon"])]),
        ("u: コミットメッセージは英語で書いて", &[(Preference, &["英語"])]),
    ]);
    silent(&[
        "u: comments are sorted wrong",
        "u: jenkins is always down",
        "u: nothing is saved to the database",
        "u: everything goes into the same column, thats the bug",
        "u: no errors in the log",
        "u: our build is slow",
        "u: keine tests gefunden",
    ]);
}

#[test]
fn limits_of_a_vendor_are_found_and_symptoms_are_not() {
    table(&[
        ("u: twilio allows 100 messages per second", &[(Constraint, &["100"])]),
        ("u: vercel doesnt support websockets", &[(Constraint, &["websockets"])]),
        ("u: lambda kills functions after 15 minutes", &[(Constraint, &["15"])]),
        ("u: bank transfers need 3 working days", &[(Constraint, &["3"])]),
    ]);
    silent(&[
        "u: docker keeps 3 old images around",
        "u: npm needs 2 minutes to install",
        "u: vite restarts 3 times on save",
        "u: pytest drops 2 tests",
        "u: the api only returns 3 rows",
        "u: chrome shows 3 warnings",
    ]);
}

#[test]
fn a_proposal_with_its_reason_is_decided_by_a_yes_to_it() {
    table(&[
        (
            "u: how?\na: I'd go with SQLite, since there is only one writer. Does that work for you?\nu: lgtm",
            &[(Decision, &["Decided: Go with SQLite"])],
        ),
        (
            "u: wie?\na: Ich würde die Bilder in S3 ablegen, damit der Server zustandslos bleibt. Passt das so?\nu: passt",
            &[(Decision, &["S3"])],
        ),
        (
            "u: how?\na: I suggest one queue per tenant: a slow one then blocks nobody. OK?\nu: 👍",
            &[(Decision, &["Decided: One queue per tenant"])],
        ),
    ]);
    silent(&[
        "u: how?\na: I suggest Redis over Postgres because it is faster. But first: should I fix the typo in the header?\nu: yes",
        "u: how?\na: I suggest we look at the logs, because the error is unclear.\nu: ok",
        "u: how?\na: I suggest renaming the helper because the name is misleading. Shall I?\nu: yes",
        "u: how?\na: I suggest one queue per tenant because a slow one blocks all. OK?\nu: no",
    ]);
}

#[test]
fn tasks_chatter_and_one_offs_teach_nothing() {
    silent(&[
        "u: make it so that the total is never negative",
        "u: write a test that a guest must always be sent to the login",
        "u: der preis darf niemals null sein, bau da einen test für ein",
        "u: fais en sorte que la page ne soit jamais vide",
        "u: haz que el saldo nunca sea negativo",
        "u: 在庫が絶対にマイナスにならないように実装して",
        "u: ich geh nie wieder ohne schirm raus",
        "u: always return an empty list here for now",
        "u: never merge until tomorrow",
        "u: always show me the plan for this task",
        "u: never do that again",
        "u: fyi i pushed the branch and the pipeline is running",
        "u: the upload must run on port 80",
        "u: users can only have 3 projects on the free plan, implement that",
    ]);
}

#[test]
fn sentences_that_go_on_are_one_memory_and_items_of_a_list_are_many() {
    table(&[
        (
            "u: pls no unwrap() outside of tests. always anyhow with a context",
            &[(Preference, &["unwrap", "anyhow"])],
        ),
        (
            "u: - no default exports\n  - tests next to the file\n  - never log emails",
            &[(Preference, &["exports"]), (Preference, &["next to"]), (Preference, &["emails"])],
        ),
        ("u: pdf export bleibt erstmal draussen, bis der renderer fertig ist", &[(TechDebt, &["renderer"])]),
    ]);
    silent(&["u: - fix the header\n  - the footer must never overlap\n  - add a test"]);
}
