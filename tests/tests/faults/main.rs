//! Faults of the machine: a full disk, folders that cannot be written, locks that nobody releases, files of
//! the wrong kind, a git that hangs, a clock that jumps. Whatever is broken, a session goes on, nothing that
//! was stored is lost, `interleaf doctor` names the fault, and its next step works.
//!
//! Damage inside the database is in `damage.rs`, killed processes are in `jobs/killed.rs`, and failing system
//! calls in `gate_faults.rs`.

mod clock_and_log;
mod full_disk;
mod heavy_loads;
mod held_locks;
mod mounts;
mod odd_files;
mod odd_project_paths;
mod odd_transcripts;
mod schema_versions;
mod slow_git;
mod stored_project;
mod unwritable_folders;
