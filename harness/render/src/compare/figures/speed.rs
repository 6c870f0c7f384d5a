//! What a run of `bouquet speed` has to compare: net times, by what was timed.

use super::Figures;
use crate::number;
use bouquet_ground::record::Records;

pub fn figures(records: &Records) -> Figures {
    let mut figures = Figures::default();
    for row in &records.speed {
        if figures.is_sound(&row.filter, &row.error) {
            let what = format!(
                "ns a {}, {}, {} keys ({}) at {}",
                row.operation,
                row.way,
                number::count(row.capacity),
                row.keys,
                row.target_fpr
            );
            let net = row.gross_ns_per_key - row.dry_run_ns_per_key;
            figures.time(&row.filter, what, net);
        }
    }
    for row in &records.threads {
        if figures.is_sound(&row.filter, &row.error) {
            let what = format!(
                "ns a {}, {}, {} threads, {} keys at {}",
                row.operation,
                row.way,
                row.threads,
                number::count(row.capacity),
                row.target_fpr
            );
            let net = row.wall_ns_per_key - row.dry_run_ns_per_key;
            figures.time(&row.filter, what, net);
        }
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::{super::Measure, *};
    use bouquet_ground::record::SpeedRow;

    #[test]
    fn an_error_is_a_figure() {
        let row = |error: &str| SpeedRow {
            filter: "standard".into(),
            error: error.into(),
            ..SpeedRow::default()
        };
        let of = |rows: Vec<SpeedRow>| {
            let records = Records {
                speed: rows,
                ..Records::default()
            };
            let id = ("standard".to_owned(), "errors".to_owned());
            figures(&records).all().get(&id).cloned()
        };
        assert_eq!(of(vec![row("")]), Some(Measure::Exact(0.0)));
        assert_eq!(of(vec![row(""), row("broke")]), Some(Measure::Exact(1.0)));
    }
}
