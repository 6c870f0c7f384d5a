//! The classic filter.

use anyhow::Result;
use bouquet_core::{
    Spec,
    math::{MAX_HASHES, Occupancy, Parameters, best_hashes, expected_fpr, min_bits_exact},
};
use bouquet_standard::Geometry;

use super::{
    Answer, Ask, distinct,
    model::Model,
    solve::{describe, fill_and_spread, least_units, settle},
};

/// k probes anywhere, repeats allowed.
struct Standard;

impl Model for Standard {
    fn unit(&self) -> u64 {
        1
    }

    fn fpr(&self, bits: u64, hashes: u32, keys: u64) -> f64 {
        expected_fpr(bits, hashes, keys)
    }

    fn least(&self, keys: u64, fpr: f64) -> Result<Parameters> {
        Ok(min_bits_exact(keys, fpr)?)
    }

    fn built(&self, keys: u64, fpr: f64) -> Result<Parameters> {
        let geometry = Geometry::from_spec(&Spec::new(keys, fpr)?)?;
        Ok(Parameters {
            size_bits: geometry.size_bits(),
            hashes: geometry.hashes(),
        })
    }

    fn best_hashes(&self, bits: u64, keys: u64) -> u32 {
        best_hashes(bits, keys)
    }
}

/// k different probes.
struct Distinct;

impl Model for Distinct {
    fn unit(&self) -> u64 {
        1
    }

    fn fpr(&self, bits: u64, hashes: u32, keys: u64) -> f64 {
        distinct::expected_fpr(bits, hashes, keys)
    }

    fn least(&self, keys: u64, fpr: f64) -> Result<Parameters> {
        least_by_search(self, keys, fpr)
    }

    fn most_hashes(&self, bits: u64) -> u32 {
        bits.min(MAX_HASHES.into()) as u32
    }
}

/// The smallest size by the model's own FPR, for layouts that no crate sizes.
pub fn least_by_search(model: &impl Model, keys: u64, fpr: f64) -> Result<Parameters> {
    let keeps = |units| model.fpr(units, model.best_hashes(units, keys), keys) <= fpr;
    let Some(units) = least_units(model, keys, fpr, keeps) else {
        anyhow::bail!("no filter of up to 2^48 bits keeps {fpr:?} at {keys} keys")
    };
    Ok(Parameters {
        size_bits: units,
        hashes: model.best_hashes(units, keys),
    })
}

pub fn answer(ask: &Ask) -> Result<Answer> {
    if ask.distinct {
        let settled = settle(ask, &Distinct)?;
        return describe(ask, &Distinct, &settled, settled.units);
    }
    let settled = settle(ask, &Standard)?;
    let mut answer = describe(ask, &Standard, &settled, settled.units)?;
    let (hashes, keys) = (settled.hashes, settled.capacity);
    fill_and_spread(&mut answer, array(settled.units, hashes), hashes, keys);
    Ok(answer)
}

/// How the probes of a key fall into one array.
pub fn array(slots: u64, hashes: u32) -> Occupancy {
    Occupancy {
        groups: 1,
        ranges: 1,
        slots,
        throws: hashes,
    }
}
