//! Filters in files: native ones, and those of other systems.
//!
//! A filter is created or opened, takes keys and answers lookups in batches, and is written with
//! its own hashing. No filter can be converted to another hashing: that would need its keys.

// This crate is a part of the program and not a published library: its items are documented where
// their names do not say enough, and have only the methods that the program needs.
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
