//! Tables are sorted when a heading is clicked.

use super::*;

/// A table with unsorted cells of every kind, which the test inserts into the page.
pub const TRIAL: &str = r#"<table id="trial"><thead><tr><th class="n">Rate</th><th class="n">Count</th>
<th class="n">Part</th><th>Name</th></tr></thead><tbody>
<tr><td>0.00671 %</td><td>10,000</td><td>0</td><td>m = 4,096</td></tr>
<tr><td>–</td><td>9</td><td>70,173 of 3,836,668 (1.8 %)</td><td>m = 64</td></tr>
<tr><td>1.004 % (0.998 to 1.010)</td><td>1,234.5</td><td>–</td><td>–</td></tr>
<tr><td>&lt; 3e-7 (95 %)</td><td>-1.2</td><td>9 of 10 (90 %)</td><td>blocked</td></tr>
<tr><td>9.3e-7</td><td>∞</td><td>3 of 100 (3 %)</td><td>atomic</td></tr>
<tr><td>&gt; 0.99</td><td>+0.5 %</td><td>100 of 100,000 (0.1 %)</td><td>m = 512</td></tr>
<tr><td>3e-7</td><td>not exposed</td><td>1 of 9,000,000 (1.1e-7)</td><td>m = 100</td></tr>
</tbody></table>"#;

/// The order of each column of [`TRIAL`] when sorted ascending.
const TRIAL_ORDERS: [[&str; 7]; 4] = [
    [
        "< 3e-7 (95 %)",
        "3e-7",
        "9.3e-7",
        "0.00671 %",
        "1.004 % (0.998 to 1.010)",
        "> 0.99",
        "–",
    ],
    [
        "-1.2",
        "+0.5 %",
        "9",
        "1,234.5",
        "10,000",
        "∞",
        "not exposed",
    ],
    [
        "0",
        "1 of 9,000,000 (1.1e-7)",
        "100 of 100,000 (0.1 %)",
        "70,173 of 3,836,668 (1.8 %)",
        "3 of 100 (3 %)",
        "9 of 10 (90 %)",
        "–",
    ],
    [
        "atomic",
        "blocked",
        "m = 64",
        "m = 100",
        "m = 512",
        "m = 4,096",
        "–",
    ],
];

pub fn sorts(found: &Value) {
    let trial = found["trial"].as_array().unwrap();
    for (column, want) in trial.iter().zip(TRIAL_ORDERS) {
        assert_eq!(words(&column["orders"][1]), want);
        // In descending order, cells without a value still come last.
        let last = if matches!(want[6], "–" | "not exposed") {
            6
        } else {
            7
        };
        let mut down = want;
        down[..last].reverse();
        assert_eq!(words(&column["orders"][2]), down);
    }
    for column in trial.iter().chain(found["first"].as_array().unwrap()) {
        assert_eq!(column["focus"], true, "{column}");
        assert_eq!(column["orders"][3], column["orders"][0], "{column}");
        let aria = serde_json::json!([null, "ascending", "descending", null]);
        assert_eq!(column["aria"], aria, "{column}");
    }
}

/// The cells of a column of the page's first table, after `clicks` clicks on the column's heading.
pub fn first<'a>(found: &'a Value, name: &str, clicks: usize) -> Vec<&'a str> {
    let columns = found["first"].as_array().unwrap();
    let column = columns.iter().find(|column| column["name"] == name);
    words(&column.unwrap()["orders"][clicks])
}
