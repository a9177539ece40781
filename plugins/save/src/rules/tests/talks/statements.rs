//! What people state in English.

use super::{mined, table};
use interleaf_layer::memory::Category::{Constraint, Decision, Preference, TechDebt};

#[test]
fn rules_and_wishes_are_found_with_their_reason() {
    table(&[
        (
            "u: add a test\na: Done, with sleep.\nu: no, never sleep in tests, they get flaky",
            &[(Preference, &["never sleep", "flaky"])],
        ),
        ("u: always use the project logger, never print", &[(Preference, &["logger"])]),
        ("u: please don't edit files under gen/ by hand, they are generated", &[(Preference, &["gen/"])]),
        ("u: every new endpoint needs a rate limiter", &[(Preference, &["endpoint"])]),
        ("u: we use tabs here, not spaces", &[(Preference, &["tabs"])]),
        ("u: branch names should start with the ticket number", &[(Preference, &["ticket"])]),
        (
            "u: going forward, put feature flags around anything user facing",
            &[(Preference, &["feature flags"])],
        ),
        ("u: secrets must never end up in the log", &[(Preference, &["log"])]),
        (
            "u: the migrations must always be reversible, we roll back every second release",
            &[(Preference, &["reversible"])],
        ),
        ("u: stop adding comments to every line", &[(Preference, &["comments"])]),
        ("u: no emojis in commit messages please", &[(Preference, &["No emojis"])]),
        ("u: I prefer small functions over comments", &[(Preference, &["small functions"])]),
        ("u: ok good. and from now on answer in two sentences at most", &[(Preference, &["two sentences"])]),
        ("u: hands off the terraform folder, infra owns it", &[(Preference, &["terraform"])]),
        (
            "u: keep in mind that the staging database is shared with the QA people in Lyon",
            &[(interleaf_layer::memory::Category::Context, &["staging"])],
        ),
    ]);
}

#[test]
fn decisions_are_found_with_their_reason() {
    table(&[
        (
            "u: we decided to use Stripe over Adyen because the fees are lower for us",
            &[(Decision, &["Stripe", "Adyen"])],
        ),
        (
            "u: let's go with server side rendering, the SEO people need it",
            &[(Decision, &["server side rendering"])],
        ),
        (
            "u: batch the inserts instead of sending them one by one, the network round trips make it too slow",
            &[(Decision, &["Batch"])],
        ),
        (
            "u: build the import\nw src/import.py: x\na: We chose a streaming parser rather than a DOM because files reach 2 GB. All green.",
            &[(Decision, &["streaming parser"])],
        ),
        (
            "u: how would you store it?\na: I suggest one table per tenant instead of one column, because exports are simpler then.\nu: yes, do it",
            &[(Decision, &["table per tenant"])],
        ),
    ]);
}

#[test]
fn limits_are_found_and_the_later_one_holds() {
    table(&[
        (
            "u: the firmware image must never be larger than 512 KB, that's a hard limit of the flash chip",
            &[(Constraint, &["512 KB"])],
        ),
        (
            "u: the label printer does not support more than 203 dpi, nothing we can do about it",
            &[(Constraint, &["203 dpi"])],
        ),
        (
            "u: set the retries to 9\ne src/retry.go: 3 => 9\na: Retries are 9 now.\nu: no, 9 is more than what the gateway allows, make it 4\ne src/retry.go: 9 => 4\na: 4 now.",
            &[(Constraint, &["4", "gateway"])],
        ),
        (
            "u: the sandbox plan is limited to 3 projects per account by design\na: ok\nu: correction: the sandbox plan is limited to 5 projects per account by design",
            &[(Constraint, &["5 projects"])],
        ),
    ]);
}

#[test]
fn what_is_put_off_is_found_with_what_it_waits_for() {
    table(&[
        ("u: we postpone the iOS widget until the new SDK is out", &[(TechDebt, &["widget", "SDK"])]),
        (
            "u: caching: not now, only after we have numbers from production",
            &[(TechDebt, &["aching", "numbers"])],
        ),
        (
            "u: leave the german translation for later, once marketing has signed off the texts",
            &[(TechDebt, &["translation"])],
        ),
    ]);
}

#[test]
fn at_most_two_are_for_every_start() {
    let mined = mined(
        "u: never use float for money. always log in UTC. every migration needs a rollback. branch names must start with a ticket",
    );

    let shown = mined.finds.iter().filter(|find| find.tags.iter().any(|tag| tag == "cheat-sheet"));
    assert_eq!((mined.finds.len(), shown.count()), (4, 2));
}

#[test]
fn statements_are_found_as_people_write_them() {
    table(&[
        (
            "u: the deploy only works from the VPN, keep that in mind",
            &[(interleaf_layer::memory::Category::Context, &["VPN"])],
        ),
        ("u: heads up: we're on Python 3.8 in production, so no match statements", &[(Constraint, &["3.8"])]),
        (
            "u: we don't mock the database in integration tests, we got burned by that last year",
            &[(Preference, &["mock"])],
        ),
        (
            "u: one more thing: never commit the .env file, legal was all over us last time",
            &[(Preference, &[".env"])],
        ),
        ("u: use feature branches, main is protected", &[(Preference, &["feature branches"])]),
        (
            "u: I'd rather have explicit imports than wildcards, they break tree shaking",
            &[(Preference, &["explicit"])],
        ),
        (
            "u: the SMS provider only allows 5 messages per second per sender, so queue them",
            &[(Constraint, &["5 messages"])],
        ),
        (
            "u: lambda has a hard timeout of 15 minutes, so the export has to be chunked",
            &[(Constraint, &["15 minutes"])],
        ),
        (
            "u: ok lets do cursor pagination then, offset gets slow on the big tables",
            &[(Decision, &["cursor"])],
        ),
        (
            "u: go with option B, postgres full text search. elasticsearch is another thing to operate",
            &[(Decision, &["elasticsearch"])],
        ),
        ("u: skip the retry logic for now, we do that when the queue is in place", &[(TechDebt, &["queue"])]),
        (
            "u: leave a TODO for the audit log, that comes with the compliance epic in Q3",
            &[(TechDebt, &["audit"])],
        ),
        (
            "u: Fehlermeldungen bitte immer auf Englisch, die landen im Monitoring",
            &[(Preference, &["Monitoring"])],
        ),
        ("u: für Datumswerte nehmen wir nie moment, das fliegt raus", &[(Preference, &["moment"])]),
        (
            "u: die API vom Lieferanten kann nur 200 Artikel pro Aufruf, das ist vertraglich so",
            &[(Constraint, &["200"])],
        ),
        ("u: wir bleiben bei REST, GraphQL ist für drei Endpunkte zu viel", &[(Decision, &["REST"])]),
        (
            "u: das mit den PDF-Rechnungen machen wir erst wenn das neue Template da ist",
            &[(TechDebt, &["Template"])],
        ),
        (
            "u: nicht hier committen, die Historie auf release/ ist eingefroren",
            &[(Preference, &["release/"])],
        ),
        (
            "u: mach bitte keine Umlaute in Dateinamen, das Windows-Tool kommt damit nicht klar",
            &[(Preference, &["Umlaute"])],
        ),
        ("u: lieber explizite Fehler werfen als null zurückgeben", &[(Preference, &["null"])]),
        ("u: schreib in den Commits warum, nicht was", &[(Preference, &["warum"])]),
        (
            "u: no wait, revert that. the config must stay in yaml, ops edits it by hand",
            &[(Preference, &["yaml"])],
        ),
        ("u: why did you use axios? we use fetch everywhere", &[(Preference, &["fetch"])]),
        (
            "u: that's not how we name things. components are PascalCase, hooks start with use",
            &[(Preference, &["PascalCase"])],
        ),
        ("u: for the invoices: amounts in cents, never floats", &[(Preference, &["cents"])]),
        ("u: money amounts are always integers in cents in this codebase", &[(Preference, &["cents"])]),
        ("u: test accounts must end with @example.com", &[(Preference, &["example.com"])]),
        ("u: public API fields are snake_case, please keep it that way", &[(Preference, &["snake_case"])]),
        (
            "u: we agreed with the customer on CSV, not XML, since their ERP can't read XML",
            &[(Decision, &["CSV"])],
        ),
        (
            "u: after talking to Ana: we keep the monolith. splitting would cost us the quarter",
            &[(Decision, &["monolith"])],
        ),
        ("u: the db allows max 20 connections, the plan is fixed", &[(Constraint, &["20 connections"])]),
        (
            "u: postgres on that box is 9.6 and cannot be upgraded, so no generated columns",
            &[(Constraint, &["9.6"])],
        ),
        ("u: s3 rejects keys longer than 1024 bytes", &[(Constraint, &["1024"])]),
    ]);
}

#[test]
fn what_puts_something_right_is_found() {
    table(&[
        (
            "u: use moment for the dates\na: Ok.\nu: actually no, not moment. it is deprecated. use luxon",
            &[(Preference, &["moment", "luxon"])],
        ),
        (
            "u: install the deps\n$ pip install -r requirements.txt\n- error: externally-managed-environment\na: pip refuses. Should I force it?\nu: no, use uv. pip breaks the system python\n$ uv sync\n+ ok",
            &[(Preference, &["uv"])],
        ),
        ("u: add the chart\na: I'll use chart.js.\nu: no, we use echarts", &[(Preference, &["echarts"])]),
        (
            "u: commit\n$ git commit -m x\n+ ok\na: Committed.\nu: no. commit messages in english, imperative, with the ticket number in front",
            &[(Preference, &["english"])],
        ),
        (
            "u: deployments to prod only on tuesdays and thursdays, the support team is not staffed otherwise",
            &[(Preference, &["tuesdays"])],
        ),
        (
            "u: from now on use tabs\na: ok\nu: sorry, I meant spaces. from now on use spaces",
            &[(Preference, &["spaces"])],
        ),
        (
            "u: the rule in this repo is: one component per file, otherwise storybook breaks",
            &[(Preference, &["one component"])],
        ),
        (
            "u: we're not allowed to send personal data to third parties, so no external analytics",
            &[(Constraint, &["personal data"])],
        ),
        ("u: legal says we must keep invoices for 10 years", &[(Constraint, &["10 years"])]),
        (
            "u: the vendor confirmed: batch size is max 500, they'll reject anything above",
            &[(Constraint, &["500"])],
        ),
        ("u: btw the sentry quota is 10k events a month, so sample at 10%", &[(Constraint, &["10k"])]),
        (
            "u: partition by day instead of by hour, we had 200k tiny files and athena choked",
            &[(Decision, &["by day"])],
        ),
        (
            "u: let's do retries with a fixed delay of 5 seconds\ne src/r.ts: a => b\na: Fixed delay of 5 seconds.\nu: hmm, no. 5 is too short for the bank, make it 30\ne src/r.ts: b => c\na: 30 seconds.",
            &[(Constraint, &["delay of 30 seconds", "too short"])],
        ),
    ]);
}
