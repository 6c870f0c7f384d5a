//! `bouquet fpr`: is the false-positive rate what theory says?

mod experiments;
mod fits;

use std::path::Path;

use anyhow::{Result, bail};

use super::evaluate;
use crate::flags::{Chosen, Judged, with};
use crate::output::{Format, say, screen};
use crate::results::Results;
use crate::study::{Kind, Plan, Study};
use bouquet_ground::record::Records;
use bouquet_lab::{experiment::MAX_BITS_PER_KEY, plan::Catalogue};
use bouquet_render::{fpr as report, write_report};
use bouquet_theory::{self as theory, Range, Steps};

const HELP: &str = "\
Filters are sized for a target or with so many bits per key, filled, and asked
for members and non-members; how many non-members is planned from theory before
the first is asked.

Verdicts, at a family-wise level of 1e-3 over the whole run:
  given the bits   the hits of each rate against the FPR that the measured bits
                   of its filters give, two-sided
  all points       the hits of each filter over all its rates against the exact
                   formula
  fill             the share of bits set against its exact mean and variance
  members          no false negatives, asked twice
  batches          every key is asked by single calls and in batches: the same
                   answers, or it fails
In brackets is the deviation that would have been found with probability 0.999.
Of a rate of 1e-5 or less 66 hits are planned, and pairs of keys with the same
locations are compared with chance.

Exit code: 0 good; 1 something failed; 2 wrong usage; 3 inconclusive, with
--strict.

Examples:
  bouquet fpr --quick
  bouquet fpr --filters standard,blocked --fpr 0.01,0.001 --capacity 1e5
  bouquet fpr --filter standard --fpr 1e-6
  bouquet fpr --filters standard,scalable --fpr 0.01 --load 0.5,1,2
  bouquet fpr --bits-per-key 8..16 --keys my-keys.txt --datasets keys";

const WORDS: &str = "\
filters: Only these filters; all of ours if not given
full: More hits and key sets, for figures that are to be quoted
out: reports/latest-fpr
format: How the tables go to standard output; CSV is the first alone";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP, mut_args(with(WORDS)))]
pub struct Args {
    #[command(flatten)]
    chosen: Chosen,
    /// Keys that the filters are sized for; the key sets must have as many, at the highest load. [default: 10_000]
    #[arg(long, value_name = "N", value_parser = theory::counts::<u64>(Steps::Decades))]
    capacity: Option<Range<u64>>,
    /// Target false-positive rates, shares. [default: 0.01]
    #[arg(long, value_name = "P", value_parser = theory::shares(Steps::Decades))]
    fpr: Option<Range<f64>>,
    /// Sizes in place of targets.
    #[arg(long, value_name = "BITS", conflicts_with = "fpr", value_parser = theory::reals(Steps::By(1.0)))]
    bits_per_key: Option<Range<f64>>,
    /// Keys given to the filters over their capacity; takes --fpr. [default: 1]
    #[arg(long, value_name = "SHARE", conflicts_with = "bits_per_key", value_parser = theory::shares(Steps::By(0.5)))]
    load: Option<Range<f64>>,
    #[command(flatten)]
    pub flags: Judged,
}

const USUAL_FPR: f64 = 0.01;

/// An evaluation of experiments that the flags make.
impl Kind for Args {
    type Work = evaluate::Work;

    fn plan(&self) -> Result<Plan<Self::Work>> {
        check_numbers(self)?;
        let filters = filters(self)?;
        let datasets = experiments::datasets(self.flags.effort.profile());
        let sets = self.chosen.load(datasets.iter().copied())?;
        let lengths: Vec<fits::Set<'_>> = sets.iter().map(|set| (set.name(), set.len())).collect();
        let loads = self.load.iter().flat_map(|loads| &loads.0);
        let fullest = loads.copied().fold(1.0, f64::max);
        let capacity = fits::capacity(given_capacity(self)?, fullest, &lengths)?;
        for fpr in targets(self) {
            Catalogue::new().check_target(&filters, capacity, fpr)?;
        }
        let in_sweeps = fits::cut_in_sweeps(capacity, fullest, &lengths);
        for note in &in_sweeps {
            say(&format!("note: {note}"));
        }
        let made = experiments::made(self, capacity, &filters, &in_sweeps)?;
        evaluate::plan((&self.chosen, &[]), &self.flags, &made, sets)
    }

    fn measure(&self, work: &Self::Work, study: &mut Study) -> Result<()> {
        evaluate::measure(work, self.flags.jobs, study)
    }

    /// The report is that of an evaluation, the results are tables of this command's own.
    fn document(&self, records: &Records, folder: &Path, format: Format) -> Result<Results> {
        let outcome = write_report(records, folder)?.outcome;
        let text = match format {
            Format::Table => report::summary(records, screen()),
            Format::Json => report::in_json(records)?,
            Format::Csv => report::in_csv(records)?,
            Format::Md => report::in_markdown(records),
        };
        Ok((outcome, text))
    }
}

fn given_capacity(args: &Args) -> Result<Option<u64>> {
    match args.capacity.as_ref().map(|range| &range.0[..]) {
        None => Ok(None),
        Some([0]) => bail!("--capacity 0: give at least 1"),
        Some([one]) => Ok(Some(*one)),
        Some(_) => bail!("--capacity: give one number of keys"),
    }
}

/// Rejects by the flag's name what no definition in a file may have either.
fn check_numbers(args: &Args) -> Result<()> {
    let each = |range: &Option<Range<f64>>| range.clone().map_or(Vec::new(), |range| range.0);
    for fpr in each(&args.fpr) {
        if !(fpr > 0.0 && fpr < 1.0) {
            bail!("--fpr {fpr:?} is not between 0 and 1: give a share such as 0.01 for 1 %");
        }
    }
    for (flag, values) in [
        ("--bits-per-key", each(&args.bits_per_key)),
        ("--load", each(&args.load)),
    ] {
        if let Some(value) = values.iter().find(|value| **value <= 0.0) {
            bail!("{flag} {value:?} is not above 0: give a number such as 8 or 1.5");
        }
    }
    let sizes = each(&args.bits_per_key);
    if let Some(bits) = sizes.iter().find(|bits| **bits > MAX_BITS_PER_KEY) {
        bail!("--bits-per-key {bits:?} is more than {MAX_BITS_PER_KEY}: give a number such as 8");
    }
    Ok(())
}

/// Those that are named, or all of ours that have the size that is asked for.
fn filters(args: &Args) -> Result<Vec<String>> {
    let catalogue = Catalogue::new();
    catalogue.check(&args.chosen.filters, &[])?;
    if !args.chosen.filters.is_empty() {
        return Ok(args.chosen.filters.clone());
    }
    // A filter that grows has no number of bits per key.
    Ok(catalogue.ours(args.bits_per_key.is_none()))
}

fn targets(args: &Args) -> Vec<f64> {
    match (&args.fpr, &args.bits_per_key) {
        (Some(fpr), _) => fpr.0.clone(),
        (None, None) => vec![USUAL_FPR],
        (None, Some(_)) => Vec::new(),
    }
}
