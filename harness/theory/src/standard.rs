//! The classic Bloom filter with one array of bits.

use anyhow::Result;
use bouquet_core::{
    Spec,
    math::{Occupancy, Parameters, best_hashes, expected_fpr, min_bits_exact},
};
use bouquet_standard::Geometry;

use super::{
    Answer, Form, Request, distinct,
    model::{Model, Sizing, at_most_a_slot_each},
    solve::{describe, fill_and_spread, settle},
};

pub const STANDARD: Form = Form {
    name: "",
    about: "One array, k probes anywhere",
    takes: &["bits", "bits_per_key", "hashes", "distinct"],
    answer,
};

fn answer(request: &Request) -> Result<Answer> {
    if request.distinct {
        let model = Model {
            most_hashes: &at_most_a_slot_each,
            ..Model::new(1, &distinct::expected_fpr)
        };
        let settled = settle(request, &model)?;
        return describe(request, &model, &settled, settled.units);
    }
    let model = anywhere(1, &|keys, fpr| {
        let geometry = Geometry::from_spec(&Spec::new(keys, fpr)?)?;
        Ok(Parameters {
            size_bits: geometry.size_bits(),
            hashes: geometry.hashes(),
        })
    });
    let settled = settle(request, &model)?;
    let mut answer = describe(request, &model, &settled, settled.units)?;
    let (hashes, keys) = (settled.hashes, settled.capacity);
    fill_and_spread(&mut answer, array(settled.units, hashes), hashes, keys);
    Ok(answer)
}

/// A model with k probes that may fall anywhere and may repeat, and with slots of `slot_bits` bits.
pub fn anywhere(slot_bits: u64, built: Sizing<'_>) -> Model<'_> {
    Model {
        least: Some(&|keys, fpr| Ok(min_bits_exact(keys, fpr)?)),
        built: Some(built),
        best_hashes: Some(&best_hashes),
        ..Model::new(slot_bits, &expected_fpr)
    }
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
