#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod checksum;
mod decode;
mod encode;
mod error;
#[cfg(feature = "std")]
mod file;
mod header;
mod inherent;
mod limits;
#[cfg(feature = "mmap")]
mod mapped;
mod named;
#[cfg(feature = "std")]
mod path;
mod read;
mod record;
#[cfg(feature = "std")]
mod save;
#[cfg(feature = "serde")]
pub mod serde;
mod stored;
mod view;
mod write;

pub use bouquet_core::SeededHasher;
pub use checksum::checksum;
pub use decode::Decode;
pub use encode::Encode;
pub use error::{DecodeError, Problem};
#[cfg(feature = "std")]
pub use file::LoadError;
pub use header::{
    HEADER_BYTES, Header, LINE_BYTES, MAGIC, TRAILER_BYTES, USER_VARIANT_IDS, VERSION, variant,
};
pub use limits::Limits;
#[cfg(feature = "mmap")]
pub use mapped::{Mapped, ReadAhead};
pub use named::StoredType;
pub use read::{Reader, Source, Unreadable};
pub use record::{Document, Record};
#[cfg(feature = "std")]
pub use save::{check_save, save};
pub use view::{InnerView, View};
pub use write::{Sink, Stopped, Writer};
