use anyhow::{Result, bail};
use bouquet_core::{Inner, SeededHasher, Spec};
use bouquet_format::{Decode, Header, variant::SCALABLE};
use bouquet_scalable::ScalableBloom;
use bouquet_sharded::ShardedBloom;
use bouquet_standard::StandardBloom;

use crate::{
    Colour, Facts, File, Foreign, Fpr, Hasher, Judged, Load, Look, Marker, Part, Shape, Snippet,
    Stroke, Variant,
    facts::{PLAIN, SNIPPET},
    methods,
    nested::{self, Nest},
    paper,
    stages::Stages,
};

pub struct Scalable;

methods!([F: Inner] ScalableBloom<F>, may_refuse);

impl<F: Inner + File> File for ScalableBloom<F> {
    fn union(&mut self, _: &Self) -> Result<()> {
        bail!(
            "scalable filters cannot be united: the stages of two were filled by different keys, \
             and no stage has room for both; build one of the keys of both"
        )
    }

    fn fold(self, _: f64) -> Result<Self> {
        bail!("a scalable filter cannot be halved: it has grown with its keys, stage by stage")
    }

    fn counted_keys(&self) -> Option<u64> {
        Some(self.keys())
    }

    fn keys_left(&self, _: f64) -> Option<u64> {
        None
    }

    fn inner(&self) -> Option<Header> {
        let first = self.stages().next()?;
        Some(first.filter().header())
    }
}

impl Nest for Scalable {
    fn load<F, L: Load>(load: &L) -> Result<L::Held>
    where
        F: Inner + File + Decode<Hasher = <F as Inner>::Hasher>,
        <F as Inner>::Hasher: SeededHasher,
        ShardedBloom<F>: File,
    {
        load.load::<ScalableBloom<F>>()
    }
}

impl Variant for Scalable {
    const FACTS: Facts = Facts {
        name: "scalable",
        about: "Stages of the standard filter, each for twice the keys of the one before and with \
                0.8 of its FPR",
        about_file: Some("Stages that grow with the keys"),
        foreign: Some(Foreign::Chain),
        inner_header: Some(2),
        theory: "1 - prod(1 - p_i) over the stages (Almeida et al. 2007), each exact",
        grows: true,
        unites: false,
        look: Look {
            colour: Colour {
                place: 50,
                class: "scalable",
                day: 0xe69f00,
                night: 0xf0b63c,
            },
            marker: Marker::Plus,
            stroke: Stroke::Solid,
        },
        virtue: "it grows with its keys and keeps its FPR",
        plainness: 110,
        snippet: Snippet {
            package: "scalable",
            filter: "ScalableBloom",
            imports: &["StandardBloom"],
            full: "ScalableBloom<StandardBloom<H>>",
            refuses: true,
            ..SNIPPET
        },
        ..PLAIN
    };

    type Filter<H: Hasher> = ScalableBloom<StandardBloom<H>>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Ok(ScalableBloom::with_hasher(spec, hasher)?)
    }

    fn paper(at_first: u64, spec: &Spec) -> Result<(f64, Fpr)> {
        paper::staged(at_first, spec)
    }
}

/// Its stages differ, and the fill of all together says little.
impl Judged for Scalable {
    type Geometry = Stages;

    fn geometry(slots: u64, probes: u32) -> Result<(Stages, Vec<Part>)> {
        let stages = Stages::new(slots, probes)?;
        let parts = stages.parts();
        Ok((stages, parts))
    }

    fn stored(header: &Header) -> Option<Shape> {
        (header.variant() == SCALABLE).then(|| Shape {
            made_of: Some(("stages", header.parts())),
            ..Shape::default()
        })
    }

    fn load<H: Hasher + SeededHasher, L: Load>(
        inner: Option<&Header>,
        load: &L,
    ) -> Result<L::Held> {
        nested::load::<Self, H, L>(inner, load)
    }

    fn with_bits_per_key<H: Hasher>(_: u64, _: f64, _: H) -> Result<Self::Filter<H>> {
        bail!("scalable has no number of bits per key: it grows to a target FPR")
    }
}
