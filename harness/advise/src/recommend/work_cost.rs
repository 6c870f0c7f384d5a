//! What a needless lookup behind the filter costs.

use std::{fmt, str::FromStr};

use bouquet_ground::units::time;
use bouquet_theory as theory;

/// A cost, and where the number comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WorkCost {
    pub ns: f64,
    /// Of the named ones; empty for a time.
    pub name: &'static str,
    pub source: &'static str,
}

const NAMED: [WorkCost; 4] = [
    WorkCost {
        ns: 100.0,
        name: "l3-miss",
        source: "a reference to main memory in Dean's \"Numbers everyone should know\" (2009)",
    },
    WorkCost {
        ns: 100e3,
        name: "ssd-read",
        source: "4 KiB at random: 150 us in the list of Dean and Norvig (2012), 60 to 100 us on \
                 NVMe; assumed between",
    },
    WorkCost {
        ns: 500e3,
        name: "same-dc-rpc",
        source: "a round trip within a datacentre in Dean's \"Numbers everyone should know\" (2009)",
    },
    WorkCost {
        ns: 150e6,
        name: "cross-region-rpc",
        source: "a packet from California to the Netherlands and back in the same list",
    },
];

impl WorkCost {
    /// What is assumed.
    pub const USUAL: Self = NAMED[1];
}

const UNITS: [(&str, f64); 5] = [
    ("ns", 1.0),
    ("us", 1e3),
    ("µs", 1e3),
    ("ms", 1e6),
    ("s", 1e9),
];

impl FromStr for WorkCost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(cost) = NAMED.into_iter().find(|cost| cost.name == text) {
            return Ok(cost);
        }
        let cut = UNITS
            .iter()
            .find_map(|(unit, ns)| Some((text.strip_suffix(unit)?, *ns)));
        let number = cut.and_then(|(number, ns)| Some(theory::real(number.trim()).ok()? * ns));
        match number {
            Some(ns) if ns > 0.0 && ns.is_finite() => Ok(Self {
                ns,
                name: "",
                source: "given",
            }),
            _ => Err(format!(
                "{text}: give a time such as 80us (ns, us, ms, s), or one of {}",
                NAMED.map(|cost| cost.name).join(", ")
            )),
        }
    }
}

impl fmt::Display for WorkCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            "" => f.write_str(&time(self.ns)),
            name => write!(f, "{name} = {}: {}", time(self.ns), self.source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_and_names_have_sources() {
        for (text, ns) in [("80us", 80e3), ("1.5 ms", 1.5e6), ("2s", 2e9), ("3ns", 3.0)] {
            assert_eq!(text.parse::<WorkCost>().unwrap().ns, ns, "{text}");
        }
        for text in ["80", "us", "-1us", "tape"] {
            assert!(text.parse::<WorkCost>().is_err(), "{text}");
        }
        for cost in NAMED {
            assert_eq!(cost.name.parse(), Ok(cost));
            assert!(cost.to_string().contains(cost.source));
        }
    }
}
