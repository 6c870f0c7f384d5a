//! `bouquet speed`: how fast filters are, and hashes.

mod hashes;

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Result, bail};

use super::{Format, report::results};
use crate::study::{self, Flags, Study};
use bouquet_ground::Outcome;
use bouquet_ground::machine;
use bouquet_ground::record::{
    DatasetRow, RooflineRow, RowWriter, SpeedRecords, SpeedRow, SubjectRow, ThreadRow,
};
use bouquet_ground::staging::catch_interrupts;
use bouquet_lab::experiment::Profile;
use bouquet_lab::registry::{Racer, Sharing, racers, sharings};
use bouquet_lab::speed::{
    Column, Definition, Effort, Instead, Kind, Measured, Plan, Race, Together, fastest_peers,
};
use bouquet_render::speed;
use bouquet_theory as theory;

const HELP: &str = "\
Peers come with the cargo feature `peers`; without it ours are measured alone.
A debug build refuses to measure. Nothing else should run meanwhile.

Exit code: 0 measured; 1 one of ours denied a key or failed; 2 wrong usage.

Examples:
  cargo run --release --features peers -- speed --quick
  bouquet speed --filters standard,blocked --capacity 1000000 --fpr 0.01
  bouquet speed --threads
  cargo run --release --features hashes -- speed --hashes
  bouquet speed --full --out reports/speed";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// Only these filters.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    filters: Vec<String>,
    /// Keys that the filters are made for and hold, in place of the profile's.
    #[arg(long, value_delimiter = ',', value_name = "NUMBER,…", value_parser = theory::whole::<u64>)]
    capacity: Vec<u64>,
    /// The FPRs that are asked for, as shares, in place of the profile's.
    #[arg(long, value_delimiter = ',', value_name = "SHARE,…", value_parser = theory::share)]
    fpr: Vec<f64>,
    /// Only these kinds of keys.
    #[arg(long, value_delimiter = ',', value_name = "KIND,…")]
    kinds: Vec<Kind>,
    /// Under a minute, for a first look: integers at 1 %, ours and the fastest peers.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// More repetitions, 10^8 keys and threads, for figures that are to be quoted:
    /// about 25 minutes.
    #[arg(long)]
    full: bool,
    /// At 10^8 keys all peers, not the fastest of those at fewer keys.
    #[arg(long, requires = "full")]
    all: bool,
    /// One filter shared by one thread and by two, instead of the filters alone; with
    /// --full as often as there.
    #[arg(long)]
    threads: bool,
    /// Hash functions in place of filters: those of the field come with the cargo
    /// feature `hashes`.
    #[arg(long, conflicts_with_all = ["filters", "capacity", "fpr", "kinds", "threads", "all"])]
    hashes: bool,
    /// Next to nothing of everything: for tests of all but the speed.
    #[arg(long, hide = true)]
    tiny: bool,
    /// Where the keys and the order of the filters come from.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = theory::whole::<u64>)]
    seed: u64,
    /// The folder of the report.
    #[arg(long, default_value = "reports/latest-speed", value_name = "DIR")]
    out: PathBuf,
    /// Nothing on standard error but errors.
    #[arg(long)]
    quiet: bool,
    /// How the tables go to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

pub fn run(args: &Args) -> Result<u8> {
    if cfg!(debug_assertions) && !args.tiny {
        bail!(
            "this is a debug build, whose times say nothing; measure with: cargo run --release \
             --features peers -- speed"
        );
    }
    check(args)?;
    let started = Instant::now();
    catch_interrupts()?;
    let definition = Definition::shipped()?;
    let profile = Profile::chosen(args.quick, args.full);
    let plan = definition.plan(
        profile,
        &Instead {
            capacities: args.capacity.clone(),
            target_fprs: args.fpr.clone(),
            keys: args.kinds.clone(),
        },
    );
    let plan = if args.tiny { plan.tiny() } else { plan };
    let mut field = Field::chosen(args)?;
    if args.hashes {
        field = Field::default();
    }
    let study = Study::begin(&args.out)?;
    study::say(args.quiet, &format!("seed {}", args.seed));
    if cfg!(not(feature = "peers")) {
        let words = "built without the peers: ours alone; --features peers has them";
        study::say(args.quiet, words);
    }
    measure(args, &plan, &field, &study)?;
    if args.hashes {
        hashes::measure(args, profile, &study)?;
    }
    let Definition {
        name,
        title,
        analysis,
        ..
    } = &definition;
    study.write(&[study::experiment(name, "speed", title, analysis)])?;
    study.write(&field.subjects())?;
    study.write(&Kind::ALL.map(dataset_row))?;
    let mut facts = study::facts(Some(profile.name()), args.seed, started);
    facts.extend(study::rows(machine::memory()));
    study.write_facts(facts)?;
    let flags = Flags {
        out: &args.out,
        seed: args.seed,
        quiet: args.quiet,
        format: args.format,
        strict: false,
    };
    study.finish(&flags, results)
}

/// Writes the report of these records, and gives what it comes to and the tables.
pub fn report(records: &SpeedRecords, folder: &Path, format: Format) -> Result<(Outcome, String)> {
    let outcome = speed::write_report(records, folder)?;
    let text = match format {
        Format::Table => speed::text(records),
        Format::Json => speed::lines(records).json()?,
        Format::Csv => speed::lines(records).csv()?,
        Format::Md => speed::markdown_tables(records),
    };
    Ok((outcome, text))
}

fn check(args: &Args) -> Result<()> {
    // Indexes of members and of strangers must not meet.
    let most = u64::from(u32::MAX);
    if let Some(capacity) = args.capacity.iter().find(|&&n| !(2..=most).contains(&n)) {
        bail!("--capacity {capacity}: give 2 to {most} keys");
    }
    if let Some(fpr) = args.fpr.iter().find(|&&fpr| !(fpr > 0.0 && fpr < 1.0)) {
        bail!("--fpr {fpr}: give a share between 0 and 1, such as 0.01");
    }
    Ok(())
}

/// Who takes part.
#[derive(Default)]
struct Field {
    racers: Vec<Racer>,
    sharings: Vec<Sharing>,
}

impl Field {
    fn chosen(args: &Args) -> Result<Self> {
        let (racers, sharings) = (racers(), sharings());
        let known: Vec<&str> = racers.iter().map(|racer| racer.name).collect();
        let sharing: Vec<&str> = sharings.iter().map(|sharing| sharing.name).collect();
        let is_known =
            |name: &&String| known.contains(&name.as_str()) || sharing.contains(&name.as_str());
        if let Some(name) = args.filters.iter().find(|name| !is_known(name)) {
            bail!(
                "no filter is called {name:?}; there are {}, and for threads {}",
                known.join(", "),
                sharing.join(", ")
            );
        }
        let named = |name: &str| args.filters.iter().any(|wanted| wanted == name);
        let all = args.filters.is_empty();
        let has_grid = !args.threads;
        let has_threads = args.full || args.threads;
        let runs = |racer: &Racer| named(racer.name) || (all && (racer.is_quick || !args.quick));
        let field = Self {
            racers: racers
                .into_iter()
                .filter(|racer| has_grid && runs(racer))
                .collect(),
            sharings: sharings
                .into_iter()
                .filter(|sharing| has_threads && (all || named(sharing.name)))
                .collect(),
        };
        if field.racers.is_empty() && field.sharings.is_empty() {
            bail!("nothing to measure: the chosen filters have no part in this");
        }
        Ok(field)
    }

    fn subjects(&self) -> Vec<SubjectRow> {
        let racers = self.racers.iter().map(|racer| SubjectRow {
            promises_no_false_negatives: racer.promises_no_false_negatives,
            ..subject_row(racer.name, &racer.about, racer.role)
        });
        let of_threads = self
            .sharings
            .iter()
            .filter(|sharing| self.racers.iter().all(|racer| racer.name != sharing.name));
        let sharings = of_threads.map(|sharing| SubjectRow {
            concurrent: true,
            ..subject_row(sharing.name, sharing.about, sharing.role)
        });
        racers.chain(sharings).collect()
    }
}

fn subject_row(name: &str, about: &str, role: &str) -> SubjectRow {
    SubjectRow {
        subject: name.into(),
        kind: "filter".into(),
        about: about.into(),
        role: role.into(),
        promises_no_false_negatives: role == "ours",
        reproducible_by_seed: false,
        exposes_locations: false,
        removes: false,
        grows: false,
        concurrent: false,
        theory: String::new(),
        scheme: String::new(),
    }
}

fn dataset_row(kind: Kind) -> DatasetRow {
    DatasetRow {
        dataset: kind.name().into(),
        about: kind.about().into(),
        keys: 0,
        duplicates_dropped: 0,
        key_bytes: kind.bytes(),
        sha256: String::new(),
        generator: "in the loop".into(),
    }
}

/// Measures, and writes each row as it comes.
fn measure(args: &Args, plan: &Plan, field: &Field, study: &Study) -> Result<()> {
    let mut rows = Rows {
        speed: study.rows()?,
        roofline: study.rows()?,
        threads: study.rows()?,
        seen: Vec::new(),
    };
    let racers: Vec<&Racer> = field.racers.iter().collect();
    let has_grid = !racers.is_empty();
    let columns = if has_grid {
        plan.columns.len() + plan.large.len()
    } else {
        0
    };
    let columns = columns + usize::from(!field.sharings.is_empty());
    let bar = study::progress(args.quiet, columns as u64)?;
    for column in plan.columns.iter().filter(|_| has_grid) {
        race(args, *column, racers.clone(), plan.effort, &mut rows)?;
        bar.inc(1);
    }
    for column in plan.large.iter().filter(|_| has_grid) {
        let racers = if args.all {
            racers.clone()
        } else {
            let peers = fastest_peers(&rows.seen, *column, plan.large_peers);
            let runs =
                |racer: &&&Racer| racer.role == "ours" || peers.contains(&racer.name.to_owned());
            racers.iter().filter(runs).copied().collect()
        };
        race(args, *column, racers, plan.large_effort, &mut rows)?;
        bar.inc(1);
    }
    share(args, plan, field, &mut rows)?;
    bar.finish_and_clear();
    rows.speed.finish()?;
    rows.roofline.finish()?;
    rows.threads.finish()
}

struct Rows {
    speed: RowWriter<SpeedRow>,
    roofline: RowWriter<RooflineRow>,
    threads: RowWriter<ThreadRow>,
    seen: Vec<SpeedRow>,
}

fn race(
    args: &Args,
    column: Column,
    racers: Vec<&Racer>,
    effort: Effort,
    rows: &mut Rows,
) -> Result<()> {
    let race = Race {
        column,
        racers,
        effort,
        seed: args.seed,
    };
    race.run(&mut |measured| match measured {
        Measured::Filter(row) => {
            rows.speed.write(&row)?;
            rows.seen.push(row);
            Ok(())
        }
        Measured::Roofline(row) => rows.roofline.write(&row),
    })
}

fn share(args: &Args, plan: &Plan, field: &Field, rows: &mut Rows) -> Result<()> {
    if field.sharings.is_empty() {
        return Ok(());
    }
    let together = Together {
        column: plan.threads,
        sharings: field.sharings.iter().collect(),
        repetitions: plan.threads_repetitions,
        seed: args.seed,
    };
    together.run(&mut |row| rows.threads.write(&row))
}
