//! What the rows of the exact tier have in common.

use bouquet_ground::record::GateExactRow;
use bouquet_ground::units::sha256;

/// Of the filters and of the split of the keys: a seed that a definition can have, with bits
/// in every byte, so that no part of it can be forgotten.
pub const SEED: u64 = 0x1e37_79b9_7f4a_7c15;
/// Non-members whose answers are recorded; most are "no".
pub const OTHERS: u64 = 50_000;

pub fn row_of(
    subject: &str,
    what: &str,
    setting: String,
    (unit, value): (&str, String),
) -> GateExactRow {
    GateExactRow {
        subject: subject.into(),
        what: what.into(),
        setting,
        unit: unit.into(),
        value,
    }
}

/// A byte a key.
pub fn sha256_of_answers(answers: &[bool]) -> String {
    let bytes: Vec<u8> = answers.iter().map(|answer| u8::from(*answer)).collect();
    sha256(&bytes)
}
