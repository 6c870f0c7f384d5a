use bouquet_core::Locate;
use bouquet_scalable::SharedScalable;
use bouquet_sharded::{MAX_DEFAULT_SHARDS, ShardedBloom, ShardedGeometry};
use bouquet_standard::{Geometry, StandardBloom};

use crate::{
    Located, options,
    part::{anywhere, high},
    prelude::*,
};

pub struct Sharded;

/// The number of shards in an evaluation. A filter with several thousand keys then has about a
/// thousand per shard, and two threads seldom need the same lock.
pub(crate) const SHARDS: u32 = 8;
/// The largest accepted number of shards; each shard takes 100 bytes besides its bits.
const MOST_SHARDS: u64 = 1 << 16;

catalogue_filter! {
    [F: Nested] ShardedBloom<F>: insert, insert_batch, unites;

    #[inline(always)]
    fn insert_one_shared<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.insert(key)
    }

    #[inline(always)]
    fn insert_many_shared<K: Key>(&self, keys: &[K]) -> u64 {
        self.insert_batch(keys) as u64
    }

    fn inner(&self) -> Option<Header> {
        nested::first_part(self)
    }
}

impl Nest for Sharded {
    fn load<F: Nested, L: Load<Hasher = <F as Inner>::Hasher>>(load: &L) -> Result<L::Loaded> {
        load.load::<ShardedBloom<F>>()
    }
}

/// The geometry of a filter whose shards are one array of slots each, and the parts of a location.
pub(crate) fn located<G>(shards: u32, shard: G) -> Result<Located>
where
    G: Locate<Hash = KeyHash> + Copy + 'static,
{
    let parts = vec![
        Part::new("shard", 0..1, shard.slots(), shards.into()),
        Part::new("slot in its shard", 0..shard.probes(), 1, shard.slots()),
    ];
    Ok((Box::new(ShardedGeometry::new(shards, shard)?), parts))
}

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

impl FilterInfo for Sharded {
    const FACTS: Facts = Facts {
        name: "sharded",
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
        style: Style::new("sky", "cross", "solid"),
        rationale: "threads fill it, each key under the lock of its shard",
        simplicity_rank: 100,
        parts: MAX_DEFAULT_SHARDS,
        snippet: Snippet::new("sharded", "ShardedBloom<StandardBloom<H>>"),
        ..PLAIN
    };
    const SIZING: SizingFn = sizing::shards::<StandardBloom>;
    const BY_SIZE: Option<BySize> = Some(BySize::shards::<StandardBloom>());

    const GEOMETRY: Option<Geometries> = Some(|slots, probes, options| {
        let shards = options.shards.unwrap_or(SHARDS);
        located(shards, Geometry::new(slots / u64::from(shards), probes)?)
    });

    type Filter<H: Hasher> = ShardedBloom<StandardBloom<H>>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Ok(ShardedBloom::with_hasher(spec, hasher)?)
    }

    fn check(capacity: u64, options: &Options) -> Result<()> {
        check(capacity, options)
    }

    fn evaluated<H: Hasher>(request: &Request, hasher: H) -> Result<Self::Filter<H>> {
        let shards = request.options.shards.unwrap_or(SHARDS);
        let Size::BitsPerKey(bits) = request.size else {
            return Ok(ShardedBloom::with_shards(request.spec()?, shards, hasher)?);
        };
        let of = Geometry::with_bits_per_key(request.capacity.div_ceil(shards.into()), bits)?;
        Ok(ShardedBloom::from_parts(
            shards,
            of.size_bits(),
            of.hashes(),
            hasher,
        )?)
    }

    fn stored(header: &Header) -> Option<Shape> {
        (header.variant() == id::SHARDED).then(|| Shape {
            made_of: Some(("shards", header.parts())),
            ..Shape::default()
        })
    }

    fn load<H: Hasher, L: Load<Hasher = H>>(inner: Option<&Header>, load: &L) -> Result<L::Loaded> {
        if inner.is_some_and(|inner| inner.variant() == id::SCALABLE) {
            return load.load::<SharedScalable<StandardBloom<H>>>();
        }
        nested::load::<Self, H, L>(inner, load)
    }

    fn form<H: Hasher>(filter: &Self::Filter<H>, _: u64) -> Option<Form> {
        let shards = u64::from(filter.geometry().shards());
        Some(Form::Array(Array {
            groups: shards,
            ..Array::whole(filter.size_bits() / shards, filter.hashes())
        }))
    }

    /// The words are copied, because the shards are behind locks and not accessible.
    fn words<H: Hasher>(filter: &Self::Filter<H>) -> Option<Vec<Vec<u64>>> {
        let shards = filter.clone().into_shards();
        let words = shards.iter().map(|shard| shard.bits().words().to_vec());
        Some(words.collect())
    }

    fn occupancy<H: Hasher>(filter: &Self::Filter<H>) -> Option<Occupancy> {
        Some(filter.geometry().occupancy())
    }
}
