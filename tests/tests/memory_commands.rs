//! `interleaf memory`: what a person types to change memories, and what they are told.

#[path = "memory_commands/asking.rs"]
mod asking;
#[path = "memory_commands/looking.rs"]
mod looking;
#[path = "memory_commands/moving.rs"]
mod moving;
#[path = "memory_commands/place.rs"]
mod place;
#[path = "memory_commands/updating.rs"]
mod updating;
