//! `bouquet recommend`: the filter for a workload.

mod committed;
mod nodes;
mod record;
mod report;
mod timing;
mod words;

use std::{path::PathBuf, time::Instant};

use anyhow::{Result, anyhow, bail};

use crate::flags::{Run, with};
use crate::output::say;
use crate::results;
use crate::study::Study;
use bouquet_advise::recommend::{Candidate, Checkout, Own, Requirements, Workload, advise};
use bouquet_ground::folder::catch_interrupts;
use bouquet_ground::unknown::unknown;

const HELP: &str = "\
Needs the number of keys: --capacity, --keys, --use-case or a --workload with
it. The rest is assumed, and the answer says what. Flags go before the file, the
file before the use case.

--fpr is what the filter is sized for: no bit is spent beyond it, --memory is a
limit, and the second sentence says what a lower FPR would save. --fpr-at-most
is the most that may be: a filter gets more bits than keep it where that lowers
the expected cost per lookup, as far as --memory lets it or --memory-cost makes
it pay; with neither it is --fpr. Without an FPR the same, up to --memory or 32
bits per key.

A false positive costs an unnecessary backing lookup (--work-cost), or, with
--false-positive-loses, a loss that no work makes good: then the FPR alone
decides.

The workload as TOML has the names of the flags: capacity = 1e6, work-cost =
\"80us\", deletes = true, static = true. Measuring takes some seconds and is
kept under $XDG_CACHE_HOME (or ~/.cache) for this machine and program;
--measure-again forgets it, --no-measure takes the times that came with the
program, of another machine.

Exit codes: 0 advised (that no filter pays is advice too); 2 wrong usage, or
requirements that nothing can meet: the error says why, and what would do; 130
interrupted.

--nodes or --node-memory plan beyond one machine, for --capacity up to 1e12,
--fpr (0.01) and --integers-below: only a small case is measured, to check the
formulas, exit code 1 if one does not agree. Times of an insert come with the
program, of one machine and of at most 100,000,000 keys. A list, a map and a
bitmap store keys exactly. Filters of xorf are built of all keys at once.

Examples:
  bouquet recommend --capacity 1e6 --fpr 0.01 --work-cost 80us
  bouquet recommend --use-case seen-per-user --no-measure
  bouquet recommend --use-case crawler --keys urls.txt --out report
  bouquet recommend --capacity 1e6 --memory 2MiB --deletes --format json
  bouquet recommend --workload workload.toml --hits 0.1
  bouquet recommend --capacity 1e12 --node-memory 64GiB
  bouquet recommend --capacity 1e9 --integers-below 4294967296 --nodes 16";

const WORDS: &str = "\
seed: Where keys and their order come from
format: How the answer goes to standard output; CSV has the candidates alone";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP, mut_args(with(WORDS)))]
#[command(mut_arg("out", |out| out.help(
    "The folder of a report with the chart of cost over that of a backing lookup"
)))]
pub struct Args {
    #[command(flatten)]
    requirements: Requirements,
    /// The workload as a TOML file.
    #[arg(long, value_name = "FILE.toml")]
    workload: Option<PathBuf>,
    /// Only these candidates, beside no filter at all, also where nothing asks for what they do.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    filters: Vec<String>,
    /// Take the times that came with the program.
    #[arg(long)]
    no_measure: bool,
    /// Forget the times that were kept.
    #[arg(long, conflicts_with = "no_measure")]
    measure_again: bool,
    #[command(flatten)]
    cluster: nodes::ClusterFlags,
    #[command(flatten)]
    run: Run,
    /// Next to nothing to measure: for tests of all but the times.
    #[arg(long, hide = true)]
    tiny: bool,
    /// Measures what is timed beside the report on speed, and writes it to this file.
    #[arg(long, hide = true, value_name = "FILE")]
    record_times: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<u8> {
    if args.cluster.is_some() {
        return nodes::run(args);
    }
    let started = Instant::now();
    if cfg!(debug_assertions) && !args.tiny && !args.no_measure {
        bail!(
            "this is a debug build, whose times say nothing; measure with: cargo run --release -- \
             recommend, or take the times that came with it: --no-measure"
        );
    }
    catch_interrupts()?;
    if let Some(path) = &args.record_times {
        committed::record(path, args.run.seed, args.tiny)?;
        return Ok(0);
    }
    let file = args
        .workload
        .as_deref()
        .map(Requirements::read)
        .transpose()?;
    let keys = args.requirements.keys.as_ref();
    let keys = keys.or(file.as_ref().and_then(|file| file.keys.as_ref()));
    let own = keys.map(|path| Own::read(path)).transpose()?;
    let facts = own.as_ref().map(|own| own.facts);
    if let Some(warning) = own.as_ref().and_then(|own| own.warning.as_ref()) {
        say(&format!("warning: {warning}"));
    }
    let mut workload = Workload::new(&args.requirements, file.as_ref(), facts)?;
    workload.only = chosen(&args.filters)?;
    // Before anything is measured: a folder that cannot be written is known now.
    let study = args.run.out.as_deref();
    let study = study.map(Study::begin).transpose()?;
    let timing = timing::timing(args, &workload, own.as_ref())?;
    let advice = advise(&workload, &timing.times)?;
    let answer = |checkout| record::records(&workload, &advice, &timing.words, checkout);
    if let (Some(study), Some(out)) = (study, &args.run.out) {
        // It is read elsewhere too.
        let answer = answer(Checkout::Beside);
        report::write(answer, study, args.run.seed, started)?;
        say(&format!("the report is in {}", out.display()));
    }
    args.run
        .format
        .print(&results::answer(&answer(Checkout::Here), args.run.format)?)?;
    Ok(0)
}

fn chosen(names: &[String]) -> Result<Vec<Candidate>> {
    let find = |name: &String| {
        Candidate::named(name).ok_or_else(|| {
            let known: Vec<&str> = Candidate::all().iter().map(|one| one.name()).collect();
            anyhow!(unknown(
                "candidate",
                name,
                &known,
                "every answer lists them"
            ))
        })
    };
    names.iter().map(find).collect()
}
