//! `bouquet uniformity`: the battery T0 to T7.

use std::{path::PathBuf, sync::Arc, time::Instant};

use anyhow::{Context, Result, bail};

use super::{Format, colour, report};
use crate::study::{self, Flags, Study, keys};
use bouquet_ground::record::BatteryRecords;
use bouquet_ground::staging::catch_interrupts;
use bouquet_lab::battery::{Cell, Expectations, Plan, SIZES, Subject};
use bouquet_lab::experiment::Profile;
use bouquet_lab::plan::Catalogue;
use bouquet_lab::workload::{KeySet, Manifest};
use bouquet_render::battery::{self, Judgement};
use bouquet_theory as theory;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Only these filters, and the controls.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    filters: Vec<String>,
    /// Only these location schemes, and the controls.
    #[arg(long, alias = "scheme", value_delimiter = ',', value_name = "NAME,…")]
    schemes: Vec<String>,
    /// Only these key sets.
    #[arg(long, alias = "dataset", value_delimiter = ',', value_name = "NAME,…")]
    datasets: Vec<String>,
    /// Your own keys, one a line, beside the key sets; alone with `--datasets keys`.
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// In the file of keys a NUL byte ends a key, not a line feed.
    #[arg(short = '0', requires = "keys")]
    nul: bool,
    /// Under 20 seconds, for a first look.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// All schemes on all key sets, 8 million keys above 2^30 slots.
    #[arg(long)]
    full: bool,
    /// In place of the profile's sizes: m such as 2^32+1, also where no memory would
    /// hold an array; alone, the sizes where 32 bits end, with controls that are cut to
    /// 32 bits.
    #[arg(
        long,
        value_name = "M,…",
        num_args = 0..=1,
        value_parser = sizes,
        conflicts_with_all = ["quick", "full"]
    )]
    sizes: Option<Option<Sizes>>,
    /// What each scheme must do, in place of the table that comes along: CSV with
    /// the columns of harness/experiments/battery-expectations.csv.
    #[arg(long, value_name = "FILE.csv")]
    expect: Option<PathBuf>,
    /// Where all randomness comes from.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = theory::whole::<u64>)]
    seed: u64,
    /// Threads that measure; all cores if not given.
    #[arg(long, value_name = "NUMBER", value_parser = theory::whole::<usize>)]
    jobs: Option<usize>,
    /// The folder of the report.
    #[arg(long, default_value = "reports/latest-uniformity", value_name = "DIR")]
    out: PathBuf,
    /// Nothing on standard error but errors.
    #[arg(long)]
    quiet: bool,
    /// How the table of results goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Exit with 3 if the verdict is inconclusive.
    #[arg(long)]
    strict: bool,
}

/// Slots, in the order of the command line.
#[derive(Clone, Debug)]
struct Sizes(Vec<u64>);

/// Reads numbers, each with what is to be added or taken away: 2^32+1.
fn sizes(text: &str) -> Result<Sizes, String> {
    let size = |text: &str| -> Result<u64, String> {
        let at = text
            .rfind(['+', '-'])
            .filter(|at| !text[..*at].ends_with(['e', 'E']));
        let (number, sign, other) = match at {
            Some(at) if at > 0 => (&text[..at], &text[at..=at], &text[at + 1..]),
            _ => (text, "+", "0"),
        };
        let [number, other]: [u64; 2] = [theory::whole(number)?, theory::whole(other)?];
        let size = match sign {
            "-" => number.checked_sub(other),
            _ => number.checked_add(other),
        };
        size.filter(|size| (2..=1 << 48).contains(size))
            .ok_or_else(|| format!("{text} is not from 2 to 2^48"))
    };
    text.split(',')
        .map(size)
        .collect::<Result<_, _>>()
        .map(Sizes)
}

impl Args {
    fn profile(&self) -> &'static str {
        match self.sizes {
            Some(_) => SIZES,
            None => Profile::chosen(self.quick, self.full).name(),
        }
    }
}

pub fn run(args: &Args) -> Result<u8> {
    let started = Instant::now();
    catch_interrupts()?;
    let mut plan = Plan::shipped()?;
    if let Some(Some(sizes)) = &args.sizes {
        plan = plan.at_sizes(&sizes.0);
    }
    let subjects = choose_subjects(args, &plan)?;
    let sets = choose_sets(args, &plan)?;
    let table = match &args.expect {
        Some(path) => {
            let table = Expectations::read(path)?;
            check_names(&table).with_context(|| format!("in {}", path.display()))?;
            table
        }
        None => Expectations::shipped()?,
    };
    let mut asked = args.datasets.clone();
    asked.push(keys::OWN.into());
    let cells = plan.cells(args.profile(), &table, &subjects, &sets, &asked, args.seed);
    if !cells.iter().any(Cell::draws) {
        bail!(
            "nothing to measure: of so few keys, or of these schemes on these key sets, \
             the table of expectations claims nothing"
        );
    }
    for name in args.filters.iter().chain(&args.schemes) {
        if !cells.iter().any(|cell| cell.subject.name == *name) {
            bail!(
                "{name} would not be measured: it does not tell its locations, or of this profile, \
                 these key sets and so many keys the table of expectations claims nothing for it"
            );
        }
    }

    let study = Study::begin(&args.out)?;
    let words = format!("seed {}, {} cells to measure", args.seed, cells.len());
    study::say(args.quiet, &words);
    study.write(&sets.iter().map(|set| set.row()).collect::<Vec<_>>())?;
    let title = "Are locations what each scheme claims?";
    study.write(&[study::experiment(
        "battery",
        "battery",
        title,
        &plan.analysis,
    )])?;
    let taking_part = |name: &str| cells.iter().any(|cell| cell.subject.name == name);
    study.write(&Catalogue::new().subjects(taking_part))?;
    study.measure(&cells, args.jobs, args.quiet, Cell::measure)?;
    study.write_facts(study::facts(Some(args.profile()), args.seed, started))?;
    let flags = Flags {
        out: &args.out,
        seed: args.seed,
        quiet: args.quiet,
        format: args.format,
        strict: args.strict,
    };
    study.finish(&flags, report::results)
}

/// The results for standard output.
pub(super) fn results(
    format: Format,
    records: &BatteryRecords,
    judgement: &Judgement,
) -> Result<String> {
    match format {
        Format::Table => Ok(battery::summary(&records.rows, judgement, colour())),
        Format::Json => battery::plain(judgement).json(),
        Format::Csv => battery::plain(judgement).csv(),
        Format::Md => Ok(battery::in_markdown(judgement)),
    }
}

/// Refuses a table that names what there is not: such a line would fit nothing.
fn check_names(table: &Expectations) -> Result<()> {
    let catalogue = Catalogue::new();
    let filters = catalogue.filters.iter().map(|f| (f.name, f.role));
    let schemes = catalogue.schemes.iter().map(|s| (s.name, s.role));
    let known: Vec<(&str, &str)> = filters.chain(schemes).collect();
    for subject in table.subjects() {
        match subject.strip_prefix("role:") {
            Some(role) if !known.iter().any(|(_, other)| *other == role) => {
                bail!("no scheme or filter has the role {role:?}")
            }
            None if !known.iter().any(|(name, _)| *name == subject) => {
                bail!("no scheme or filter is called {subject:?}; `bouquet list` has their names")
            }
            _ => {}
        }
    }
    let manifest = Manifest::find()?;
    let mut sets = table.datasets().filter(|name| *name != keys::OWN);
    sets.try_for_each(|name| manifest.check_name(name))
}

/// All schemes and filters, or those that are named and the controls.
fn choose_subjects(args: &Args, plan: &Plan) -> Result<Vec<Subject>> {
    let catalogue = Catalogue::new();
    catalogue.check(&bouquet_lab::plan::Narrow {
        filters: args.filters.clone(),
        schemes: args.schemes.clone(),
    })?;
    let all = args.filters.is_empty() && args.schemes.is_empty();
    let controls = plan.controls(args.profile());
    let mut subjects = Vec::new();
    for filter in &catalogue.filters {
        // A filter that does not tell its locations has none to test.
        if (all || args.filters.iter().any(|name| name == filter.name)) && filter.locate.is_some() {
            subjects.push(Subject {
                name: filter.name,
                role: filter.role,
                make: filter.locate,
            });
        }
    }
    for scheme in &catalogue.schemes {
        let is_named = args.schemes.iter().any(|name| name == scheme.name);
        if all || is_named || controls.contains(&scheme.name) {
            subjects.push(Subject {
                name: scheme.name,
                role: scheme.role,
                make: Some(scheme.make),
            });
        }
    }
    Ok(subjects)
}

/// The key sets that were named or else those of the profile, and the user's own.
fn choose_sets(args: &Args, plan: &Plan) -> Result<Vec<Arc<KeySet>>> {
    let usual = if args.datasets.is_empty() {
        plan.datasets(args.profile())
    } else {
        Vec::new()
    };
    keys::Asked {
        datasets: &args.datasets,
        keys: args.keys.as_deref(),
        nul: args.nul,
        quiet: args.quiet,
    }
    .load(usual.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_names_what_there_is() {
        check_names(&Expectations::shipped().unwrap()).unwrap();
    }
}
