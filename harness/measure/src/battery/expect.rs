//! The expected outcome of each scheme: a table from scheme, key set, m and N to flagged, passes or
//! undetectable. A run that contradicts the table is invalid.

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::schemes::Scheme;

bouquet_record::named! {
    /// The expected outcome of a cell.
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Claim {
        Flagged = "flagged",
        Passes = "passes",
        /// The scheme has a known fault that cannot be detected with this number of keys.
        Undetectable = "undetectable",
        /// The layout does not support this size and returns an error.
        Impossible = "impossible",
        /// Nothing is expected, because there are too few keys. No line of the table has this
        /// outcome.
        #[serde(skip)]
        Unclaimed = "unclaimed",
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    pub outcome: Claim,
    pub tests: String,
}

impl Expectation {
    /// The expectation of this outcome, by any of the tests.
    pub const fn of(outcome: Claim) -> Self {
        let tests = String::new();
        Self { outcome, tests }
    }
}

/// The table of expectations; the first line that matches a cell applies.
#[derive(Debug)]
pub struct Expectations(Vec<Line>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// The name of a scheme, or `role:` followed by a role.
    scheme: String,
    dataset: String,
    /// The values of m that the line applies to.
    slots: String,
    /// The line applies from this number of keys on.
    from_keys: u64,
    /// The line applies below this number of keys, if given.
    below_keys: Option<u64>,
    outcome: Claim,
    tests: String,
    #[serde(rename = "source")]
    _source: String,
}

impl Expectations {
    /// The table that is built into the program.
    pub fn shipped() -> Result<Self> {
        Self::parse(include_str!(
            "../../../experiments/battery-expectations.csv"
        ))
        .context("experiments/battery-expectations.csv")
    }

    fn parse(text: &str) -> Result<Self> {
        let lines = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
        let lines: Result<_, csv::Error> = lines.collect();
        Ok(Self(lines?))
    }

    /// `None` if the table says nothing about this cell; the cell is then not run.
    pub fn find(
        &self,
        subject: &Scheme,
        dataset: &str,
        slots: u64,
        keys: u64,
    ) -> Option<Expectation> {
        let named = |line: &Line| match line.scheme.strip_prefix("role:") {
            Some(of_role) => of_role == subject.role,
            None => line.scheme == subject.name,
        };
        let fits = |line: &&Line| {
            named(line)
                && (line.dataset == "any" || line.dataset.split(' ').any(|name| name == dataset))
                && is_meant(&line.slots, slots) == Some(true)
                && keys >= line.from_keys
                && line.below_keys.is_none_or(|below| keys < below)
        };
        self.0.iter().find(fits).map(|line| Expectation {
            outcome: line.outcome,
            tests: line.tests.clone(),
        })
    }
}

/// Whether the text means this m: `any`, `even`, `odd`, a number such as `1000` or `2^20`, or a range
/// such as `64..2^20`. `None` if it is none of these.
fn is_meant(text: &str, slots: u64) -> Option<bool> {
    let number = |text: &str| match text.strip_prefix("2^") {
        Some(power) => 1_u64.checked_shl(power.parse().ok()?),
        None => text.parse().ok(),
    };
    Some(match text {
        "any" => true,
        "even" => slots.is_multiple_of(2),
        "odd" => !slots.is_multiple_of(2),
        _ => {
            let (low, high) = text.split_once("..").unwrap_or((text, text));
            (number(low)?..=number(high)?).contains(&slots)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{registry::filters, schemes::schemes};

    #[test]
    fn the_first_line_that_fits_counts() {
        let text = "scheme,dataset,slots,from_keys,below_keys,outcome,tests,source\n\
                    a,any,2^20,100,,flagged,T1 T3,s\n\
                    a,any,odd,100,200,undetectable,,s\n\
                    role:good,x y,any,0,,passes,,s\n";
        let table = Expectations::parse(text).unwrap();
        let find = |name, role, dataset, slots, keys| {
            let subject = Scheme {
                name,
                role,
                ..schemes()[0]
            };
            let found = table.find(&subject, dataset, slots, keys);
            found.map(|e| (e.outcome.name(), e.tests))
        };
        assert_eq!(
            find("a", "bad", "x", 1 << 20, 100),
            Some(("flagged", "T1 T3".into()))
        );
        assert_eq!(find("a", "bad", "x", 1 << 20, 99), None);
        assert_eq!(
            find("a", "bad", "x", 7, 100),
            Some(("undetectable", String::new()))
        );
        assert_eq!(find("a", "bad", "x", 7, 200), None);
        assert_eq!(
            find("b", "good", "y", 7, 1),
            Some(("passes", String::new()))
        );
        assert_eq!(find("b", "good", "z", 7, 1), None);
    }

    /// A misspelt name in the table would match nothing.
    #[test]
    fn the_shipped_table_names_what_there_is() {
        let filters = filters().into_iter().map(|one| (one.name, one.role));
        let schemes = schemes().into_iter().map(|one| (one.name, one.role));
        let known: Vec<_> = filters.chain(schemes).collect();
        for line in Expectations::shipped().unwrap().0 {
            let is_known = match line.scheme.strip_prefix("role:") {
                Some(own) => known.iter().any(|(_, role)| *role == own),
                None => known.iter().any(|(name, _)| *name == line.scheme),
            };
            assert!(is_known, "{}", line.scheme);
            assert!(is_meant(&line.slots, 1).is_some(), "{}", line.slots);
        }
    }

    #[test]
    fn slots_are_numbers_powers_and_ranges() {
        assert_eq!(is_meant("2^20..2^30", 1 << 25), Some(true));
        assert_eq!(is_meant("1000", 1_000), Some(true));
        assert_eq!(is_meant("64..2^20", 63), Some(false));
        for slots in ["many", "2^", "", "2^64", "1..2^64", "2^84"] {
            assert_eq!(is_meant(slots, 1), None, "{slots}");
        }
    }
}
