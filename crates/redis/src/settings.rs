//! The settings of a filter: a hash beside its string.

use redis::Value;

use crate::{
    Error, Result,
    error::{shown, unexpected},
    scheme::Scheme,
    witness::{self, Witness},
};

/// Names and values, with the filter's name for errors.
#[derive(Clone, Debug)]
pub struct Fields {
    name: String,
    pairs: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Fields {
    pub(crate) fn new(name: &[u8]) -> Self {
        Self {
            name: shown(name),
            pairs: Vec::new(),
        }
    }

    /// What `HGETALL` answered.
    pub(crate) fn of_reply(name: &[u8], reply: Value) -> Result<Self> {
        let mut fields = Self::new(name);
        let bytes = |value: Value| match value {
            Value::BulkString(bytes) => Ok(bytes),
            other => Err(unexpected("HGETALL", &other)),
        };
        match reply {
            Value::Map(pairs) => {
                for (field, value) in pairs {
                    fields.pairs.push((bytes(field)?, bytes(value)?));
                }
            }
            Value::Array(flat) => {
                let mut flat = flat.into_iter();
                while let (Some(field), Some(value)) = (flat.next(), flat.next()) {
                    fields.pairs.push((bytes(field)?, bytes(value)?));
                }
            }
            other => return Err(unexpected("HGETALL", &other)),
        }
        Ok(fields)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    pub(crate) fn pairs(&self) -> &[(Vec<u8>, Vec<u8>)] {
        &self.pairs
    }

    pub(crate) fn put(&mut self, field: &str, value: impl Into<Vec<u8>>) {
        self.pairs.push((field.into(), value.into()));
    }

    pub(crate) fn put_number(&mut self, field: &str, number: u64) {
        self.put(field, number.to_string());
    }

    pub(crate) fn bytes(&self, field: &str) -> Result<&[u8]> {
        let found = self.pairs.iter().find(|(name, _)| name == field.as_bytes());
        match found {
            Some((_, value)) => Ok(value),
            None => Err(self.damaged(format!("there is no field {field:?}"))),
        }
    }

    fn parsed<T: std::str::FromStr>(&self, field: &str) -> Result<T> {
        let text = std::str::from_utf8(self.bytes(field)?).ok();
        text.and_then(|text| text.parse().ok())
            .ok_or_else(|| self.damaged(format!("the field {field:?} is not a number in range")))
    }

    pub(crate) fn number(&self, field: &str) -> Result<u64> {
        self.parsed(field)
    }

    pub(crate) fn small(&self, field: &str) -> Result<u32> {
        self.parsed(field)
    }

    pub(crate) fn real(&self, field: &str) -> Result<f64> {
        self.parsed(field)
    }

    pub(crate) fn expect_scheme(&self, scheme: &str) -> Result<()> {
        let there = self.bytes("scheme")?;
        if there == scheme.as_bytes() {
            return Ok(());
        }
        Err(Error::Incompatible {
            name: self.name.clone(),
            parameter: "scheme",
            here: scheme.into(),
            there: shown(there),
        })
    }

    pub(crate) fn damaged(&self, why: String) -> Error {
        Error::Damaged {
            name: self.name.clone(),
            why,
        }
    }
}

/// A client's knowledge of a filter.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Settings<S> {
    pub(crate) scheme: S,
    /// The same through all rebuilds.
    pub(crate) lineage: u64,
    pub(crate) generation: u64,
}

impl<S: Scheme> Settings<S> {
    pub(crate) fn new(scheme: S, lineage: Option<u64>) -> Self {
        let generation = witness::generation(random());
        Self {
            scheme,
            lineage: lineage.unwrap_or(generation),
            generation,
        }
    }

    pub(crate) fn to_fields(&self, name: &[u8]) -> Fields {
        let mut fields = Fields::new(name);
        fields.put("scheme", S::NAME);
        fields.put_number("lineage", self.lineage);
        fields.put_number("generation", self.generation);
        self.scheme.put(&mut fields);
        fields
    }

    pub(crate) fn of_fields(fields: &Fields) -> Result<Self> {
        fields.expect_scheme(S::NAME)?;
        let settings = Self {
            scheme: S::take(fields)?,
            lineage: fields.number("lineage")?,
            generation: fields.number("generation")?,
        };
        if !witness::is_generation(settings.generation) {
            return Err(fields.damaged("the field \"generation\" is no mark".into()));
        }
        check_size(settings.scheme.size_bits())?;
        Ok(settings)
    }

    pub(crate) fn witness(&self) -> Witness {
        Witness::of(self.generation, self.scheme.string_bytes())
    }
}

/// The fewest bits: with fewer most inserts of a client find no clear bit, by which it
/// notices an older state.
const MIN_SIZE_BITS: u64 = 512;

/// The most bits of a string, without the mark behind them.
const MAX_SIZE_BITS: u64 = (1 << 32) - 8 * witness::BYTES;

pub(crate) fn check_size(size_bits: u64) -> Result<()> {
    if size_bits > MAX_SIZE_BITS {
        let max = MAX_SIZE_BITS;
        return Err(Error::TooLarge { size_bits, max });
    }
    if size_bits < MIN_SIZE_BITS {
        let min = MIN_SIZE_BITS;
        return Err(Error::TooSmall { size_bits, min });
    }
    Ok(())
}

/// A number unique to this client, from the keys of the standard library's maps, which
/// are the system's random numbers.
pub(crate) fn random() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::time::SystemTime::now())
}
