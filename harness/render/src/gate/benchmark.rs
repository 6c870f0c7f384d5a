//! The format `customSmallerIsBetter` of github-action-benchmark: memory, rates
//! and ratios over time.

use anyhow::Result;
use serde_json::{Value, json};

use crate::columns;
use bouquet_ground::record::{Figure, GateDocument, GateRow};

pub fn json(document: &GateDocument) -> Result<String> {
    let entries: Vec<Value> = document.rows.iter().filter_map(entry).collect();
    columns::json(&entries)
}

fn entry(row: &GateRow) -> Option<Value> {
    let range = |low: f64, high: f64| format!("± {:.3e}", (high - low) / 2.0);
    let (unit, value, range) = match row.value.as_ref()? {
        Figure::Count { count, unit } => (unit.clone(), json!(count), None),
        Figure::Rate {
            rate, low, high, ..
        } => ("share".into(), json!(rate), Some(range(*low, *high))),
        Figure::Ratio {
            ratio, low, high, ..
        } => (
            "times the reference".into(),
            json!(ratio),
            Some(range(*low, *high)),
        ),
        Figure::Load { load, .. } => ("keys of its capacity".into(), json!(load), None),
        Figure::Digest { .. } | Figure::PValue { .. } | Figure::Error { .. } => return None,
    };
    let mut entry = json!({
        "name": format!("{}: {}", row.subject, row.what),
        "unit": unit,
        "value": value,
        "extra": row.setting,
    });
    if let Some(range) = range {
        entry["range"] = json!(range);
    }
    Some(entry)
}
