//! `bouquet uniformity`: the battery of T0, T1, T3 and T7.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::flags::{Chosen, Judged, Located, OWN, with};
use crate::study::{self, Kind, Plan, Study};
use bouquet_ground::detailed::Detailed;
use bouquet_lab::battery::{BatteryCell, Definition, Expectations, SIZES};
use bouquet_lab::measure::rows;
use bouquet_lab::plan::Catalogue;
use bouquet_theory as theory;

const WORDS: &str = "\
filters: Only these filters, and the controls
full: All schemes on all key sets, 8 million keys above 2^30 slots
schemes: Only these location schemes, and the controls
out: reports/latest-uniformity";

#[derive(clap::Args, Clone, Debug)]
#[command(mut_args(with(WORDS)))]
pub struct Args {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    located: Located,
    #[command(flatten)]
    pub flags: Judged,
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
            .ok_or_else(|| format!("{text} is not from 2 to 2^48: give one that is"))
    };
    text.split(',')
        .map(size)
        .collect::<Result<_, _>>()
        .map(Sizes)
}

impl Kind for Args {
    type Work = Vec<BatteryCell>;

    fn plan(&self) -> Result<Plan<Self::Work>> {
        let profile = match self.sizes {
            Some(_) => SIZES,
            None => self.flags.effort.profile().name(),
        };
        let mut definition = Definition::shipped()?;
        if let Some(Some(sizes)) = &self.sizes {
            definition = definition.at_sizes(&sizes.0);
        }
        let catalogue = Catalogue::new();
        let (filters, schemes) = (&self.chosen.filters, &self.located.schemes);
        let controls = definition.controls(profile);
        let subjects = catalogue.locating(filters, schemes, &controls)?;
        let usual = definition.datasets(profile).into_iter();
        let usual = usual.filter(|_| self.chosen.datasets.is_empty());
        let sets = self.chosen.load(usual)?;
        let table = match &self.expect {
            Some(path) => {
                let table = Expectations::read(path)?;
                let checked = catalogue.check_names(&table, OWN);
                checked.with_context(|| format!("in {}", path.display()))?;
                table
            }
            None => Expectations::shipped()?,
        };
        let mut asked = self.chosen.datasets.clone();
        asked.push(OWN.into());
        let seed = self.flags.run.seed;
        let cells = definition.cells(profile, &table, &subjects, &sets, &asked, seed);
        if !cells.iter().any(BatteryCell::draws) {
            let all = sets
                .iter()
                .map(|set| format!("{} keys of {}", set.len(), set.name()));
            let all: Vec<String> = all.collect();
            let table = match &self.expect {
                Some(path) => path.display().to_string(),
                None => "the table of expectations".into(),
            };
            let keys = match &all[..] {
                [first, _, ..] => format!("{first} and {} more sets", all.len() - 1),
                all => all.concat(),
            };
            let words = format!(
                "nothing to measure: {table} claims nothing for these schemes on {keys}; give more \
                 keys, or other schemes"
            );
            bail!(Detailed::new(words, all.join(", ")));
        }
        let has_part = |name: &str| cells.iter().any(|cell| cell.subject.name == name);
        if let Some(name) = filters.iter().chain(schemes).find(|name| !has_part(name)) {
            bail!(
                "{name} would not be measured: it does not give its locations, or for this \
                 profile, these key sets and so many keys the table of expectations claims \
                 nothing for it"
            );
        }
        let title = "Are locations what each scheme claims?";
        let row = study::experiment("battery", "battery", title, &definition.analysis);
        let subjects = catalogue.subjects(has_part);
        Ok(Plan::of_cells(profile, vec![row], subjects, &sets, cells))
    }

    fn measure(&self, cells: &Self::Work, study: &mut Study) -> Result<()> {
        study.each(cells, self.flags.jobs, |cell| rows(cell.measure()))
    }
}
