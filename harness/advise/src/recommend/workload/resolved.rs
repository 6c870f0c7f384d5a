//! What was said of a workload, by whom, and the list of what no flag said.

use std::fmt::Display;

use anyhow::{Result, bail};

use super::KeyFacts;
use crate::recommend::{
    requirements::{KeyKind, Requirements},
    value::{Count, UseCase},
};
use bouquet_ground::record::AssumedRow;

/// Requirements with their source, those first that go before the others; what comes from
/// nowhere is said by flags.
pub struct Resolved {
    layers: Vec<(String, Requirements)>,
    /// What no flag gave.
    pub lines: Vec<AssumedRow>,
}

impl Resolved {
    /// Of the flags, the file that they name, the user's keys and the use case, in this order.
    pub fn new(said: &Requirements, facts: Option<KeyFacts>) -> Result<Self> {
        let mut resolved = Self {
            layers: vec![(String::new(), said.clone())],
            lines: Vec::new(),
        };
        let mut case = said.use_case.clone();
        if let Some(file @ UseCase::File(_)) = &case {
            let (source, read) = Requirements::of(file)?;
            case = read.use_case.clone();
            if let Some(UseCase::File(other)) = &case {
                bail!(
                    "use-case in a workload file names a use case, and no other file as {}",
                    other.display()
                );
            }
            resolved.add(&source, read);
        }
        let counted = Requirements {
            capacity: facts.map(|facts| Count(facts.keys)),
            ..Requirements::default()
        };
        resolved.add("the keys given", counted);
        // Whoever bounds integers means integers.
        let bounded = resolved.first(|required| required.integers_below);
        let bounded = Requirements {
            key_kind: bounded.map(|_| KeyKind::U64),
            ..Requirements::default()
        };
        resolved.add("", bounded);
        if let Some(case) = case {
            let (source, usual) = Requirements::of(&case)?;
            resolved.add(&source, usual);
        }
        Ok(resolved)
    }

    fn add(&mut self, source: &str, mut requirements: Requirements) {
        // Two ways to say one thing: who says one has said the other.
        let is_bounded =
            |required: &Requirements| required.memory.is_some() || required.bits_per_key.is_some();
        if self
            .layers
            .iter()
            .any(|(_, requirements)| is_bounded(requirements))
        {
            (requirements.memory, requirements.bits_per_key) = (None, None);
        }
        self.layers.push((source.to_owned(), requirements));
    }

    /// The first that gives it, and its source.
    pub fn first<T>(&self, of: impl Fn(&Requirements) -> Option<T>) -> Option<(String, T)> {
        let mut layers = self.layers.iter();
        layers.find_map(|(source, requirements)| Some((source.clone(), of(requirements)?)))
    }

    fn tell(&mut self, flag: &str, value: &dyn Display, source: &str) {
        self.lines.push(AssumedRow {
            flag: flag.to_owned(),
            value: value.to_string(),
            source: source.to_owned(),
        });
    }

    /// A value that may have been said.
    pub fn said<T: Display>(
        &mut self,
        flag: &str,
        of: impl Fn(&Requirements) -> Option<T>,
    ) -> Option<T> {
        let (source, value) = self.first(of)?;
        if !source.is_empty() {
            self.tell(flag, &value, &source);
        }
        Some(value)
    }

    /// The same, or what is assumed.
    pub fn take<T: Display>(
        &mut self,
        flag: &str,
        of: impl Fn(&Requirements) -> Option<T>,
        or: T,
    ) -> T {
        self.said(flag, of).unwrap_or_else(|| {
            self.tell(flag, &or, "assumed");
            or
        })
    }

    /// Bytes for so many sets of so many keys; `usual` says what is assumed of them.
    pub fn memory(&mut self, capacity: u64, filters: u64, usual: &str) -> Option<f64> {
        if let Some(bytes) = self.said("memory", |required| required.memory) {
            return Some(bytes.0);
        }
        let Some(bits) = self.said("bits-per-key", |required| Some(required.bits_per_key?.0))
        else {
            self.tell("memory", &usual, "assumed");
            return None;
        };
        Some(bits * capacity as f64 * filters as f64 / 8.0)
    }

    pub fn kind(&mut self, facts: Option<KeyFacts>) -> KeyKind {
        let (kind, words, source) = match facts {
            Some(facts) if facts.largest.is_some() => {
                (KeyKind::U64, "u64", "every line of the keys is an integer")
            }
            Some(_) => (KeyKind::Url, "lines as they are", "the keys given"),
            None => return self.take("key-kind", |required| required.key_kind, KeyKind::U64),
        };
        self.tell("key-kind", &words, source);
        kind
    }
}
