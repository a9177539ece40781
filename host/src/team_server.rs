//! A Postgres server on which teams keep copies of their memories: its schema, who may do what there, and the
//! entries. Row-level security of the server decides who reads and writes; this program only asks.

mod connection;
mod entry_table;
mod members;
mod schema;

pub use connection::TeamServer;
pub use entry_table::{EntryPage, EntryTable, StoredEntry};
pub use members::{Member, Role};
