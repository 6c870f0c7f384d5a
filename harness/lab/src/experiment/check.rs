//! What must hold of a definition.

use anyhow::{Result, bail, ensure};
use bouquet_core::math::MAX_HASHES;

use super::{Experiment, Kind, Sweep};

impl Experiment {
    /// Refuses numbers that would measure nothing, or for ever.
    pub(super) fn check(&self) -> Result<()> {
        let tables = self.kinds().count();
        if tables != 1 {
            bail!(
                "{tables} of the tables [uniformity], [fpr], [memory], [churn], [phases], [ways]: \
                 give exactly one"
            );
        }
        match self.kind() {
            Kind::Uniformity(u) => {
                if u.slots.iter().any(|slots| *slots < 2) {
                    bail!("[uniformity] needs at least 2 slots");
                }
                if u.probes == 0 || u.probes > MAX_HASHES {
                    bail!("[uniformity] needs 1 to {MAX_HASHES} probes");
                }
                ensure!(!u.keys.has_0(), "[uniformity] needs at least 1 key");
            }
            Kind::Fpr(fpr) => {
                let mut points = fpr.points.each().into_iter().flatten();
                if fpr.capacity == 0 || !points.all(|x| x > 0.0 && x.is_finite()) {
                    bail!("[fpr] needs a capacity of at least 1, and points above 0");
                }
                let zero = fpr.replicates.each().contains(&0)
                    || fpr.hits.each().contains(&0)
                    || fpr.max_strangers.each().contains(&0);
                ensure!(!zero, "[fpr] needs at least 1 replicate, hit and stranger");
                if fpr.target_fpr.is_some_and(|fpr| !(fpr > 0.0 && fpr < 1.0)) {
                    bail!("[fpr] needs a target_fpr between 0 and 1");
                }
                let mut points = fpr.points.each().into_iter().flatten();
                if fpr.sweep == Sweep::TargetFpr && !points.all(|x| x < 1.0) {
                    bail!("[fpr] needs points below 1 for a sweep over targets");
                }
                if (fpr.sweep == Sweep::Load) != fpr.target_fpr.is_some() {
                    bail!("[fpr] needs target_fpr for a sweep over load, and only there");
                }
            }
            Kind::Memory(_) => {}
            Kind::Churn(churn) => {
                let none = churn.rounds.has_0() || churn.replicates.has_0() || churn.capacity == 0;
                if none || churn.hits.has_0() || churn.max_strangers.has_0() {
                    bail!("[churn] needs at least 1 round, replicate, hit, stranger and key");
                }
                if !(churn.share > 0.0 && churn.share <= 1.0) {
                    bail!("[churn] needs a share above 0, 1 at most");
                }
                if !(churn.target_fpr > 0.0 && churn.target_fpr < 1.0) {
                    bail!("[churn] needs a target_fpr between 0 and 1");
                }
            }
            Kind::Phases(phases) => {
                if phases.replicates.has_0() || phases.capacity == 0 {
                    bail!("[phases] needs at least 1 replicate and key");
                }
                check_sizes("phases", &phases.target_fprs, &phases.bits_per_key)?;
            }
            Kind::Ways(ways) => {
                let zero = ways.replicates.each().contains(&0)
                    || ways.non_members.each().contains(&0)
                    || ways.capacity == 0;
                ensure!(
                    !zero,
                    "[ways] needs at least 1 replicate, non-member and key"
                );
                check_sizes("ways", &ways.target_fprs, &ways.bits_per_key)?;
            }
        }
        let needs_keys = self.memory.is_none();
        if needs_keys && self.datasets.is_empty() {
            bail!("datasets is missing: name at least one key set");
        }
        Ok(())
    }
}

/// Refuses sizes that no filter can have.
fn check_sizes(table: &str, target_fprs: &[f64], bits_per_key: &[f64]) -> Result<()> {
    if target_fprs.len() + bits_per_key.len() == 0 {
        bail!("[{table}] needs target_fprs or bits_per_key");
    }
    if !target_fprs.iter().all(|fpr| *fpr > 0.0 && *fpr < 1.0) {
        bail!("[{table}] needs target_fprs between 0 and 1");
    }
    if !bits_per_key
        .iter()
        .all(|bits| *bits > 0.0 && bits.is_finite())
    {
        bail!("[{table}] needs bits_per_key above 0");
    }
    Ok(())
}
