//! Imports shared by the source files of the filters.

pub(crate) use anyhow::{Result, bail};
pub(crate) use bouquet_core::{
    Fill as _, Inner, Key, KeyHash, Prehashed, Spec, SpecError, TryInsert,
    math::{Occupancy, with_hash_floor},
};
pub(crate) use bouquet_format::{Encode, Header, variant as id};
pub(crate) use bouquet_hash::{Folded, Probes};
pub(crate) use bouquet_stats::reference::{Array, Form};

pub(crate) use crate::{
    BySize, ExactSize, Facts, Family, FilterInfo, Foreign, Geometries, HASH_BITS, Hasher, InShards,
    Load, Options, Outline, Pairs, Part, Shape, Sizable, SizingFn, Snippet, Style, Unites,
    facts::PLAIN,
    filter::catalogue_filter,
    nested::{self, Nest, Nested},
    registry::{Request, Size},
    sizing,
    variant::{self, impl_bit_array},
};
