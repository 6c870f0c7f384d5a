//! What is said of locations: by their p-values, and by where they lie.

use crate::records::{Row, Said, Set, in_words, most};

/// Of the logarithm of the gamma function, by Stirling's series from 10 on.
fn ln_gamma(x: f64) -> f64 {
    if x < 10.0 {
        return ln_gamma(x + 1.0) - x.ln();
    }
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

/// The two tails of the gamma law of this shape: by the series below its mean, by the
/// continued fraction above.
fn tails(shape: f64, x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    let front = (shape * x.ln() - x - ln_gamma(shape)).exp();
    if x < shape + 1.0 {
        let (mut term, mut sum, mut at) = (1.0 / shape, 1.0 / shape, shape);
        while term > 1e-16 * sum {
            at += 1.0;
            term *= x / at;
            sum += term;
        }
        return (front * sum, 1.0 - front * sum);
    }
    let fraction = (1..2000)
        .rev()
        .map(f64::from)
        .fold(x - shape + 4001.0, |below, i| {
            x - shape + 2.0 * i - 1.0 - i * (i - shape) / below
        });
    (1.0 - front / fraction, front / fraction)
}

/// Of a chi-square statistic; of what is left out nothing is said here.
pub fn p_value(row: &Row) -> f64 {
    let (df, statistic) = (row.number("degrees_of_freedom"), row.number("statistic"));
    let (below, above) = tails(df / 2.0, statistic / 2.0);
    match row.text("sides") {
        "upper" => above,
        _ => (2.0 * below.min(above)).min(1.0),
    }
}

/// Where a finding begins: by Holm, 0.001 over those that are none.
pub fn threshold(p: &[f64]) -> f64 {
    let mut sorted = p.to_vec();
    sorted.sort_by(f64::total_cmp);
    let left = |at: usize| (p.len() - at) as f64;
    let each = sorted.iter().enumerate();
    let found = each.take_while(|(at, p)| **p * left(*at) < 1e-3).count();
    1e-3 / left(found).max(1.0)
}

/// The battery's rows with what each is: a cell's, and found or not.
pub fn cell(row: &Row) -> [&str; 6] {
    let keys = [
        "subject",
        "dataset",
        "slots_wanted",
        "probes",
        "keys",
        "replicate",
    ];
    keys.map(|key| row.text(key))
}

/// So many standard deviations that chance passes them once in so many.
fn deviations(chance: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    while high - low > 1e-9 {
        let middle: f64 = f64::midpoint(low, high);
        let is_rarer = tails(0.5, middle * middle / 2.0).1 < chance;
        (low, high) = if is_rarer {
            (low, middle)
        } else {
            (middle, high)
        };
    }
    high
}

/// By the histograms of the key set with most keys.
fn by_ranges(set: &Set) -> Said {
    let rows = set.rows("histogram");
    let keys = most(rows.iter().map(|row| row.number("keys")));
    let drawn = rows.iter().find(|row| row.number("keys") == keys).unwrap();
    let drawn = drawn.text("dataset");
    let own: Vec<&Row> = rows.iter().filter(|row| row.is("dataset", drawn)).collect();
    let numbers = |row: &Row, key: &str| -> Vec<f64> {
        let each = row.text(key).split_whitespace();
        each.map(|number| number.parse().unwrap()).collect()
    };
    let ranges = numbers(own[0], "locations").len() as f64;
    let limit = deviations(1e-3 / (own.len() as f64 * ranges));
    let mut said = Said::default();
    let (mut even, mut uneven) = (Vec::new(), Vec::new());
    for row in own {
        let (counts, due) = (numbers(row, "locations"), numbers(row, "due"));
        let all: f64 = counts.iter().sum();
        let (n, k) = (row.number("keys"), row.number("probes"));
        // The variance of what a key adds to a range.
        let square = (k + 2.0 * row.number("pairs_together") / n) / ranges;
        let deviation = (n * (square - (k / ranges).powi(2))).sqrt();
        let each = counts.iter().enumerate().map(|(at, count)| {
            let due = all * due.get(at).unwrap_or(&(1.0 / ranges));
            let by_chance = deviation * (due * ranges / all).sqrt();
            (count / due, (count - due).abs() / by_chance)
        });
        let each: Vec<(f64, f64)> = each.collect();
        let far = most(each.iter().map(|(share, _)| (share - 1.0).abs()));
        let fullest = most(each.iter().map(|(share, _)| *share));
        let worst = most(each.iter().map(|(_, deviations)| *deviations));
        if worst <= limit {
            even.push(far);
        } else {
            uneven.push((row.text("subject"), far, fullest, worst));
        }
    }
    if even.is_empty() {
        said.and("In {#} equal ranges: ", &[ranges]);
    } else {
        let many = in_words(even.len());
        let words = format!(
            "In {{#}} equal ranges the locations of {many} filters and schemes lie as chance has it, \
             at most {{}} % from what a range is due with the keys of {drawn}"
        );
        said.and(&words, &[ranges, 100.0 * most(even.iter().copied())]);
        said.and(if uneven.is_empty() { "" } else { "; " }, &[]);
    }
    for (at, (name, far, fullest, worst)) in uneven.into_iter().enumerate() {
        let name = format!("{}{name}", if at == 0 { "" } else { "; " });
        if fullest >= 2.0 {
            said.and(&format!("{name} has up to {{}} times its due"), &[fullest]);
        } else {
            let words = format!("{name} is up to {{}} % off, {{}} standard deviations");
            said.and(&words, &[100.0 * far, worst]);
        }
    }
    said
}

#[test]
fn places() {
    let main = Set::read("main", &["histogram"]);
    let first = |subject: &'static str, percent: u64| {
        main.with("histogram", move |row| {
            if row.is("subject", subject) {
                let (first, rest) = row.text("locations").split_once(' ').unwrap();
                let first = first.parse::<u64>().unwrap() * percent / 100;
                let all = format!("{first} {rest}");
                row.set("locations", all);
            }
        })
    };
    let sets = [
        first("counting", 120),
        first("blocked", 320),
        main.only("histogram", |row| row.is("subject", "truncated-16")),
        main.only("histogram", |row| row.is("dataset", "urls")),
        main,
    ];
    for set in sets {
        by_ranges(&set).is(&set.sentences()["locations"]);
    }
}
