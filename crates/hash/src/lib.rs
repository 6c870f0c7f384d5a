#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "std"), no_std)]

mod folded;
pub mod murmur3;
#[cfg(feature = "std")]
mod reader;
pub mod reduce;
pub mod scheme;
#[cfg(feature = "siphash")]
mod sip;
mod std_hasher;
mod wide;
mod xxh3;

pub use folded::{Folded, FoldedStream};
#[cfg(feature = "std")]
pub use reader::hash_reader;
pub use scheme::Probes;
#[cfg(feature = "siphash")]
pub use sip::{SipKeyed, SipStream};
pub use std_hasher::StdHasher;
pub use xxh3::{Xxh3, Xxh3Stream, Xxh3Wide, Xxh3WideStream};
