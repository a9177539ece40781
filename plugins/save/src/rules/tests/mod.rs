//! The rules on recorded sessions, and on talks of our own.

mod recorded;
mod transcript;
