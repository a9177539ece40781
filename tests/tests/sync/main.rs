//! `interleaf sync`: memories travel between clones through the notes of a git repository,
//! through files of the project, or through a Postgres server.

mod change_authors;
mod clones;
mod cs_notes;
mod files;
mod git_notes;
mod idle_places;
mod init_sharing;
mod interrupted_sync;
mod mixed_places;
mod outgoing_changes;
mod postgres;
mod postgres_clients;
mod previews;
mod server_errors;
mod team;
mod team_accounts;
mod withheld;
