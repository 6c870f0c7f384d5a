//! A made-up run: plausible rows, drawn from a seeded generator.

mod forty;
mod many;

pub(super) use self::{
    forty::forty,
    many::{KINDS, many},
};

use bouquet_ground::record::*;
use bouquet_stats::z_two_sided;

pub(super) const DATASETS: [(&str, u64); 5] = [
    ("words", 104_334),
    ("urls", 210_000),
    ("packages", 98_120),
    ("sequential", 100_000),
    ("random-u64", 100_000),
];
const SCHEMES: [&str; 4] = ["default", "double", "enhanced", "bits-and-blooms"];
const CAPACITY: u64 = 100_000;

/// SplitMix64, with normal numbers by inverting the distribution function.
pub(super) struct Dice(u64);

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

    /// An approximately binomial number.
    fn hits(&mut self, asked: u64, p: f64) -> u64 {
        let mean = asked as f64 * p;
        if mean > 50.0 {
            return (mean + self.normal() * (mean * (1.0 - p)).sqrt())
                .round()
                .max(0.0) as u64;
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
}

fn classic(m: f64, k: u32, n: f64) -> (f64, f64) {
    let fill = 1.0 - (-f64::from(k) * n / m).exp();
    (fill, fill.powi(k as i32))
}

/// A clean run with so many non-members that no check is inconclusive.
pub(super) fn clean() -> Records {
    run(1_000_000_000, 7)
}

/// The same with `asked` non-members per replicate.
pub(super) fn run(asked: u64, seed: u64) -> Records {
    let mut dice = Dice(seed);
    Records {
        facts: facts(&[
            ("schema_version", "2"),
            ("revision", "967e851"),
            ("version", "0.1.0"),
            ("command", "bouquet evaluate --seed 7"),
            ("profile", "default"),
            ("seed", "7"),
            ("duration_s", "96.4"),
            ("os", "Linux 6.8"),
            ("cpu", "Example CPU @ 3.00GHz"),
            ("cores", "2"),
            ("memory_mb", "8192"),
            ("rustc", "rustc 1.95.0"),
        ]),
        experiments: experiments(),
        subjects: subjects(),
        datasets: datasets(),
        battery: battery(&mut dice),
        fpr: fpr(&mut dice, asked),
        memory: memory(),
        churn: Vec::new(),
        ..Records::default()
    }
}

pub(super) fn facts(facts: &[(&str, &str)]) -> Facts {
    let facts = facts.iter();
    facts
        .map(|(name, value)| ((*name).into(), (*value).into()))
        .collect()
}

fn experiments() -> Vec<ExperimentRow> {
    let one = |experiment: &str, kind: &str, title: &str, analysis: &str| ExperimentRow {
        experiment: experiment.into(),
        kind: kind.into(),
        title: title.into(),
        analysis: analysis.into(),
    };
    vec![
        one(
            "fpr",
            "fpr",
            "False-positive rate",
            "Members and non-members are disjoint.\n\nA hit is a false positive.",
        ),
        one(
            "uniformity",
            "uniformity",
            "Uniformity of locations",
            "One location a key, one probe index at a time.",
        ),
        one(
            "memory",
            "memory",
            "Memory for a target",
            "Really allocated bytes.",
        ),
    ]
}

fn subject(name: &str, kind: &str, role: &str) -> SubjectRow {
    let ours = name == "standard";
    SubjectRow {
        subject: name.into(),
        kind: kind.into(),
        about: format!("The {name} {kind}."),
        role: role.into(),
        promises_no_false_negatives: ours,
        reproducible_by_seed: name != "cuckoofilter",
        exposes_locations: name != "cuckoofilter",
        removes: name == "cuckoofilter",
        grows: false,
        concurrent: false,
        theory: match name {
            "standard" => "exact, Bose et al. 2008".into(),
            "cuckoofilter" => "1-(1-1/(2^f-1))^(2b*load), Fan et al. 2014".into(),
            _ => String::new(),
        },
        scheme: if ours {
            "default".into()
        } else {
            String::new()
        },
        ..SubjectRow::default()
    }
}

fn subjects() -> Vec<SubjectRow> {
    let mut rows = vec![subject("standard", "filter", "ours")];
    rows.push(subject("cuckoofilter", "filter", "baseline"));
    rows.extend(SCHEMES.map(|name| subject(name, "scheme", "ours")));
    rows.push(subject("fnv1a-32", "scheme", "known-bad"));
    rows
}

fn datasets() -> Vec<DatasetRow> {
    let row = |(name, keys): (&str, u64)| {
        let file = keys != 100_000;
        DatasetRow {
            dataset: name.into(),
            about: format!("Keys of the kind {name}"),
            keys,
            duplicates_dropped: u64::from(file) * 12,
            key_bytes: keys * 9,
            sha256: if file {
                "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".into()
            } else {
                String::new()
            },
            generator: if file {
                String::new()
            } else {
                format!("{name} seed 7")
            },
        }
    };
    DATASETS.map(row).into()
}

fn battery(dice: &mut Dice) -> Vec<TestRow> {
    let mut rows = Vec::new();
    for scheme in SCHEMES.into_iter().chain(["fnv1a-32"]) {
        for (dataset, keys) in DATASETS {
            for probe_index in 0..7 {
                let bad = scheme == "fnv1a-32";
                let statistic = if bad {
                    1023.0 * (1.6 + 0.2 * dice.uniform())
                } else {
                    uniform_chi_square(dice, 1023)
                };
                rows.push(TestRow {
                    subject: scheme.into(),
                    key_set: dataset.into(),
                    slots: 958_528,
                    probes: 7,
                    keys,
                    seed: 7,
                    expected_outcome: if bad { "flagged" } else { "passes" }.into(),
                    statistic,
                    ..bins(&format!("slot {probe_index}"), 1_024)
                });
            }
        }
    }
    rows
}

/// A row of test T1.
fn bins(item: &str, bins: u64) -> TestRow {
    TestRow {
        test: "T1".into(),
        item: item.into(),
        law: "chi-square".into(),
        sides: "both".into(),
        degrees_of_freedom: Some(bins - 1),
        ..TestRow::default()
    }
}

/// A chi-square number, by the approximation of Wilson and Hilferty 1931.
fn uniform_chi_square(dice: &mut Dice, degrees: u64) -> f64 {
    let a = 2.0 / (9.0 * degrees as f64);
    degrees as f64 * (1.0 - a + dice.normal() * a.sqrt()).powi(3)
}

/// The size, k and load of a row.
#[derive(Clone, Copy)]
struct Point {
    experiment: &'static str,
    sweep: Sweep,
    x: f64,
    bits: f64,
    load: f64,
}

fn by_bits() -> impl Iterator<Item = Point> {
    (4..=20).map(|b| Point {
        experiment: "fpr",
        sweep: Sweep::BitsPerKey,
        x: f64::from(b),
        bits: f64::from(b),
        load: 1.0,
    })
}

fn by_load() -> impl Iterator<Item = Point> {
    (1..=8).map(|q| {
        let load = f64::from(q) * 0.25;
        Point {
            experiment: "fpr",
            sweep: Sweep::Load,
            x: load,
            bits: 9.6,
            load,
        }
    })
}

fn fpr(dice: &mut Dice, asked: u64) -> Vec<Observation> {
    let points: Vec<Point> = by_bits().chain(by_load()).collect();
    let mut rows = Vec::new();
    for filter in ["standard", "cuckoofilter"] {
        for (dataset, _) in DATASETS {
            for point in &points {
                for replicate in 0..5 {
                    rows.push(row_of(dice, filter, dataset, point, replicate, asked));
                }
            }
        }
    }
    rows
}

fn row_of(
    dice: &mut Dice,
    filter: &str,
    dataset: &str,
    point: &Point,
    replicate: u32,
    asked: u64,
) -> Observation {
    let n = CAPACITY as f64 * point.load;
    let m = (CAPACITY as f64 * point.bits / 64.0).ceil() * 64.0;
    let k = (point.bits * std::f64::consts::LN_2).round().max(1.0) as u32;
    let ours = filter == "standard";
    let (fill, theory) = if ours {
        classic(m, k, n)
    } else {
        let load = (0.95 * point.load).min(0.98);
        (
            load,
            1.0 - (1.0 - 1.0 / (2_f64.powf(point.bits * 0.95) - 1.0)).powf(8.0 * load),
        )
    };
    let sd = 0.4 * (fill * (1.0 - fill) / m).sqrt();
    let measured_fill = fill + dice.normal() * sd;
    let given = if ours {
        measured_fill.powi(k as i32)
    } else {
        theory
    };
    let false_positives = dice.hits(asked, given);
    Observation {
        experiment: point.experiment.into(),
        filter: filter.into(),
        key_set: dataset.into(),
        sweep: point.sweep,
        x: point.x,
        capacity: CAPACITY,
        target_fpr: (ours && point.sweep == Sweep::Load).then_some(0.01),
        size_bits: m as u64,
        hashes: if ours { k } else { 0 },
        memory_bytes: m as u64 / 8 + 64,
        replicate,
        seed: 1000 + u64::from(replicate),
        keys: n as u64,
        rejected: if ours {
            0
        } else {
            (n - 1.03 * CAPACITY as f64).max(0.0) as u64
        },
        members: n as u64,
        non_members: asked,
        false_positives,
        batch_false_negatives: ours.then_some(0),
        batch_false_positives: ours.then_some(false_positives),
        batch_differ: ours.then_some(0),
        fill: Some(measured_fill),
        expected_fill: ours.then_some(fill),
        expected_fill_sd: ours.then_some(sd),
        fpr_given_bits: ours.then_some(given),
        expected_fpr: theory,
        expected_fpr_sd: ours.then_some(f64::from(k) * sd / fill * theory),
        ..Observation::default()
    }
}

fn memory() -> Vec<Observation> {
    let mut rows = Vec::new();
    for target in [0.01_f64, 0.001, 0.0001] {
        for (filter, bits) in [
            (
                "standard",
                (std::f64::consts::LOG2_E * -target.log2() * 1e5 / 64.0).ceil() * 64.0,
            ),
            (
                "cuckoofilter",
                ((-target.log2() + 3.0).ceil() / 0.95 * 1e5 / 64.0).ceil() * 64.0,
            ),
        ] {
            rows.push(Observation {
                experiment: "memory".into(),
                filter: filter.into(),
                capacity: CAPACITY,
                sweep: Sweep::Memory,
                x: target,
                target_fpr: Some(target),
                size_bits: if target == 0.01 && filter == "standard" {
                    958_528
                } else {
                    bits as u64
                },
                hashes: if filter == "standard" {
                    (-target.log2()).round() as u32
                } else {
                    0
                },
                memory_bytes: bits as u64 / 8 + 64,
                expected_fpr: target * 0.999,
                ..Observation::default()
            });
        }
    }
    rows
}
