//! The mean and the variance of the fill ratio of slots after random throws.

/// Up to this number of throws, probabilities are updated after each throw; for more throws, the
/// matrix of a single throw is raised to a power.
const FOLLOWED: u64 = 4_096;
/// The variance of a power of the fill ratio is the difference of two nearly equal numbers. It has
/// enough digits only if it is larger than this fraction of the squared mean.
const DIGITS: f64 = 1e-9;

/// Slots hit by random throws, and the probabilities that some of them are all set.
#[derive(Clone, Debug)]
pub struct Throws {
    slots: f64,
    /// At index n: the probability that n given slots are all set.
    all_set: Vec<f64>,
    /// The number of throws so far.
    seen: u64,
}

impl Throws {
    pub fn new(slots: u64) -> Self {
        Self {
            slots: slots.max(1) as f64,
            all_set: vec![1.0],
            seen: 0,
        }
    }

    /// The mean of the fill ratio to the power `power`. This is the probability that `power` probes
    /// all meet set slots. If `throws` has grown since the last call, only the new throws are
    /// computed.
    pub fn power_mean(&mut self, throws: u64, power: u32) -> f64 {
        self.follow(throws, power as usize);
        let met = self.met(power);
        let each = met.iter().zip(&self.all_set);
        each.map(|(met, all_set)| met * all_set).sum()
    }

    /// The variance of the fill ratio to the power `power`; `mean` is the mean of this power. If
    /// the mean square minus the squared mean has too few digits, the variance is computed to first
    /// order from that of the fill ratio.
    pub fn variance(&mut self, throws: u64, power: u32, mean: f64) -> f64 {
        if throws <= 1 {
            return 0.0;
        }
        let own = self.share_variance(throws);
        let share = self.power_mean(throws, 1);
        let first_order = (f64::from(power) * mean / share).powi(2) * own;
        if power == 1 || first_order < DIGITS * mean * mean {
            return first_order;
        }
        self.power_mean(throws, 2 * power) - mean * mean
    }

    /// The variance of the fill ratio. Slots are negatively correlated: if a slot stays empty, the
    /// probability that another slot stays empty is lower.
    fn share_variance(&self, throws: u64) -> f64 {
        let m = self.slots;
        if m < 2.0 {
            return 0.0;
        }
        let n = throws as f64;
        let empty = (n * (-1.0 / m).ln_1p()).exp();
        let together = (n * (-(m - 1.0).powi(-2)).ln_1p()).exp_m1();
        empty * (1.0 - empty) / m + (1.0 - 1.0 / m) * empty * empty * together
    }

    /// Computes `all_set` after `throws` throws in total, for up to `most` given slots.
    fn follow(&mut self, throws: u64, most: usize) {
        if throws < self.seen || most >= self.all_set.len() {
            self.seen = 0;
            self.all_set = vec![0.0; (most + 1).max(self.all_set.len())];
            self.all_set[0] = 1.0;
        }
        if throws - self.seen > FOLLOWED {
            self.all_set = self.all_set_after(throws);
            self.seen = throws;
        }
        for _ in self.seen..throws {
            for given in (1..self.all_set.len()).rev() {
                // Distinguishes whether the first throw hits one of the given slots.
                let hit = (given as f64 / self.slots).min(1.0);
                let (kept, fewer) = (self.all_set[given], self.all_set[given - 1]);
                self.all_set[given] = kept * (1.0 - hit) + fewer * hit;
            }
        }
        self.seen = throws;
    }

    /// `all_set` after many throws. Entry (i, j) of the matrix is the probability that the number
    /// of empty slots among the given slots changes from i to j; the matrix is squared repeatedly.
    /// No term is negative, so no digits are lost. The diagonal (i = j) is computed directly.
    fn all_set_after(&self, throws: u64) -> Vec<f64> {
        type Table = Vec<Vec<f64>>;
        let hit = |given: usize| (given as f64 / self.slots).min(1.0);
        let table = |steps: u64, entry: &dyn Fn(usize, usize) -> f64| -> Table {
            let row = |from| {
                let stay = (steps as f64 * (-hit(from)).ln_1p()).exp();
                (0..from).map(|to| entry(from, to)).chain([stay]).collect()
            };
            (0..self.all_set.len()).map(row).collect()
        };
        let product = |steps, a: &Table, b: &Table| {
            table(steps, &|from, to| {
                (to..=from).map(|by| a[from][by] * b[by][to]).sum()
            })
        };
        let one = table(1, &|from, to| if to + 1 == from { hit(from) } else { 0.0 });
        let (mut steps, mut after) = (1, one.clone());
        for bit in (0..throws.ilog2()).rev() {
            steps *= 2;
            after = product(steps, &after, &after);
            if throws >> bit & 1 == 1 {
                steps += 1;
                after = product(steps, &after, &one);
            }
        }
        after.iter().map(|row| row[0]).collect()
    }

    /// At index n: the probability that `probes` probes meet n different slots.
    fn met(&self, probes: u32) -> Vec<f64> {
        let mut met = vec![1.0];
        for _ in 0..probes {
            let mut next = vec![0.0; met.len() + 1];
            for (different, chance) in met.iter().enumerate() {
                let again = (different as f64 / self.slots).min(1.0);
                next[different] += chance * again;
                next[different + 1] += chance * (1.0 - again);
            }
            met = next;
        }
        met
    }
}
