//! What must hold of a definition.

use anyhow::{Result, ensure};
use bouquet_core::math::MAX_HASHES;

use super::{Experiment, Kind, Sweep};
use bouquet_ground::line::is_harmless;

/// Rejects a name that would not be one line of text where it is shown or recorded.
pub(crate) fn one_line(what: &str, name: &str) -> Result<()> {
    ensure!(
        name.chars().all(is_harmless),
        "{what} {name:?} has a control character: take plain text of one line"
    );
    Ok(())
}

impl Experiment {
    /// Rejects names that are no text, and numbers that would measure nothing, or
    /// without end.
    pub(super) fn check(&self) -> Result<()> {
        one_line("the name", &self.name)?;
        one_line("the title", &self.title)?;
        let tables = self.kinds().count();
        ensure!(
            tables == 1,
            "{tables} of the tables [uniformity], [fpr], [memory], [churn], [phases], [ways]: give \
             exactly one"
        );
        let kind = self.kind();
        kind.check(|is_met, what| {
            ensure!(is_met, "[{}] needs {what}", kind.name());
            Ok(())
        })?;
        ensure!(
            self.memory.is_some() || !self.datasets.is_empty(),
            "datasets is missing: name at least one key set"
        );
        Ok(())
    }
}

impl Kind<'_> {
    /// Calls `needs` with whether the table has what it needs, and with what that is.
    fn check(self, needs: impl Fn(bool, &str) -> Result<()>) -> Result<()> {
        let is_share = |share: &f64| *share > 0.0 && *share < 1.0;
        let is_above_0 = |x: &f64| *x > 0.0 && x.is_finite();
        let sizes = |target_fprs: &[f64], bits_per_key: &[f64]| {
            let has_any = !(target_fprs.is_empty() && bits_per_key.is_empty());
            needs(has_any, "target_fprs or bits_per_key")?;
            let are_possible = target_fprs.iter().all(is_share);
            needs(are_possible, "target_fprs between 0 and 1")?;
            needs(bits_per_key.iter().all(is_above_0), "bits_per_key above 0")
        };
        match self {
            Kind::Uniformity(u) => {
                needs(u.slots.iter().all(|slots| *slots >= 2), "at least 2 slots")?;
                let has_probes = (1..=MAX_HASHES).contains(&u.probes);
                needs(has_probes, &format!("1 to {MAX_HASHES} probes"))?;
                needs(!u.keys.has_0(), "at least 1 key")
            }
            Kind::Fpr(fpr) => {
                let points = fpr.points.each().concat();
                let has_any = fpr.capacity > 0 && points.iter().all(is_above_0);
                needs(has_any, "a capacity of at least 1, and points above 0")?;
                let has_0 =
                    fpr.replicates.has_0() || fpr.hits.has_0() || fpr.max_non_members.has_0();
                needs(!has_0, "at least 1 replicate, hit and non-member")?;
                let is_possible = fpr.target_fpr.iter().all(is_share);
                needs(is_possible, "a target_fpr between 0 and 1")?;
                let is_possible = fpr.sweep != Sweep::TargetFpr || points.iter().all(is_share);
                needs(is_possible, "points below 1 for a sweep over targets")?;
                let is_settled = (fpr.sweep == Sweep::Load) == fpr.target_fpr.is_some();
                needs(
                    is_settled,
                    "target_fpr for a sweep over load, and only there",
                )
            }
            Kind::Memory(_) => Ok(()),
            Kind::Churn(churn) => {
                let has_0 = churn.rounds.has_0() || churn.replicates.has_0() || churn.capacity == 0;
                let has_0 = has_0 || churn.hits.has_0() || churn.max_non_members.has_0();
                needs(
                    !has_0,
                    "at least 1 round, replicate, hit, non-member and key",
                )?;
                let is_part = churn.share > 0.0 && churn.share <= 1.0;
                needs(is_part, "a share above 0, 1 at most")?;
                needs(is_share(&churn.target_fpr), "a target_fpr between 0 and 1")
            }
            Kind::Phases(phases) => {
                let has_0 = phases.replicates.has_0() || phases.capacity == 0;
                needs(!has_0, "at least 1 replicate and key")?;
                sizes(&phases.target_fprs, &phases.bits_per_key)
            }
            Kind::Ways(ways) => {
                let has_0 = ways.replicates.has_0() || ways.non_members.has_0();
                let has_0 = has_0 || ways.capacity == 0;
                needs(!has_0, "at least 1 replicate, non-member and key")?;
                sizes(&ways.target_fprs, &ways.bits_per_key)
            }
        }
    }
}
