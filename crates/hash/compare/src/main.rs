//! Hash functions by their speed, with the results of the uniformity battery: a
//! report of the same records as `bouquet speed` writes, which `bouquet report` reads.

mod battery;
mod comparison;
mod hashes;

use std::{fs, path::PathBuf, process::ExitCode, time::Instant};

use anyhow::{Result, bail};
use bouquet_ground::record::{
    ExperimentRow, RooflineRow, Source, SpeedRow, SubjectRow, ThreadRow, Writer,
};
use bouquet_ground::staging::{Staging, catch_interrupts};
use bouquet_ground::{command, machine};
use bouquet_lab::experiment::Profile;
use bouquet_lab::speed::{Definition, Kind};
use bouquet_lab::workload::Manifest;
use clap::Parser;

/// How this program is started, in the folder of the workspace.
const PROGRAM: &str = "cargo run --release --manifest-path crates/hash/compare/Cargo.toml --";
/// Nothing is drawn at random; records of speed have a seed.
const SEED: u64 = 1;
/// Keys of a set in the battery, if it has as many.
const KEYS: u64 = 1 << 18;

/// Times hash functions, and tests the locations that are drawn from them.
#[derive(Parser)]
struct Args {
    /// Under a minute, for a first look.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// More repetitions, for results that will be quoted.
    #[arg(long)]
    full: bool,
    /// As little as possible of everything: for tests of all but the speed.
    #[arg(long, hide = true)]
    tiny: bool,
    /// The folder of the report.
    #[arg(long, value_name = "DIR", default_value = "reports/latest-hashes")]
    out: PathBuf,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hashes: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<()> {
    if cfg!(debug_assertions) && !args.tiny {
        bail!("this is a debug build, whose times are meaningless; measure with: {PROGRAM}");
    }
    let started = Instant::now();
    catch_interrupts()?;
    let profile = Profile::chosen(args.quick, args.full);
    let staging = Staging::begin(&args.out)?;
    let records = staging.path().join("records");
    fs::create_dir(&records)?;
    let mut rows = Writer::new(records.clone());
    about(&mut rows)?;
    measure(profile, args.tiny, &mut rows)?;
    let command = command::own(PROGRAM);
    let mut facts = machine::of_run(command, Some(profile.name()), SEED, started);
    facts.extend(machine::memory());
    rows.write_facts(facts)?;
    rows.finish()?;
    let recorded = Source::new(&[records])?.read()?;
    bouquet_render::speed::write_report(&recorded, staging.path())?;
    staging.commit()?;
    let all = bouquet_render::Screen::default();
    print!("{}", bouquet_render::speed::text(&recorded, all));
    eprintln!("the report is in {}", args.out.display());
    Ok(())
}

/// What records of speed begin with; of filters there are none.
fn about(rows: &mut Writer) -> Result<()> {
    let speed = Definition::shipped()?;
    rows.write(&[ExperimentRow {
        experiment: speed.name,
        kind: "speed".into(),
        title: speed.title,
        analysis: speed.analysis.trim().into(),
    }])?;
    rows.write::<SubjectRow>(&[])?;
    rows.write(&Kind::ALL.map(Kind::row))?;
    rows.write::<SpeedRow>(&[])?;
    rows.write::<RooflineRow>(&[])?;
    rows.write::<ThreadRow>(&[])
}

fn measure(profile: Profile, tiny: bool, rows: &mut Writer) -> Result<()> {
    let (repetitions, least_ns) = match (tiny, profile) {
        (true, _) => (1, 1.0),
        (_, Profile::Quick) => (7, 5e5),
        (_, Profile::Default) => (15, 2e6),
        (_, Profile::Full) => (31, 5e6),
    };
    let hashes = hashes::hashes();
    comparison::compare(&hashes, repetitions, least_ns, &mut |row| {
        rows.write(&[row])
    })?;
    let most = if tiny { 1 << 12 } else { KEYS };
    let manifest = Manifest::find()?;
    for (name, _) in manifest.about() {
        let set = manifest.load(name)?;
        let keys = most.min(set.len());
        for hash in &hashes {
            let judged = battery::judge_hash(hash.name, hash.role, |key| hash.of(key), &set, keys)?;
            rows.write(&judged)?;
        }
    }
    Ok(())
}
