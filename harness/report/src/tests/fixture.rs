//! Made-up runs: rows with plausible values, drawn from a seeded generator.

use std::f64::consts::{LN_2, LOG2_E};

use bouquet_record::*;
use bouquet_stats::z_two_sided;

const DATASETS: [(&str, u64); 5] = [
    ("words", 104_334),
    ("urls", 210_000),
    ("packages", 98_120),
    ("sequential", 100_000),
    ("random-u64", 100_000),
];
const SCHEMES: [&str; 4] = ["default", "double", "enhanced", "bits-and-blooms"];
const CAPACITY: u64 = 100_000;
/// The number of rounds of removals.
const ROUNDS: u32 = 6;
/// The relative standard deviation of the FPR between filters, for kinds without a `spread`.
const KNOWN: f64 = 0.005;

/// The random number generator SplitMix64, which also draws from other distributions.
struct Dice(u64);

impl Dice {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ (z >> 31)) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let u = self.uniform();
        if u < 0.5 {
            -z_two_sided(1.0 - 2.0 * u)
        } else {
            z_two_sided(2.0 * u - 1.0)
        }
    }

    /// Draws the number of hits in `asked` lookups: approximately a binomial number.
    fn hits(&mut self, asked: u64, p: f64) -> u64 {
        let mean = asked as f64 * p;
        if mean > 50.0 {
            let off = self.normal() * (mean * (1.0 - p)).sqrt();
            return (mean + off).round().max(0.0) as u64;
        }
        let (mut hits, mut left) = (0, (-mean).exp());
        let (u, mut sum) = (self.uniform(), left);
        while sum < u && hits < 1000 {
            hits += 1;
            left *= mean / hits as f64;
            sum += left;
        }
        hits
    }

    /// Draws a chi-square number, by the approximation of Wilson and Hilferty (1931).
    fn chi_square(&mut self, degrees: u64) -> f64 {
        let a = 2.0 / (9.0 * degrees as f64);
        degrees as f64 * (1.0 - a + self.normal() * a.sqrt()).powi(3)
    }
}

/// A kind of filter, with its size and FPR relative to a classic Bloom filter.
#[derive(Clone, Copy)]
pub struct Kind {
    pub name: &'static str,
    role: &'static str,
    removes: bool,
    grows: bool,
    /// Its size divided by that of a classic filter with about the same FPR.
    times_bits: f64,
    /// At b bits per key, its FPR is that of the classic filter times e^(`excess` × b²).
    excess: f64,
    /// The relative standard deviation of its FPR between filters, at 0 bits per key; it grows with
    /// the bits per key. `None` means that it is always [`KNOWN`].
    spread: Option<f64>,
    /// The parts of a key's locations, such as block and bit: name, number of values, number per
    /// key.
    parts: &'static [(&'static str, u64, u32)],
}

impl Kind {
    fn is_baseline(self) -> bool {
        self.role == "baseline"
    }

    fn is_cuckoo(self) -> bool {
        self.name.starts_with("cuckoo")
    }
}

const fn kind(name: &'static str) -> Kind {
    Kind {
        name,
        role: "ours",
        removes: false,
        grows: false,
        times_bits: 1.0,
        excess: 0.0,
        spread: None,
        parts: &[("slot", 958_511, 7)],
    }
}

/// All filters, in the order of the records.
pub const KINDS: [Kind; 11] = [
    kind("standard"),
    Kind {
        removes: true,
        times_bits: 4.0,
        ..kind("counting")
    },
    Kind {
        parts: &[("slot in its partition", 136_930, 7)],
        ..kind("partitioned")
    },
    Kind {
        excess: 0.0017,
        spread: Some(0.006),
        parts: &[("block", 1_872, 1), ("bit in its word", 64, 7)],
        ..kind("blocked")
    },
    Kind {
        excess: 0.0045,
        spread: Some(0.007),
        parts: &[("block", 3_744, 1), ("bit in its word", 32, 8)],
        ..kind("blocked-words32")
    },
    Kind {
        excess: 0.0014,
        spread: Some(0.005),
        parts: &[("block", 1_872, 1), ("bit in its block", 512, 7)],
        ..kind("blocked-line")
    },
    Kind {
        grows: true,
        times_bits: 1.3,
        spread: Some(0.004),
        parts: &[
            ("slot in stage 1", 10_240, 8),
            ("slot in stage 2", 22_528, 9),
        ],
        ..kind("scalable")
    },
    Kind {
        excess: 0.0001,
        spread: Some(0.004),
        parts: &[("shard", 16, 1), ("slot in its shard", 59_904, 7)],
        ..kind("sharded")
    },
    kind("atomic"),
    Kind {
        removes: true,
        times_bits: 0.95,
        spread: Some(0.003),
        parts: &[("bucket", 32_768, 1)],
        ..kind("cuckoo")
    },
    Kind {
        role: "baseline",
        removes: true,
        spread: Some(0.003),
        parts: &[],
        ..kind("cuckoofilter")
    },
];

/// A run of two filters without faults, with so many non-members that no check is inconclusive.
pub fn clean() -> Records {
    run(1_000_000_000, 7)
}

/// The run of [`clean`], but with `asked` non-members per replicate.
pub fn run(asked: u64, seed: u64) -> Records {
    let (dice, records) = (Dice(seed), schemes(seed));
    with_filters(dice, records, &[KINDS[0], KINDS[10]], 5, |_| asked)
}

/// A run of all filters with `replicates` replicates; each looks up so many non-members that `hits`
/// false positives are expected. Locations are tested too, and keys are removed.
pub fn many(replicates: u32, hits: f64, seed: u64) -> Records {
    let asked = |theory: f64| (hits / theory) as u64;
    let mut dice = Dice(seed);
    let (mut battery, mut churn) = (Vec::new(), Vec::new());
    for kind in KINDS {
        for (dataset, keys) in DATASETS {
            battery.extend(locations(&mut dice, kind, dataset, keys));
            for replicate in (0..replicates).filter(|_| kind.removes) {
                churn.extend(removals(&mut dice, kind, dataset, replicate, asked));
            }
        }
    }
    let mut records = with_filters(dice, schemes(seed), &KINDS, replicates, asked);
    records.battery.extend(battery);
    Records { churn, ..records }
}

/// The filters of [`many`] four times, under different names.
pub fn forty() -> Records {
    let mut all = many(3, 3_000.0, 7);
    let names: Vec<String> = all.subjects.iter().map(|s| s.subject.clone()).collect();
    fn again<R: Clone>(rows: &mut Vec<R>, name: fn(&mut R) -> &mut String, own: &[String]) {
        let first = rows.clone();
        for copy in 2..=4 {
            rows.extend(first.iter().cloned().filter_map(|mut row| {
                let name = name(&mut row);
                let is_own = own.contains(name);
                *name += &format!("-{copy}");
                is_own.then_some(row)
            }));
        }
    }
    again(&mut all.fpr, |row| &mut row.filter, &names);
    again(&mut all.memory, |row| &mut row.filter, &names);
    again(&mut all.churn, |row| &mut row.filter, &names);
    again(&mut all.battery, |row| &mut row.subject, &names);
    again(&mut all.subjects, |row| &mut row.subject, &names);
    all
}

pub fn facts(facts: &[(&str, &str)]) -> Facts {
    let facts = facts.iter();
    facts
        .map(|(name, value)| ((*name).into(), (*value).into()))
        .collect()
}

/// A run that tests only location schemes, one of which has a known fault.
fn schemes(seed: u64) -> Records {
    let mut dice = Dice(!seed);
    let experiment = |name: &str, kind: &str, analysis: &str| ExperimentRow {
        experiment: name.into(),
        kind: kind.into(),
        title: format!("What of {name}?"),
        analysis: analysis.into(),
    };
    let dataset = |(name, keys): (&str, u64)| {
        let is_file = keys != 100_000;
        DatasetRow {
            dataset: name.into(),
            about: format!("Keys of the kind {name}"),
            keys,
            duplicates_dropped: u64::from(is_file) * 12,
            key_bytes: keys * 9,
            sha256: if is_file {
                "9f86d0".repeat(10)
            } else {
                String::new()
            },
            generator: if is_file {
                String::new()
            } else {
                format!("{name} seed 7")
            },
        }
    };
    let all = SCHEMES.into_iter().chain(["fnv1a-32"]);
    let roles = all.map(|name| {
        (
            name,
            if name == "fnv1a-32" {
                "known-bad"
            } else {
                "ours"
            },
        )
    });
    let mut battery = Vec::new();
    for (scheme, role) in roles.clone() {
        for (dataset, keys) in DATASETS {
            for probe in 0..7 {
                let is_bad = role == "known-bad";
                let statistic = match is_bad {
                    true => 1023.0 * (1.6 + 0.2 * dice.uniform()),
                    false => dice.chi_square(1023),
                };
                let row = bins((scheme, dataset, keys), &format!("slot {probe}"), 1_024);
                battery.push(TestRow {
                    expected_outcome: if is_bad { "flagged" } else { "passes" }.into(),
                    statistic,
                    ..row
                });
            }
        }
    }
    Records {
        facts: facts(&[
            ("schema_version", "2"),
            ("revision", "967e851"),
            ("command", "bouquet evaluate --seed 7"),
            ("profile", "default"),
            ("seed", "7"),
            ("cpu", "Example CPU @ 3.00GHz"),
        ]),
        experiments: vec![
            experiment("fpr", "fpr", "Disjoint.\n\nA hit is a false positive."),
            experiment("uniformity", "uniformity", "One probe index at a time."),
            experiment("memory", "memory", "Really allocated bytes."),
        ],
        subjects: roles
            .map(|(name, role)| SubjectRow {
                subject: name.into(),
                kind: "scheme".into(),
                about: format!("The scheme {name}."),
                role: role.into(),
                ..SubjectRow::default()
            })
            .collect(),
        datasets: DATASETS.map(dataset).into(),
        battery,
        ..Records::default()
    }
}

/// A row of the uniformity test T1, for one location scheme and one key set.
fn bins((subject, key_set, keys): (&str, &str, u64), item: &str, bins: u64) -> TestRow {
    TestRow {
        subject: subject.into(),
        key_set: key_set.into(),
        slots: 958_528,
        probes: 7,
        keys,
        seed: 7,
        expected_outcome: "passes".into(),
        test: "T1".into(),
        item: item.into(),
        law: "chi-square".into(),
        sides: "both".into(),
        degrees_of_freedom: Some(bins - 1),
        ..TestRow::default()
    }
}

/// Adds rows of filters: their FPRs and their sizes.
fn with_filters(
    mut dice: Dice,
    mut records: Records,
    kinds: &[Kind],
    replicates: u32,
    asked: impl Fn(f64) -> u64,
) -> Records {
    let filters = kinds.iter().map(|kind| SubjectRow {
        subject: kind.name.into(),
        kind: "filter".into(),
        about: format!("The filter {}.", kind.name),
        role: kind.role.into(),
        promises_no_false_negatives: !kind.is_baseline(),
        reproducible_by_seed: !kind.is_baseline(),
        exposes_locations: !kind.parts.is_empty(),
        removes: kind.removes,
        grows: kind.grows,
        theory: "exact, Bose et al. 2008".into(),
        scheme: "default".into(),
        ..SubjectRow::default()
    });
    records.subjects = filters.chain(records.subjects).collect();
    for kind in kinds {
        for (dataset, _) in DATASETS {
            for point in points(*kind) {
                for replicate in 0..replicates {
                    let row = fpr(&mut dice, *kind, dataset, point, replicate, &asked);
                    records.fpr.push(row);
                }
            }
        }
        let sizes = [0.01, 0.001, 0.0001].map(|target| memory(*kind, target));
        records.memory.extend(sizes);
    }
    records
}

/// A measured point: experiment, varied parameter, its value, bits per key, and load.
type Point = (&'static str, Sweep, f64, f64, f64);

/// The points at which a filter is measured. Filters that grow have an experiment of their own. The
/// size of the baseline filter cannot be chosen, so it is not varied.
fn points(kind: Kind) -> Vec<Point> {
    let bits = 9.6 * kind.times_bits;
    let loads = (1..=8).map(|quarters| f64::from(quarters) * 0.25);
    let mut points: Vec<Point> = loads
        .map(|load| ("fpr", Sweep::Load, load, bits, load))
        .collect();
    if kind.is_baseline() {
        points.push(("fpr", Sweep::BitsPerKey, 13.1, 13.1, 1.0));
    } else if kind.grows {
        points.extend([0.5, 1.0, 2.0, 3.0, 5.0, 10.0].map(|load: f64| {
            let bits = 11.0 + 6.0 * load.max(1.0).ln();
            ("growth", Sweep::Load, load, bits, load)
        }));
    } else {
        let bits = (4..=20).map(f64::from);
        let by_bits = bits.map(|bits| ("fpr", Sweep::BitsPerKey, bits, bits, 1.0));
        points = by_bits.chain(points).collect();
    }
    points
}

/// The number of bits m and the number of hashes k of a classic filter.
fn size(bits: f64) -> (f64, u32) {
    let k = (bits * LN_2).round().max(1.0) as u32;
    ((CAPACITY as f64 * bits / 64.0).ceil() * 64.0, k)
}

/// The share of set bits in a classic filter.
fn fill(bits: f64, load: f64) -> f64 {
    let (m, k) = size(bits);
    1.0 - (-f64::from(k) * CAPACITY as f64 * load / m).exp()
}

/// The theoretical FPR at `bits` bits per key and a load.
fn theory(kind: Kind, bits: f64, load: f64) -> f64 {
    if kind.grows {
        return 0.01 * (1.0 - 0.5 / load.max(0.6));
    }
    if kind.is_cuckoo() {
        let fingerprint = match kind.is_baseline() {
            true => 8,
            false => (bits * 0.9) as i32,
        };
        return 8.0 * (0.95 * load).min(0.98) / 2_f64.powi(fingerprint);
    }
    let classic = bits / kind.times_bits;
    let fpr = fill(classic, load).powi(size(classic).1 as i32);
    (fpr * (kind.excess * bits * bits).exp()).min(1.0)
}

/// The theoretical FPR at capacity, but at least 1 %. `None` for the baseline filter, whose size
/// cannot be chosen.
fn promised(kind: Kind) -> Option<f64> {
    let fpr = theory(kind, 9.6 * kind.times_bits, 1.0).max(0.01);
    Some(fpr).filter(|_| !kind.is_baseline())
}

fn fpr(
    dice: &mut Dice,
    kind: Kind,
    dataset: &str,
    (experiment, sweep, x, bits, load): Point,
    replicate: u32,
    asked: impl Fn(f64) -> u64,
) -> Observation {
    let expected_fpr = theory(kind, bits, load);
    // For blocked filters the spread grows with the bits per key. The 0.13 below is from a
    // simulation of blocks of 512 bits.
    let usable_bits = bits / kind.times_bits / load.max(0.5);
    let spread = kind.spread;
    let spread = spread.map_or(KNOWN, |least| least * (0.13 * usable_bits).exp());
    let given = expected_fpr * (spread * dice.normal()).exp();
    let (asked, (m, k)) = (asked(expected_fpr), size(bits));
    let false_positives = dice.hits(asked, given);
    let expected_fill = fill(bits, load);
    let fill_sd = 0.4 * (expected_fill * (1.0 - expected_fill) / m).sqrt();
    let keys = (CAPACITY as f64 * load) as u64;
    let rejected = match kind.is_cuckoo() {
        true => (keys as f64 - 1.03 * CAPACITY as f64).max(0.0) as u64,
        false => 0,
    };
    let members = keys - rejected;
    let grown = if experiment == "growth" {
        load.max(1.0)
    } else {
        1.0
    };
    let is_known = |value| Some(value).filter(|_| kind.spread.is_none());
    let of_ours = |value| Some(value).filter(|_| !kind.is_baseline());
    Observation {
        experiment: experiment.into(),
        filter: kind.name.into(),
        key_set: dataset.into(),
        sweep,
        x,
        capacity: CAPACITY,
        target_fpr: promised(kind).filter(|_| sweep == Sweep::Load),
        size_bits: m as u64,
        hashes: if kind.is_cuckoo() { 0 } else { k },
        memory_bytes: (bits * CAPACITY as f64 * grown / 8.0) as u64,
        replicate,
        seed: 1000 + u64::from(replicate),
        keys,
        rejected,
        members,
        false_negatives: match kind.is_baseline() && load >= 1.0 {
            true => members / 60,
            false => 0,
        },
        non_members: asked,
        false_positives,
        batch_false_negatives: of_ours(0),
        batch_false_positives: of_ours(false_positives),
        batch_differ: of_ours(0),
        fill: Some(expected_fill + dice.normal() * fill_sd),
        expected_fill: is_known(expected_fill),
        expected_fill_sd: is_known(fill_sd),
        fpr_given_bits: Some(given).filter(|_| !kind.is_baseline()),
        expected_fpr,
        expected_fpr_sd: is_known(KNOWN * expected_fpr),
        ..Observation::default()
    }
}

fn locations(dice: &mut Dice, kind: Kind, dataset: &str, keys: u64) -> Vec<TestRow> {
    let mut rows = Vec::new();
    for &(part, values, probes) in kind.parts {
        for probe in 0..probes {
            let count = values.min(1024);
            let item = format!("{part} {probe}");
            rows.push(TestRow {
                statistic: dice.chi_square(count - 1),
                ..bins((kind.name, dataset, keys), &item, count)
            });
        }
    }
    rows
}

fn removals(
    dice: &mut Dice,
    kind: Kind,
    dataset: &str,
    replicate: u32,
    asked: impl Fn(f64) -> u64,
) -> Vec<Observation> {
    let is_baseline = kind.is_baseline();
    let bits = 9.6 * kind.times_bits;
    let theory = theory(kind, bits, 1.0);
    let given = theory * (0.01 * dice.normal()).exp();
    let of_baseline = |count: u64| if is_baseline { count } else { 0 };
    let rounds = (0..=ROUNDS).map(|round| Observation {
        experiment: "churn".into(),
        filter: kind.name.into(),
        key_set: dataset.into(),
        sweep: Sweep::Churn,
        x: round.into(),
        capacity: 8_192,
        target_fpr: promised(kind),
        size_bits: (bits * 8_192.0) as u64,
        hashes: 7,
        memory_bytes: bits as u64 * 1_024,
        replicate,
        seed: 2_000 + u64::from(replicate),
        step: round,
        removed: if round == 0 { 0 } else { 2_048 },
        removals_rejected: of_baseline(u64::from(round) * 9),
        keys: if round == 0 { 8_192 } else { 2_048 },
        rejected: of_baseline(30),
        members: 8_192 - of_baseline(30),
        false_negatives: of_baseline(130 * u64::from(round + 1)),
        non_members: asked(theory),
        false_positives: dice.hits(asked(theory), given),
        fill: Some(0.5),
        fpr_given_bits: (!is_baseline).then_some(given),
        expected_fpr: theory,
        ..Observation::default()
    });
    rounds.collect()
}

fn memory(kind: Kind, target: f64) -> Observation {
    let best = LOG2_E * -target.log2();
    let bits = best * kind.times_bits * (1.0 + kind.excess * best * 3.0);
    let note = "no choice of FPR: one-byte fingerprints";
    Observation {
        experiment: "memory".into(),
        filter: kind.name.into(),
        capacity: CAPACITY,
        sweep: Sweep::Memory,
        x: target,
        target_fpr: Some(target),
        size_bits: (bits * CAPACITY as f64) as u64,
        hashes: if kind.is_cuckoo() { 0 } else { size(best).1 },
        memory_bytes: (bits * CAPACITY as f64 / 8.0) as u64 + 64,
        expected_fpr: if kind.is_baseline() {
            0.03
        } else {
            target * 0.999
        },
        note: if kind.is_baseline() { note } else { "" }.into(),
        ..Observation::default()
    }
}
