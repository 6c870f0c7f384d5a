//! The Rust type of a stored filter, for messages: the type that opens it.

use core::fmt;

use crate::{Header, variant};

/// What a file says about its type: the variant, a blocked filter's layout, the hasher,
/// and for a part the filter that it is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredType {
    /// The variant of the filter that this one is a stage or a shard of.
    pub(crate) outer: Option<u16>,
    /// The variant's ID.
    pub variant: u16,
    /// The number of a blocked filter's layout; of the others 0.
    pub layout: u64,
    /// The ID of the hasher.
    pub hasher: u16,
    /// Whether the hasher has a secret key.
    pub keyed: bool,
}

impl StoredType {
    pub(crate) const fn of(header: &Header) -> Self {
        let [_, layout, ..] = header.parameters();
        Self {
            outer: None,
            variant: header.variant(),
            layout: if header.variant() == variant::BLOCKED {
                layout
            } else {
                0
            },
            hasher: header.hasher(),
            keyed: header.keyed(),
        }
    }

    /// The same as a part of the filter with this header.
    pub(crate) const fn within(self, whole: &Header) -> Self {
        let outer = match whole.variant() {
            // A stage is not a public type; the series around it is.
            variant::STAGE => Some(variant::SCALABLE),
            other => Some(other),
        };
        Self { outer, ..self }
    }

    /// The type of the parts is not known: they have headers of their own.
    pub(crate) const fn is_of_parts(&self) -> bool {
        self.outer.is_none() && matches!(self.variant, variant::SCALABLE | variant::SHARDED)
    }

    /// The name of its hasher's type, if this project has assigned the ID.
    pub(crate) const fn hasher_name(&self) -> Option<&'static str> {
        hasher_name(self.hasher)
    }

    /// The name of its layout, if it is a blocked filter's.
    pub(crate) const fn layout_name(&self) -> Option<&'static str> {
        match self.layout {
            1 => Some("Words64"),
            2 => Some("Words32"),
            3 => Some("Line"),
            _ => None,
        }
    }

    /// Whether this release knows all names in it.
    pub(crate) fn is_known(&self) -> bool {
        let has_layout = self.variant != variant::BLOCKED || self.layout_name().is_some();
        variant_name(self.variant).is_some() && self.outer.is_none_or(is_named) && has_layout
    }
}

/// The type as it is written in Rust, with `H` for a user's own hasher and `F` for
/// filters that are not known.
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

/// The type of a variant, if this project has assigned the ID.
pub(crate) const fn variant_name(id: u16) -> Option<&'static str> {
    match id {
        variant::STANDARD => Some("StandardBloom"),
        variant::COUNTING => Some("CountingBloom"),
        variant::PARTITIONED => Some("PartitionedBloom"),
        variant::BLOCKED => Some("BlockedBloom"),
        variant::SCALABLE => Some("ScalableBloom"),
        variant::SHARDED => Some("ShardedBloom"),
        variant::CUCKOO => Some("CuckooFilter"),
        _ => None,
    }
}

/// The type of a hasher, if this project has assigned the ID.
pub(crate) const fn hasher_name(id: u16) -> Option<&'static str> {
    match id {
        1 => Some("Xxh3"),
        2 => Some("Xxh3Wide"),
        3 => Some("SipKeyed"),
        4 => Some("Folded"),
        _ => None,
    }
}

/// A variant in a message.
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

/// A hasher in a message.
pub(crate) struct Hasher(pub(crate) u16);

impl fmt::Display for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match hasher_name(self.0) {
            Some(name) => f.write_str(name),
            None => write!(f, "the hasher of ID {}", self.0),
        }
    }
}
