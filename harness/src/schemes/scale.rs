//! Schemes with a fault that only a large m shows: what is left of 64 bits
//! when a language's habits cut them. They are the controls of `bouquet scale`.

use anyhow::Result;
use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::{Probes, Xxh3, scheme::RotateAdd};

use super::{Located, Locator, Part};
use crate::schemes::Scheme;

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

pub fn controls() -> Vec<Control> {
    vec![
        Control {
            scheme: bad(
                "scale-hash-32",
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
            from: 0,
            except: &[],
        },
        Control {
            scheme: bad(
                "scale-multiply-shift-32",
                "Words cut to 32 bits, times m, shifted by 32: gaps above 2^32, doubles below",
                |slots, probes, seed| {
                    Ok(reduced(slots, probes, seed, |word, m| {
                        ((u128::from(word >> 32) * u128::from(m)) >> 32) as u64
                    }))
                },
            ),
            from: 3_000_000_000,
            except: AROUND_32,
        },
        Control {
            scheme: bad(
                "scale-product-64",
                "Words of 32 bits times m in 64 bits: the product wraps above 2^32",
                |slots, probes, seed| {
                    Ok(reduced(slots, probes, seed, |word, m| {
                        (word >> 32).wrapping_mul(m) >> 32
                    }))
                },
            ),
            from: 3_000_000_000,
            except: AROUND_32,
        },
        Control {
            scheme: bad(
                "scale-mod-32",
                "Words cut to 32 bits, mod m: uneven below 2^32, blind above",
                |slots, probes, seed| {
                    Ok(reduced(slots, probes, seed, |word, m| {
                        u64::from(word as u32) % m
                    }))
                },
            ),
            from: 3_000_000_000,
            except: AROUND_32,
        },
        Control {
            scheme: bad(
                "scale-index-u32",
                "A right location kept as u32: blind above 2^32",
                |slots, probes, seed| {
                    Ok(reduced(slots, probes, seed, |word, m| {
                        u64::from(right(word, m) as u32)
                    }))
                },
            ),
            from: 1 << 33,
            except: &[],
        },
        Control {
            scheme: bad(
                "scale-sign-i32",
                "A right location kept as i32: beyond the end from 2^31 on",
                |slots, probes, seed| {
                    Ok(reduced(slots, probes, seed, |word, m| {
                        right(word, m) as i32 as u64
                    }))
                },
            ),
            from: 3_000_000_000,
            except: &[],
        },
        Control {
            scheme: bad(
                "scale-abs-i32",
                "The absolute value of a signed word of 32 bits, mod m: blind above 2^31",
                |slots, probes, seed| {
                    Ok(reduced(slots, probes, seed, |word, m| {
                        u64::from((word as i32).unsigned_abs()) % m
                    }))
                },
            ),
            from: 3_000_000_000,
            except: &[],
        },
        Control {
            scheme: bad(
                "scale-f32",
                "A fraction in 32-bit floating point times m: 2^24 locations",
                |slots, probes, seed| {
                    Ok(reduced(slots, probes, seed, |word, m| {
                        let share = (word >> 40) as f32 / (1u32 << 24) as f32;
                        (share * m as f32) as u64
                    }))
                },
            ),
            from: 0,
            except: &[],
        },
    ]
}

fn bad(
    name: &'static str,
    about: &'static str,
    make: fn(u64, u32, u64) -> Result<Box<dyn Locator>>,
) -> Scheme {
    Scheme {
        name,
        about,
        role: "known-bad",
        make,
    }
}

/// The native reduction.
fn right(word: u64, slots: u64) -> u64 {
    ((u128::from(word) * u128::from(slots)) >> 64) as u64
}

/// The native words under another reduction.
struct Reduced {
    slots: u64,
    probes: u32,
    hasher: Xxh3,
    reduce: fn(word: u64, slots: u64) -> u64,
    parts: Vec<Part>,
}

fn reduced(
    slots: u64,
    probes: u32,
    seed: u64,
    reduce: fn(word: u64, slots: u64) -> u64,
) -> Box<dyn Locator> {
    Box::new(Reduced {
        slots,
        probes,
        hasher: Xxh3::with_seed(seed),
        reduce,
        parts: vec![Part::slot(probes, slots)],
    })
}

impl Locator for Reduced {
    fn slots(&self) -> u64 {
        self.slots
    }

    fn probes(&self) -> u32 {
        self.probes
    }

    fn parts(&self) -> &[Part] {
        &self.parts
    }

    fn locate(&self, key: &[u8], visit: &mut dyn FnMut(u64)) {
        let words = Probes::new(self.hasher.hash(key)).take(self.probes as usize);
        words.for_each(|word| visit((self.reduce)(word, self.slots)));
    }
}
