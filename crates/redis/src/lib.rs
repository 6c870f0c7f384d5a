#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "async")]
pub mod aio;
mod batch;
mod bf;
mod bitmap;
mod calls;
mod create;
mod draft;
mod error;
mod key;
mod manage;
mod mark;
mod marked;
mod name;
mod reconnecting;
mod scheme;
mod scripts;
mod sharded;
mod shared;
mod tiered;
#[cfg(feature = "tls")]
mod tls;
mod trailer;
mod wire;

pub use bf::{BfInfo, BfInserted, NotInserted, RemoteBf};
pub use bitmap::{Inserted, RemoteBitmap};
pub use bouquet_core::{Key, SpecError};
pub use bouquet_interop::{self as interop, GoKey, RedisKey};
pub use create::Trust;
pub use draft::Draft;
pub use error::{Error, Lost, Result};
pub use key::Takes;
pub use manage::Info;
pub use reconnecting::{Connect, Reconnecting, connect};
pub use redis;
pub use scheme::{GoZero, Native, RedisBloom, Redisson, Scheme};
pub use sharded::{ShardedBitmap, ShardedDraft};
pub use tiered::TieredFilter;
#[cfg(feature = "tls")]
pub use tls::tls_client;
pub use wire::Retry;
