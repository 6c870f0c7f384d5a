//! Values with whence they come, for the list of what was assumed.

use std::collections::BTreeMap;

use anyhow::{Result, bail};

use super::KeyFacts;
use crate::recommend::{
    wishes::{KeyKind, Wishes},
    work_cost::WorkCost,
};

/// Fields with whence they come.
pub struct Told {
    whence: BTreeMap<&'static str, String>,
    pub lines: Vec<[String; 3]>,
}

impl Told {
    pub fn new(whence: BTreeMap<&'static str, String>) -> Self {
        Self {
            whence,
            lines: Vec::new(),
        }
    }

    fn tell(&mut self, name: &str, value: &str, whence: &str) {
        self.lines
            .push([name.to_owned(), value.to_owned(), whence.to_owned()]);
    }

    /// A value that was said, told if it was not said by a flag.
    pub fn said<T: std::fmt::Display>(&mut self, name: &'static str, value: T) -> T {
        if let Some(whence) = self.whence.get(name).cloned() {
            self.tell(name, &value.to_string(), &whence);
        }
        value
    }

    pub fn take<T: std::fmt::Display>(&mut self, name: &'static str, value: Option<T>, or: T) -> T {
        match value {
            Some(value) => self.said(name, value),
            None => {
                self.tell(name, &or.to_string(), "assumed");
                or
            }
        }
    }

    pub fn option<T: std::fmt::Display>(
        &mut self,
        name: &'static str,
        value: Option<T>,
    ) -> Option<T> {
        value.map(|value| self.said(name, value))
    }

    pub fn memory(&mut self, wishes: &Wishes, capacity: u64, filters: u64) -> Option<f64> {
        if let Some(bytes) = wishes.memory {
            return Some(self.said("memory", bytes).0);
        }
        let bits = wishes.bits_per_key.map(|bits| bits.0);
        if bits.is_none() {
            self.tell("memory", "32 bits a key for filters", "assumed");
        }
        let bits = self.option("bits-per-key", bits)?;
        Some(bits * capacity as f64 * filters as f64 / 8.0)
    }

    pub fn work_cost(&mut self, wishes: &Wishes) -> Result<WorkCost> {
        match (wishes.work_cost, WorkCost::named("ssd-read")) {
            (Some(cost), _) => Ok(self.said("work-cost", cost)),
            (None, Some(cost)) => Ok(self.take("work-cost", None, cost)),
            (None, None) => bail!("--work-cost is missing"),
        }
    }

    pub fn kind(&mut self, wishes: &Wishes, facts: Option<KeyFacts>) -> KeyKind {
        match facts {
            Some(facts) if facts.largest.is_some() => {
                self.tell("key-kind", "u64", "every line of the keys is an integer");
                KeyKind::U64
            }
            Some(_) => {
                self.tell("key-kind", "lines as they are", "the keys given");
                KeyKind::Url
            }
            None => match wishes.key_kind {
                Some(kind) => {
                    if let Some(whence) = self.whence.get("key-kind").cloned() {
                        self.tell("key-kind", kind.name(), &whence);
                    }
                    kind
                }
                None => {
                    self.tell("key-kind", "u64", "assumed");
                    KeyKind::U64
                }
            },
        }
    }
}
