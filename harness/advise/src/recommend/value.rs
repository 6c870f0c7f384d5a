//! Values of a workload, in the same notation on the command line and in TOML.

use std::{fmt, path::PathBuf, str::FromStr};

use serde::{Deserialize, Deserializer, de::Error as _};

use bouquet_ground::units;
use bouquet_theory as theory;

/// A value in TOML: a number, or text as a flag takes it.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number or a text")]
enum Written {
    Whole(u64),
    Real(f64),
    Text(String),
}

/// Deserializes a type from TOML by parsing the value as a flag's text.
macro_rules! as_flag {
    ($($Value:ty)*) => {$(
        impl<'de> Deserialize<'de> for $Value {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = match Written::deserialize(from)? {
                    Written::Whole(number) => number.to_string(),
                    Written::Real(number) => format!("{number:e}"),
                    Written::Text(text) => text,
                };
                text.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

as_flag! { Count Share Fpr Positive Bytes Growth WorkCost UseCase }

/// Types for flags that are numbers, with the function that parses each.
macro_rules! flags {
    ($($(#[$about:meta])* $Name:ident($of:ty) = $read:expr;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct $Name(pub $of);

        impl FromStr for $Name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let read: fn(&str) -> Result<$of, String> = $read;
                read(text).map(Self)
            }
        }
    )*};
}

flags! {
    /// A whole number of at least 1: `1000000`, `1_000_000`, `1e6`.
    Count(u64) = |text| match theory::whole(text)? {
        0 => Err("give at least 1".into()),
        count => Ok(count),
    };
    /// A share from 0 to 1, inclusive.
    Share(f64) = |text| match theory::share(text)? {
        share if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("{text} is not between 0 and 1: 0.01 is 1 %")),
    };
    /// A target FPR: a share strictly between 0 and 1.
    Fpr(f64) = theory::fpr;
    /// A number above 0.
    Positive(f64) = |text| positive(text, theory::real(text)?);
    /// Bytes: `4096`, `16MiB`, `1.5GB`.
    Bytes(f64) = |text| positive(text, theory::bytes(text)?);
}

fn positive(text: &str, number: f64) -> Result<f64, String> {
    if number > 0.0 {
        Ok(number)
    } else {
        Err(format!("{text} is not above 0"))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&units::bytes(self.0))
    }
}

/// How many times the capacity the number of keys may become.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Growth {
    /// At most this factor; 1 means no growth.
    Times(f64),
    Unknown,
}

impl Growth {
    /// The final number of keys; if the growth is unknown, ten times the capacity.
    pub fn keys(self, capacity: u64) -> u64 {
        let times = match self {
            Self::Times(times) => times,
            Self::Unknown => 10.0,
        };
        (capacity as f64 * times).ceil().min(u64::MAX as f64) as u64
    }
}

impl FromStr for Growth {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "unknown" {
            return Ok(Self::Unknown);
        }
        match theory::real(text) {
            Ok(times) if times >= 1.0 => Ok(Self::Times(times)),
            _ => Err(format!(
                "{text}: give how many times the capacity the keys may become, 1 or more, or \
                 `unknown`"
            )),
        }
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Times(times) => write!(f, "{times}"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

/// The cost of a backing lookup, and the source of the number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WorkCost {
    pub ns: f64,
    /// The name, if it is one of the named costs; else empty.
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
    /// The default.
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
            "" => f.write_str(&units::time(self.ns)),
            name => write!(f, "{name} = {}: {}", units::time(self.ns), self.source),
        }
    }
}

/// Common workloads, with the assumptions for each.
const USE_CASES: [(&str, &str); 6] = [
    (
        "cache-guard",
        include_str!("../../use-cases/cache-guard.toml"),
    ),
    ("crawler", include_str!("../../use-cases/crawler.toml")),
    ("blocklist", include_str!("../../use-cases/blocklist.toml")),
    (
        "seen-per-user",
        include_str!("../../use-cases/seen-per-user.toml"),
    ),
    ("sstable", include_str!("../../use-cases/sstable.toml")),
    ("join", include_str!("../../use-cases/join.toml")),
];

/// The base of a workload: a common use case, or a file of the user's.
#[derive(Clone, PartialEq, Debug)]
pub enum UseCase {
    /// The name of the use case, and its text in TOML.
    Known(&'static str, &'static str),
    File(PathBuf),
}

impl FromStr for UseCase {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.ends_with(".toml") {
            return Ok(Self::File(text.into()));
        }
        let known = USE_CASES.iter().find(|(name, _)| *name == text);
        let known = known.map(|(name, toml)| Self::Known(name, toml));
        known.ok_or_else(|| {
            let names = USE_CASES.map(|(name, _)| name).join(", ");
            format!("give one of {names}, or a file whose name ends in .toml")
        })
    }
}

/// A share for people: 0.98 %, 6.7e-6.
pub fn share_words(share: f64) -> String {
    if share <= 0.0 {
        return "0".into();
    }
    if share < 1e-5 {
        return format!("{share:.1e}");
    }
    let percent = 100.0 * share;
    let decimals = (1.0 - percent.log10().floor()).max(0.0) as usize;
    format!("{} %", units::trimmed(&format!("{percent:.decimals$}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_units() {
        assert_eq!("1.5 GB".parse(), Ok(Bytes(1.5e9)));
        for text in ["0", "-1MB", "MiB", "12XB"] {
            assert!(text.parse::<Bytes>().is_err(), "{text}");
        }
        assert_eq!(Bytes(1_536.0).to_string(), "1.50 KiB");
    }

    #[test]
    fn shares_have_two_digits() {
        for (share, want) in [
            (0.01, "1 %"),
            (0.0098, "0.98 %"),
            (1.0 / 256.0, "0.39 %"),
            (0.5, "50 %"),
            (1.0, "100 %"),
            (1e-6, "1.0e-6"),
            (0.0, "0"),
        ] {
            assert_eq!(share_words(share), want);
        }
    }

    #[test]
    fn what_cannot_be_is_rejected() {
        assert!("0".parse::<Count>().is_err() && "1..5".parse::<Count>().is_err());
        assert!("1.2".parse::<Share>().is_err() && "0".parse::<Fpr>().is_err());
        assert_eq!("1".parse(), Ok(Share(1.0)));
        assert!("0.5".parse::<Growth>().is_err());
        assert_eq!("unknown".parse(), Ok(Growth::Unknown));
        assert_eq!("4".parse(), Ok(Growth::Times(4.0)));
    }

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
