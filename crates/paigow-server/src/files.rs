//! Files of the operator: master keys, rule books and house ways, and the permissions of private files.

mod book_folder;
mod key_file;
pub mod private_file;

pub use book_folder::BookFolder;
pub use key_file::{KeyFileError, master_keys, read_master_keys};
