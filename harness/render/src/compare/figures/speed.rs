//! What a run of `bouquet speed` has to compare: net times, by what was timed.

use super::Figures;
use crate::{number, speed::score::Entrant};
use bouquet_ground::record::{Clock, READ, Records};

pub fn figures(records: &Records) -> Figures {
    let mut figures = Figures::default();
    for row in records.times.iter().filter(|row| row.operation != READ) {
        if figures.is_sound(&row.subject, &row.error) {
            let capacity = number::count(row.capacity);
            let keys = match row.clock {
                Clock::Thread => format!("{capacity} keys ({})", row.keys),
                Clock::Wall => format!("{} threads, {capacity} keys", row.threads),
            };
            let what = format!(
                "ns a {}, {}, {keys} at {}",
                row.operation,
                Entrant::from(row).way(),
                row.target_fpr
            );
            figures.time(&row.subject, what, row.net());
        }
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::{super::Measure, *};
    use bouquet_ground::record::TimingRow;

    #[test]
    fn an_error_is_a_figure() {
        let row = |error: &str| TimingRow {
            subject: "standard".into(),
            error: error.into(),
            ..TimingRow::default()
        };
        let of = |rows: Vec<TimingRow>| {
            let records = Records {
                times: rows,
                ..Records::default()
            };
            let id = ("standard".to_owned(), "errors".to_owned());
            figures(&records).all().get(&id).cloned()
        };
        assert_eq!(of(vec![row("")]), Some(Measure::Exact(0.0)));
        assert_eq!(of(vec![row(""), row("broke")]), Some(Measure::Exact(1.0)));
    }
}
