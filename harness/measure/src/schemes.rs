//! Location schemes, which map a key to slots: Bouquet's, those of other systems, and faulty ones.

#[cfg(test)]
mod excess;
mod foreign;
#[cfg(test)]
pub mod reference;
mod textbook;
mod weak;

use bouquet_core::KeyHasher;
use bouquet_hash::Folded;

pub use bouquet_catalogue::{Lattice, Locator, MakeLocator, Pairs, Part, Scheme, Wanted};
use bouquet_catalogue::{claiming, native};

pub fn schemes() -> Vec<Scheme> {
    let mut all = vec![Scheme {
        name: "default",
        about: "The native scheme: folded multiplications, rotate and add, multiply-shift",
        role: "known-good",
        make: |at| {
            let hasher = Folded::with_seed(at.seed);
            native(at, move |key| hasher.hash(key))
        },
    }];
    all.extend(foreign::schemes());
    all.extend(textbook::schemes());
    all.extend(weak::schemes());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(locator: &Locator, key: &[u8]) -> Vec<u64> {
        let mut slots = Vec::new();
        locator.locate(key, &mut |slot| slots.push(slot));
        slots
    }

    #[test]
    fn every_scheme_gives_k_slots_below_m() {
        // The sizes of these schemes are limited: Guava's arrays consist of 64-bit words, and
        // Redisson's are at most as long as a Redis string.
        let limited = |name: &str| ["guava-64", "guava-32", "redisson"].contains(&name);
        for scheme in schemes() {
            for m in [2, 64, 1_021, 1 << 48] {
                let Ok(locator) = (scheme.make)(Wanted::new(m, 7, 1)) else {
                    assert!(limited(scheme.name) && m != 64, "{} {m}", scheme.name);
                    continue;
                };
                let got = slots(&locator, b"tulip");
                assert_eq!(got.len(), locator.probes() as usize, "{}", scheme.name);
                let short = m - locator.slots();
                assert!(short < if limited(scheme.name) { 64 } else { 1 });
                // The scheme sign-32 has this fault on purpose: its locations exceed m if m is more
                // than 2^31.
                let is_short = scheme.name != "sign-32" || m <= 1 << 31;
                assert_eq!(
                    got.iter().all(|slot| *slot < m),
                    is_short,
                    "{} {m}: {got:?}",
                    scheme.name
                );
            }
        }
    }

    #[test]
    fn the_default_is_what_the_standard_filter_does() {
        let standard = crate::registry::filters().swap_remove(0);
        let make = standard.locate.unwrap();
        for m in [64, 958_511, 1 << 40] {
            let ours = slots(&make(Wanted::new(m, 9, 5)).unwrap(), b"tulip");
            assert_eq!(
                ours,
                slots(
                    &(schemes()[0].make)(Wanted::new(m, 9, 5)).unwrap(),
                    b"tulip"
                )
            );
        }
    }
}
