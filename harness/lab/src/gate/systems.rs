//! Filters of other systems: how large they are, what they are stored as, and what they
//! answer. Those systems read the bytes: another byte is a fault, whatever comes of it here.

use std::fmt;

use anyhow::{Context as _, Result};
use bouquet_core::Filter;
use bouquet_interop::{
    GoBloom, GoZeroBloom, GuavaBloom, ParquetBloom, RedisBloom, RedissonBloom,
    guava::Release,
    redisbloom::{Full, Rounding, Sizing},
};

use super::row::{READS_BACK_OTHERWISE, SEED, row_of, sha256_of_answers};
use crate::measure::guarded;
use crate::workload::{KeySet, Workload};
use bouquet_ground::record::{FALSE_NEGATIVES, GateExactRow};
use bouquet_ground::units::sha256;

/// Keys that a filter is sized for, and its target FPR.
const CAPACITY: u64 = 2_000;
const TARGET_FPR: f64 = 0.01;
/// Keys that it is given: a chain grows, and what does not grow rejects some.
const KEYS: u64 = 3 * CAPACITY;
/// Non-members that it is asked for.
const OTHERS: u64 = 20_000;

type Bytes = Box<dyn Fn(u64, f64) -> Result<u64> + Send + Sync>;
type Lifecycle = Box<dyn Fn(&Workload<'_>) -> Result<Lived> + Send + Sync>;

/// A format of another system.
pub struct System {
    pub name: &'static str,
    /// Bytes of the bits of a filter for a capacity and a target FPR.
    bytes: Bytes,
    /// What comes of a filter; `None` where none is made, and only its size is known.
    life: Option<Lifecycle>,
}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// What came of a filter that was given keys.
struct Lived {
    stored: Vec<u8>,
    rejected: u64,
    missing: u64,
    answers: Vec<bool>,
    reads_back: bool,
}

/// All of them; the gate has one more by a line here.
pub fn systems() -> Vec<System> {
    vec![
        system(
            "go",
            |keys, fpr| Ok(GoBloom::with_estimates(keys, fpr)?),
            |own, key| Ok(own.insert(key)),
            GoBloom::size_bits,
            GoBloom::to_bytes,
            |_, bytes| Ok(GoBloom::from_bytes(bytes)?),
        ),
        system(
            "go-json",
            |keys, fpr| Ok(GoBloom::with_estimates(keys, fpr)?),
            |own, key| Ok(own.insert(key)),
            GoBloom::size_bits,
            |own| own.to_json().into_bytes(),
            |_, bytes| Ok(GoBloom::from_json(std::str::from_utf8(bytes)?)?),
        ),
        system(
            "guava",
            |keys, fpr| Ok(GuavaBloom::create(Release::V33, keys, fpr)?),
            |own, key| Ok(own.insert(key)),
            GuavaBloom::size_bits,
            GuavaBloom::to_bytes,
            |_, bytes| Ok(GuavaBloom::from_bytes(bytes)?),
        ),
        system(
            "guava-31",
            |keys, fpr| Ok(GuavaBloom::create(Release::V31, keys, fpr)?),
            |own, key| Ok(own.insert(key)),
            GuavaBloom::size_bits,
            GuavaBloom::to_bytes,
            |_, bytes| Ok(GuavaBloom::from_bytes(bytes)?),
        ),
        system(
            "parquet",
            |keys, fpr| Ok(ParquetBloom::with_capacity(keys, fpr)?),
            |own, key| Ok(own.insert(key)),
            ParquetBloom::size_bits,
            ParquetBloom::to_bytes,
            |_, bytes| Ok(ParquetBloom::from_bytes(bytes)?),
        ),
        system(
            "redisbloom",
            |keys, fpr| Ok(RedisBloom::reserve(fpr, keys, Some(2))?),
            RedisBloom::insert,
            RedisBloom::size_bits,
            RedisBloom::to_bytes,
            |_, bytes| Ok(RedisBloom::from_bytes(bytes)?),
        ),
        system(
            "redisbloom-nonscaling",
            |keys, fpr| Ok(RedisBloom::reserve(fpr, keys, None)?),
            RedisBloom::insert,
            RedisBloom::size_bits,
            RedisBloom::to_bytes,
            |_, bytes| Ok(RedisBloom::from_bytes(bytes)?),
        ),
        System {
            name: "redisbloom-power-of-two",
            bytes: Box::new(|keys, fpr| {
                Ok(Sizing::new(keys, fpr, Rounding::PowerOfTwo)?.size_bits / 8)
            }),
            life: None,
        },
        system(
            "go-zero",
            |keys, fpr| Ok(GoZeroBloom::for_target(keys, fpr)?),
            |own, key| Ok(own.insert(key)),
            GoZeroBloom::size_bits,
            GoZeroBloom::to_bytes,
            |own, bytes| Ok(GoZeroBloom::from_bytes(bytes, own.size_bits())?),
        ),
        system(
            "redisson",
            |keys, fpr| Ok(RedissonBloom::with_estimates(keys, fpr)?),
            |own, key| Ok(own.insert(key)),
            RedissonBloom::size_bits,
            RedissonBloom::to_bytes,
            |own, bytes| {
                let (size_bits, hashes) = (own.size_bits(), own.hashes());
                Ok(RedissonBloom::from_bytes(bytes, size_bits, hashes)?)
            },
        ),
    ]
}

/// One whose filters are made, take or reject a key, tell their bits, and are
/// written and read back by these.
fn system<F>(
    name: &'static str,
    make: fn(u64, f64) -> Result<F>,
    insert: fn(&mut F, &[u8]) -> Result<bool, Full>,
    size_bits: fn(&F) -> u64,
    write: fn(&F) -> Vec<u8>,
    read: fn(&F, &[u8]) -> Result<F>,
) -> System
where
    F: Filter + PartialEq + 'static,
{
    System {
        name,
        bytes: Box::new(move |keys, fpr| Ok(size_bits(&make(keys, fpr)?).div_ceil(8))),
        life: Some(Box::new(move |keys| {
            let mut filter = make(CAPACITY, TARGET_FPR)?;
            let mut accepted = Vec::new();
            keys.members(|key| accepted.push(insert(&mut filter, key).is_ok()));
            let stored = write(&filter);
            let again = read(&filter, &stored)?;
            let answers = answers(&filter, keys);
            let mut members = accepted.iter().zip(&answers);
            Ok(Lived {
                rejected: accepted.iter().map(|taken| u64::from(!taken)).sum(),
                missing: members.by_ref().filter(|(a, b)| **a && !**b).count() as u64,
                reads_back: again == filter && self::answers(&again, keys) == answers,
                stored,
                answers,
            })
        })),
    }
}

/// For members and others.
fn answers(filter: &impl Filter, keys: &Workload<'_>) -> Vec<bool> {
    let mut answers = Vec::new();
    keys.members(|key| answers.push(filter.contains(key)));
    keys.non_members(OTHERS, |key| {
        answers.push(filter.contains(key));
        true
    });
    answers
}

impl System {
    /// The one of this name.
    ///
    /// # Errors
    ///
    /// There is none, with those that there are.
    pub fn named(name: &str) -> Result<Self> {
        let mut all = systems();
        let names: Vec<&str> = all.iter().map(|system| system.name).collect();
        let place = names.iter().position(|own| *own == name);
        let why = || {
            format!(
                "[systems] has no format {name:?}; there are {}",
                names.join(", ")
            )
        };
        Ok(all.swap_remove(place.with_context(why)?))
    }

    /// Its sizes, and what comes of a filter of it.
    pub fn rows(&self, sizes: &[(u64, f64)]) -> Vec<GateExactRow> {
        let mut rows: Vec<_> = sizes.iter().map(|size| self.size(*size)).collect();
        let Some(life) = &self.life else { return rows };
        let lived = guarded(|| {
            let keys = KeySet::generated("random-u64", "random-u64", SEED)?;
            life(&Workload::new(&keys, SEED, KEYS)?)
        });
        let lived = match lived {
            Ok(lived) => lived,
            Err(error) => {
                rows.push(self.row("measurement", "error", error));
                return rows;
            }
        };
        rows.push(self.row("stored bytes", "sha256", sha256(&lived.stored)));
        rows.push(self.row("answers", "sha256", sha256_of_answers(&lived.answers)));
        rows.push(self.row("keys rejected", "keys", lived.rejected.to_string()));
        rows.push(self.row(FALSE_NEGATIVES, "keys", lived.missing.to_string()));
        if !lived.reads_back {
            rows.push(self.row("reload", "error", READS_BACK_OTHERWISE.into()));
        }
        rows
    }

    fn subject(&self) -> String {
        format!("format {}", self.name)
    }

    fn row(&self, what: &str, unit: &str, value: String) -> GateExactRow {
        let setting = format!("{KEYS} of {CAPACITY} keys, a target of {TARGET_FPR}");
        row_of(&self.subject(), what, setting, (unit, value))
    }

    fn size(&self, (capacity, fpr): (u64, f64)) -> GateExactRow {
        let what = format!("size for {capacity} keys at {fpr}");
        let value = match guarded(|| (self.bytes)(capacity, fpr)) {
            Ok(bytes) => ("bytes", bytes.to_string()),
            Err(error) => ("error", error),
        };
        row_of(&self.subject(), &what, "empty".into(), value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a system has, by what it is a value of.
    fn rows(system: &System) -> Vec<(String, String, String)> {
        let rows = system.rows(&[(1_000, 0.01)]).into_iter();
        rows.map(|row| (row.what, row.unit, row.value)).collect()
    }

    #[test]
    fn every_format_is_sized_and_kept() {
        for system in systems() {
            let rows = rows(&system);
            assert_eq!(rows.len(), if system.life.is_some() { 5 } else { 1 });
            for (what, unit, value) in rows {
                assert_ne!(unit, "error", "{}: {what}: {value}", system.name);
                let is_full = system.name == "redisbloom-nonscaling";
                match &*what {
                    FALSE_NEGATIVES => assert_eq!(value, "0", "{}", system.name),
                    "keys rejected" => assert_eq!(value != "0", is_full, "{}", system.name),
                    _ => {}
                }
            }
        }
        let unknown = System::named("java").unwrap_err().to_string();
        assert!(
            unknown.contains("no format \"java\"; there are go, "),
            "{unknown}"
        );
    }

    /// A system with this way to write and this way to read, in place of Go's.
    fn wrong(
        write: fn(&GoBloom) -> Vec<u8>,
        read: fn(&GoBloom, &[u8]) -> Result<GoBloom>,
    ) -> System {
        let make = |keys, fpr| Ok(GoBloom::with_estimates(keys, fpr)?);
        let insert = |own: &mut GoBloom, key: &[u8]| Ok(own.insert(key));
        system("go", make, insert, GoBloom::size_bits, write, read)
    }

    #[test]
    fn what_is_written_or_read_otherwise_is_seen() {
        let sound = rows(&System::named("go").unwrap());
        let differ = |system: &System| {
            let rows = rows(system).into_iter().filter(|row| !sound.contains(row));
            rows.map(|(what, unit, _)| (what, unit)).collect::<Vec<_>>()
        };
        let of = |what: &str, unit: &str| (what.to_owned(), unit.to_owned());
        // Both are at fault, and undo each other.
        let both = wrong(
            |own| own.to_bytes().into_iter().rev().collect(),
            |_, bytes| {
                let bytes: Vec<u8> = bytes.iter().rev().copied().collect();
                Ok(GoBloom::from_bytes(&bytes)?)
            },
        );
        assert_eq!(differ(&both), [of("stored bytes", "sha256")]);
        let empty = wrong(GoBloom::to_bytes, |own, _| {
            Ok(GoBloom::new(own.size_bits(), own.hashes())?)
        });
        assert_eq!(differ(&empty), [of("reload", "error")]);
        let unread = wrong(GoBloom::to_bytes, |_, bytes| {
            Ok(GoBloom::from_bytes(&bytes[1..])?)
        });
        assert_eq!(differ(&unread), [of("measurement", "error")]);
    }

    #[test]
    fn another_size_is_seen() {
        let make = |keys, fpr| Ok(GoBloom::with_estimates(keys + 100, fpr)?);
        let larger = system(
            "go",
            make,
            |own, key| Ok(own.insert(key)),
            GoBloom::size_bits,
            GoBloom::to_bytes,
            |_, bytes| Ok(GoBloom::from_bytes(bytes)?),
        );
        assert_ne!(rows(&larger)[0], rows(&System::named("go").unwrap())[0]);
    }
}
