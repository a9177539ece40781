//! `interleaf memory`: the commands by which a person changes memories, and their output.

#[path = "memory_commands/confirmation.rs"]
mod confirmation;
#[path = "memory_commands/export_import.rs"]
mod export_import;
#[path = "memory_commands/inspection.rs"]
mod inspection;
#[path = "memory_commands/project.rs"]
mod project;
#[path = "memory_commands/purged_words.rs"]
mod purged_words;
#[path = "memory_commands/updates.rs"]
mod updates;
