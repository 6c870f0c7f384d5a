use anyhow::Context;
use bouquet_core::{Locate, SpecError};
use bouquet_scalable::{Full, Policy, PolicyError, ScalableBloom};
use bouquet_standard::{Geometry, StandardBloom};

use crate::{
    options::{STAGE_GROWTH, STAGE_TIGHTENING},
    prelude::*,
};

pub struct Scalable;

fn policy(spec: Spec, options: &Options) -> Result<Policy> {
    let mut policy = Policy::new(spec);
    if let Some(growth) = options.stage_growth {
        policy = policy.growth(growth).context(STAGE_GROWTH)?;
    }
    if let Some(tightening) = options.stage_tightening {
        policy = policy.tightening(tightening).context(STAGE_TIGHTENING)?;
    }
    Ok(policy)
}

/// The [`SpecError`] in `error`, if the cause is an impossible size of a filter or of a stage of a
/// growing filter.
pub fn spec_error(error: &anyhow::Error) -> Option<&SpecError> {
    match (error.downcast_ref(), error.downcast_ref()) {
        (Some(PolicyError::FirstStage(stage)), _) | (_, Some(Full::NextStage(stage))) => {
            Some(stage)
        }
        _ => error.downcast_ref(),
    }
}

catalogue_filter! {
    [F: Nested] ScalableBloom<F>: try_insert, try_insert_batch,
    !"scalable filters cannot be united within their target: the stages of two were filled by \
      different keys, and no stage has room for both; build one of the keys of both";

    fn counted_keys(&self) -> Option<u64> {
        Some(self.keys())
    }

    fn keys_left(&self, _: f64) -> Option<u64> {
        None
    }

    fn inner(&self) -> Option<Header> {
        let first = self.stages().next()?;
        Some(Encode::header(first.filter()))
    }
}

impl Nest for Scalable {
    fn load<F: Nested, L: Load<Hasher = <F as Inner>::Hasher>>(load: &L) -> Result<L::Loaded> {
        load.load::<ScalableBloom<F>>()
    }
}

impl FilterInfo for Scalable {
    const FACTS: Facts = Facts {
        name: "scalable",
        about: "Stages of the standard filter, each for twice the keys of the one before and with \
                0.8 of its FPR",
        about_file: Some("Stages that grow with the keys"),
        foreign: Some(Foreign::Chain),
        inner_header: Some(2),
        theory: "1 - prod(1 - p_i) over the stages (Almeida et al. 2007), each exact",
        grows: true,
        options: &[STAGE_GROWTH, STAGE_TIGHTENING],
        unites: Unites::AddedFprs,
        style: Style::new("yellow", "plus", "solid"),
        rationale: "it grows with its keys and keeps its FPR",
        simplicity_rank: 110,
        snippet: Snippet::new("scalable", "ScalableBloom<StandardBloom<H>>"),
        ..PLAIN
    };
    const SIZING: SizingFn = sizing::staged;

    const GEOMETRY: Option<Geometries> = Some(|slots, probes, _| {
        let stages = Stages::new(slots, probes)?;
        let parts = stages.parts();
        Ok((Box::new(stages), parts))
    });

    type Filter<H: Hasher> = ScalableBloom<StandardBloom<H>>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Ok(ScalableBloom::with_hasher(spec, hasher)?)
    }

    fn check(capacity: u64, options: &Options) -> Result<()> {
        // The check does not depend on the FPR, so any value will do.
        policy(Spec::new(capacity, 0.5)?, options).map(drop)
    }

    fn evaluated<H: Hasher>(request: &Request, hasher: H) -> Result<Self::Filter<H>> {
        let policy = policy(request.spec()?, &request.options)?;
        Ok(ScalableBloom::with_policy(policy, hasher)?)
    }

    /// The stages that the filter has, and those that it will add until it holds `keys` keys.
    fn form<H: Hasher>(filter: &Self::Filter<H>, keys: u64) -> Option<Form> {
        let mut left = keys;
        let mut last = None;
        let mut stages = Vec::new();
        for stage in filter.stages() {
            let own = stage.filter();
            let array = Array::whole(own.size_bits(), own.hashes());
            stages.push((array, stage.capacity()));
            left = left.saturating_sub(stage.capacity());
            last = Some(stage.spec());
        }
        while left > 0
            && let Some(spec) = last
            && let Ok(next) = filter.policy().next_stage(&spec)
            && let Ok(geometry) = <StandardBloom>::geometry_for(&next)
        {
            let array = Array::whole(geometry.size_bits(), geometry.hashes());
            stages.push((array, next.capacity()));
            left = left.saturating_sub(next.capacity());
            last = Some(next);
        }
        Some(Form::Stages(stages))
    }

    fn words<H: Hasher>(filter: &Self::Filter<H>) -> Option<Vec<Vec<u64>>> {
        let stages = filter.stages().map(|stage| stage.filter().bits());
        Some(stages.map(|bits| bits.words().to_vec()).collect())
    }

    fn stored(header: &Header) -> Option<Shape> {
        (header.variant() == id::SCALABLE).then(|| Shape {
            made_of: Some(("stages", header.parts())),
            ..Shape::default()
        })
    }

    fn load<H: Hasher, L: Load<Hasher = H>>(inner: Option<&Header>, load: &L) -> Result<L::Loaded> {
        nested::load::<Self, H, L>(inner, load)
    }
}

const NAMES: [&str; 3] = ["slot of stage 1", "slot of stage 2", "slot of stage 3"];

/// Three stages, roughly as the default policy makes them: each has twice the size of the previous
/// one, and the third has one more probe for its lower FPR. All stages use the same hash.
struct Stages([Geometry; 3]);

impl Stages {
    /// Stages with about `slots` slots in all; the first stage has `probes` probes.
    fn new(slots: u64, probes: u32) -> Result<Self> {
        let stage =
            |times: u64, more: u32| Geometry::new((slots / 7 * times).max(1), probes + more);
        Ok(Self([stage(1, 0)?, stage(2, 0)?, stage(4, 1)?]))
    }

    /// One part for each stage: the slot within the stage.
    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        let (mut slot, mut probe) = (0, 0);
        for (stage, name) in self.0.iter().zip(NAMES) {
            let probes = probe..probe + stage.hashes();
            parts.push(Part::new(name, probes, 1, stage.size_bits()).from(slot));
            slot += stage.size_bits();
            probe += stage.hashes();
        }
        parts
    }
}

impl Locate for Stages {
    type Hash = KeyHash;

    fn slots(&self) -> u64 {
        self.0.iter().map(Geometry::size_bits).sum()
    }

    fn probes(&self) -> u32 {
        self.0.iter().map(Geometry::hashes).sum()
    }

    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        let mut first = 0;
        for stage in &self.0 {
            stage.locate(hash, &mut |slot| visit(first + slot));
            first += stage.size_bits();
        }
    }
}
