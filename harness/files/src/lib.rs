//! Filters as files: ours, and those of other systems.
//!
//! A filter is made or opened, takes keys and answers by batches, and is written
//! in the hashing that it has. No filter is turned into another hashing: that
//! would need its keys.

// A part of the program, not a library to be published: its items are documented where
// their names do not say enough, and have what the program needs.
#![allow(missing_docs, missing_debug_implementations)]
#![allow(clippy::len_without_is_empty, clippy::new_without_default)]

mod any_filter;
mod chunk;
mod differ;
mod foreign;
mod format;
mod hashing;
mod hex;
mod keys;
mod make;
mod native;
mod open;
mod save;
mod secret;
mod source;

pub use self::{
    any_filter::{AnyFilter, Facts, Load},
    chunk::Chunk,
    foreign::Bitmap,
    format::Format,
    hashing::Hashing,
    keys::{Keys, once},
    make::{Kind, Request, make},
    open::{Opened, Opener},
    save::{check_save, is_same_file, save},
    secret::HashKey,
};
