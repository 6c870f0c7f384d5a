//! The sizes of [`Line`](crate::Line) for few keys: a table, since a closed form has no digits left for
//! so low an FPR, and the sum over the loads takes long for so many hashes.

use super::Sizing;
use crate::Layout;

/// A share that is above the rounding of an FPR to an `f32`.
const ROUNDING: f64 = 1e-7;

/// For one and for two blocks: the FPR with the best k, and that k.
pub(crate) type Row = [(f32, u8); 2];

impl<L: Layout> Sizing<L> {
    /// The fewest blocks and their layout; `None` if the table does not have them, or if the FPR is
    /// too close to the target for its precision.
    pub(super) fn of_few(&self, target_fpr: f64) -> Option<(u64, L)> {
        let row = L::FEW.get(usize::try_from(self.keys.checked_sub(1)?).ok()?)?;
        for ((fpr, hashes), blocks) in row.iter().zip(1..) {
            let fpr = f64::from(*fpr);
            if (fpr - target_fpr).abs() <= ROUNDING * fpr {
                return None;
            }
            if fpr < target_fpr {
                return Some((blocks, L::with_hashes((*hashes).into())));
            }
        }
        None
    }
}

/// For 1, 2, 3 … keys.
#[rustfmt::skip]
pub(crate) const LINE: [Row; 28] = [
    [(5.421011e-20, 28), (2.7105054e-20, 28)], [(1.0842022e-19, 44), (5.421011e-20, 43)],
    [(1.6263033e-19, 64), (8.131516e-20, 64)], [(2.1684049e-19, 64), (1.0842022e-19, 64)],
    [(2.728124e-19, 64), (1.3558034e-19, 64)], [(4.519085e-18, 56), (2.284032e-19, 56)],
    [(1.1419276e-15, 48), (9.411181e-18, 48)], [(7.829903e-14, 42), (3.4820156e-16, 43)],
    [(2.1244191e-12, 38), (5.776595e-15, 39)], [(3.008202e-11, 34), (5.5850357e-14, 36)],
    [(2.6458036e-10, 31), (3.7067856e-13, 34)], [(1.6270935e-9, 29), (1.871728e-12, 32)],
    [(7.594088e-9, 27), (7.683432e-12, 30)], [(2.8454675e-8, 25), (2.6671377e-11, 29)],
    [(8.954839e-8, 23), (8.1235914e-11, 28)], [(2.4490728e-7, 22), (2.2182635e-10, 27)],
    [(5.956155e-7, 20), (5.5238186e-10, 26)], [(1.311234e-6, 19), (1.2717666e-9, 25)],
    [(2.6604312e-6, 18), (2.738097e-9, 24)], [(5.0363815e-6, 17), (5.565579e-9, 23)],
    [(8.966619e-6, 17), (1.0743245e-8, 23)], [(1.5128065e-5, 16), (1.9768818e-8, 22)],
    [(2.4439765e-5, 15), (3.5035615e-8, 21)], [(3.8031085e-5, 15), (5.975704e-8, 21)],
    [(5.684426e-5, 14), (9.871288e-8, 20)], [(8.288746e-5, 13), (1.5835786e-7, 20)],
    [(1.1679842e-4, 13), (2.4715257e-7, 19)], [(1.6178448e-4, 13), (3.7644253e-7, 19)],
];
