//! What the battery says that it could have found.

use std::path::Path;

use bouquet_ground::record::{BatteryRow, Source};
use bouquet_render::{
    Screen,
    battery::{judge, summary},
};

use crate::records::Said;

fn rows() -> Vec<BatteryRow> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/main");
    Source::new(&[folder]).unwrap().read().unwrap().battery
}

/// The upper tail of the normal law, by the continued fraction of Laplace.
fn normal_tail(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - normal_tail(-z);
    }
    if z < 1.0 {
        // Too near for the fraction: Taylor's series around 0.
        let terms = (0..40).scan(z, |term, k| {
            let own = *term / f64::from(2 * k + 1);
            *term *= -z * z / (2.0 * f64::from(k + 1));
            Some(own)
        });
        return 0.5 - terms.sum::<f64>() / std::f64::consts::TAU.sqrt();
    }
    let fraction = (1..200).rev().fold(z, |below, k| z + f64::from(k) / below);
    (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() / fraction
}

/// The upper tail of chi-square, after Wilson and Hilferty.
fn chi_square_tail(x: f64, df: f64) -> f64 {
    let spread = 2.0 / (9.0 * df);
    normal_tail(((x / df).cbrt() - (1.0 - spread)) / spread.sqrt())
}

/// Of a chi-square that is off by so much: a mixture over a Poisson law.
fn off_centre_tail(x: f64, df: f64, off: f64) -> f64 {
    let mut weight = (-off / 2.0).exp();
    let terms = (0..1_000).map(|k| {
        let own = weight;
        weight *= off / 2.0 / f64::from(k + 1);
        own * chi_square_tail(x, df + 2.0 * f64::from(k))
    });
    terms.sum()
}

fn poisson_tail(mean: f64, from: f64) -> f64 {
    let mut term = (-mean).exp();
    let below = (0..from as u32).map(|k| {
        let own = term;
        term *= mean / f64::from(k + 1);
        own
    });
    1.0 - below.sum::<f64>()
}

/// Where a growing function passes a value.
fn crossing(mut low: f64, mut high: f64, is_past: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if is_past(middle) {
            high = middle
        } else {
            low = middle
        }
    }
    high
}

/// The sentence over these rows, from the widest histogram and the largest m.
fn expected(rows: &[BatteryRow], threshold: f64) -> Said {
    let own = |test: &'static str| {
        let sound = rows.iter().filter(|row| row.error.is_empty());
        sound.filter(move |row| row.test == test)
    };
    let mut said = Said::default();
    let widest = own("T1").max_by_key(|row| (row.keys, row.bins));
    let largest = own("T4").max_by_key(|row| (row.slots, row.keys));
    let (Some(t1), Some(t4)) = (widest, largest) else {
        said.and("So few keys show nothing.", &[]);
        return said;
    };
    let df = (t1.bins - 1) as f64;
    let critical = crossing(0.0, 10.0 * df, |x| chi_square_tail(x, df) <= threshold);
    let off = crossing(0.0, 1_000.0, |off| {
        off_centre_tail(critical, df, off) >= 0.9
    });
    let excess = (off * df / t1.keys as f64).sqrt();
    said.and(
        "At this threshold and power 0.9: T1 finds {} % more in one of {#} bins of {#} keys",
        &[100.0 * excess, t1.bins as f64, t1.keys as f64],
    );
    let pairs = t4.mean.unwrap();
    let critical = (1..).find(|from| poisson_tail(pairs, f64::from(*from)) <= threshold);
    let critical = f64::from(critical.unwrap());
    let seen = crossing(0.0, 1_000.0, |mean| poisson_tail(mean, critical) >= 0.9);
    let slots = (t4.keys as f64).powi(2) / 2.0 / seen;
    said.and(
        "; T4 expects {} pairs at m = {#} and finds a range of fewer than 2^{} slots.",
        &[pairs, t4.slots as f64, slots.log2()],
    );
    said
}

#[test]
fn what_could_have_been_found() {
    let all = rows();
    let of = |is_kept: &dyn Fn(&BatteryRow) -> bool| {
        let own = all.iter().filter(|row| is_kept(row)).cloned();
        own.collect::<Vec<_>>()
    };
    let mut failed = all.clone();
    for row in &mut failed {
        row.error = "it broke".into();
    }
    let sets = [
        of(&|row| row.dataset == "words"),
        of(&|row| row.dataset == "urls" && row.role == "ours"),
        of(&|row| row.keys <= 200_000),
        failed,
        all.clone(),
    ];
    for rows in sets {
        let judgement = judge(&rows);
        let page = summary(&rows, &judgement, Screen::default());
        let sentence = page
            .lines()
            .find(|line| line.starts_with("At this threshold") || line.starts_with("So few keys"));
        expected(&rows, judgement.threshold).is(sentence.unwrap());
    }
}
