//! The attacks in pictures.

mod pollution;

use anyhow::Result;

use super::document::Figure;
use bouquet_ground::record::AttackRecords;

/// Every picture that the records suffice for.
///
/// Fails if one cannot be drawn.
pub fn figures(records: &AttackRecords) -> Result<Vec<Figure>> {
    Ok(pollution::figure(&records.pollution)?.into_iter().collect())
}
