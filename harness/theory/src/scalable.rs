//! Scalable filters: stages whose FPRs decrease.

use std::f64::consts::LN_2;

use anyhow::{Result, bail};
use bouquet_core::{MAX_SIZE_BITS, Spec, math};
use bouquet_scalable::math::{compound_fpr, first_fpr};
use bouquet_standard::Geometry;

use super::{Answer, Form, Request, request::at_most, solve::common};

/// The default policy of our filter.
const GROWTH: u32 = 2;
const TIGHTENING: f64 = 0.8;

const MOST_STAGES: u32 = 1_000;

/// The series of stages of a request.
struct Series {
    first: f64,
    tightening: f64,
    growth: u32,
    stages: u32,
}

impl Series {
    fn new(request: &Request) -> Result<Self> {
        let tightening = request.tightening.unwrap_or(TIGHTENING);
        if !(tightening > 0.0 && tightening <= 1.0) {
            bail!("--tightening {tightening}: give a ratio above 0 and at most 1, such as 0.8");
        }
        let Some(stages) = request.stages else {
            bail!("a scalable filter takes --stages, the number of full stages, such as 5")
        };
        at_most("--stages", Some(stages.into()), MOST_STAGES.into())?;
        let first = match (request.fpr, request.first_fpr) {
            (_, Some(first)) => first,
            (Some(target), None) => first_fpr(target, tightening),
            (None, None) => bail!(
                "a scalable filter takes --fpr, the target of all stages together, or --first-fpr, \
                 that of the first"
            ),
        };
        if first <= 0.0 {
            bail!("--tightening 1 leaves the first stage no share of --fpr: give --first-fpr");
        }
        Ok(Self {
            first,
            tightening,
            growth: request.growth.unwrap_or(GROWTH),
            stages,
        })
    }

    fn fprs(&self) -> impl Iterator<Item = f64> {
        (0..self.stages).map(|i| self.first * self.tightening.powi(i as i32))
    }

    /// The sum of the FPRs of infinitely many stages; without tightening, of the requested stages.
    fn bound(&self) -> f64 {
        if self.tightening < 1.0 {
            self.first / (1.0 - self.tightening)
        } else {
            self.first * f64::from(self.stages)
        }
    }

    /// The capacity of each stage as a multiple of that of the first.
    fn sizes(&self) -> impl Iterator<Item = f64> {
        (0..self.stages).map(|i| f64::from(self.growth).powi(i as i32))
    }
}

/// log2(1/p): the textbook's number of hashes for a stage, before rounding.
fn textbook_hashes(fpr: f64) -> f64 {
    -fpr.log2()
}

pub const SCALABLE: Form = Form {
    name: "",
    about: "Stages that tighten",
    takes: &["first_fpr", "tightening", "growth", "stages"],
    answer,
};

fn answer(request: &Request) -> Result<Answer> {
    let series = Series::new(request)?;
    let mut answer = Answer::default();
    let compound = compound_fpr(series.fprs());
    let last = series.fprs().last().unwrap_or(series.first);
    answer.set("filter", request.form.name);
    answer.set("stages", series.stages);
    answer.set("growth", series.growth);
    answer.set("tightening", series.tightening);
    answer.set("first_stage_fpr", series.first);
    answer.set("compound_fpr", compound);
    answer.set("compound_bound", series.bound());
    if let Some(target) = request.fpr {
        answer.set("target_fpr", target);
        answer.set("compound_over_target", compound / target);
        answer.set("keeps_target", compound <= target);
    }
    answer.set("last_stage_fpr", last);
    answer.set("last_stage_bits_per_key", textbook_hashes(last) / LN_2);
    answer.set("last_stage_hashes", textbook_hashes(last).ceil());
    let keys: f64 = series.sizes().sum();
    let bits: f64 = series
        .sizes()
        .zip(series.fprs())
        .map(|(size, fpr)| size * textbook_hashes(fpr) / LN_2)
        .sum();
    answer.set("mean_bits_per_key", bits / keys);
    let probes: f64 = series.fprs().map(|fpr| textbook_hashes(fpr).ceil()).sum();
    answer.set("most_probes", probes as u64);
    if let Some(capacity) = request.capacity {
        built(&mut answer, request, &series, capacity)?;
    }
    Ok(answer)
}

/// Adds the values of our own filter with this capacity of its first stage, when all stages are
/// full.
fn built(answer: &mut Answer, request: &Request, series: &Series, capacity: u64) -> Result<()> {
    let (mut keys, mut size_bits, mut probes) = (0u64, 0u64, 0u32);
    let mut exact = Vec::new();
    for (fpr, size) in series.fprs().zip(series.sizes()) {
        let stage_keys = capacity as f64 * size;
        if stage_keys > MAX_SIZE_BITS as f64 {
            bail!(
                "stage {} would have {stage_keys:.0} keys, more than 2^48",
                exact.len() + 1
            );
        }
        let geometry = Geometry::from_spec(&Spec::new(stage_keys as u64, fpr)?)?;
        let (bits, hashes) = (geometry.size_bits(), geometry.hashes());
        exact.push(math::expected_fpr(bits, hashes, stage_keys as u64));
        keys += stage_keys as u64;
        size_bits += geometry.size_bits();
        probes += geometry.hashes();
    }
    let exact = compound_fpr(exact);
    common(answer, request, keys, size_bits, exact);
    answer.set("capacity", capacity);
    answer.set("keys_of_all_stages", keys);
    answer.set("hashes", probes);
    Ok(())
}
