use bouquet_blocked::{Layout, Words64};
use bouquet_core::KeyHasher;

use crate::{
    Colour, ExactSize, Facts, Look, Marker, Snippet, Stroke,
    facts::{Family, PLAIN, SNIPPET},
    file::file,
    methods,
};

pub struct Blocked;

methods!([L: Layout, H: KeyHasher] bouquet_blocked::BlockedBloom<L, H>, takes_all);
file! {
    [L: Layout + 'static, H: KeyHasher + 'static] bouquet_blocked::BlockedBloom<L, H>;
}

/// What the layouts have in common.
pub const BLOCKED: Facts = Facts {
    theory: "Poisson mixture over the keys of a block (Putze, Sanders and Singler 2007)",
    family: Family::Blocked,
    virtue: "a lookup reads one block of memory",
    snippet: Snippet {
        package: "blocked",
        filter: "BlockedBloom",
        constructor: "with_layout",
        ..SNIPPET
    },
    ..PLAIN
};

pub const COLOUR: Colour = Colour {
    place: 20,
    class: "blocked",
    day: 0xd55e00,
    night: 0xf08a3c,
};

/// A filter with blocks of a layout: its facts, how the layout is made of the probes, and
/// of a size, and the name and number of what a probe draws within a block.
macro_rules! blocked {
    ($name:ident, $layout:ident, $id:pat, $facts:expr, $probes:expr, $size:expr, ($bit:literal, $bits:literal)) => {
        impl $crate::Variant for $name {
            const FACTS: Facts = $facts;

            type Filter<H: $crate::Hasher> = bouquet_blocked::BlockedBloom<$layout, H>;

            fn make<H: $crate::Hasher>(
                spec: bouquet_core::Spec,
                hasher: H,
            ) -> anyhow::Result<Self::Filter<H>> {
                Ok(bouquet_blocked::BlockedBloom::with_layout(spec, hasher)?)
            }

            fn paper(_: u64, spec: &bouquet_core::Spec) -> anyhow::Result<(f64, $crate::Fpr)> {
                $crate::paper::whole::<bouquet_blocked::BlockedBloom<$layout>>(spec)
            }
        }

        impl $crate::Judged for $name {
            type Geometry = bouquet_blocked::Geometry<$layout>;

            fn geometry(
                slots: u64,
                probes: u32,
            ) -> anyhow::Result<(Self::Geometry, Vec<$crate::Part>)> {
                let layout: fn(u32) -> anyhow::Result<$layout> = $probes;
                let block = <$layout as bouquet_blocked::Layout>::BLOCK_BITS;
                let geometry = bouquet_blocked::Geometry::new(slots / block, layout(probes)?)?;
                let parts = vec![
                    $crate::Part::new("block", 0..1, block, geometry.blocks()),
                    $crate::Part::new($bit, 0..geometry.hashes(), 1, $bits),
                ];
                Ok((geometry, parts))
            }

            fn with_bits_per_key<H: $crate::Hasher>(
                capacity: u64,
                bits: f64,
                hasher: H,
            ) -> anyhow::Result<Self::Filter<H>> {
                let geometry = Self::Geometry::with_bits_per_key(capacity, bits)?;
                let (blocks, layout) = (geometry.blocks(), geometry.layout());
                Ok(bouquet_blocked::BlockedBloom::from_parts(
                    blocks, layout, hasher,
                )?)
            }

            fn stored(header: &bouquet_format::Header) -> Option<$crate::Shape> {
                let [blocks, layout, hashes, ..] = header.parameters();
                let is_own =
                    header.variant() == bouquet_format::variant::BLOCKED && matches!(layout, $id);
                is_own.then(|| $crate::Shape {
                    size_bits: blocks * <$layout as bouquet_blocked::Layout>::BLOCK_BITS,
                    hashes: Some(hashes),
                    made_of: Some(("blocks", blocks)),
                    slot_bits: None,
                })
            }

            fn of_size<H: $crate::Hasher>(
                size: &ExactSize,
                hasher: H,
            ) -> anyhow::Result<Self::Filter<H>> {
                let layout: fn(&ExactSize) -> anyhow::Result<$layout> = $size;
                let layout = layout(size)?;
                let blocks = size.units(<$layout as bouquet_blocked::Layout>::BLOCK_BITS)?;
                Ok(bouquet_blocked::BlockedBloom::from_parts(
                    blocks, layout, hasher,
                )?)
            }

            fn fill_theory(
                filter: &Self::Filter<bouquet_hash::Xxh3>,
                keys: u64,
            ) -> Option<(f64, f64)> {
                $crate::variant::fill(filter.geometry(), keys)
            }

            fn fpr_deviation(filter: &Self::Filter<bouquet_hash::Xxh3>, keys: u64) -> Option<f64> {
                let fpr = bouquet_core::Inspect::expected_fpr(filter, keys);
                Some(fpr * $crate::groups::fpr_spread(filter.geometry(), keys)?)
            }
        }
    };
}
pub(crate) use blocked;

blocked!(
    Blocked,
    Words64,
    // Of any other layout too, which is refused by its number.
    0..=1 | 4..,
    Facts {
        name: "blocked",
        about: "All probes of a key in one block of 512 bits: one bit in each of eight 64-bit \
                words",
        about_file: Some("All probes of a key in one cache line"),
        look: Look {
            colour: COLOUR,
            marker: Marker::Square,
            stroke: Stroke::Solid,
        },
        plainness: 30,
        snippet: Snippet {
            full: "BlockedBloom<Words64, H>",
            imports: &["Words64"],
            ..BLOCKED.snippet
        },
        ..BLOCKED
    },
    |_| Ok(Words64),
    |size| size.only_hashes(8).map(|()| Words64),
    ("bit in its word", 64)
);
