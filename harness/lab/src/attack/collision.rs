//! Keys computed to have every location of another.

use super::{
    bloom::Bloom,
    case::{Case, judge},
    cost::Cost,
};
use bouquet_ground::record::AttackRow;

/// Counts forged keys that have all locations of their victim in `real`.
pub fn collision<B: Bloom>(
    case: &Case<'_>,
    method: &str,
    real: &B,
    forged: impl ExactSizeIterator<Item = (Vec<u8>, [u8; 32])>,
) -> AttackRow {
    let subject = real.subject(case.plan.capacity);
    let wanted = forged.len() as u64;
    let mut row = case.row("collision", method, wanted, subject);
    let locations = |key: &[u8]| {
        let mut slots = Vec::new();
        real.locate(key, |slot| slots.push(slot));
        slots
    };
    for (key, victim) in forged {
        let collides = key != victim && locations(&key) == locations(&victim);
        row.chosen += 1;
        row.succeeded += u64::from(collides);
    }
    Cost::computed(row.chosen).put_into(&mut row);
    row.random_key_rate = (real.size_bits() as f64).powi(-(real.hashes() as i32));
    judge(&mut row);
    row
}
