//! `bouquet scale`: locations at sizes that no memory here would hold.

use anyhow::Result;

use super::{
    Format, NEGATIVE, print,
    sheet::{Cell, Sheet},
    tell,
};
use bouquet_ground::staging::catch_interrupts;
use bouquet_lab::plan::{Catalogue, Narrow};
use bouquet_lab::scale::{Kind, Outcome, Row, Run, Subject};
use bouquet_lab::schemes::{Fault, controls};
use bouquet_theory as theory;

const HELP: &str = "\
Sizes (m): 2^31-1, 3e9, 2^32, 2^32+1, 2^33, 2^40, 2^48, or what the layout has next below them.
No array is made: geometries and schemes are asked for locations.

Checks, at a family-wise level of 1e-6 over the whole run:
  count     every key has its k locations
  range     every location is below m
  exact     the locations are those of 128-bit arithmetic, where the scheme is known
  reach     each of 1,024 equal regions of the range is met
  bins      256 high-order bins of every part and probe, by chi-square
  residues  residues mod 2, 3, 5, 7 and 64 of every part and probe, by chi-square
  birthday  equal values among half a million draws (8 million at 3e9), against their Poisson law
  sets      keys with all locations the same, among 524,288

Controls with a known fault (hash, product, index or sign cut to 32 bits, float) run along. Each
must be caught where its fault shows and nowhere else, or the run is void.

Exit code: 0 all pass; 1 a location is wrong, or the run is void; 2 wrong usage.

Examples:
  bouquet scale
  bouquet scale --filters standard,blocked --format md
  bouquet scale --schemes double-hashing --seed 7 --format json";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// Only these filters.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    filters: Vec<String>,
    /// Only these location schemes; also those that are left out as known to be bad.
    #[arg(long, alias = "scheme", value_delimiter = ',', value_name = "NAME,…")]
    schemes: Vec<String>,
    /// Where all randomness comes from.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = theory::whole::<u64>)]
    seed: u64,
    /// Threads; all cores if not given.
    #[arg(long, value_name = "NUMBER", value_parser = theory::whole::<usize>)]
    jobs: Option<usize>,
    /// Nothing on standard error but errors.
    #[arg(long)]
    quiet: bool,
    /// How the table goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

pub fn run(args: &Args) -> Result<u8> {
    let subjects = subjects(args)?;
    catch_interrupts()?;
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let rows = Run {
        subjects: &subjects,
        seed: args.seed,
        jobs: args.jobs.unwrap_or_else(available),
    }
    .rows()?;
    print(&sheet(&rows).text(args.format)?)?;
    let void = rows.iter().filter(|row| row.outcome.is_void()).count();
    let failed = rows.iter().filter(|row| row.outcome.is_failure()).count();
    if !args.quiet {
        tell(&conclusion(&rows, args.seed));
    }
    Ok(if void + failed > 0 { NEGATIVE } else { 0 })
}

/// What the run comes to, in a line.
fn conclusion(rows: &[Row], seed: u64) -> String {
    let count = |of: fn(&Outcome) -> bool| rows.iter().filter(|row| of(&row.outcome)).count();
    let caught = count(|outcome| matches!(outcome, Outcome::Caught(_)));
    let (void, failed) = (count(Outcome::is_void), count(Outcome::is_failure));
    let judged = |row: &&Row| matches!(row.kind, Kind::Filter | Kind::Scheme);
    let passed = rows
        .iter()
        .filter(judged)
        .filter(|row| row.outcome == Outcome::Passes)
        .count();
    if void > 0 {
        return format!("void: {void} controls did not show what they must; seed {seed}");
    }
    let word = if failed > 0 { "fail" } else { "pass" };
    format!(
        "{word}: {passed} pass and {failed} fail, a filter or scheme at a size each; controls caught \
         in all {caught} cases in which their fault shows; seed {seed}"
    )
}

/// What is known to be bad is left out unless it is named: its faults are not
/// of size. The controls of this command are always there.
fn subjects(args: &Args) -> Result<Vec<Subject>> {
    let catalogue = Catalogue::new();
    catalogue.check(&Narrow {
        filters: args.filters.clone(),
        schemes: args.schemes.clone(),
    })?;
    let all = args.filters.is_empty() && args.schemes.is_empty();
    let named = |names: &[String], name: &str| names.iter().any(|wanted| wanted == name);
    let controls = controls();
    let is_control = |name: &str| controls.iter().any(|control| control.scheme.name == name);
    let mut subjects = Vec::new();
    for scheme in catalogue.schemes.iter().filter(|s| !is_control(s.name)) {
        let kind = if scheme.role == "known-good" {
            Kind::Scheme
        } else {
            Kind::Shown
        };
        if named(&args.schemes, scheme.name) || (all && kind == Kind::Scheme) {
            subjects.push(sound(scheme.name, kind, scheme.make));
        }
    }
    for filter in &catalogue.filters {
        let Some(make) = filter.locate else {
            if named(&args.filters, filter.name) {
                anyhow::bail!("{} does not tell its locations", filter.name);
            }
            continue;
        };
        if all || named(&args.filters, filter.name) {
            subjects.push(sound(filter.name, Kind::Filter, make));
        }
    }
    for control in controls {
        subjects.push(Subject {
            name: control.scheme.name,
            kind: Kind::Control,
            make: control.scheme.make,
            fault: Box::new(move |slots| control.at(slots)),
        });
    }
    Ok(subjects)
}

fn sound(name: &'static str, kind: Kind, make: bouquet_lab::measure::MakeLocator) -> Subject {
    Subject {
        name,
        kind,
        make,
        fault: Box::new(|_| Fault::Harmless),
    }
}

const COLUMNS: [&str; 14] = [
    "subject",
    "kind",
    "asked_slots",
    "slots",
    "keys",
    "regions_met",
    "exact",
    "bins_p",
    "residues_p",
    "equal_pairs",
    "expected_pairs",
    "birthday_p",
    "same_sets",
    "verdict",
];

fn sheet(rows: &[Row]) -> Sheet {
    Sheet {
        columns: COLUMNS.to_vec(),
        rows: rows.iter().map(cells).collect(),
    }
}

fn cells(row: &Row) -> Vec<Cell> {
    let words = |words: &str| Cell::Words(words.to_owned());
    let p = |name: &str| {
        let found = row
            .findings
            .iter()
            .find(|finding| finding.check.name() == name);
        found.map_or(Cell::Nothing, |finding| Cell::Number(finding.p))
    };
    let count = |of: fn(&bouquet_lab::scale::Sample) -> u64| {
        let sample = row.sample.as_ref();
        sample.map_or(Cell::Nothing, |sample| Cell::Count(of(sample)))
    };
    let expected = row.sample.as_ref().map(|sample| sample.expected_pairs());
    vec![
        words(row.name),
        words(row.kind.name()),
        Cell::Count(row.asked),
        Cell::Count(row.slots),
        count(|sample| sample.keys),
        count(|sample| sample.regions_met),
        row.exact.map_or(Cell::Nothing, Cell::YesNo),
        p("bins"),
        p("residues"),
        count(bouquet_lab::scale::Sample::equal_pairs),
        expected.map_or(Cell::Nothing, Cell::Number),
        p("birthday"),
        count(|sample| sample.same_sets),
        words(&verdict(&row.outcome)),
    ]
}

fn verdict(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passes => "passes".into(),
        Outcome::Fails(by) => format!("FAILS: {}", by.join(" ")),
        Outcome::Caught(by) => format!("caught: {}", by.join(" ")),
        Outcome::Missed => "VOID: not caught".into(),
        Outcome::Accused(by) => format!("VOID: harmless here, yet {}", by.join(" ")),
        Outcome::Flagged(by) => format!("flagged: {}", by.join(" ")),
        Outcome::Refused(why) => format!("refused: {why}"),
    }
}
