//! Tests with random workloads that the recommended candidate meets the requirements, and that no
//! other candidate is both simpler and better.

use std::thread;

use super::{
    Advice, Candidate, Class, Offer, Requirements, Times, Workload, advice::base, advise,
    candidates::objections, sizing::sizes,
};

/// The number of workloads, by default 1,000. About a quarter of them have requirements that
/// contradict each other.
fn workloads() -> u64 {
    std::env::var("BOUQUET_WORKLOADS").map_or(1_000, |count| count.parse().unwrap())
}
const SEED: u64 = 20_261_125;

/// The random number generator `SplitMix64`.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 33) as usize % sides
    }

    /// A random number between 10^`low` and 10^`high`, with three digits, uniform on a log scale.
    fn between(&mut self, low: f64, high: f64) -> String {
        let share = self.throw(1_000_001) as f64 / 1e6;
        format!("{:.2e}", 10f64.powf(low + share * (high - low)))
    }
}

/// A random workload: the text of a workload file, in which each flag may be missing, and the
/// candidates for `--filters`.
fn drawn(dice: &mut Dice) -> (String, Vec<Candidate>) {
    let mut text = String::new();
    let cases = [
        "cache-guard",
        "crawler",
        "blocklist",
        "seen-per-user",
        "sstable",
        "join",
    ];
    let is_case = dice.throw(6) == 0;
    if is_case {
        text += &format!("use-case = {:?}\n", cases[dice.throw(cases.len())]);
    }
    if !is_case || dice.throw(2) == 0 {
        text += &format!("capacity = {}\n", dice.between(2.0, 8.5));
    }
    let fprs = [
        format!("fpr = {}\n", dice.between(-4.5, -0.7)),
        String::new(),
    ];
    text += &fprs[[0, 0, 0, 1][dice.throw(4)]];
    if !is_case || dice.throw(2) == 0 {
        text += &format!("work-cost = \"{}ns\"\n", dice.between(1.0, 9.0));
    }
    let memory = format!("\"{}B\"", dice.between(4.0, 9.0));
    let bits = ["8", "12", "40", memory.as_str()][dice.throw(4)];
    let name = if bits.starts_with('"') {
        "memory"
    } else {
        "bits-per-key"
    };
    let values = [
        (name, vec![bits]),
        ("growth", vec!["1.5", "4", "\"unknown\""]),
        ("hits", vec!["0", "0.001", "0.3", "0.9"]),
        ("false-positive-loses", vec!["true"]),
        ("lookups-per-build", vec!["1e4", "1e6", "1e9"]),
        ("threads", vec!["2", "16"]),
        ("filters-count", vec!["10", "1e4"]),
        ("integers-below", vec!["1e8", "1e9", "1e12"]),
        ("key-kind", vec!["\"url\""]),
        ("deletes", vec!["true"]),
        ("static", vec!["true"]),
        ("persist", vec!["true"]),
        ("shared", vec!["true"]),
        ("hostile", vec!["true"]),
    ];
    for (name, values) in values {
        if dice.throw(5) == 0 {
            text += &format!("{name} = {}\n", values[dice.throw(values.len())]);
        }
    }
    let all = Candidate::all();
    let only = match dice.throw(10) {
        0 => (0..4).map(|_| all[dice.throw(all.len())]).collect(),
        _ => Vec::new(),
    };
    (text, only)
}

/// Whether `one` is better than `other`: it is at least as simple, has a lower FPR or faster
/// lookups, takes at most about as much memory, and no more time per lookup, building included.
fn dominates(one: &Offer, other: &Offer) -> bool {
    one.candidate() != other.candidate()
        && one.candidate().simplicity_rank() <= other.candidate().simplicity_rank()
        && is_better(figures_of(one), figures_of(other))
        && one.memory <= 1.01 * other.memory
        && one.base <= other.base
}

/// The FPR, and the times of a hit and a miss.
fn figures_of(row: &Offer) -> [f64; 3] {
    [row.fpr, row.times.hit, row.times.miss]
}

/// Whether no number in `one` is higher than in `other`, and one is lower by more than noise.
fn is_better(one: [f64; 3], other: [f64; 3]) -> bool {
    let mut pairs = one.into_iter().zip(other);
    pairs.clone().all(|(one, other)| one <= other) && pairs.any(|(one, other)| one < 0.97 * other)
}

/// What is wrong with an answer; `None` if it is right.
fn fault(workload: &Workload, advice: &Advice, times: &Times) -> Option<String> {
    let choice = &advice.choice;
    let candidate = choice.candidate();
    let name = candidate.name();
    let mut rows = advice.rows.iter();
    if let Some(row) = rows.find(|row| dominates(row, choice)) {
        return Some(format!("{} dominates {name}", row.candidate().name()));
    }
    if !objections(candidate, workload).is_empty() {
        return Some(format!("{name} cannot do it"));
    }
    if workload.memory.is_some_and(|memory| choice.memory > memory) {
        return Some(format!("{name} takes more than there is"));
    }
    let facts = candidate.facts();
    let concurrent = workload.threads > 1 && !workload.is_static;
    let is_named = workload.only.contains(&candidate);
    if candidate.class() == Class::Ours
        && !is_named
        && (facts.concurrent && !concurrent
            || facts.grows && !workload.grows()
            || facts.counts && !workload.deletes)
    {
        return Some(format!("{name} has what nothing asks for"));
    }
    let fpr = workload.fpr.filter(|_| candidate != Candidate::None)?;
    if choice.fpr > fpr {
        return Some(format!(
            "{name} has an FPR of {:e} above {fpr:e}",
            choice.fpr
        ));
    }
    beaten(workload, advice, times)
}

/// Names a simpler filter that, with the memory of the recommended filter, would be better and take
/// no more time for building and lookups. Returns `None` for workloads with removals.
fn beaten(workload: &Workload, advice: &Advice, times: &Times) -> Option<String> {
    let choice = &advice.choice;
    if workload.deletes {
        return None;
    }
    let own = Workload {
        fpr: None,
        memory: Some(choice.memory),
        ..workload.clone()
    };
    let mut plainer = workload.candidates().filter(|one| {
        let is_asked = workload.grows() || !one.facts().grows;
        one.is_sized() && is_asked && one.simplicity_rank() < choice.candidate().simplicity_rank()
    });
    plainer.find_map(|one| {
        let sizing = sizes(one, &own).ok()?.pop()?;
        let of = times.of(one, sizing.keys, sizing.target_fpr)?;
        let figures = [sizing.fpr, of.hit, of.miss];
        let base = base(&own, &of, sizing.keys);
        (is_better(figures, figures_of(choice)) && base <= choice.base).then(|| {
            format!(
                "{} with the memory of {} is {figures:?}",
                one.name(),
                choice.candidate().name()
            )
        })
    })
}

/// The times that come with the program, for each kind of key and each hash.
pub struct Stored(Vec<(&'static str, bool, Times)>);

pub fn stored() -> Stored {
    let both = [false, true].into_iter();
    let all = both.flat_map(|keyed| ["u64", "url"].map(|kind| (kind, keyed)));
    let read = |(kind, keyed)| (kind, keyed, Times::committed(kind, keyed).unwrap());
    Stored(all.map(read).collect())
}

impl Stored {
    pub fn of(&self, workload: &Workload) -> Times {
        let own = (workload.key_kind.name(), workload.hostile);
        let mut all = self.0.iter();
        let found = all.find(|(kind, keyed, _)| (*kind, *keyed) == own);
        found.unwrap().2.clone().grown(workload.grown())
    }
}

/// Tests a random workload: `None` if it has no answer, `Some(None)` if the answer is right.
fn answer(index: u64, stored: &Stored) -> Option<Option<String>> {
    let (text, only) = drawn(&mut Dice(SEED + (index << 20)));
    let requirements = Requirements::of_toml(&text).unwrap();
    let mut workload = Workload::new(&requirements, None).ok()?;
    workload.only = only;
    let times = stored.of(&workload);
    let advice = advise(&workload, &times).ok()?;
    let fault = fault(&workload, &advice, &times);
    Some(fault.map(|fault| format!("{fault}\n{text}{:?}", workload.only)))
}

#[test]
fn no_candidate_dominates_the_choice() {
    let (stored, workloads) = (stored(), workloads());
    let half = |first: u64| {
        let own = (first..workloads).step_by(2);
        own.filter_map(|index| answer(index, &stored))
            .collect::<Vec<_>>()
    };
    let answers = thread::scope(|scope| {
        let half = &half;
        let threads = [0, 1].map(|first| scope.spawn(move || half(first)));
        threads.map(|one| one.join().unwrap()).concat()
    });
    let count = answers.len() as u64;
    assert!(count >= workloads * 2 / 3, "{count} of {workloads}");
    let faults: Vec<String> = answers.into_iter().flatten().collect();
    let some: Vec<_> = faults.iter().take(5).collect();
    assert!(
        some.is_empty(),
        "{} of {count}, seed {SEED}: {some:#?}",
        faults.len()
    );
}
