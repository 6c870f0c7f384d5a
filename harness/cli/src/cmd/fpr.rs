//! `bouquet fpr`: is the false-positive rate what theory says?

mod fits;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::{Format, colour, evaluate};
use crate::study::say;
use bouquet_ground::{Outcome, record::Recorded};
use bouquet_lab::experiment::{
    About, Experiment, Fpr, Made, Phases, Profile, Profiled, Sweep, Ways,
};
use bouquet_lab::plan::{Catalogue, Narrow};
use bouquet_render::{fpr as report, write_report};
use bouquet_theory::{self as theory, Range, Steps};

const HELP: &str = "\
Filters are made for a target or with so many bits a key, filled, and asked for members and
strangers; how many strangers is planned from theory before the first is asked.

Verdicts, at a family-wise level of 1e-3 over the whole run:
  given the bits   hits against the FPR that the measured bits of each filter give
  mean over seeds  the mean of several filters against the exact formula
  fill             the share of bits set against its exact mean and variance
  members          none may be denied: after filling, removing half, growing to four times the
                   capacity, being written and read back, union, and inserts from four threads,
                   each where the filter can
  batches          every key is asked by single calls and in batches, and filters are filled by
                   both: the same filter, the same answers, or it fails
Both rates pass if their whole 95 % interval is within 10 % of theory, fail if they are outside, and
are inconclusive else. A rate of 1e-5 or less is held below twice theory instead, with 66 hits
planned, and so many pairs of keys with the same locations are held against chance.

Exit code: 0 good; 1 something failed; 2 wrong usage; 3 inconclusive, with --strict.

Examples:
  bouquet fpr --quick
  bouquet fpr --filters standard,blocked --fpr 0.01,0.001 --capacity 1e5 --datasets words
  bouquet fpr --filter standard --fpr 1e-6
  bouquet fpr --filters standard,scalable --fpr 0.01 --load 0.5,1,2
  bouquet fpr --bits-per-key 8..16 --keys my-keys.txt --datasets keys --format json";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// Only these filters; all of ours if not given.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    filters: Vec<String>,
    /// Only these key sets.
    #[arg(long, alias = "dataset", value_delimiter = ',', value_name = "NAME,…")]
    datasets: Vec<String>,
    /// Your own keys, one a line, beside the key sets; alone with `--datasets keys`.
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// In the file of keys a NUL byte ends a key, not a line feed.
    #[arg(short = '0', requires = "keys")]
    nul: bool,
    /// Keys that the filters are made for; the key sets must have as many, at the highest load. The
    /// phases take four times as many, or make their filters smaller and say so. [default: 10_000]
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
    /// Under 20 seconds, for a first look.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// More hits and key sets, for figures that are to be quoted.
    #[arg(long)]
    full: bool,
    /// Where all randomness comes from.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = theory::whole::<u64>)]
    seed: u64,
    /// Threads that measure; all cores if not given.
    #[arg(long, value_name = "NUMBER", value_parser = theory::whole::<usize>)]
    jobs: Option<usize>,
    /// The folder of the report.
    #[arg(long, default_value = "reports/latest-fpr", value_name = "DIR")]
    out: PathBuf,
    /// Nothing on standard error but errors.
    #[arg(long)]
    quiet: bool,
    /// How the tables go to standard output; CSV is the first alone.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Exit with 3 if the verdict is inconclusive.
    #[arg(long)]
    strict: bool,
}

const USUAL_FPR: f64 = 0.01;

const ANALYSIS: &str = "\
Each filter is filled with members of a key set and asked for strangers that are \
none of them. The hits are held against the FPR that the bits of each filter give, which does not \
vary from one filter to the next by chance, and their mean over filters of several seeds against \
the exact formula of the layout. A pass says that the rate is within 10 % of theory.

How to misread it: one filter is one sample; its own FPR differs from the mean by some per cent, \
and that is no fault. A rate held below twice theory is not known to 10 %.";

const LIFE: &str = "\
Each filter is filled to its capacity, emptied by half if it removes keys, filled to four times its \
capacity, and written out and read back; others are made one, and filled from four threads, as far \
as they can. After every phase each key that a filter should hold is asked for: a Bloom filter \
denies none of them, whatever its FPR has come to. A filter that refuses keys owes nothing for those.";

const WAYS: &str = "\
Each filter is filled by single calls, in batches, and by Extend where it has it, and asked for \
members and non-members by single calls and in batches, once made for its keys and once for so many \
more that no cache holds it. All must be the same filter with the same answers: one answer that \
differs fails, whatever the rates are.";

pub fn run(args: &Args) -> Result<u8> {
    check_numbers(args)?;
    let filters = filters(args)?;
    let datasets = datasets(Profile::chosen(args.quick, args.full));
    let run = as_run(args);
    let sets = evaluate::choose_sets(&run, &datasets)?;
    let lengths: Vec<fits::Set<'_>> = sets.iter().map(|set| (set.name(), set.len())).collect();
    let loads = args.load.iter().flat_map(|loads| &loads.0);
    let fullest = loads.copied().fold(1.0, f64::max);
    let capacity = fits::capacity(given_capacity(args)?, fullest, &lengths)?;
    fits::check_targets(&filters, &targets(args), capacity)?;
    let in_sweeps = fits::cut_in_sweeps(capacity, fullest, &lengths);
    let in_phases = fits::cut_in_phases(capacity, &lengths);
    for note in in_sweeps.iter().chain(&in_phases) {
        say(args.quiet, &format!("note: {note}"));
    }
    let mut experiments = Vec::new();
    for sweep in sweeps(args) {
        let about = About {
            name: &sweep.name.clone(),
            title: "Is the FPR what theory says?",
            analysis: &with_notes(ANALYSIS, &in_sweeps),
        };
        let table = fpr(capacity, &filters, sweep);
        experiments.push(Experiment::made(about, datasets.clone(), Made::Fpr(table))?);
    }
    let about = About {
        name: "phases",
        title: "Does a filter keep its keys?",
        analysis: &with_notes(LIFE, &in_phases),
    };
    let phases = Made::Phases(phases(args, capacity, filters.clone()));
    experiments.push(Experiment::made(about, datasets.clone(), phases)?);
    let about = About {
        name: "ways",
        title: "Is a batch the same as so many single calls?",
        analysis: WAYS,
    };
    let ways = Made::Ways(ways(args, capacity, filters));
    experiments.push(Experiment::made(about, datasets, ways)?);
    evaluate::carry_out(&run, &experiments, &sets, results)
}

/// A paragraph of notes below the analysis, if there are any.
fn with_notes(analysis: &str, notes: &[String]) -> String {
    let notes = notes.join(" ");
    format!("{analysis}\n\n{notes}").trim_end().to_owned()
}

fn given_capacity(args: &Args) -> Result<Option<u64>> {
    match args.capacity.as_ref().map(|range| &range.0[..]) {
        None => Ok(None),
        Some([0]) => bail!("--capacity 0: give at least 1"),
        Some([one]) => Ok(Some(*one)),
        Some(_) => bail!("--capacity: give one number of keys"),
    }
}

/// Refuses by the flag's name what no definition in a file may have either.
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
            bail!("{flag} {value:?} is not above 0");
        }
    }
    Ok(())
}

/// The report is that of an evaluation, the results are tables of this command's own.
fn results(recorded: &Recorded, folder: &Path, format: Format) -> Result<(Outcome, String)> {
    let Recorded::Evaluation(records) = recorded else {
        bail!("the rows of an evaluation did not come back");
    };
    let outcome = write_report(records, folder)?.outcome;
    let text = match format {
        Format::Table => report::summary(records, colour()),
        Format::Json => report::in_json(records)?,
        Format::Csv => report::in_csv(records)?,
        Format::Md => report::in_markdown(records),
    };
    Ok((outcome, text))
}

/// Those that are named, or all of ours that have the size that is asked for.
fn filters(args: &Args) -> Result<Vec<String>> {
    let catalogue = Catalogue::new();
    catalogue.check(&Narrow {
        filters: args.filters.clone(),
        schemes: Vec::new(),
    })?;
    if !args.filters.is_empty() {
        return Ok(args.filters.clone());
    }
    // A filter that grows has no number of bits per key.
    let sized = |grows: bool| !grows || args.bits_per_key.is_none();
    let all = catalogue.filters.iter();
    let ours = all.filter(|f| f.role == "ours" && sized(f.grows));
    Ok(ours.map(|f| f.name.to_owned()).collect())
}

fn targets(args: &Args) -> Vec<f64> {
    match (&args.fpr, &args.bits_per_key) {
        (Some(fpr), _) => fpr.0.clone(),
        (None, None) => vec![USUAL_FPR],
        (None, Some(_)) => Vec::new(),
    }
}

/// What is varied.
struct Varied {
    name: String,
    sweep: Sweep,
    points: Vec<f64>,
    target_fpr: Option<f64>,
}

/// At other loads than 1 each target is a sweep of its own.
fn sweeps(args: &Args) -> Vec<Varied> {
    let over = |name: &str, sweep, points| Varied {
        name: name.to_owned(),
        sweep,
        points,
        target_fpr: None,
    };
    if let Some(bits) = &args.bits_per_key {
        return vec![over("fpr-over-bits", Sweep::BitsPerKey, bits.0.clone())];
    }
    let Some(loads) = &args.load else {
        return vec![over("fpr-at-target", Sweep::TargetFpr, targets(args))];
    };
    let of_target = |fpr: f64| Varied {
        target_fpr: Some(fpr),
        ..over(
            &format!("fpr-over-load-{fpr:?}"),
            Sweep::Load,
            loads.0.clone(),
        )
    };
    targets(args).into_iter().map(of_target).collect()
}

fn each<T>(quick: T, default: T, full: T) -> Profiled<T> {
    Profiled::Each {
        quick,
        default,
        full,
    }
}

fn fpr(capacity: u64, filters: &[String], varied: Varied) -> Fpr {
    Fpr {
        sweep: varied.sweep,
        points: Profiled::One(varied.points),
        capacity,
        target_fpr: varied.target_fpr,
        filters: filters.to_vec(),
        replicates: each(8, 16, 32),
        hits: each(4_000, 4_000, 10_000),
        max_strangers: each(20_000_000, 20_000_000, 100_000_000),
    }
}

fn phases(args: &Args, capacity: u64, filters: Vec<String>) -> Phases {
    Phases {
        capacity,
        target_fprs: targets(args),
        bits_per_key: args.bits_per_key.clone().map_or(Vec::new(), |bits| bits.0),
        filters,
        replicates: each(1, 2, 4),
    }
}

fn ways(args: &Args, capacity: u64, filters: Vec<String>) -> Ways {
    Ways {
        capacity,
        target_fprs: targets(args),
        bits_per_key: args.bits_per_key.clone().map_or(Vec::new(), |bits| bits.0),
        filters,
        replicates: each(1, 2, 4),
        non_members: each(20_000, 50_000, 500_000),
    }
}

fn datasets(profile: Profile) -> Vec<String> {
    let names: &[&str] = match profile {
        Profile::Quick => &["random-u64"],
        Profile::Default => &["urls", "random-u64"],
        Profile::Full => &["words", "urls", "packages", "sequential", "random-u64"],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The flags as `evaluate` has them.
fn as_run(args: &Args) -> evaluate::Args {
    evaluate::Args {
        filters: args.filters.clone(),
        schemes: Vec::new(),
        datasets: args.datasets.clone(),
        experiments: Vec::new(),
        define: Vec::new(),
        keys: args.keys.clone(),
        nul: args.nul,
        quick: args.quick,
        full: args.full,
        seed: args.seed,
        jobs: args.jobs,
        out: args.out.clone(),
        quiet: args.quiet,
        format: args.format,
        strict: args.strict,
    }
}
