//! The rounds of one operation.

use crate::{estimate::Estimate, groups::grouped, levels::CONFIDENCE, number};
use bouquet_ground::record::{Figure, GateRow, GateTimeRow, Tier};
use bouquet_stats::{bootstrap_median, uniform};

/// The rounds of one operation of one subject.
pub struct Series<'a> {
    pub subject: &'a str,
    pub operation: &'a str,
    rows: Vec<&'a GateTimeRow>,
}

impl Series<'_> {
    pub fn ratios(&self, attempt: u32) -> Vec<f64> {
        let own = self.rows.iter().filter(|row| row.attempt == attempt);
        own.map(|row| row.ns_per_key / row.reference_ns_per_key)
            .collect()
    }

    fn middle_ns(&self, of: fn(&GateTimeRow) -> f64) -> f64 {
        let first = self.rows.iter().filter(|row| row.attempt == 0);
        Estimate::median(first.map(|row| of(row))).map_or(f64::NAN, |middle| middle.value)
    }

    /// Its row before it is judged: loops have their own keys, and not too many of
    /// them.
    pub fn row(&self) -> GateRow {
        let setting = self.rows.first().map_or(String::new(), |row| {
            format!(
                "ratio to the reference, for {} keys of {} bytes of the program's own",
                number::count(row.capacity),
                row.key_bytes
            )
        });
        GateRow::new(Tier::Time, self.subject, self.operation, setting)
    }

    /// Median and interval of an attempt.
    pub fn ratio(&self, attempt: u32) -> Option<Estimate> {
        // The seed of the resampling follows from the name alone.
        let seed = uniform(attempt.into(), &[self.subject, self.operation]).to_bits();
        let (value, interval) = bootstrap_median(&self.ratios(attempt), CONFIDENCE, seed)?;
        Some(Estimate { value, interval })
    }

    pub fn figure(&self, attempt: u32) -> Option<Figure> {
        let ratio = self.ratio(attempt)?;
        Some(Figure::Ratio {
            ratio: ratio.value,
            low: ratio.interval.low,
            high: ratio.interval.high,
            rounds: self.ratios(attempt).len() as u64,
            ns: self.middle_ns(|row| row.ns_per_key),
            reference_ns: self.middle_ns(|row| row.reference_ns_per_key),
        })
    }
}

pub fn series(rows: &[GateTimeRow]) -> Vec<Series<'_>> {
    let sound = rows.iter().filter(|row| row.error.is_empty());
    let groups = grouped(sound, |row| (&*row.subject, &*row.operation)).into_iter();
    let series = groups.map(|((subject, operation), rows)| Series {
        subject,
        operation,
        rows,
    });
    series.collect()
}
