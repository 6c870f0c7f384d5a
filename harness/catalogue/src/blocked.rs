use std::marker::PhantomData;

use bouquet_blocked::{BlockedBloom, Geometry, Layout, Words64};

use crate::{part::high, prelude::*};

/// The blocked filter whose blocks have the layout `L`.
pub struct Of<L>(PhantomData<L>);

pub type Blocked = Of<Words64>;

catalogue_filter! { [L: Layout + Send + Sync + 'static, H: Hasher] BlockedBloom<L, H>: insert, insert_batch, unites; }

/// The facts that blocked filters of all layouts have in common.
pub const BLOCKED: Facts = Facts {
    theory: "Poisson mixture over the keys of a block (Putze, Sanders and Singler 2007)",
    // This second computation of locations detects arithmetic errors in large filters. They can
    // only affect the block of a probe, so `visit` gets the whole block.
    reference: Some(|hash, parts, visit| {
        let (blocks, bits) = (&parts[0], &parts[1]);
        let block = high(hash.place, blocks.values);
        (bits.probes.clone()).for_each(|_| visit(block * blocks.unit, blocks.unit));
    }),
    family: Family::Blocked,
    rationale: "each lookup reads one block of memory",
    ..PLAIN
};

pub const fn snippet(full: &'static str) -> Snippet {
    Snippet {
        constructor: "with_layout",
        is_default: false,
        ..Snippet::new("blocked", full)
    }
}

/// A layout of blocks, with the facts about the filter that uses it.
pub trait Blocks: Layout + Send + Sync + 'static {
    const FACTS: Facts;

    /// The number of words in a block and of bits in a word. Every word gets the same number of
    /// probes of a key; a block of the layout `Line` counts as one word. The values are not taken
    /// from the crate, so that a wrong constant in it is detected.
    const BLOCK: (u64, u64);

    /// Whether a file with this layout number contains this filter.
    fn is(layout: u64) -> bool {
        layout == Self::ID
    }

    /// The number of probes, if the layout allows only one number.
    const ONLY_HASHES: Option<u32> = match (*Self::HASHES.start(), *Self::HASHES.end()) {
        (least, most) if least == most => Some(least),
        _ => None,
    };

    fn with_probes(hashes: u32) -> Result<Self> {
        if !Self::HASHES.contains(&hashes) {
            let max = *Self::HASHES.end();
            bail!(SpecError::HashesOutOfRange { hashes, max })
        }
        Ok(Self::with_hashes(hashes))
    }
}

impl<L: Blocks> Sizable for BlockedBloom<L> {
    const UNIT: u64 = L::BLOCK_BITS;
    const ONLY_HASHES: Option<u32> = L::ONLY_HASHES;

    fn of_size_bits(size_bits: u64, hashes: u32) -> Result<Geometry<L>> {
        let layout = L::with_probes(hashes)?;
        Ok(Geometry::new(size_bits / L::BLOCK_BITS, layout)?)
    }
}

impl<L: Blocks> FilterInfo for Of<L> {
    const FACTS: Facts = L::FACTS;
    const SIZING: SizingFn = sizing::whole::<BlockedBloom<L>>;
    const BY_SIZE: Option<BySize> = Some(BySize::whole::<BlockedBloom<L>>());

    const GEOMETRY: Option<Geometries> = Some(|slots, probes, _| {
        let probes = L::ONLY_HASHES.unwrap_or(probes);
        let geometry = <BlockedBloom<L>>::of_size_bits(slots, probes)?;
        let (bit, words) = match u64::from(L::RANGES) {
            1 => ("bit in its block", 1),
            words => ("bit in its word", words),
        };
        let parts = vec![
            Part::new("block", 0..1, L::BLOCK_BITS, geometry.blocks()),
            Part::new(bit, 0..geometry.hashes(), 1, L::BLOCK_BITS / words),
        ];
        Ok((Box::new(geometry), parts))
    });

    type Filter<H: Hasher> = BlockedBloom<L, H>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<BlockedBloom<L, H>> {
        Ok(<BlockedBloom<L, H> as Inner>::with_hasher(spec, hasher)?)
    }

    fn load<H: Hasher, M: Load<Hasher = H>>(_: Option<&Header>, load: &M) -> Result<M::Loaded> {
        load.load::<BlockedBloom<L, H>>()
    }

    fn stored(header: &Header) -> Option<Shape> {
        let [blocks, layout, hashes, ..] = header.parameters();
        (header.variant() == id::BLOCKED && L::is(layout)).then(|| Shape {
            size_bits: blocks * L::BLOCK_BITS,
            hashes: Some(hashes),
            made_of: Some(("blocks", blocks)),
            slot_bits: None,
        })
    }

    fn evaluated<H: Hasher>(request: &Request, hasher: H) -> Result<BlockedBloom<L, H>> {
        let Size::BitsPerKey(bits) = request.size else {
            return Self::make(request.spec()?, hasher);
        };
        let of = Geometry::<L>::with_bits_per_key(request.capacity, bits)?;
        Ok(BlockedBloom::from_parts(of.blocks(), of.layout(), hasher)?)
    }

    fn of_size<H: Hasher>(size: &ExactSize, hasher: H) -> Result<BlockedBloom<L, H>> {
        let hashes = match L::ONLY_HASHES {
            Some(only) => size.only_hashes(only).map(|()| only),
            None => size.hashes(),
        };
        let layout = L::with_probes(hashes?)?;
        let blocks = size.units(L::BLOCK_BITS)?;
        Ok(BlockedBloom::from_parts(blocks, layout, hasher)?)
    }

    fn form<H: Hasher>(filter: &BlockedBloom<L, H>, _: u64) -> Option<Form> {
        let ((words, word_bits), hashes) = (L::BLOCK, filter.hashes());
        Some(Form::Array(Array {
            groups: filter.size_bits() / (words * word_bits),
            ranges: words as u32,
            slots: word_bits,
            throws: hashes / words as u32,
        }))
    }

    fn words<H: Hasher>(filter: &BlockedBloom<L, H>) -> Option<Vec<Vec<u64>>> {
        Some(vec![filter.bits().words().to_vec()])
    }

    fn occupancy<H: Hasher>(filter: &BlockedBloom<L, H>) -> Option<Occupancy> {
        Some(filter.geometry().occupancy())
    }
}

impl Blocks for Words64 {
    const FACTS: Facts = Facts {
        name: "blocked",
        about: "All probes of a key in one block of 512 bits: one bit in each of eight 64-bit \
                words",
        about_file: Some("All probes of a key in one cache line"),
        style: Style::new("orange", "square", "solid"),
        simplicity_rank: 30,
        snippet: Snippet {
            is_default: true,
            ..snippet("BlockedBloom<Words64, H>")
        },
        ..BLOCKED
    };
    const BLOCK: (u64, u64) = (8, 64);

    /// Also true for unknown layout numbers, so that reading the file fails with an error that
    /// names the number.
    fn is(layout: u64) -> bool {
        !matches!(layout, 2..=3)
    }
}
