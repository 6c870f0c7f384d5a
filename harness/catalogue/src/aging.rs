use bouquet_aging::{AgingBloom, Geometry};

use crate::prelude::*;

pub struct Aging;

catalogue_filter! {
    [H: Hasher] AgingBloom<H>: insert, insert_batch,
    !"filters that forget cannot be united: each forgets by its own insertions";

    /// It forgets before its FPR exceeds the target.
    fn keys_left(&self, _: f64) -> Option<u64> {
        None
    }
}

impl FilterInfo for Aging {
    const FACTS: Facts = Facts {
        name: "aging",
        about: "Age-partitioned (Shtul, Baquero and Almeida 2020): as many insertions as its capacity \
                are remembered, older ones are soon forgotten",
        about_file: Some("The last insertions, as many as its capacity; older ones are forgotten"),
        theory: "exact: the chance that as many slices as there are probes, one after the other, have \
                 a probed bit set",
        forgets: true,
        unites: Unites::Never,
        // It cannot be built for a number of bits per key.
        least_bits_per_key: f64::INFINITY,
        style: Style::new("green", "pillar", "dashed"),
        rationale: "it forgets what is old",
        simplicity_rank: 95,
        snippet: Snippet::new("aging", "AgingBloom<H>"),
        ..PLAIN
    };
    const SIZING: SizingFn = |_, spec| {
        let geometry = Geometry::from_spec(&spec.for_bits::<Folded>()?)?;
        let most = geometry.largest_fpr();
        Ok(Outline::new(geometry.size_bits() as f64, move |_| {
            Some(most)
        }))
    };

    type Filter<H: Hasher> = AgingBloom<H>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<AgingBloom<H>> {
        Ok(AgingBloom::with_hasher(spec, hasher)?)
    }

    fn stored(header: &Header) -> Option<Shape> {
        let [sizes, bits, ..] = header.parameters();
        let (hashes, generations) = (sizes & u64::from(u32::MAX), sizes >> 32);
        (header.variant() == id::AGING).then(|| Shape {
            size_bits: (hashes + generations).saturating_mul(bits),
            hashes: Some(hashes),
            made_of: Some(("slices", hashes + generations)),
            slot_bits: None,
        })
    }

    fn load<H: Hasher, L: Load<Hasher = H>>(_: Option<&Header>, load: &L) -> Result<L::Loaded> {
        load.load::<AgingBloom<H>>()
    }
}
