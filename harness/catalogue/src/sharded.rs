use bouquet_blocked::{BlockedBloom, Layout};
use bouquet_core::Locate;
use bouquet_partitioned::PartitionedBloom;
use bouquet_sharded::{MAX_DEFAULT_SHARDS, ShardedBloom, ShardedGeometry};
use bouquet_standard::{Geometry, StandardBloom};

use crate::{
    options,
    part::{anywhere, high},
    prelude::*,
};

pub struct Sharded;

/// Shards of one that is judged: at some thousand keys each has a thousand, and two
/// threads seldom meet.
pub(crate) const SHARDS: u32 = 8;
/// Of 100 bytes each beside their bits: more are no filter that anyone has.
const MOST_SHARDS: u64 = 1 << 16;

methods!([F: Inner] ShardedBloom<F>, takes_all);

/// Shards of these.
macro_rules! shards {
    ([$($generic:tt)*] $inner:ty) => {
        $crate::file::filed! {
            [$($generic)*] bouquet_sharded::ShardedBloom<$inner>, unites;

            fn inner(&self) -> Option<bouquet_format::Header> {
                $crate::nested::first_part(self)
            }
        }
    };
}
pub(crate) use shards;

shards!([H: Hasher] StandardBloom<H>);
shards!([H: Hasher] PartitionedBloom<H>);
shards!([L: Layout + 'static, H: Hasher] BlockedBloom<L, H>);

impl Nest for Sharded {
    fn load<F, L>(load: &L) -> Result<L::Loaded>
    where
        F: Inner + File + Decode<Hasher = <F as Inner>::Hasher>,
        L: Load<Hasher = <F as Inner>::Hasher>,
        ShardedBloom<F>: File<Hasher = <F as Inner>::Hasher>,
    {
        load.load::<ShardedBloom<F>>()
    }
}

pub const COLOUR: Colour = Colour::new(60, "sharded", 0x56b4e9, 0x7cc8f2);

impl Variant for Sharded {
    const FACTS: Facts = Facts {
        name: "sharded",
        form: Some(theory::SHARDED.named("sharded")),
        about: "Eight standard filters behind locks, each key in the one that its hash picks",
        about_plain: Some(
            "ShardedBloom: standard filters behind locks, one a thousand keys but 64 at most; \
             each key is in one of them",
        ),
        about_file: Some("Shards, for threads of a program"),
        inner_header: Some(1),
        theory: "the mean of the classic exact form over the keys that a shard gets by chance",
        reference: Some(|hash, parts, visit| {
            let shards = &parts[0];
            let rest = KeyHash::new(hash.place.wrapping_mul(shards.values), hash.probe);
            let first = high(hash.place, shards.values) * shards.unit;
            anywhere(rest, &[parts[1].clone().from(first)], visit);
        }),
        concurrent: true,
        options: &[options::SHARDS],
        style: Style::new(COLOUR, Cross, Solid),
        virtue: "threads fill it, each key under the lock of its shard",
        plainness: 100,
        parts: MAX_DEFAULT_SHARDS,
        snippet: Snippet::new("sharded", "ShardedBloom<StandardBloom<H>>"),
        ..PLAIN
    };
    const SIZING: SizingFn = sizing::shards::<StandardBloom>;

    type Filter<H: Hasher> = ShardedBloom<StandardBloom<H>>;
}

/// Where a key goes in shards of one array of slots each.
pub(crate) fn parts(shards: u32, shard: impl Locate) -> Vec<Part> {
    vec![
        Part::new("shard", 0..1, shard.slots(), shards.into()),
        Part::new("slot in its shard", 0..shard.probes(), 1, shard.slots()),
    ]
}

/// Rejects a number of shards that nobody has.
pub(crate) fn check(capacity: u64, options: &Options) -> Result<()> {
    let most = capacity.min(MOST_SHARDS);
    match options.shards {
        Some(shards) if !(1..=most).contains(&shards.into()) => bail!(
            "{} = {shards}: give 1 to {MOST_SHARDS}, and no more than the capacity of {capacity} \
             keys",
            options::SHARDS
        ),
        _ => Ok(()),
    }
}

impl Judged for Sharded {
    type Geometry = ShardedGeometry<Geometry>;

    fn geometry(slots: u64, probes: u32, options: &Options) -> Result<(Self::Geometry, Vec<Part>)> {
        let shards = options.shards.unwrap_or(SHARDS);
        let shard = Geometry::new(slots / u64::from(shards), probes)?;
        Ok((ShardedGeometry::new(shards, shard)?, parts(shards, shard)))
    }

    fn check(capacity: u64, options: &Options) -> Result<()> {
        check(capacity, options)
    }

    fn for_trial<H: Hasher>(spec: Spec, options: &Options, hasher: H) -> Result<Self::Filter<H>> {
        let shards = options.shards.unwrap_or(SHARDS);
        Ok(ShardedBloom::with_shards(spec, shards, hasher)?)
    }

    fn stored(header: &Header) -> Option<Shape> {
        (header.variant() == id::SHARDED).then(|| Shape {
            made_of: Some(("shards", header.parts())),
            ..Shape::default()
        })
    }

    fn load<H: Hasher, L: Load<Hasher = H>>(inner: Option<&Header>, load: &L) -> Result<L::Loaded> {
        nested::load::<Self, H, L>(inner, load)
    }

    fn with_bits_per_key(capacity: u64, bits: f64, options: &Options) -> Result<Self::Geometry> {
        let shards = options.shards.unwrap_or(SHARDS);
        let shard = Geometry::with_bits_per_key(capacity.div_ceil(shards.into()), bits)?;
        Ok(ShardedGeometry::new(shards, shard)?)
    }

    fn of_geometry<H: Hasher>(of: Self::Geometry, hasher: H) -> Result<Self::Filter<H>> {
        let (size_bits, hashes) = (of.shard().size_bits(), of.shard().hashes());
        Ok(ShardedBloom::from_parts(
            of.shards(),
            size_bits,
            hashes,
            hasher,
        )?)
    }

    fn form<H: Hasher>(filter: &Self::Filter<H>, _: u64) -> Form {
        let shards = u64::from(filter.geometry().shards());
        Form::Array(Array {
            groups: shards,
            ..Array::whole(filter.size_bits() / shards, filter.hashes())
        })
    }

    /// Of a copy: shards are behind locks, and not shown.
    fn words<H: Hasher>(filter: &Self::Filter<H>) -> Option<Vec<Vec<u64>>> {
        let shards = filter.clone().into_shards();
        let words = shards.iter().map(|shard| shard.bits().words().to_vec());
        Some(words.collect())
    }

    fn occupancy<H: Hasher>(filter: &Self::Filter<H>) -> Option<Occupancy> {
        Some(filter.geometry().occupancy())
    }
}
