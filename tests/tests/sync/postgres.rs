//! Memories on a Postgres server: who may read and write them there, and what happens if the server fails.

use interleaf_tests::postgres_server::{ADMIN, PostgresServer};
use interleaf_tests::scratch::Scratch;

use super::team::{Member, PROJECT, Team};

#[test]
fn memories_travel_between_members() {
    let Some(team) = Team::new() else { return };
    let (ada, ben) = (team.member("ada", "write"), team.member("ben", "write"));
    let id = ada.clone.remember("Payments are idempotent by order id, because webhooks come twice.");

    assert!(ada.sync().contains("1 memory went out"));
    let came = ben.sync();
    assert!(came.contains("1 memory came in"), "{came}");
    assert!(came.contains("quoted until you trust ada"), "{came}");

    ada.clone.interleaf(&["forget", &id, "--yes"]).success();
    ada.sync();
    assert!(ben.sync().contains("1 memory retired"));
    assert!(ben.sync().contains("Nothing new here or there."));
    assert!(ada.clone.active().is_empty() && ben.clone.active().is_empty());
}

#[test]
fn what_was_purged_is_erased_on_the_server_and_elsewhere() {
    let Some(team) = Team::new() else { return };
    let (ada, ben) = (team.member("ada", "write"), team.member("ben", "write"));
    let id = ada.clone.remember("The launch is called Bluebird until May.");
    ada.sync();
    ben.sync();
    ben.clone.interleaf(&["memory", "trust", "ada", "--yes"]).success();

    ada.clone.interleaf(&["forget", "--purge", &id, "--yes"]).success();
    ada.sync();
    ben.sync();

    let bodies = team.server.sql(ADMIN, "SELECT body FROM interleaf.entry");
    assert!(bodies.contains(&id) && !bodies.contains("Bluebird"), "{bodies}");
    assert!(!ben.clone.interleaf(&["memory", "list", "--all"]).success().contains("Bluebird"));
}

#[test]
fn a_writer_changes_their_own_memories_and_a_curator_all() {
    let Some(team) = Team::new() else { return };
    let (ada, ben) = (team.member("ada", "write"), team.member("ben", "write"));
    let id = ada.clone.remember("Payments are idempotent by order id, because webhooks come twice.");
    ada.sync();
    ben.sync();

    ben.clone.interleaf(&["forget", &id, "--yes"]).success();
    let refused = ben.sync();
    assert!(refused.contains("1 change stays here: your role there does not allow it"), "{refused}");
    ada.sync();
    assert_eq!(ada.clone.active().len(), 1);

    // With a new role, what stayed goes.
    team.admin(&["invite", "ben", "--role", "curate"]).success();
    ben.sync();
    ada.sync();
    assert!(ada.clone.active().is_empty());
}

#[test]
fn a_reader_receives_and_sends_nothing() {
    let Some(team) = Team::new() else { return };
    let (ada, ben) = (team.member("ada", "write"), team.member("ben", "read"));
    ada.clone.remember("Payments are idempotent by order id, because webhooks come twice.");
    ada.sync();
    ben.clone.remember("The parcel service calls back within an hour.");

    let synced = ben.sync();

    assert!(synced.contains("1 memory came in"), "{synced}");
    assert!(synced.contains("1 change stays here"), "{synced}");
    assert_eq!(count(&team.server), "1");
}

#[test]
fn somebody_without_a_role_reads_and_writes_nothing() {
    let Some(team) = Team::new() else { return };
    let ada = team.member("ada", "write");
    ada.clone.remember("Payments are idempotent by order id, because webhooks come twice.");
    ada.sync();
    team.server.sql(ADMIN, "CREATE ROLE eve LOGIN PASSWORD 'of-eve'");
    let eve = Member {
        clone: super::team::machine("Eve"),
        account: "eve".to_owned(),
        password: "of-eve".to_owned(),
    };
    eve.use_server(&team.server.url("eve"), "");

    let synced = eve.try_sync();

    assert_eq!(synced.code, Some(1));
    assert!(synced.err().contains("interleaf team invite eve"), "{}", synced.err());
    assert!(eve.sql(&team.server, "SELECT * FROM interleaf.entry").contains("permission denied"));
}

#[test]
fn a_member_of_another_project_reads_and_writes_nothing_here() {
    let Some(team) = Team::new() else { return };
    let ada = team.member("ada", "write");
    ada.clone.remember("Payments are idempotent by order id, because webhooks come twice.");
    ada.sync();
    team.admin(&["init", "--project", "other"]).success();
    team.admin(&["invite", "ben", "--project", "other", "--yes"]).success();
    team.server.sql(ADMIN, "ALTER ROLE ben PASSWORD 'of-ben'");
    let sql = |sql| team.server.sql(("ben", "of-ben"), sql);

    assert_eq!(sql("SELECT count(*) FROM interleaf.entry"), "0");
    assert_eq!(sql("SELECT name FROM interleaf.project"), "other");
    assert_eq!(sql("SELECT account FROM interleaf.member WHERE account = 'ada'"), "");
    let planted = sql("INSERT INTO interleaf.entry (project, id, body) VALUES (1, 'x', '{\"id\": \"x\"}')");
    assert!(planted.contains("row-level security"), "{planted}");
}

#[test]
fn no_sql_of_a_writer_changes_what_others_wrote() {
    let Some(team) = Team::new() else { return };
    let (ada, ben) = (team.member("ada", "write"), team.member("ben", "write"));
    ada.clone.remember("Payments are idempotent by order id, because webhooks come twice.");
    ada.sync();
    let before = team.server.sql(ADMIN, "SELECT * FROM interleaf.entry");

    for sql in [
        "UPDATE interleaf.entry SET body = '{}'",
        "UPDATE interleaf.entry SET account = 'ben'",
        "UPDATE interleaf.entry SET number = 0",
        "DELETE FROM interleaf.entry",
        "TRUNCATE interleaf.entry",
        "INSERT INTO interleaf.entry (project, id, body) SELECT project, id, '{}' FROM interleaf.entry \
         ON CONFLICT (project, id) DO UPDATE SET body = excluded.body",
        "INSERT INTO interleaf.entry (project, id, body, account) VALUES (1, 'x', '{}', 'ada')",
        "INSERT INTO interleaf.entry (project, id, body) SELECT project, 'x', body FROM interleaf.entry",
        "UPDATE interleaf.member SET role = 'curate'",
        "ALTER TABLE interleaf.entry DISABLE ROW LEVEL SECURITY",
        "SET row_security = off; UPDATE interleaf.entry SET body = '{}'",
    ] {
        ben.sql(&team.server, sql);
        assert_eq!(team.server.sql(ADMIN, "SELECT * FROM interleaf.entry"), before, "{sql}");
    }
    assert_eq!(team.server.sql(ADMIN, "SELECT role FROM interleaf.member WHERE account = 'ben'"), "write");
}

#[test]
fn a_revoked_member_is_out_and_what_they_wrote_stays() {
    let Some(team) = Team::new() else { return };
    let ada = team.member("ada", "write");
    ada.clone.remember("Payments are idempotent by order id, because webhooks come twice.");
    ada.sync();
    assert_eq!(team.admin(&["list"]).success(), "ada: write\nadmin: curate\n");

    team.admin(&["revoke", "ada"]).success();

    assert_eq!(team.admin(&["list"]).success(), "admin: curate\n");
    assert!(ada.try_sync().err().contains("the account `ada` has no rights"));
    assert_eq!(count(&team.server), "1");
    let again = team.admin(&["revoke", "ada"]);
    assert_eq!(again.code, Some(2));
    assert!(again.err().contains("`ada` has no role in the project"), "{}", again.err());
}

#[test]
fn what_a_server_lost_is_sent_again() {
    let Some(team) = Team::new() else { return };
    let (ada, ben) = (team.member("ada", "write"), team.member("ben", "write"));
    ada.clone.remember("Payments are idempotent by order id, because webhooks come twice.");
    ada.sync();
    ben.sync();

    // As after a restored backup from before the first exchange.
    team.server.sql(ADMIN, "DELETE FROM interleaf.entry");
    let synced = ada.sync();

    assert!(synced.contains("1 memory went out"), "{synced}");
    assert_eq!(count(&team.server), "1");
}

#[test]
fn a_server_that_is_away_is_named_by_doctor_and_the_next_exchange_goes_on() {
    let Some(team) = Team::new() else { return };
    let ada = team.member("ada", "write");
    ada.sync();
    ada.clone.remember("Payments are idempotent by order id, because webhooks come twice.");

    team.server.stop();
    for _ in 0..3 {
        let failed = ada.try_sync();
        assert_eq!(failed.code, Some(1));
        assert!(failed.err().contains("cannot be reached"), "{}", failed.err());
    }
    let doctor = ada.clone.interleaf(&["doctor"]).out();
    assert!(doctor.contains("cannot be reached"), "{doctor}");

    team.server.restart();
    assert!(ada.sync().contains("1 memory went out"));
}

#[test]
fn a_server_that_is_away_does_not_hold_up_another_place() {
    let Some(team) = Team::new() else { return };
    let ada = team.member("ada", "write");
    ada.sync();
    ada.clone.interleaf(&["sync", "--to", "files", "--yes"]).success();
    ada.clone.remember("Payments are idempotent by order id, because webhooks come twice.");
    team.server.stop();

    let synced = ada.clone.interleaf(&["sync"]);

    assert_eq!(synced.code, Some(1));
    assert!(synced.err().contains("cannot be reached"), "{}", synced.err());
    assert!(synced.out().contains("Place: files in .claude/memory\n1 memory went out"), "{}", synced.out());
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_refused() {
    let Some(server) = PostgresServer::start_with_tls() else { return };
    let team = Team::on(server);
    let ada = team.member("ada", "write");
    let url = team.server.url("ada");

    ada.use_server(&format!("{url}?sslmode=require"), "");
    let refused = ada.try_sync();
    assert!(refused.err().contains("certificate"), "{}", refused.err());

    let vouched = team.server.file("ca.crt");
    ada.use_server(&format!("{url}?sslmode=require&sslrootcert={}", vouched.display()), "");
    ada.sync();
    let open = team.server.sql(
        ADMIN,
        "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                                       WHERE application_name = 'psql'",
    );
    assert!(open.contains('t'), "{open}");
}

#[test]
fn a_server_without_tls_is_refused_where_tls_is_asked_for() {
    let Some(team) = Team::new() else { return };
    let ada = team.member("ada", "write");

    ada.use_server(&format!("{}?sslmode=require", team.server.url("ada")), "");

    assert!(ada.try_sync().err().contains("TLS"), "{}", ada.try_sync().err());
}

#[test]
fn a_server_that_is_not_set_up_says_who_does_that() {
    let Some(server) = PostgresServer::start() else { return };
    let ada = Member {
        clone: super::team::machine("Ada"),
        account: ADMIN.0.to_owned(),
        password: ADMIN.1.to_owned(),
    };
    ada.use_server(&server.url(ADMIN.0), "");

    let refused = ada.try_sync();

    assert_eq!(refused.code, Some(1));
    assert!(refused.err().contains("interleaf team init"), "{}", refused.err());
}

#[test]
fn a_wrong_password_is_named_and_not_shown() {
    let Some(team) = Team::new() else { return };
    let mut ada = team.member("ada", "write");
    ada.password = "a-guess".to_owned();
    ada.use_server(&team.server.url("ada"), "");

    let refused = ada.try_sync();

    assert_eq!(refused.code, Some(1));
    assert!(refused.err().contains("the password of the account `ada` is wrong"), "{}", refused.err());
    assert!(!refused.err().contains("a-guess"), "{}", refused.err());
}

#[test]
fn no_password_is_stored_and_the_server_never_sees_it_in_a_statement() {
    let Some(team) = Team::new() else { return };
    team.server.sql(ADMIN, "ALTER SYSTEM SET log_statement = 'all'");
    team.server.sql(ADMIN, "SELECT pg_reload_conf()");
    let ada = team.member("ada", "write");
    ada.sync();

    let log = std::fs::read_to_string(team.server.log_file()).expect("the server writes it");
    assert!(log.contains("CREATE ROLE \"ada\"") && !log.contains(&ada.password));
    let database = ada.clone.scratch.interleaf_home.join("data");
    assert!(!contains(&database, &ada.password));
}

#[test]
fn a_project_may_name_the_place_but_not_the_server() {
    let Some(team) = Team::new() else { return };
    let ada = team.member("ada", "write");
    ada.clone.remember("Payments are idempotent by order id, because webhooks come twice.");
    let file = ".claude/interleaf.toml";
    ada.clone
        .scratch
        .write(file, "[sync]\nplace = \"postgres\"\npostgres = \"postgres://eve@evil.example/x\"\n");

    let unasked = ada.clone.interleaf(&["sync"]);
    assert_eq!(unasked.code, Some(2));
    assert!(unasked.err().contains("interleaf sync --yes"), "{}", unasked.err());
    assert_eq!(count(&team.server), "0");

    let shown = ada.clone.interleaf(&["sync", "--yes"]).success();
    assert!(shown.contains(&format!("/memories, project {PROJECT}")), "{shown}");
    assert_eq!(count(&team.server), "1");
    assert!(ada.clone.interleaf(&["config", "check"]).out().contains("sync.postgres"));
}

#[test]
fn a_password_in_the_url_is_refused() {
    let scratch = Scratch::new();
    scratch.configure("[sync]\npostgres = \"postgres://ada:hunter2@db/memories\"\n");

    let checked = scratch.interleaf(&["config", "check"]);

    assert!(checked.out().contains("must not contain a password"), "{}", checked.out());
    assert!(scratch.interleaf(&["sync", "--to", "postgres"]).err().contains("no Postgres server"));
}

#[test]
fn an_agent_changes_no_roles() {
    let scratch = Scratch::new();
    for arguments in [&["team", "init"][..], &["team", "invite", "eve"], &["team", "revoke", "ada"]] {
        let mut command = scratch.command(interleaf_tests::program::program());
        command
            .args(arguments)
            .args(["--url", "postgres://admin@127.0.0.1:1/memories"])
            .env("CLAUDECODE", "1");
        let refused = interleaf_tests::run::run(&mut command, b"", interleaf_tests::scratch::HANG_TIMEOUT);
        assert!(refused.err().contains("outside Claude Code"), "{}", refused.err());
    }
}

/// Returns the number of entries on the server.
fn count(server: &PostgresServer) -> String {
    server.sql(ADMIN, "SELECT count(*) FROM interleaf.entry")
}

/// Tells whether any file below a folder contains a text.
fn contains(folder: &std::path::Path, text: &str) -> bool {
    std::fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        let path = entry.path();
        let has = |bytes: Vec<u8>| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        path.is_dir() && contains(&path, text) || std::fs::read(&path).is_ok_and(has)
    })
}

/// A database of Postgres 14 and older lets everybody create functions in `public`.
#[test]
fn a_member_s_function_is_not_called_in_the_name_of_the_administrator() {
    let Some(team) = Team::new() else { return };
    let mallory = team.member("mallory", "write");
    team.server.sql(ADMIN, "GRANT CREATE ON SCHEMA public TO mallory");
    let trap = "CREATE FUNCTION public.pg_advisory_xact_lock(integer) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN EXECUTE 'ALTER ROLE mallory SUPERUSER'; EXCEPTION WHEN OTHERS THEN NULL; END $$";
    assert_eq!(team.server.sql((&mallory.account, &mallory.password), trap), "");

    team.admin(&["init"]).success();
    let rights = team.server.sql(ADMIN, "SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'");
    assert_eq!(rights, "f");
}
