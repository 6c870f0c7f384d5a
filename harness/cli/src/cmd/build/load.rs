//! Whether a filter was given more keys than it is sized for.

use bouquet_files::{Facts, Request};

use bouquet_render::number;

use crate::cmd::files::{grouped, percent};

/// Times its capacity.
const HOPELESS: u64 = 10;
/// Of a size that was given to the bit, which is for no rate: a filter of which most answers
/// to non-members are wrong is for nothing.
const MOST_FPR: f64 = 0.5;

/// More keys than a filter is sized for.
pub struct Load {
    inserted: u64,
    /// `None`: its size was given to the bit.
    capacity: Option<u64>,
    fpr: f64,
    /// `None`: it is sized by what the authors of its system advise, or to the bit.
    target: Option<f64>,
    /// What to give for as many.
    larger: String,
}

impl Load {
    /// With as many keys as it is for a filter is above its target as often as below it,
    /// and those of some systems always are.
    pub fn of(request: &Request, inserted: u64, facts: &Facts) -> Option<Self> {
        let fpr = facts.load.estimated_fpr;
        // A size that was given to the bit is for no rate.
        let given = request.size_bits.is_some();
        let target = facts.target_fpr.or(request.target_fpr());
        let capacity = match target {
            None if given => None,
            _ => Some(request.capacity.or(facts.capacity)?),
        };
        let is_over = match capacity {
            None => fpr > MOST_FPR,
            Some(capacity) => {
                inserted > capacity && fpr > target.unwrap_or(0.0) && !request.grows()
            }
        };
        is_over.then(|| Self {
            inserted,
            capacity,
            fpr,
            target: target.filter(|_| !given),
            larger: match given {
                true => format!("--capacity {inserted} instead of --bits and --hashes"),
                false => format!("--capacity {inserted}"),
            },
        })
    }

    /// Whether nobody can have meant it.
    pub fn is_hopeless(&self) -> bool {
        self.capacity
            .is_some_and(|capacity| self.inserted / HOPELESS >= capacity)
    }

    pub fn words(&self) -> String {
        let (fpr, instead) = match self.target {
            None => (percent(self.fpr), String::new()),
            Some(target) => {
                let [fpr, target] = apart(self.fpr, target);
                (fpr, format!(" and not {target}"))
            }
        };
        let capacity = self.capacity.map(grouped);
        let capacity = capacity.map_or_else(String::new, |capacity| format!(", {capacity}"));
        format!(
            "FPR {fpr}{instead}: {} keys are more than it is for{capacity}; give {}",
            grouped(self.inserted),
            self.larger
        )
    }
}

/// Two shares that differ, with as many digits as show it.
fn apart(one: f64, other: f64) -> [String; 2] {
    let short = [one, other].map(percent);
    let longer = (4..=17).map(|digits| [one, other].map(|x| number::percent(x, digits)));
    let mut all = std::iter::once(short.clone()).chain(longer);
    all.find(|[one, other]| one != other).unwrap_or(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rates_that_differ_are_not_shown_alike() {
        assert_eq!(apart(0.02, 0.01), ["2 %", "1 %"]);
        assert_eq!(apart(0.010_000_4, 0.01), ["1.00004 %", "1 %"]);
        assert_eq!(apart(0.01, 0.01), ["1 %", "1 %"]);
    }
}
