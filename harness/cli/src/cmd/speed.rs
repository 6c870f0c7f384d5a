//! `bouquet speed`: measures how fast filters are.

use anyhow::{Result, bail};

use crate::flags::{Effort, OutputArgs};
use crate::study::{self, Plan, bar};
use bouquet_catalogue::theory;
use bouquet_measure::speed::{Definition, Field, GridRun, Kind, SharedRun, SpeedPlan};
use bouquet_record::Writer;

const HELP: &str = "\
Other crates are measured only by a program built with the feature `peers`. A
debug build does not measure. Run nothing else meanwhile.

Examples:
  cargo run --release --features peers -- speed --quick
  bouquet speed --filters standard,blocked --capacity 1000000 --fpr 0.01";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP, mut_arg("out", |out| out.default_value("reports/latest-speed")))]
pub struct Args {
    /// Only these filters.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    filters: Vec<String>,
    /// Keys that the filters are sized for and contain.
    #[arg(long, value_delimiter = ',', value_name = "NUMBER,…", value_parser = capacity)]
    capacity: Vec<u64>,
    /// Target FPRs, as shares.
    #[arg(long, value_delimiter = ',', value_name = "SHARE,…", value_parser = theory::fpr)]
    fpr: Vec<f64>,
    /// Only these kinds of keys.
    #[arg(long, value_delimiter = ',', value_name = "KIND,…")]
    kinds: Vec<Kind>,
    #[command(flatten)]
    effort: Effort,
    /// Only filters that are shared by one thread and by two.
    #[arg(long)]
    threads: bool,
    /// Measure almost nothing, for tests.
    #[arg(long, hide = true)]
    tiny: bool,
    #[command(flatten)]
    run: OutputArgs,
}

fn capacity(text: &str) -> Result<u64, String> {
    // Keys are made from indices. Above `most`, members and non-members would have common indices.
    let (keys, most) = (theory::whole(text)?, u64::from(u32::MAX));
    match keys {
        2.. if keys <= most => Ok(keys),
        _ => Err(format!("give 2 to {most} keys")),
    }
}

pub fn run(args: &Args) -> Result<u8> {
    study::run(|| args.plan(), &args.run, false)
}

impl Args {
    fn plan(&self) -> Result<Plan<'_>> {
        if cfg!(debug_assertions) && !self.tiny {
            bail!("times of a debug build are meaningless: build with --release --features peers");
        }
        let definition = Definition::shipped()?;
        let profile = self.effort.profile();
        let plan = definition.plan(profile, &self.capacity, &self.fpr, &self.kinds);
        let has_threads = self.effort.full || self.threads;
        let field = Field::chosen(&self.filters, self.effort.quick, !self.threads, has_threads)?;
        let words = "\nwithout other crates, since the program was built without --features peers";
        let (name, title) = (&definition.name, &definition.title);
        let row = study::experiment(name, "speed", title, &definition.analysis);
        Ok(Plan {
            profile: profile.name(),
            words: if cfg!(feature = "peers") { "" } else { words }.into(),
            experiments: vec![row],
            kind: bouquet_record::Kind::Speed,
            subjects: field.subjects(),
            key_sets: Kind::ALL.map(Kind::row).to_vec(),
            facts: bouquet_record::machine::memory(),
            measure: Box::new(move |rows| {
                self.measure(&if self.tiny { plan.tiny() } else { plan }, &field, rows)
            }),
        })
    }

    fn measure(&self, plan: &SpeedPlan, field: &Field, rows: &mut Writer) -> Result<()> {
        let (mut seen, seed) = (Vec::new(), self.run.seed);
        if !field.contestants.is_empty() {
            let bar = bar(plan.columns.len())?;
            for &(column, effort) in &plan.columns {
                let grid = GridRun {
                    column,
                    contestants: field.of(column, effort.peers, &seen),
                    effort,
                    seed,
                };
                grid.run(&mut |row| {
                    seen.push(row);
                    rows.write(&seen[seen.len() - 1..])
                })?;
                bar.inc(1);
            }
            bar.finish_and_clear();
        }
        if !field.sharings.is_empty() {
            for &(column, effort) in &plan.threads {
                let shared = SharedRun {
                    column,
                    sharings: &field.sharings,
                    effort,
                    seed,
                };
                shared.run(&mut |row| rows.write(&[row]))?;
            }
        }
        Ok(())
    }
}
