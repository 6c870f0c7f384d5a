//! What the rows tell, with intervals.

use super::cost::{Cost, cost_interval};
use crate::{
    record::AttackRow,
    stats::{Interval, proportion},
};

/// A figure with its interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure {
    pub value: f64,
    pub interval: Interval,
}

impl AttackRow {
    /// Puts down what the keys have cost.
    pub fn spend(&mut self, cost: Cost) {
        self.trials = cost.trials;
        self.keys_found = cost.found;
        self.trials_sd = cost.trials_sd();
    }

    /// Keys hashed for one that was found; none if none was.
    pub fn trials_per_key(&self, confidence: f64) -> Option<Figure> {
        (self.keys_found > 0).then(|| {
            let value = self.trials as f64 / self.keys_found as f64;
            let relative_sd = self.trials_sd / self.trials as f64;
            Figure {
                value,
                interval: cost_interval(value, relative_sd, confidence),
            }
        })
    }

    /// The share of the chosen keys that succeeded; none if none was got.
    pub fn rate(&self, confidence: f64) -> Option<Figure> {
        share(self.succeeded, self.chosen, confidence)
    }

    /// The FPR after the attack; none if it was not measured.
    pub fn measured_fpr(&self, confidence: f64) -> Option<Figure> {
        share(self.false_positives, self.strangers_asked, confidence)
    }
}

fn share(hits: u64, of: u64, confidence: f64) -> Option<Figure> {
    (of > 0).then(|| Figure {
        value: hits as f64 / of as f64,
        interval: proportion(hits, of, confidence),
    })
}
