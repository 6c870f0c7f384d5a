//! Slots, and throws at them.

use super::{complex::Complex, exactly::exactly};

/// Up to so many throws are followed one by one,
const FOLLOWED: u64 = 512;
/// and up to so many times the power: of fewer, a Poisson number of throws differs so
/// much that subtracting it costs digits.
const FOLLOWED_BY_POWER: u64 = 8;

/// The share of slots that throws at random have set.
#[derive(Clone, Debug)]
pub struct Throws {
    slots: u64,
    /// The chance of each number of slots set.
    law: Vec<f64>,
    /// Throws that `law` has seen.
    followed: u64,
}

impl Throws {
    pub fn new(slots: u64) -> Self {
        Self {
            slots: slots.max(1),
            law: vec![1.0],
            followed: 0,
        }
    }

    /// The mean of the share to a power. Asked for more and more throws it takes those
    /// alone that are new.
    pub fn power_mean(&mut self, throws: u64, power: u32) -> f64 {
        if self.follow(throws, power) {
            return self.mean(|share| share.powi(power as i32));
        }
        let met = self.met(power);
        exactly(throws, |angle| {
            let share = self.poisson_share(throws, angle);
            let add = |sum: Complex, chance: &f64| sum * share + Complex::real(*chance);
            met.iter().rev().fold(Complex::real(0.0), add)
        })
    }

    /// The variance of the share, given its mean.
    pub fn variance(&mut self, throws: u64, mean: f64) -> f64 {
        if self.follow(throws, 2) {
            return self.mean(|share| (share - mean) * (share - mean));
        }
        exactly(throws, |angle| {
            let share = self.poisson_share(throws, angle);
            let off = share - Complex::real(mean);
            let own = share * (Complex::real(1.0) - share) * (1.0 / self.slots as f64);
            own + off * off
        })
    }

    /// Follows so many throws. `false`: there are too many, or more were followed.
    fn follow(&mut self, throws: u64, power: u32) -> bool {
        let most = FOLLOWED.max(FOLLOWED_BY_POWER * u64::from(power));
        if throws > most || throws < self.followed {
            return false;
        }
        let m = self.slots as f64;
        while self.followed < throws {
            if self.law.len() as u64 <= self.slots {
                self.law.push(0.0);
            }
            for set in (1..self.law.len()).rev() {
                let (again, fresh) = (set as f64 / m, (m - (set - 1) as f64) / m);
                self.law[set] = self.law[set] * again + self.law[set - 1] * fresh;
            }
            self.law[0] = 0.0;
            self.followed += 1;
        }
        true
    }

    fn mean(&self, of: impl Fn(f64) -> f64) -> f64 {
        let m = self.slots as f64;
        let law = self.law.iter().enumerate();
        law.map(|(set, chance)| chance * of(set as f64 / m)).sum()
    }

    /// The chance of a slot to be set where the number of throws is Poisson.
    fn poisson_share(&self, throws: u64, angle: f64) -> Complex {
        let a_slot = throws as f64 / self.slots as f64;
        (Complex::turn(angle) * a_slot).one_less_exp()
    }

    /// The chance that so many probes meet 0, 1, 2 … different slots. Where slots are set
    /// independently, those are set with the share to their number.
    fn met(&self, probes: u32) -> Vec<f64> {
        let m = self.slots as f64;
        let mut met = vec![1.0];
        for _ in 0..probes {
            let mut next = vec![0.0; met.len() + 1];
            for (different, chance) in met.iter().enumerate() {
                let again = (different as f64 / m).min(1.0);
                next[different] += chance * again;
                next[different + 1] += chance * (1.0 - again);
            }
            met = next;
        }
        met
    }
}
