//! What the files of filters have in common.

pub(crate) use anyhow::{Result, bail};
pub(crate) use bouquet_core::{
    Fill as _, Inner, KeyHash, KeyHasher, Spec, SpecError,
    math::{Occupancy, with_hash_floor},
};
pub(crate) use bouquet_format::{Decode, Header, variant as id};
pub(crate) use bouquet_hash::{Folded, Probes};
pub(crate) use bouquet_stats::witness::{Array, Form};
pub(crate) use bouquet_theory as theory;

pub(crate) use crate::{
    Colour, ExactSize, Facts, Family, File, Foreign, HASH_BITS, Hasher, InShards, Judged, Load,
    Marker::*,
    Options, Pairs, Part, Shape, SizingFn, Snippet,
    Stroke::*,
    Style, Unites, Variant,
    facts::PLAIN,
    file::filed,
    methods,
    nested::{self, Nest},
    sizing,
    variant::{self, of_bits},
};
