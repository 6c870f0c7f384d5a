//! The verdict and the scope of a run in sentences, and its problems in words.

use std::collections::BTreeSet;

use super::{
    document::Text,
    judge::{Counts, Judgement, Problem, is_reported},
    number::{self, plural},
};
use bouquet_ground::{Outcome, record::Records};

/// The headline: the mark and the word of the outcome, and the verdict in one sentence.
pub fn headline(judgement: &Judgement) -> String {
    let verdict = &judgement.verdict;
    let Counts {
        checks,
        failed,
        inconclusive,
        void,
    } = verdict.counts;
    let all = plural(checks, "check");
    let open = format!(
        "{} had too small a sample to tell",
        number::count(inconclusive)
    );
    verdict.outcome.headline(&match verdict.outcome {
        Outcome::Void if void == 0 => "nothing was checked".to_owned(),
        Outcome::Void => format!(
            "{} that must be found went unseen, so nothing here counts",
            plural(void, "fault")
        ),
        Outcome::Fail => format!("{} of {all} failed", number::count(failed)),
        Outcome::Inconclusive => format!("of {all} none failed, {open}"),
        Outcome::Pass if checks == 0 => "baselines only, nothing to fail".to_owned(),
        Outcome::Pass => format!("all {all} passed"),
    })
}

/// What was judged, on which keys, with which seed, and how many checks had which outcome.
pub fn scope(records: &Records, judgement: &Judgement) -> String {
    let names = |kind: &str, baseline: bool| {
        let of = records.subjects.iter();
        let of = of.filter(|s| s.kind == kind && s.is_only_reported() == baseline);
        number::joined(of.map(|s| &s.subject), ", ")
    };
    let keys = records.datasets.iter();
    let keys = keys.map(|d| format!("{} ({})", d.dataset, number::count(d.keys)));
    let parts = [
        ("Filters", names("filter", false)),
        ("baselines", names("filter", true)),
        ("location schemes", names("scheme", false)),
        ("data sets (keys)", number::joined(keys, ", ")),
    ];
    let named = parts.iter().filter(|(_, names)| !names.is_empty());
    let named = named.map(|(what, names)| format!("{what}: {names}"));
    let named = number::joined(named, "; ");
    let end = if named.is_empty() { "" } else { ". " };
    let seed = match records.fact("seed") {
        "" => String::new(),
        seed => format!(" Seed {seed}."),
    };
    format!(
        "{named}{end}{}.{}{}{seed}",
        tally(&judgement.verdict.counts),
        untested(records),
        found_from(records, judgement)
    )
}

/// A sentence about the deviation of the FPR that the run would have detected for every filter;
/// empty if no filter was judged over all its points.
fn found_from(records: &Records, judgement: &Judgement) -> String {
    let own = judgement.overall.iter();
    let own = own.filter(|one| !is_reported(records, &one.filter));
    let least = own.map(|one| one.check.found_from).reduce(f64::max);
    least.map_or_else(String::new, |least| {
        format!(
            " Of each filter a rate that is {} off theory would have been found with probability \
             0.999.",
            number::percent(least, 2)
        )
    })
}

/// A sentence that names the key sets whose locations are not tested; empty if there is none.
fn untested(records: &Records) -> String {
    let rows = records.battery.iter();
    let rows = rows.filter(|row| row.expected_outcome == "unclaimed");
    let sets: BTreeSet<_> = rows.map(|row| (&row.key_set, row.keys)).collect();
    if sets.is_empty() {
        return String::new();
    }
    let named = sets.into_iter();
    let named = named.map(|(set, keys)| format!("{set} ({})", number::count(keys)));
    format!(
        " Locations are not tested with too few keys: {}.",
        number::joined(named, ", ")
    )
}

fn tally(counts: &Counts) -> String {
    format!(
        "{}: {} failed, {} inconclusive, {} invalid",
        plural(counts.checks, "check"),
        number::count(counts.failed),
        number::count(counts.inconclusive),
        number::count(counts.void)
    )
}

/// The results of the baselines; `None` if there are none.
pub fn baselines(judgement: &Judgement) -> Option<String> {
    let counts = &judgement.verdict.baselines;
    (counts.checks > 0).then(|| {
        format!(
            "Baselines are reported as they are and fail nothing: {}.",
            tally(counts)
        )
    })
}

/// A problem, and the number of further problems of its kind.
pub fn item(problem: &Problem, more: usize) -> Text {
    let mut text = Text::default()
        .strong(format!("{}: {}", problem.outcome.word(), problem.what))
        .plain(format!(". {}.", number::capital(&problem.by)));
    if let Some(words) = and_more(problem, more) {
        text = text.plain(format!(" {words}."));
    }
    match problem.repeat.as_str() {
        "" => text,
        repeat => text.plain(" Repeat: ").code(repeat),
    }
}

/// "And 3 more of standard on urls"; `None` if `more` is 0.
pub fn and_more(problem: &Problem, more: usize) -> Option<String> {
    let on = match problem.dataset.as_str() {
        "" => "",
        _ => " on ",
    };
    let more = (more > 0).then(|| number::count(more as u64))?;
    Some(format!(
        "And {more} more of {}{on}{}",
        problem.subject, problem.dataset
    ))
}
