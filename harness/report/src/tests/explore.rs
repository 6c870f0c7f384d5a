//! Recomputes values of the Explore view from the committed records.

use serde_json::Value;

use super::sentences::records;
use crate::{Beside, explore::explore};
use bouquet_record::{Records, Sweep};

/// The value at `x` and the ends of its interval, and the value by theory, of the series of a
/// filter with these options.
fn shown(explore: &Value, view: usize, filter: &str, options: &[&str], x: f64) -> Option<[f64; 4]> {
    let view = &explore["views"][view];
    let looks = explore["looks"].as_array().unwrap();
    let of = looks.iter().position(|look| look["name"] == filter)?;
    let choices = view["choices"].as_array().unwrap().iter().zip(options);
    let place = |(choice, option): (&Value, &&str)| {
        let options = choice["options"].as_array().unwrap();
        options.iter().position(|one| one == option)
    };
    let at: Option<Vec<usize>> = choices.map(place).collect();
    let (of, at) = (Value::from(of), Value::from(at?));
    let series = view["series"].as_array().unwrap();
    let series = series
        .iter()
        .find(|series| series[0] == of && series[1] == at)?;
    let line = &view["lines"][series[2].as_u64().unwrap() as usize];
    let number = |value: &Value| value.as_f64().unwrap();
    let place = line["x"]
        .as_array()
        .unwrap()
        .iter()
        .position(|at| number(at) == x)?;
    let base = number(&line["base"][place]);
    let part = |at| number(&series[3][3 * place + at]) / 1e3 * base;
    Some([part(0), part(0) - part(1), part(0) + part(2), base])
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 2e-3 * b
}

#[test]
fn the_view_shows_what_the_records_have() {
    let main = records("main");
    let beside = ["peers", "speed"].map(|name| Beside {
        name: name.to_owned(),
        records: records(name),
    });
    let json = explore(&main, &beside).unwrap();
    let explore: Value = serde_json::from_str(&json).unwrap();
    let rate = |records: &Records, filter: &str, sets: &[&str]| {
        let rows = records.fpr.iter().filter(|row| {
            let is_set = sets.is_empty() || sets.contains(&&*row.key_set);
            row.filter == filter && row.sweep == Sweep::Load && row.x == 1.0 && is_set
        });
        let (hits, asked) = rows.fold((0, 0), |(hits, asked), row| {
            (hits + row.false_positives, asked + row.non_members)
        });
        hits as f64 / asked as f64
    };
    for (records, filter) in [
        (&main, "standard"),
        (&main, "cuckoofilter"),
        (&beside[0].records, "fastbloom"),
    ] {
        for (set, sets) in [("all, pooled", &[][..]), ("words", &["words"])] {
            let [value, low, high, _] = shown(&explore, 1, filter, &[set, "1 %"], 1.0).unwrap();
            assert!(near(value, rate(records, filter, sets)), "{filter} {set}");
            assert!(low < value && value < high, "{filter} {set}");
        }
    }
    let [.., theory] = shown(&explore, 1, "standard", &["words", "1 %"], 1.0).unwrap();
    assert!(near(theory, 0.01), "{theory}");
    // A filter is shown from the first report that has it, once.
    let looks = explore["looks"].as_array().unwrap();
    let standard = looks.iter().filter(|look| look["name"] == "standard");
    assert_eq!(standard.count(), 1);
    let times = explore["views"][2]["series"].as_array().unwrap();
    assert!(times.len() > 100, "{}", times.len());
}

#[test]
fn a_report_without_sweeps_has_no_view() {
    assert_eq!(explore(&records("uniformity"), &[]), None);
    assert_eq!(explore(&records("speed"), &[]), None);
}
