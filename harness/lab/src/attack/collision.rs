//! Keys computed to have every location of another.

use bouquet_core::math;

use super::{
    bloom::Bloom,
    case::{Attacked, Case, judge},
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
    let (size_bits, hashes) = (real.size_bits(), real.hashes());
    let subject = Attacked {
        filter: real.name(),
        size_bits,
        hashes,
        expected_fpr: math::expected_fpr(size_bits, hashes, case.plan.capacity),
    };
    let wanted = forged.len() as u64;
    let mut row = case.row("collision", method, wanted, &subject);
    for (key, victim) in forged {
        let collides = key != victim && real.locations(&key) == real.locations(&victim);
        row.chosen += 1;
        row.succeeded += u64::from(collides);
    }
    Cost::computed(row.chosen).put_into(&mut row);
    row.honest_rate = (size_bits as f64).powi(-(hashes as i32));
    judge(&mut row);
    row
}
