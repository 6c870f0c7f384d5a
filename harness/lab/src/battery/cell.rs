//! One cell: a subject on one key set with one m and number of keys.

use std::sync::Arc;

use anyhow::{Result, bail};

use super::{
    Sample,
    expect::{Claim, Expectation},
    findings, t0_arithmetic,
};
use crate::registry::Options;
use crate::schemes::{Locator, Scheme, Wanted};
use crate::workload::KeySet;
use bouquet_ground::parallel::guarded;
use bouquet_ground::record::TestRow;

/// Measured in one go, on one thread, from its own seed, so that a run gives the
/// same rows on any number of threads.
#[derive(Clone)]
pub struct BatteryCell {
    pub subject: Scheme,
    pub keys: Arc<KeySet>,
    pub count: u64,
    pub slots: u64,
    pub probes: u32,
    pub replicate: u32,
    pub seed: u64,
    /// Of the filter whose locations they are.
    pub options: Options,
    pub expected: Expectation,
}

impl BatteryCell {
    /// Whether locations are to be drawn, and not only a size rejected.
    pub fn draws(&self) -> bool {
        self.expected.outcome != Claim::Impossible
    }

    /// The locations of all keys, where there are any to test.
    pub fn least_bytes(&self) -> f64 {
        match self.expected.outcome {
            Claim::Unclaimed | Claim::Impossible => 0.0,
            _ => self.count as f64 * f64::from(self.probes) * size_of::<u64>() as f64,
        }
    }

    /// The rows of all findings, or one that says why there are none.
    pub fn measure(&self) -> Vec<TestRow> {
        guarded(|| self.run()).unwrap_or_else(|error| {
            vec![self.row((self.slots, self.probes), TestRow::failed(error))]
        })
    }

    fn run(&self) -> Result<Vec<TestRow>> {
        if self.expected.outcome == Claim::Unclaimed {
            bail!("too few keys to tell: {}", self.count);
        }
        let locator = self.locator()?;
        let sample = self.sample(&*locator)?;
        let exact =
            t0_arithmetic::exact(self.subject.name, &*locator, self.seed, self.options.hasher);
        let all = exact.into_iter().chain(findings(&sample));
        let layout = (sample.slots(), sample.probes());
        Ok(all.map(|finding| self.row(layout, finding)).collect())
    }

    /// What was found, of this cell with the m and k that its layout makes of what was wanted.
    pub fn row(&self, (slots, probes): (u64, u32), finding: TestRow) -> TestRow {
        TestRow {
            subject: self.subject.name.into(),
            key_set: self.keys.name().into(),
            slots,
            probes,
            keys: self.count,
            replicate: self.replicate,
            seed: self.seed,
            expected_outcome: self.expected.outcome.name().into(),
            expected_tests: self.expected.tests.clone(),
            ..finding
        }
    }

    pub fn locator(&self) -> Result<Box<dyn Locator>> {
        (self.subject.make)(Wanted {
            options: self.options,
            ..Wanted::new(self.slots, self.probes, self.seed)
        })
    }

    fn sample(&self, locator: &dyn Locator) -> Result<Sample> {
        let from = u64::from(self.replicate) * self.count;
        Sample::take(locator, self.count, |visit| {
            self.keys.for_range(from..from + self.count, visit);
        })
    }
}
