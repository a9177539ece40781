//! A Postgres server on which teams keep copies of their memories: its schema, who may do what there, and the
//! entries. Row-level security of the server decides who reads and writes; this program only asks.

mod accounts;
mod entry_table;
mod members;
mod schema;
mod server_address;
mod server_connection;
mod server_error;

pub use entry_table::{EntryPage, EntryTable, StoredEntry};
pub use members::{Member, Role};
pub use server_connection::TeamServer;
