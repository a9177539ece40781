//! Accounts on the server of a team: who creates and drops them, and that a project keeps a curator.

use interleaf_tests::postgres_server::{ADMIN, PostgresServer};

use super::team::Team;

#[test]
fn without_a_terminal_no_account_is_created_unless_yes_says_so() {
    let Some(team) = Team::new() else { return };

    let refused = team.admin(&["invite", "adaa", "--role", "read"]);

    assert_eq!(refused.code, Some(2), "{}", refused.err());
    assert!(refused.out().contains("There is no account `adaa` on this server."), "{}", refused.out());
    let (next, all) = ("interleaf team invite adaa --role read --yes", refused.err());
    assert!(all.contains("nothing was done") && all.contains(next), "{all}");
    team.admin(&["init", "--project", "other"]).success();
    let elsewhere = team.admin(&["invite", "adaa", "--project", "other"]).err();
    assert!(elsewhere.contains("--role write --yes, with the same --project"), "{elsewhere}");
    assert_eq!(accounts(&team.server), "admin");
    assert_eq!(team.admin(&["list"]).success(), "admin: curate\n");

    team.admin(&["invite", "adaa", "--role", "read", "--yes"]).success();
    assert_eq!(team.admin(&["list"]).success(), "adaa: read\nadmin: curate\n");
    // The account is there, so nothing is asked.
    team.admin(&["invite", "adaa"]).success();
    assert_eq!(team.admin(&["list"]).success(), "adaa: write\nadmin: curate\n");
}

#[test]
fn at_a_terminal_a_new_account_is_asked_about() {
    let Some(team) = Team::new() else { return };

    let no = team.admin_at_a_terminal("invite adaa", "n\n").success();
    assert!(no.contains("Create it? [y/N]") && no.contains("Nothing was changed."), "{no}");
    assert_eq!(accounts(&team.server), "admin");

    let yes = team.admin_at_a_terminal("invite ada", "y\n").success();
    assert!(yes.contains("Its password, which is not shown again"), "{yes}");
    assert_eq!(accounts(&team.server), "ada\nadmin");
}

#[test]
fn an_account_that_is_used_nowhere_else_is_dropped_with_its_role() {
    let Some(team) = Team::new() else { return };
    let ada = team.member("ada", "write");
    ada.clone.remember("Payments are idempotent by order id, because webhooks come twice.");
    ada.sync();

    let unasked = team.admin(&["revoke", "ada", "--drop-account"]);
    assert_eq!(unasked.code, Some(2), "{}", unasked.err());
    assert!(unasked.err().contains("interleaf team revoke ada --drop-account --yes"), "{}", unasked.err());
    assert_eq!(accounts(&team.server), "ada\nadmin");

    let dropped = team.admin(&["revoke", "ada", "--drop-account", "--yes"]).success();
    assert!(dropped.contains("The account `ada` was dropped."), "{dropped}");
    assert_eq!(accounts(&team.server), "admin");
    assert_eq!(team.server.sql(ADMIN, "SELECT count(*) FROM interleaf.entry"), "1");
}

/// The second account is dropped by hand, and still has its roles when the third one is created.
#[test]
fn a_new_account_has_no_rights_of_a_former_one_of_its_name() {
    let Some(team) = Team::new() else { return };
    let first = team.member("ada", "write");
    first.clone.remember("Payments are idempotent by order id, because webhooks come twice.");
    first.sync();
    team.admin(&["revoke", "ada", "--drop-account", "--yes"]).success();
    let change = "UPDATE interleaf.entry SET body = body RETURNING id";

    let second = team.member("ada", "write");
    assert_eq!(second.sql(&team.server, change), "");
    second.clone.remember("Deployments run from the tag and never from a branch.");
    second.sync();
    assert_eq!(second.sql(&team.server, change).lines().count(), 1);

    team.admin(&["init", "--project", "other"]).success();
    team.admin(&["invite", "ada", "--role", "curate", "--project", "other"]).success();
    team.server.sql(ADMIN, "DROP OWNED BY ada; DROP ROLE ada");
    let third = team.member("ada", "write");
    assert_eq!(third.sql(&team.server, change), "");
    assert_eq!(third.sql(&team.server, "SELECT count(*) FROM interleaf.entry"), "2");
    assert_eq!(team.server.sql(ADMIN, "SELECT role FROM interleaf.member WHERE account = 'ada'"), "write");
}

#[test]
fn an_account_with_rights_elsewhere_is_not_dropped() {
    let Some(team) = Team::new() else { return };
    for (account, sql, why) in [
        (
            "ada",
            "CREATE TABLE accounts (); GRANT SELECT ON accounts TO ada",
            "privileges for table public.accounts",
        ),
        ("ben", "CREATE SCHEMA of_ben AUTHORIZATION ben", "owner of schema of_ben"),
    ] {
        team.member(account, "write");
        team.server.sql(ADMIN, sql);

        let refused = team.admin(&["revoke", account, "--drop-account", "--yes"]);

        assert_eq!(refused.code, Some(1), "{}", refused.err());
        let message = refused.err();
        assert!(message.contains("owns something or has rights elsewhere"), "{message}");
        assert!(message.contains(why), "{message}");
        assert!(message.contains(&format!("interleaf team revoke {account}")), "{message}");
        // Nothing was done by halves.
        assert!(team.admin(&["list"]).success().contains(&format!("{account}: write")));
    }
}

#[test]
fn an_account_of_another_project_or_of_none_is_not_dropped() {
    let Some(team) = Team::new() else { return };
    team.member("ada", "write");
    team.admin(&["init", "--project", "other"]).success();
    team.admin(&["invite", "ada", "--project", "other"]).success();
    team.server.sql(ADMIN, "CREATE ROLE monitor LOGIN");

    let elsewhere = team.admin(&["revoke", "ada", "--drop-account", "--yes"]);
    let unknown = team.admin(&["revoke", "monitor", "--drop-account", "--yes"]);

    assert_eq!(elsewhere.code, Some(1), "{}", elsewhere.err());
    assert!(elsewhere.err().contains("has a role in the project `other`"), "{}", elsewhere.err());
    assert_eq!(unknown.code, Some(2), "{}", unknown.err());
    assert!(unknown.err().contains("`monitor` has no role in the project"), "{}", unknown.err());
    assert_eq!(accounts(&team.server), "ada\nadmin\nmonitor");
}

#[test]
fn the_only_curator_of_a_project_stays_one() {
    let Some(team) = Team::new() else { return };
    team.member("ada", "write");

    for arguments in [&["revoke", "admin"][..], &["invite", "admin", "--role", "write"]] {
        let refused = team.admin(arguments);
        assert_eq!(refused.code, Some(1), "{}", refused.err());
        let message = refused.err();
        assert!(message.contains("`admin` is the only curator of the project"), "{message}");
        assert!(message.contains("interleaf team invite ACCOUNT --role curate"), "{message}");
        assert!(team.admin(&["list"]).success().contains("admin: curate"));
    }

    team.admin(&["invite", "ada", "--role", "curate"]).success();
    team.admin(&["revoke", "admin"]).success();
    assert_eq!(team.admin(&["list"]).success(), "ada: curate\n");
    team.admin(&["init"]).success();
    assert_eq!(team.admin(&["list"]).success(), "ada: curate\nadmin: curate\n");
}

#[test]
fn a_curator_who_did_not_set_the_server_up_invites_nobody() {
    let Some(team) = Team::new() else { return };
    let ada = team.member("ada", "curate");

    for arguments in [&["team", "invite", "admin"][..], &["team", "revoke", "admin"], &["team", "init"]] {
        let refused = ada.clone.interleaf(arguments);
        assert_eq!(refused.code, Some(1), "{arguments:?}: {}", refused.err());
        let message = refused.err();
        assert!(message.contains("the account `ada`"), "{arguments:?}: {message}");
        assert!(!message.contains("permission denied for"), "{arguments:?}: {message}");
    }
    // Everybody may look.
    assert_eq!(ada.clone.interleaf(&["team", "list"]).success(), "ada: curate\nadmin: curate\n");
}

/// Returns the accounts that can log in.
fn accounts(server: &PostgresServer) -> String {
    server.sql(ADMIN, "SELECT rolname FROM pg_roles WHERE rolcanlogin ORDER BY rolname")
}
