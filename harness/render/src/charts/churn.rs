//! What deleting does in the long run: FPR over rounds of removals, and below it
//! the shares of members denied and of keys refused.

mod draw;
mod table;

use crate::{
    document::Figure,
    groups::grouped,
    judge::{Judgement, Life, Outcome, Round},
    number, plot,
};
use bouquet_ground::record::{ChurnRow, Records};

/// A filter over its rounds, all data sets pooled.
struct Course<'a> {
    filter: &'a str,
    rounds: Vec<Round>,
    /// What it must not do, and did: denied members or removals.
    broken: bool,
    /// Its rate is off theory.
    off: bool,
    promises: bool,
}

impl Course<'_> {
    fn sum(&self, of: fn(&ChurnRow) -> u64) -> u64 {
        self.rounds.iter().map(|round| of(&round.of)).sum()
    }
}

/// A picture for each experiment.
pub fn figures(records: &Records, judgement: &Judgement) -> Vec<Figure> {
    let filled = judgement.lives.iter().filter(|l| !l.rounds.is_empty());
    let experiments = grouped(filled, |life| life.experiment.as_str());
    let each = experiments.iter().enumerate();
    each.map(|(place, (experiment, lives))| {
        let name = match place {
            0 => "churn".to_owned(),
            _ => format!("churn-{experiment}"),
        };
        figure(records, name, lives)
    })
    .collect()
}

fn figure(records: &Records, name: String, lives: &[&Life]) -> Figure {
    let courses = courses(records, lives);
    let reading = "Above, points are measured after each round and pooled over the data sets, bars \
                   are 95 % intervals, lines are theory for the keys that should be held: a filter \
                   that does not forget climbs away from its line. Below, of all keys that should \
                   be held the share that is denied, and of all keys given the share that is \
                   refused; the axis is that of the square root, so that few still show. Keys that were \
                   removed are asked for among the strangers: what a filter still holds of them \
                   counts as false positives. Keys that were refused, or of which the removal was \
                   denied, may be held or not: they are asked for no more. Rounds of one filter share keys and strangers: a wave over some rounds is no trend.";
    let (title, table) = (finding(&courses), table::table(lives));
    let panels = draw::panels(&courses);
    plot::figure(&panels, name, title, reading, table, "records/churn.csv")
}

fn courses<'a>(records: &Records, lives: &[&'a Life]) -> Vec<Course<'a>> {
    let course = |(filter, own): (&'a str, Vec<&Life>)| {
        let own = || own.iter();
        let last = own()
            .filter_map(|l| l.rounds.last())
            .map(|r| r.of.round)
            .max();
        let at = |round: u32| {
            let each = own().flat_map(|l| &l.rounds).map(|r| &r.of);
            Round::pool(each.filter(|r| r.round == round))
        };
        let promises = records
            .subject(filter)
            .is_some_and(|s| s.promises_no_false_negatives);
        let lost = own().any(|l| l.sum(|r| r.false_negatives + r.removals_denied) > 0);
        let checks = own().flat_map(|l| [l.given_bits, l.over_seeds]);
        let off = checks.flatten().any(|c| c.outcome == Outcome::Fail);
        Course {
            filter,
            rounds: (0..=last.unwrap_or(0)).filter_map(at).collect(),
            broken: promises && lost,
            off,
            promises,
        }
    };
    let filters = grouped(lives.iter().copied(), |life| life.filter.as_str());
    filters.into_iter().map(course).collect()
}

/// What failed, then who keeps its keys, then who does not.
fn finding(courses: &[Course<'_>]) -> String {
    let broken = courses.iter().filter(|c| c.broken);
    let broken = broken.map(|c| {
        let (denied, whole, of) = match c.sum(|r| r.false_negatives) {
            0 => (
                c.sum(|r| r.removals_denied),
                c.sum(|r| r.removed),
                "removals of members",
            ),
            denied => (denied, c.sum(|r| r.members_asked), "members"),
        };
        let (denied, whole) = (number::count(denied), number::count(whole));
        format!("{} loses keys: {denied} of {whole} {of} denied", c.filter)
    });
    let off = courses.iter().filter(|c| c.off && !c.broken && c.promises);
    let off = off.map(|c| format!("{} departs from theory", c.filter));
    let mut clauses: Vec<String> = broken.chain(off).collect();
    let sound: Vec<&Course<'_>> = courses
        .iter()
        .filter(|c| !c.broken && !c.off && c.sum(|r| r.false_negatives + r.removals_denied) == 0)
        .collect();
    clauses.extend(keeping(&sound));
    let losing = courses.iter().filter(|c| !c.promises);
    clauses.extend(losing.filter_map(losses));
    clauses.join("; ")
}

fn keeping(sound: &[&Course<'_>]) -> Option<String> {
    let rounds = &sound.first()?.rounds;
    let (first, last) = (rounds.first()?, rounds.last()?);
    let names: Vec<&str> = sound.iter().map(|c| c.filter).collect();
    let (denies, its, has) = match names.len() {
        1 => ("denies", "its", "has"),
        _ => ("deny", "their", "have"),
    };
    let ends = sound.iter().filter_map(|c| c.rounds.last());
    let rates = ends.map(|r| r.rate.in_short());
    let replaced = 100.0 * last.of.removed as f64 / first.of.inserted.max(1) as f64;
    Some(format!(
        "After {} rounds in which {} % of the keys are replaced, {} {denies} none of {its} keys \
         and {has} {}",
        number::count(last.of.round.into()),
        number::significant(replaced, 2),
        number::listed(&names),
        number::listed(rates)
    ))
}

/// What a filter is like that does not promise to keep its keys.
fn losses(course: &Course<'_>) -> Option<String> {
    let (first, last) = (course.rounds.first()?, course.rounds.last()?);
    let share = |r: &Round| r.of.false_negatives as f64 / r.of.members_asked.max(1) as f64;
    let denies = (last.of.false_negatives > 0).then(|| {
        format!(
            "denies {} of its keys at the start and {} in the end",
            number::share(share(first), 2),
            number::share(share(last), 2)
        )
    });
    let off = course.off.then(|| {
        format!(
            "has an FPR of {} where theory says {}",
            last.rate.in_short(),
            number::share(last.of.expected_fpr, 3)
        )
    });
    let words: Vec<String> = denies.into_iter().chain(off).collect();
    (!words.is_empty()).then(|| format!("{} {}", course.filter, words.join(" and ")))
}
