//! `interleaf sync`: memories travel between clones through the notes of a git repository,
//! through files of the project, or through a Postgres server.

mod clones;
mod cs_notes;
mod files;
mod git_notes;
mod init_sharing;
mod interrupted_sync;
mod postgres;
mod postgres_clients;
mod server_errors;
mod team;
mod team_accounts;
