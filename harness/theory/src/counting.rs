//! Counting filters.

use anyhow::Result;
use bouquet_core::{Spec, math::Parameters};
use bouquet_counting::{CounterBits, Geometry, math::counter_at_least};

use super::{
    Answer, Form, Request,
    request::at_most,
    solve::{describe, fill_and_spread, settle},
    standard,
};

/// The widest counter that is supported, in bits.
const WIDEST: u32 = 8;

/// The default width of a counter, which most filters use, ours too.
const USUAL: u32 = 4;

pub const COUNTING: Form = Form {
    name: "",
    about: "Counters in place of bits",
    takes: &["bits", "bits_per_key", "hashes", "counter_bits"],
    answer,
};

fn answer(request: &Request) -> Result<Answer> {
    let counter_bits = request.counter_bits.unwrap_or(USUAL);
    at_most("--counter-bits", Some(counter_bits.into()), WIDEST.into())?;
    let model = standard::anywhere(counter_bits.into(), &|keys, fpr| {
        // The number of counters does not depend on their width.
        let geometry = Geometry::from_spec(&Spec::new(keys, fpr)?, CounterBits::Four)?;
        Ok(Parameters {
            size_bits: geometry.counters(),
            hashes: geometry.hashes(),
        })
    });
    let settled = settle(request, &model)?;
    let (counters, hashes, keys) = (settled.units, settled.hashes, settled.capacity);
    let mut answer = describe(request, &model, &settled, counters)?;
    let occupancy = standard::array(counters, hashes);
    fill_and_spread(&mut answer, occupancy, hashes, keys);

    let overflow = (1u16 << counter_bits).min(256);
    let probability = counter_at_least(counters, hashes, keys, overflow);
    let (m, value) = (counters as f64, f64::from(overflow));
    let throws = f64::from(hashes) * keys as f64;
    answer.set("counter_bits", counter_bits);
    answer.set("counters", counters);
    answer.set("counter_mean", throws / m);
    answer.set("counter_overflow", probability);
    answer.set("any_overflow", -(m * (-probability).ln_1p()).exp_m1());
    answer.set("expected_overflows", m * probability);
    let bound = (std::f64::consts::E * throws / (value * m)).powf(value);
    answer.set("overflow_bound", m * bound);
    Ok(answer)
}
