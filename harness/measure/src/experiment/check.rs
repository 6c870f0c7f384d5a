//! Checks that an experiment definition is valid: its names are plain text, and its numbers let the
//! experiment measure something and end.

use std::ops::RangeInclusive;

use anyhow::{Result, ensure};
use bouquet_core::math::MAX_HASHES;

use super::{Experiment, Kind};
use bouquet_record::{Sweep, line::is_harmless};

/// The largest capacity, and the largest number of keys that are inserted into a filter or looked
/// up in it. To measure more keys would take days.
pub(crate) const MAX_KEYS: u64 = 1 << 32;

/// The largest number of replicates, and of churn rounds. More would hardly make an estimate more
/// precise, and would take more memory, which is allocated before measuring starts.
const MAX_REPEATS: u32 = 1 << 16;

/// The smallest target FPR, 2^-64, because a filter's hash has at most 64 bits by default.
const LEAST_FPR: f64 = 1.0 / (1_u128 << 64) as f64;

/// The smallest number above 0.
const LEAST: f64 = f64::from_bits(1);

/// The largest target FPR.
const BELOW_1: f64 = 1.0_f64.next_down();

/// The largest number of slots; no scheme supports more.
const MAX_SLOTS: u64 = 1 << 56;

/// The largest number of bits per key. No filter needs that many: an FPR of 2^-64 takes about 92.
pub const MAX_BITS_PER_KEY: f64 = 4_096.0;

/// Rejects a name with control characters, because names are shown and recorded as one line of
/// text.
pub(crate) fn one_line(what: &str, name: &str) -> Result<()> {
    ensure!(
        name.chars().all(is_harmless),
        "{what} {name:?} has a control character: take plain text of one line"
    );
    Ok(())
}

const KEYS: RangeInclusive<u64> = 1..=MAX_KEYS;
const REPEATS: RangeInclusive<u32> = 1..=MAX_REPEATS;
const TARGETS: RangeInclusive<f64> = LEAST_FPR..=BELOW_1;
const CAPACITY: &str = "a capacity of 1 to 2^32 keys";
const TARGET: &str = "a target_fpr of 2^-64 to below 1";
const HITS: &str = "1 to 2^32 hits and max_non_members";

/// The name of a table of an experiment definition. Its methods check values of this table.
struct Table(&'static str);

impl Table {
    fn needs(&self, is_met: bool, what: &str) -> Result<()> {
        ensure!(is_met, "[{}] needs {what}", self.0);
        Ok(())
    }

    fn all<T: PartialOrd + Copy>(
        &self,
        values: &[T],
        range: RangeInclusive<T>,
        what: &str,
    ) -> Result<()> {
        self.needs(values.iter().all(|value| range.contains(value)), what)
    }

    fn some<T>(&self, name: &str, entries: &[T]) -> Result<()> {
        let table = self.0;
        ensure!(
            !entries.is_empty(),
            "[{table}] has no {name}: give at least one"
        );
        Ok(())
    }
}

impl Experiment {
    pub(super) fn check(&self) -> Result<()> {
        one_line("the name", &self.name)?;
        one_line("the title", &self.title)?;
        let tables = self.kinds().count();
        ensure!(
            tables == 1,
            "{tables} of the tables [uniformity], [fpr], [memory], [churn]: give exactly one"
        );
        let table = Table(self.kind().name());
        if self.memory.is_none() {
            table.some("datasets", &self.datasets)?;
        }
        match self.kind() {
            Kind::Uniformity(of) => {
                table.some("slots", &of.slots)?;
                table.some("subjects", &of.subjects)?;
                table.all(&of.slots, 2..=MAX_SLOTS, "2 to 2^56 slots")?;
                table.all(&[of.probes], 1..=MAX_HASHES, "1 to 128 probes")?;
                table.all(&of.keys.each(), KEYS, "1 to 2^32 keys")
            }
            Kind::Fpr(of) => {
                let points = of.points.each();
                table.some("filters", &of.filters)?;
                points.iter().try_for_each(|of| table.some("points", of))?;
                table.all(&[of.capacity], KEYS, CAPACITY)?;
                let loads = MAX_KEYS as f64 / of.capacity as f64;
                let (range, what) = match of.sweep {
                    Sweep::BitsPerKey => (LEAST..=MAX_BITS_PER_KEY, "points above 0, 4096 at most"),
                    Sweep::Load => (LEAST..=loads, "loads above 0, of at most 2^32 keys"),
                    Sweep::TargetFpr => (TARGETS, "points of 2^-64 to below 1"),
                    Sweep::Churn | Sweep::Memory => (
                        f64::NAN..=0.0,
                        "a sweep of bits-per-key, load or target-fpr",
                    ),
                };
                table.all(&points.concat(), range, what)?;
                table.all(of.target_fpr.as_slice(), TARGETS, TARGET)?;
                let is_settled = (of.sweep == Sweep::Load) == of.target_fpr.is_some();
                table.needs(is_settled, "target_fpr for a sweep over load, only there")?;
                table.all(&of.replicates.each(), REPEATS, "1 to 65536 replicates")?;
                let asked = [of.hits.each(), of.max_non_members.each()].concat();
                table.all(&asked, KEYS, HITS)
            }
            Kind::Memory(of) => {
                table.some("capacities", &of.capacities)?;
                table.some("target_fprs", &of.target_fprs)?;
                table.some("filters", &of.filters)?;
                table.all(&of.capacities, KEYS, CAPACITY)?;
                table.all(&of.target_fprs, TARGETS, TARGET)
            }
            Kind::Churn(of) => {
                table.some("filters", &of.filters)?;
                table.all(&[of.capacity], KEYS, CAPACITY)?;
                table.all(&[of.target_fpr], TARGETS, TARGET)?;
                table.all(&[of.share], LEAST..=1.0, "a share above 0, 1 at most")?;
                table.all(&of.rounds.each(), REPEATS, "1 to 65536 rounds")?;
                table.all(&of.replicates.each(), REPEATS, "1 to 65536 replicates")?;
                let asked = [of.hits.each(), of.max_non_members.each()].concat();
                table.all(&asked, KEYS, HITS)
            }
        }
    }
}
