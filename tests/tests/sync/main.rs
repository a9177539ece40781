//! `interleaf sync`: memories travel between clones through the notes of a git repository.

mod clones;
mod files;
mod git_notes;
mod killed;
