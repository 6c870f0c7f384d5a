//! The size of a layout with one number of hashes, by Newton's method: its closed form gives the
//! slope of the FPR too, at little cost.

use core::f64::consts::LN_2;

use libm::{ceil, log, log1p};

use super::{MOST, Sizing, closed::exp_of_negative};
use crate::Layout;

/// The words of a block, each of which has one slot of a key.
const WORDS: f64 = 8.0;

/// Near the smallest size three steps are enough; with more than this the sum over the loads decides.
const MOST_STEPS: u32 = 12;

/// Below this FPR its logarithm is convex over the number of blocks: computed for 300 numbers of
/// keys, each with up to 400 numbers of blocks.
const CONVEX: f64 = 0.2;

impl<L: Layout> Sizing<L> {
    /// The fewest blocks; `None` if the layout has several numbers of hashes, or if an FPR is too
    /// close to the target for this precision.
    pub(super) fn of_one_k(&self, target_fpr: f64) -> Option<(u64, L)> {
        if L::HASHES.start() < L::HASHES.end() {
            return None;
        }
        let layout = L::with_hashes(*L::HASHES.start());
        let form = layout.closed_form()?;
        let (mut from, mut to) = (0, MOST);
        let mut blocks = (self.blocks_of_words(target_fpr) as u64).clamp(1, MOST - 1);
        for _ in 0..MOST_STEPS {
            let (fpr, rise) = form.fpr_and_rise(self.keys, blocks);
            let slack = 4.0 * form.slack();
            if (fpr - target_fpr).abs() <= slack {
                return None;
            }
            if fpr > target_fpr {
                from = blocks;
            } else {
                to = blocks;
                // A convex curve is above its tangent: with a block less the FPR is at least `fpr`
                // times e^(rise / fpr), of which these are the first terms.
                let with_less = fpr + rise + rise * rise / (2.0 * fpr);
                if target_fpr < CONVEX && with_less > target_fpr + slack {
                    return Some((blocks, layout));
                }
            }
            if to - from <= 1 {
                return Some((to, layout));
            }
            // The logarithm of the FPR is about linear in the number of blocks.
            let more = log(fpr / target_fpr) * fpr / rise;
            // The cast saturates; NaN becomes 0.
            blocks = (ceil(blocks as f64 + more) as u64).clamp(from + 1, to - 1);
        }
        None
    }

    /// About the smallest number of blocks: that for words which all have the same load, and by how
    /// much random loads exceed it, fitted to the numbers for 64 to 10^6 keys. A wrong value costs
    /// only time.
    fn blocks_of_words(&self, target_fpr: f64) -> f64 {
        let (keys, word_bits) = (self.keys as f64, L::BLOCK_BITS as f64 / WORDS);
        let log_fpr = log(target_fpr);
        let halvings = -log_fpr / LN_2;
        let even = keys / (-log1p(-exp_of_negative(log_fpr / WORDS)) * word_bits);
        let [first, second] = if L::BLOCK_BITS == 512 {
            [0.0036, 0.000_355]
        } else {
            [0.0087, 0.000_49]
        };
        let of_loads = 1.0 / (1.0 - halvings * (first + halvings * second)).max(0.1);
        ceil(even * (of_loads - (1.2 + 0.1 * halvings) / keys))
    }
}
