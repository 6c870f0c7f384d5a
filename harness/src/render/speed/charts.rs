//! The pictures of speed.

use anyhow::Result;

use super::score::Column;
use crate::{record::SpeedRecords, render::document::Figure};

pub fn all(_records: &SpeedRecords, _columns: &[Column<'_>]) -> Result<Vec<Figure>> {
    Ok(Vec::new())
}
