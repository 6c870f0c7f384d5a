//! Over workloads at random: the choice answers what was asked, and nothing in its table
//! is plainer and better.

use super::{
    Advice, Candidate, Class, Offer, Requirements, Times, Workload, advise, capability::objections,
};

/// As many workloads, of which about a fifth contradict themselves.
const WORKLOADS: u64 = 7_000;
const SEED: u64 = 20_261_123;

/// `SplitMix64`.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 33) as usize % sides
    }

    /// A power of ten between the two, to three digits.
    fn between(&mut self, low: f64, high: f64) -> String {
        let share = self.throw(1_000_001) as f64 / 1e6;
        format!("{:.2e}", 10f64.powf(low + share * (high - low)))
    }
}

/// A workload as its file would have it; each flag is there or not.
fn workload(dice: &mut Dice) -> String {
    let mut text = format!("capacity = {}\n", dice.between(2.0, 7.5));
    let fprs = [
        format!("fpr = {}\n", dice.between(-4.5, -0.7)),
        format!("fpr-at-most = {}\n", dice.between(-4.5, -0.7)),
        String::new(),
    ];
    text += &fprs[[0, 0, 0, 1, 2][dice.throw(5)]];
    text += &format!("work-cost = \"{}ns\"\n", dice.between(1.0, 9.0));
    let values = [
        ("growth", vec!["1.5", "4", "\"unknown\""]),
        ("hits", vec!["0", "0.001", "0.3", "0.9"]),
        ("memory-cost", vec!["\"1ns\"", "\"1us\""]),
        ("false-positive-loses", vec!["true"]),
        ("lookups-per-build", vec!["1e4", "1e6", "1e9"]),
        ("threads", vec!["2", "16"]),
        ("filters-count", vec!["10", "1e4"]),
        ("bits-per-key", vec!["8", "12", "40"]),
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
    text
}

/// Whether one is as plain as the other or plainer, as good in all and better in something,
/// at no more memory to speak of.
fn dominates(one: &Offer, other: &Offer) -> bool {
    let of = |row: &Offer| [row.fpr, row.times.hit.median, row.times.miss.median];
    let pairs = of(one).into_iter().zip(of(other));
    one.candidate() != other.candidate()
        && one.candidate().plainness() <= other.candidate().plainness()
        && pairs.clone().all(|(one, other)| one <= other)
        && pairs.clone().any(|(one, other)| one < 0.97 * other)
        && one.line.memory <= 1.01 * other.line.memory
}

/// What is wrong with an answer.
fn fault(workload: &Workload, advice: &Advice) -> Option<String> {
    let choice = &advice.choice;
    let name = choice.candidate().name();
    let mut rows = advice.rows.iter();
    if let Some(row) = rows.find(|row| dominates(row, choice)) {
        return Some(format!("{} dominates {name}", row.candidate().name()));
    }
    let facts = choice.candidate().facts();
    let is_ours = facts.class == Class::Ours;
    let concurrent = workload.threads > 1 && !workload.is_static;
    if is_ours
        && (facts.concurrent && !concurrent
            || facts.grows && !workload.grows()
            || facts.counts && !workload.deletes)
    {
        return Some(format!("{name} has what nothing asks for"));
    }
    let fpr = workload.fpr.filter(|_| workload.fpr_is_target)?;
    if choice.candidate() == Candidate::None {
        return None;
    }
    let sized = advice.rows.iter().filter(|row| row.candidate().is_sized());
    let least = sized.map(|row| row.line.memory).min_by(f64::total_cmp)?;
    let is_near = (0.4 * fpr..=fpr).contains(&choice.fpr);
    (!is_near && choice.line.memory > least)
        .then(|| format!("{name} has an FPR of {:e} for {fpr:e}", choice.fpr))
}

#[test]
fn no_candidate_dominates_the_choice() {
    let mut dice = Dice(SEED);
    let (mut answered, mut faults) = (0, Vec::new());
    for _ in 0..WORKLOADS {
        let text = workload(&mut dice);
        let wishes: Requirements = toml::from_str(&text).unwrap();
        let Ok(workload) = Workload::new(&wishes, None, None) else {
            continue;
        };
        let times = Times::committed(workload.key_kind.name(), workload.hostile).unwrap();
        let times = times.grown(workload.grown());
        let Ok(advice) = advise(&workload, &times) else {
            continue;
        };
        answered += 1;
        assert!(objections(advice.choice.candidate(), &workload).is_empty());
        faults.extend(fault(&workload, &advice).map(|fault| format!("{fault}\n{text}")));
    }
    assert!(answered >= 5_000, "{answered} of {WORKLOADS}, seed {SEED}");
    let some: Vec<&String> = faults.iter().take(5).collect();
    assert!(
        faults.is_empty(),
        "{} of {answered}, seed {SEED}: {some:#?}",
        faults.len()
    );
}
