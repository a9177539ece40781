//! `interleaf sync`: memories travel between clones through the notes of a git repository,
//! or through files of the project.

mod clones;
mod files;
mod git_notes;
mod interrupted_sync;
