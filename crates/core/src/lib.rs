#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

pub mod batch;
mod cannot_fail;
mod capability;
mod error;
mod filter;
mod fold;
mod forward;
mod from_keys;
mod hash;
mod inherent;
mod inner;
mod iter;
mod key;
mod locate;
pub mod math;
#[doc(hidden)]
pub mod other_names;
mod spec;

pub use cannot_fail::CannotFail;
pub use capability::{ConcurrentInsert, Inspect, Intersect, Remove, Union};
pub use error::{BatchError, Incompatible, Parameter, SpecError};
pub use filter::{Filter, FilterExt, Insert, Prehashed, TryInsert};
pub use fold::{Fold, FoldError};
pub use from_keys::from_keys;
pub use hash::{HashStream, KeyHash, KeyHasher, SeededHasher, StreamHasher, USER_HASHER_IDS};
#[doc(hidden)]
pub use inherent::{TargetOfCollect, TargetOfDefault, UnitesByOperator};
pub use inner::Inner;
pub use iter::{ContainsIter, FilterNew, InsertIter, KeyIterator};
pub use key::{Hashed, Key, KeyParts};
pub use locate::{Fill, Locate};
pub use spec::{MAX_SIZE_BITS, Spec};
