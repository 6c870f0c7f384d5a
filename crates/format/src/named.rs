//! The Rust type of a stored filter, for messages: the type with which the file can be opened.

use core::fmt;

use crate::{Header, variant};

/// What a file states about its type: the variant, the layout of a blocked filter, the hasher,
/// and for a part the filter that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredType {
    /// The variant of the filter of which this filter is a stage or a shard, if it is one.
    pub(crate) outer: Option<u16>,
    /// The variant's ID.
    pub variant: u16,
    /// The number of a blocked filter's layout, the bits of a fuse filter's fingerprints; 0 for other
    /// variants.
    pub layout: u64,
    /// The ID of the hasher.
    pub hasher: u16,
    /// Whether the hasher has a secret key.
    pub keyed: bool,
}

impl StoredType {
    pub(crate) const fn of(header: &Header) -> Self {
        let [_, layout, _, width, _] = header.parameters();
        Self {
            outer: None,
            variant: header.variant(),
            layout: match header.variant() {
                variant::BLOCKED => layout,
                variant::FUSE => width,
                _ => 0,
            },
            hasher: header.hasher(),
            keyed: header.keyed(),
        }
    }

    /// Returns this type as a part of the filter whose header is `whole`.
    pub(crate) const fn within(self, whole: &Header) -> Self {
        let outer = match whole.variant() {
            // A stage is not a public type; the scalable filter that contains it is.
            variant::STAGE => Some(variant::SCALABLE),
            other => Some(other),
        };
        Self { outer, ..self }
    }

    /// Whether the filter consists of parts whose type is not known yet: each part has its own
    /// header.
    pub(crate) const fn is_of_parts(&self) -> bool {
        self.outer.is_none() && matches!(self.variant, variant::SCALABLE | variant::SHARDED)
    }

    /// The name of the hasher's type, if this project has assigned its ID.
    pub(crate) const fn hasher_name(&self) -> Option<&'static str> {
        hasher_name(self.hasher)
    }

    /// The name of the layout, if this is a blocked filter, or of the fingerprints of a fuse filter.
    pub(crate) const fn layout_name(&self) -> Option<&'static str> {
        match (self.variant, self.layout) {
            (variant::BLOCKED, 1) => Some("Words64"),
            (variant::BLOCKED, 2) => Some("Words32"),
            (variant::BLOCKED, 3) => Some("Line"),
            (variant::FUSE, 8) => Some("u8"),
            (variant::FUSE, 12) => Some("Bits12"),
            (variant::FUSE, 16) => Some("u16"),
            (variant::FUSE, 32) => Some("u32"),
            _ => None,
        }
    }

    /// Whether this release knows the variant, the outer variant and the layout.
    pub(crate) fn is_known(&self) -> bool {
        let has_layout = !matches!(self.variant, variant::BLOCKED | variant::FUSE)
            || self.layout_name().is_some();
        variant_name(self.variant).is_some() && self.outer.is_none_or(is_named) && has_layout
    }
}

/// Writes the type in Rust syntax, with `H` for a user's own hasher and `F` for unknown inner
/// filters.
impl fmt::Display for StoredType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hasher = self.hasher_name().unwrap_or("H");
        let name = variant_name(self.variant).unwrap_or("F");
        if let Some(outer) = self.outer {
            write!(f, "{}<", variant_name(outer).unwrap_or("F"))?;
        }
        match self.layout_name() {
            Some(layout) => write!(f, "{name}<{layout}, {hasher}>")?,
            None if self.is_of_parts() => write!(f, "{name}<F>")?,
            None => write!(f, "{name}<{hasher}>")?,
        }
        if self.outer.is_some() {
            f.write_str(">")?;
        }
        Ok(())
    }
}

fn is_named(variant: u16) -> bool {
    variant_name(variant).is_some()
}

/// The Rust type of a variant, if this project has assigned its ID.
pub(crate) const fn variant_name(id: u16) -> Option<&'static str> {
    match id {
        variant::STANDARD => Some("StandardBloom"),
        variant::COUNTING => Some("CountingBloom"),
        variant::PARTITIONED => Some("PartitionedBloom"),
        variant::BLOCKED => Some("BlockedBloom"),
        variant::SCALABLE => Some("ScalableBloom"),
        variant::SHARDED => Some("ShardedBloom"),
        variant::CUCKOO => Some("CuckooFilter"),
        variant::FUSE => Some("FuseFilter"),
        variant::AGING => Some("AgingBloom"),
        _ => None,
    }
}

/// The Rust type of a hasher, if this project has assigned its ID.
pub(crate) const fn hasher_name(id: u16) -> Option<&'static str> {
    match id {
        1 => Some("Xxh3"),
        2 => Some("Xxh3Wide"),
        3 => Some("SipKeyed"),
        4 => Some("Folded"),
        _ => None,
    }
}

/// A variant ID as it is written in messages.
pub(crate) struct Variant(pub(crate) u16);

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match variant_name(self.0) {
            Some(name) => write!(f, "`{name}`"),
            None if self.0 == variant::STAGE => f.write_str("stage of a `ScalableBloom`"),
            None => write!(f, "filter of variant {}", self.0),
        }
    }
}

/// A hasher ID as it is written in messages.
pub(crate) struct Hasher(pub(crate) u16);

impl fmt::Display for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match hasher_name(self.0) {
            Some(name) => f.write_str(name),
            None => write!(f, "the hasher of ID {}", self.0),
        }
    }
}
