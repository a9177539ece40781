//! What a person reads when a place cannot be used: who or what is meant, why, and the next step.

use interleaf_tests::postgres_server::{ADMIN, PostgresServer};

use super::team::{Member, Team, machine};

#[test]
fn a_failure_names_the_account_or_the_server_and_the_next_step() {
    let Some(team) = Team::new() else { return };
    let ada = team.member("ada", "write");
    let url = team.server.url("ada");
    let host = url.strip_prefix("postgres://ada@").expect("the kit's URL");
    let host = host.strip_suffix("/memories").expect("the kit's URL");
    for (url, parts) in [
        (format!("postgres://nobody@{host}/memories"), &["the account `nobody`", "password_file"][..]),
        (format!("postgres://ada@{host}/nodb"), &["has no database `nodb`", "createdb"]),
        ("postgres://ada@127.0.0.1:1/memories".to_owned(), &["127.0.0.1:1", "nothing listens", "running"]),
        ("postgres://ada@no-such-host.invalid/m".to_owned(), &["no-such-host.invalid", "spelling"]),
        (format!("postgres://ada@{host}/memories?sslmode=require"), &["no TLS", "ssl = on"]),
    ] {
        ada.use_server(&url, "");
        let refused = ada.try_sync();
        assert_eq!(refused.code, Some(1), "{url}: {}", refused.err());
        for part in parts {
            assert!(refused.err().contains(part), "{url}: `{part}` in {}", refused.err());
        }
        for raw in ["os error", "permission denied for", &ada.password] {
            assert!(!refused.err().contains(raw), "{url}: `{raw}` in {}", refused.err());
        }
    }
}

#[test]
fn a_server_that_lets_nobody_else_in_says_so() {
    let Some(team) = Team::new() else { return };
    let ada = team.member("ada", "write");

    team.server.sql(ADMIN, "ALTER ROLE ada CONNECTION LIMIT 0");
    let full = ada.try_sync();
    assert!(full.err().contains("no more connections"), "{}", full.err());
    team.server.sql(ADMIN, "ALTER ROLE ada CONNECTION LIMIT -1; ALTER ROLE ada NOLOGIN");
    let locked = ada.try_sync();
    assert!(locked.err().contains("the account `ada`"), "{}", locked.err());
    assert!(locked.err().contains("not permitted to log in"), "{}", locked.err());
}

#[test]
fn a_certificate_of_an_unknown_authority_names_the_option_for_it() {
    let Some(server) = PostgresServer::start_with_tls() else { return };
    let team = Team::on(server);
    let ada = team.member("ada", "write");

    ada.use_server(&format!("{}?sslmode=require", team.server.url("ada")), "");

    let refused = ada.try_sync();
    assert!(refused.err().contains("certificate"), "{}", refused.err());
    assert!(refused.err().contains("sslrootcert=FILE"), "{}", refused.err());

    // The certificate names 127.0.0.1 alone.
    let url = team.server.url("ada").replace("127.0.0.1", "localhost");
    let authority = team.server.file("ca.crt");
    ada.use_server(&format!("{url}?sslmode=require&sslrootcert={}", authority.display()), "");
    let elsewhere = ada.try_sync();
    assert!(elsewhere.err().contains("is for another host than localhost"), "{}", elsewhere.err());
    ada.use_server(&format!("{url}?sslmode=require&sslrootcert=/nowhere.crt"), "");
    let missing = ada.try_sync();
    assert!(missing.err().contains("/nowhere.crt") && missing.err().contains("PEM"), "{}", missing.err());
}

#[test]
fn a_file_without_a_password_is_named_with_the_next_step() {
    let ada = machine("Ada");
    let file = ada.scratch.root.join("db-password");
    ada.scratch.configure(&format!(
        "[sync]\npostgres = \"postgres://ada@127.0.0.1:1/memories\"\npassword_file = \"{}\"\n",
        file.display()
    ));

    let refused = ada.interleaf(&["sync", "--to", "postgres", "--yes"]);

    assert!(refused.err().contains(&file.display().to_string()), "{}", refused.err());
    assert!(refused.err().contains("hint: put the account in the URL"), "{}", refused.err());
}

#[test]
fn an_account_without_rights_reads_no_text_of_sql() {
    let Some(team) = Team::new() else { return };
    team.server.sql(ADMIN, "CREATE ROLE eve LOGIN PASSWORD 'of-eve'");
    let eve = Member { clone: machine("Eve"), account: "eve".to_owned(), password: "of-eve".to_owned() };
    eve.use_server(&team.server.url("eve"), "");

    for refused in [eve.try_sync(), eve.clone.interleaf(&["team", "list"])] {
        assert_eq!(refused.code, Some(1));
        let message = refused.err();
        assert!(message.contains("the account `eve` has no rights"), "{message}");
        assert!(message.contains("interleaf team invite eve"), "{message}");
    }
}

#[test]
fn the_account_of_an_administrator_needs_the_rights_that_it_lacks() {
    let Some(server) = PostgresServer::start() else { return };
    server.sql(ADMIN, "CREATE ROLE eve LOGIN PASSWORD 'of-eve'");
    let eve = Member { clone: machine("Eve"), account: "eve".to_owned(), password: "of-eve".to_owned() };
    eve.use_server(&server.url("eve"), "");

    let refused = eve.clone.interleaf(&["team", "init"]);

    assert_eq!(refused.code, Some(1));
    assert!(refused.err().contains("the account `eve`"), "{}", refused.err());
    assert!(refused.err().contains("GRANT CREATE ON DATABASE"), "{}", refused.err());
}

#[test]
fn a_place_that_is_not_in_use_is_named_with_those_that_are() {
    let ada = machine("Ada");
    let stop = |arguments: &[&str]| ada.interleaf(&[&["sync", "--stop"], arguments].concat());

    assert_eq!(stop(&[]).success(), "No place is in use.\n");
    let none = stop(&["--to", "files"]);
    assert!(none.err().contains("files in .claude/memory is not in use, and no other place is"));
    ada.interleaf(&["sync", "--to", "files", "--yes"]).success();
    for other in [&["--to", "git-notes"][..], &["git-notes"]] {
        let refused = stop(other);
        assert_eq!(refused.code, Some(1));
        assert!(refused.err().contains("git notes of git@example.com:team/shop.git is not in use"));
        assert!(refused.err().contains("name one that is: files in .claude/memory"), "{}", refused.err());
    }
    assert_eq!(stop(&["files"]).success(), "No longer exchanged: files in .claude/memory\n");
}
