//! Filters as files: ours, and those of other systems.
//!
//! A filter is made or opened, takes keys and answers by batches, and is written
//! in the hashing that it has. No filter is turned into another hashing: that
//! would need its keys.

mod chart;
mod closed;
mod foreign;
mod format;
mod held;
mod hex;
mod keys;
mod make;
mod native;
mod open;
mod save;
mod source;
mod stream;

pub use self::{
    chart::Part,
    format::Format,
    held::{Facts, Held},
    keys::{Batch, Keys, count, once},
    make::{Ask, Hashing, Kind, make},
    open::{Bitmap, Found, Opened, look, open},
    save::{is_same_file, save},
    stream::Stream,
};
