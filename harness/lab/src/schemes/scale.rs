//! The controls of `bouquet scale`: schemes with a fault that only a large m
//! shows, what is left of 64 bits when a language's habits cut them.

use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::{Xxh3, reduce::multiply_shift, scheme::RotateAdd};

use super::{
    Located, Scheme,
    weak::{self, bad, reduced},
};

/// What a run must find of a control at an m.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The fault must be found.
    Shows,
    /// The control does what is right, or what no test can tell from it.
    Harmless,
}

/// A control and the sizes at which its fault shows.
pub struct Control {
    pub scheme: Scheme,
    /// What of [`SIZES`] is at or above this shows it, with the exceptions.
    from: u64,
    except: &'static [u64],
}

impl Control {
    pub fn at(&self, slots: u64) -> Fault {
        if slots >= self.from && !self.except.contains(&slots) {
            Fault::Shows
        } else {
            Fault::Harmless
        }
    }
}

/// The sizes about which the habits differ: around 2^31 and 2^32, a size that
/// is no power of two between, and sizes of which 32 bits reach a part.
pub const SIZES: [u64; 7] = [
    (1 << 31) - 1,
    3_000_000_000,
    1 << 32,
    (1 << 32) + 1,
    1 << 33,
    1 << 40,
    1 << 48,
];

/// 2^32 values fill 2^32 slots evenly, and one slot more is too few to see.
const AROUND_32: &[u64] = &[1 << 32, (1 << 32) + 1];

/// The weak schemes that are of size, each with the size from which it shows,
/// and those that are here alone.
const OF_SIZE: [(&str, u64, &[u64]); 8] = [
    ("hash-32", 0, &[]),
    ("multiply-shift-32", 3_000_000_000, AROUND_32),
    ("product-64", 3_000_000_000, AROUND_32),
    ("mod-32", 3_000_000_000, AROUND_32),
    ("index-32", 1 << 33, &[]),
    ("sign-32", 3_000_000_000, &[]),
    ("abs-32", 3_000_000_000, &[]),
    ("float-32", 0, &[]),
];

pub fn controls() -> Vec<Control> {
    let mut schemes = weak::schemes();
    schemes.extend(own());
    let control = |(name, from, except)| {
        let at = schemes.iter().position(|scheme| scheme.name == name)?;
        let scheme = schemes.swap_remove(at);
        Some(Control {
            scheme,
            from,
            except,
        })
    };
    OF_SIZE.into_iter().filter_map(control).collect()
}

/// Those of which the battery, whose sizes are of other schemes, claims nothing.
fn own() -> Vec<Scheme> {
    vec![
        bad(
            "hash-32",
            "The native scheme over a hash cut to 32 bits: 2^32 sets of locations in all",
            |slots, probes, seed| {
                let hasher = Xxh3::with_seed(seed);
                let cut = move |key: &[u8]| {
                    KeyHash::from_word(hasher.hash(key).place & u64::from(u32::MAX))
                };
                Ok(Box::new(Located::whole(
                    RotateAdd::new(slots, probes)?,
                    cut,
                )))
            },
        ),
        bad(
            "product-64",
            "A word of 32 bits times m in 64 bits: the product wraps above 2^32",
            |slots, probes, seed| {
                reduced(slots, probes, seed, |word, m| {
                    (word >> 32).wrapping_mul(m) >> 32
                })
            },
        ),
        bad(
            "sign-32",
            "A good location kept as a signed number of 32 bits: beyond the end from 2^31 on",
            |slots, probes, seed| {
                reduced(slots, probes, seed, |word, m| {
                    multiply_shift(word, m) as i32 as u64
                })
            },
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_control_is_there() {
        let names: Vec<_> = controls().iter().map(|c| c.scheme.name).collect();
        assert_eq!(names, OF_SIZE.map(|(name, ..)| name));
    }
}
