//! What a sweep shows, in one sentence: what failed first, then what all have
//! in common, then what sets one apart.

use super::{Sweep, unit};
use crate::{
    groups::{self, distinct},
    judge::Point,
    number,
};
use bouquet_catalogue::{self as catalogue, FIRST};
use bouquet_ground::record::Records;

/// Of theory; a measured rate whose interval is wider says little.
const NARROW: f64 = 0.1;
/// Bits per key at which filters are compared, if they were measured there.
const USUAL_BITS: f64 = 10.0;

type Named<'a> = (&'a str, &'a [Point]);

/// The finding of a sweep.
pub fn title(records: &Records, sweep: &Sweep<'_>) -> String {
    let clauses = match sweep.kind {
        "load" => load(records, sweep),
        _ => theory(records, sweep),
    };
    match (clauses.is_empty(), sweep.kind) {
        // The name of a filter stays as it is.
        (false, _) if clauses[0].starts_with("at ") => number::capital(&clauses.join("; ")),
        (false, _) => clauses.join("; "),
        (true, "load") => "FPR below capacity".to_owned(),
        (true, _) => "FPR of the baselines".to_owned(),
    }
}

fn lines<'a>(sweep: &'a Sweep<'_>) -> impl Iterator<Item = Named<'a>> {
    sweep.lines.iter().map(|(name, line)| (*name, &line[..]))
}

fn is_baseline(records: &Records, name: &str) -> bool {
    records.subject(name).is_some_and(|s| s.is_only_reported())
}

/// The finding on filters of which points failed: one by its data sets, many by
/// their names.
fn departures(sweep: &Sweep<'_>) -> Option<String> {
    let filters = distinct(sweep.failed.iter().map(|p| p.of.filter.as_str()));
    if let [many @ .., _] = filters.as_slice()
        && !many.is_empty()
    {
        return Some(format!("{} depart from theory", number::listed(&filters)));
    }
    let filter = filters.first()?;
    let datasets = distinct(sweep.failed.iter().map(|p| p.of.dataset.as_str()));
    let places = distinct(sweep.failed.iter().map(|p| p.of.x));
    let at = match places.as_slice() {
        [one] => format!("at {}", number::significant(*one, 3)),
        many => format!("at {} points", many.len()),
    };
    let on = number::listed(&datasets);
    Some(format!("{filter} departs from theory {at} on {on}"))
}

/// How far the measured rates of a line lie from theory, at most, and between
/// which x; only points whose interval is narrow enough to say so.
fn farthest(line: &[Point]) -> Option<(f64, f64, f64)> {
    let measured: Vec<&Point> = line
        .iter()
        .filter(|p| {
            p.of.false_positives > 0 && p.rate.interval.half_width() < NARROW * p.of.expected_fpr
        })
        .collect();
    let off = |p: &&Point| (p.rate.value / p.of.expected_fpr - 1.0).abs();
    let off = measured.iter().map(off).fold(0.0, f64::max);
    Some((off, measured.first()?.of.x, measured.last()?.of.x))
}

fn theory(records: &Records, sweep: &Sweep<'_>) -> Vec<String> {
    let mut clauses: Vec<String> = departures(sweep).into_iter().collect();
    let departs = |name: &str| sweep.failed.iter().any(|p| p.of.filter == name);
    let ours = lines(sweep).filter(|(name, _)| !is_baseline(records, name));
    let ours: Vec<Named<'_>> = ours.collect();
    let sound = ours.iter().filter(|(name, _)| !departs(name));
    let (measured, unmeasured): (Vec<Named<'_>>, Vec<_>) =
        sound.partition(|(_, line)| farthest(line).is_some());
    clauses.extend(following(&measured, ours.len(), sweep.kind));
    if !unmeasured.is_empty() {
        let names = number::listed(unmeasured.iter().map(|(name, _)| name));
        clauses.push(names + " had too few hits to be compared with theory");
    }
    let blocked = catalogue::blocked().next().filter(|name| !departs(name));
    clauses.extend(blocked.and_then(|blocked| price_of_a_line(sweep, blocked)));
    clauses
}

fn following(measured: &[Named<'_>], ours: usize, kind: &str) -> Option<String> {
    let each = || measured.iter().filter_map(|(_, line)| farthest(line));
    let off = each().map(|(off, ..)| off).fold(0.0, f64::max);
    let off = number::significant((off * 1000.0).ceil() / 10.0, 3);
    let (_, from, to) = each().next()?;
    if let [(one, _)] = measured {
        let [from, to] = [from, to].map(|x| number::significant(x, 3));
        let unit = unit(kind);
        return Some(format!(
            "{one} follows theory within {off} % from {from} to {to} {unit}"
        ));
    }
    let who = match measured.len() {
        many if many == ours => "All".to_owned(),
        many => format!("{} of", number::spelt(many)),
    };
    let ours = number::spelt(ours);
    Some(format!("{who} {ours} filters follow theory within {off} %"))
}

/// What a filter of blocks pays for one cache line per key.
fn price_of_a_line(sweep: &Sweep<'_>, name: &str) -> Option<String> {
    let line = |name: &str| lines(sweep).find(|(filter, _)| *filter == name);
    let ((_, plain), (_, blocked)) = (line(FIRST.name)?, line(name)?);
    let pairs = blocked.iter().filter_map(|b| {
        let at = plain.iter().find(|s| s.of.x == b.of.x)?;
        (b.of.false_positives > 0 && at.of.false_positives > 0)
            .then(|| (b.of.x, b.rate.value / at.rate.value))
    });
    let distance = |x: f64| (x - USUAL_BITS).abs();
    let (x, times) = pairs.min_by(|a, b| distance(a.0).total_cmp(&distance(b.0)))?;
    (times > 1.0).then(|| {
        format!(
            "at {} bits per key {name} pays {} % more false positives for one cache line per key",
            number::significant(x, 3),
            number::significant(100.0 * (times - 1.0), 2)
        )
    })
}

fn load(records: &Records, sweep: &Sweep<'_>) -> Vec<String> {
    let mut clauses: Vec<String> = departures(sweep).into_iter().collect();
    // Of ours a fault, of a baseline what it is like.
    let (theirs, own): (Vec<Named<'_>>, Vec<_>) =
        lines(sweep).partition(|(name, _)| is_baseline(records, name));
    clauses.extend(
        own.iter()
            .filter_map(|(name, line)| false_negatives(name, line)),
    );
    let measured = if own.is_empty() { &theirs } else { &own };
    let rejecting: Vec<Named<'_>> = lines(sweep)
        .filter(|(_, line)| line.iter().any(|p| p.of.rejected > 0))
        .collect();
    clauses.extend(growth_words(measured, &rejecting));
    let with_false_negatives = theirs
        .iter()
        .filter_map(|(name, line)| false_negatives(name, line));
    clauses.extend(joined(
        rejections(&rejecting)
            .into_iter()
            .chain(with_false_negatives)
            .collect(),
        &rejecting,
    ));
    clauses
}

/// Two clauses of one filter become one, if no other rejects keys: behind a list
/// of names the false negatives would be the last one's.
fn joined(clauses: Vec<String>, rejecting: &[Named<'_>]) -> Vec<String> {
    let ([first, second], [(name, _)]) = (clauses.as_slice(), rejecting) else {
        return clauses;
    };
    match second.strip_prefix(&format!("{name} has false negatives")) {
        Some(rest) => vec![format!("{first} and has false negatives{rest}")],
        None => clauses,
    }
}

/// The rates at capacity, and at the highest load of those that take every key.
fn growth_words<'a>(lines: &[Named<'a>], rejecting: &[Named<'_>]) -> Option<String> {
    let full = |line: &&'a [Point]| line.iter().find(|p| (p.of.x - 1.0).abs() < 1e-9);
    let full = lines.iter().filter_map(|(_, line)| full(line));
    let at_capacity: Vec<&Point> = full.collect();
    let takes_all = |name: &str| !rejecting.iter().any(|(other, _)| *other == name);
    let beyond = lines.iter().filter(|(name, _)| takes_all(name));
    let beyond = beyond.filter_map(|(_, line)| line.last().filter(|p| p.of.x > 1.0));
    let mut beyond: Vec<&Point> = beyond.collect();
    let last = beyond.iter().map(|p| p.of.x).fold(f64::MIN, f64::max);
    beyond.retain(|p| p.of.x == last);
    let who = match at_capacity.as_slice() {
        [] => return None,
        [one] => format!("{} has", one.of.filter),
        many => format!("the {} filters have", number::spelt(many.len())),
    };
    let words = format!("at capacity {who} {}", span(&at_capacity));
    let those = match beyond.len() {
        0 => return Some(words),
        all if all == at_capacity.len() => "",
        _ => " those that take every key",
    };
    let load = number::significant(last, 3);
    Some(format!("{words}, at load {load}{those} {}", span(&beyond)))
}

/// From the least to the greatest measured rate.
fn span(points: &[&Point]) -> String {
    let rates = points.iter().map(|p| p.rate.value);
    let (low, high) = groups::span((f64::MAX, 0.0), rates);
    let (low, high) = (number::share(low, 2), number::share(high, 2));
    if low == high {
        low
    } else {
        format!("{low} to {high}")
    }
}

/// From which load on each rejects keys.
fn rejections(rejecting: &[Named<'_>]) -> Option<String> {
    let first = |line: &[Point]| line.iter().find(|p| p.of.rejected > 0).map(|p| p.of.x);
    let mut loads = distinct(rejecting.iter().filter_map(|(_, line)| first(line)));
    loads.sort_by(f64::total_cmp);
    let each = loads.iter().enumerate().map(|(place, x)| {
        let from = rejecting.iter().filter(|(_, line)| first(line) == Some(*x));
        let names: Vec<&str> = from.map(|(name, _)| *name).collect();
        let verb = match (place, names.len()) {
            (0, 1) => " rejects keys",
            (0, _) => " reject keys",
            _ => "",
        };
        let x = number::significant(*x, 3);
        format!("{}{verb} from load {x} on", number::listed(&names))
    });
    let each: Vec<String> = each.collect();
    (!each.is_empty()).then(|| each.join(", "))
}

/// Which share of the keys that it took are false negatives, where there are any: at
/// the first load that shows it and at the last.
fn false_negatives(filter: &str, line: &[Point]) -> Option<String> {
    let share = |p: &Point| {
        number::share(
            p.of.false_negatives as f64 / p.of.members_asked.max(1) as f64,
            2,
        )
    };
    let first = line.iter().find(|p| p.of.false_negatives > 0)?;
    let last = line.last()?;
    let at = number::significant(first.of.x, 3);
    let sentence = format!(
        "{filter} has false negatives for {} of the keys it took at load {at}",
        share(first)
    );
    if share(first) == share(last) {
        return Some(sentence);
    }
    let at = number::significant(last.of.x, 3);
    Some(format!("{sentence}, {} at load {at}", share(last)))
}

/// How to read the chart, and how not to.
pub fn reading(kind: &str) -> String {
    let own = match kind {
        "load" => {
            "Load 1 is the capacity. Beyond it a Bloom filter gets worse \
             gradually, while a cuckoo filter rejects keys: its points beyond 1 are for the keys \
             it took."
        }
        _ => {
            "The information bound is the least FPR that any structure can have in so many bits; a \
             filter lower on the chart is not better if it allocates more than it is charged \
             for here: the table at a glance has the bits really allocated."
        }
    };
    format!(
        "Lines are theory, points are measured and pooled over the data sets, bars are 95 % \
         intervals; an open triangle is the upper bound where nothing was hit. {own} The small \
         panels divide measured by theory; a red ring is a data set that failed by itself. A point \
         whose bar does not reach 1 may be of filters that differ much from one to the next, not \
         a fault: the verdict knows how much they differ."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const REJECTS: &str = "cuckoofilter rejects keys from load 1 on";
    const HAS_FALSE_NEGATIVES: &str =
        "cuckoofilter has false negatives for 1.7 % of the keys it took at load 1";

    fn clauses(all: [&str; 2]) -> Vec<String> {
        all.map(str::to_owned).into()
    }

    #[test]
    fn clauses_of_one_filter_are_joined() {
        let one = joined(
            clauses([REJECTS, HAS_FALSE_NEGATIVES]),
            &[("cuckoofilter", &[])],
        );
        let want = "cuckoofilter rejects keys from load 1 on and has false negatives for 1.7 % of the keys it took \
                    at load 1";
        assert_eq!(one, [want]);
    }

    #[test]
    fn false_negatives_stay_with_the_name_of_the_filter() {
        let reject = format!("{REJECTS}, cuckoo from load 1.25 on");
        let all = clauses([&reject, HAS_FALSE_NEGATIVES]);
        let rejecting: [Named<'_>; 2] = [("cuckoofilter", &[]), ("cuckoo", &[])];
        assert_eq!(joined(all.clone(), &rejecting), all);
        // Nor does a name take over what begins with it.
        let all = clauses(["cuckoo rejects keys from load 1 on", HAS_FALSE_NEGATIVES]);
        assert_eq!(joined(all.clone(), &[("cuckoo", &[])]), all);
    }
}
