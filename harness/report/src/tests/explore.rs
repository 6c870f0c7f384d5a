//! Recomputes values of the Explore view from the committed records.

use serde_json::Value;

use super::sentences::records;
use crate::{Beside, explore::explore, number};
use bouquet_record::{Clock, Records, Sweep, TimingRow, Way};

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
    let mut sets = view["sets"].as_array().unwrap().iter();
    let mut series = sets.find(|set| set[0] == at)?[1].as_array().unwrap().iter();
    let series = series.find(|series| series[0] == of)?;
    let line = &view["lines"][series[1].as_u64().unwrap() as usize];
    let number = |value: &Value| value.as_f64().unwrap();
    let mut xs = line[0].as_array().unwrap().iter();
    let place = xs.position(|at| (number(at) - x).abs() <= 5e-4 * x)?;
    let base = number(&line[1][place]);
    let part = |at| number(&series[2 + 3 * place + at]) / 1e3 * base;
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
    // Times, for every number of keys: medians of the rows.
    for capacity in [1e4, 1e6, 3e6, 1e7, 3e7, 1e8].map(|keys| keys as u64) {
        let rows = beside[1].records.times.iter().filter(|row| {
            let place = (&*row.keys, row.capacity, row.target_fpr);
            let call = (&*row.subject, &*row.operation, row.path, row.clock);
            place == ("u64", capacity, 0.01)
                && call == ("standard", "half", Way::Single, Clock::Thread)
        });
        let rows: Vec<&TimingRow> = rows.collect();
        let bits = rows[0].bytes.unwrap() as f64 * 8.0 / capacity as f64;
        let options = ["u64", &number::count(capacity), "1 %", "half"];
        let [value, low, high, unit] = shown(&explore, 2, "standard", &options, bits).unwrap();
        let mut net: Vec<f64> = rows.iter().map(|row| row.net()).collect();
        net.sort_by(f64::total_cmp);
        assert!(net.len() % 2 == 1 && near(value, net[net.len() / 2]));
        assert!(low <= value && value <= high && unit == 1.0, "{capacity}");
    }
}

#[test]
fn a_report_without_sweeps_has_no_view() {
    assert_eq!(explore(&records("uniformity"), &[]), None);
    assert_eq!(explore(&records("speed"), &[]), None);
}
