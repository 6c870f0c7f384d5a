//! What growing costs: the FPR of a filter that is filled to many times its
//! first capacity, and below it the bits per key that it then takes.

mod draw;

use super::{Sweep, table};
use crate::{
    document::Figure,
    groups::span,
    judge::Point,
    number,
    plot::{self, Pair},
};
use bouquet_ground::record::Records;

/// The sweep with what it is held against.
struct Growth<'a> {
    sweep: Sweep<'a>,
    target: Option<f64>,
    /// Of each line: keys / first capacity, bits per key.
    bits: Vec<Vec<Pair>>,
}

/// The picture of one experiment.
pub fn figure(records: &Records, name: &str, experiment: &str, points: &[&Point]) -> Figure {
    let sweep = Sweep::new("load", points);
    let bits = sweep
        .lines
        .iter()
        .map(|(filter, line)| bits_per_key(records, experiment, filter, line))
        .collect();
    let growth = Growth {
        target: points.iter().find_map(|p| p.of.target_fpr),
        bits,
        sweep,
    };
    let reading = "Points are measured and pooled over the data sets, bars are 95 % intervals, \
                   lines above are theory. Above, the rate climbs with every stage and must stay \
                   below the target; a filter of one size leaves the picture where its rate does. \
                   Below, the bits per key that are really allocated: between the points they go \
                   in steps, highest just after a stage was added, most of which is empty. The \
                   dotted line is 1.44 log2(1/FPR), a classic filter made for just so many keys.";
    plot::figure(
        &draw::panels(&growth),
        name,
        finding(records, &growth),
        reading,
        table::table("load", points),
        "records/fpr.csv",
    )
}

/// Bits per key allocated, the mean of the replicates.
fn bits_per_key(records: &Records, experiment: &str, filter: &str, line: &[Point]) -> Vec<Pair> {
    let at = |x: f64| {
        let own = records.fpr.iter().filter(|row| {
            row.experiment == experiment
                && row.filter == filter
                && row.sweep == "load"
                && row.x == x
                && row.error.is_empty()
                && row.keys > row.refused
        });
        let (sum, many) = own.fold((0.0, 0.0), |(sum, many), row| {
            let keys = (row.keys - row.refused) as f64;
            (sum + 8.0 * row.memory_bytes as f64 / keys, many + 1.0)
        });
        (many > 0.0).then_some((x, sum / many))
    };
    line.iter().filter_map(|p| at(p.of.x)).collect()
}

/// Of each filter that grows, or of all if none does.
fn finding(records: &Records, growth: &Growth<'_>) -> String {
    let grows = |name: &str| records.subject(name).is_some_and(|s| s.grows);
    let any = growth.sweep.lines.iter().any(|(name, _)| grows(name));
    let lines = growth.sweep.lines.iter().zip(&growth.bits);
    let told = lines.filter(|((name, _), _)| !any || grows(name));
    let clauses = told.filter_map(|((name, line), bits)| clause(name, line, bits, growth.target));
    let fault = growth.sweep.failed.first();
    let fault = fault.map(|p| format!("{} departs from theory", p.of.filter));
    number::joined(fault.into_iter().chain(clauses), "; ")
}

fn clause(name: &str, line: &[Point], bits: &[Pair], target: Option<f64>) -> Option<String> {
    let last = line.last()?;
    let most = line
        .iter()
        .max_by(|a, b| a.rate.value.total_cmp(&b.rate.value))?;
    let x = number::significant(last.of.x, 3);
    let rate = most.rate.in_short();
    let rates = match target {
        Some(target) if most.rate.value <= target => format!(
            "{name} stays below {} up to {x} times its first capacity (at most {rate})",
            number::share(target, 3)
        ),
        Some(target) => format!(
            "{name} passes {}: {rate} at {} times its first capacity",
            number::share(target, 3),
            number::significant(most.of.x, 3)
        ),
        None => format!("{name} has at most {rate} up to {x} times its first capacity"),
    };
    let full = bits.iter().filter(|(x, _)| *x >= 1.0);
    let (low, high) = span((f64::MAX, f64::MIN), full.map(|(_, bits)| *bits));
    Some(if low <= high {
        let (low, high) = (number::decimal(low, 1), number::decimal(high, 1));
        format!("{rates} and takes {low} to {high} bits per key")
    } else {
        rates
    })
}
