use std::io::{self, Write};

use anyhow::Context as _;
use bouquet_core::{Filter, Inspect};
use bouquet_format::{Decode, DecodeError, Reader};
use bouquet_fuse::{Bits12, Builder, FuseFilter, Geometry};

use crate::{CatalogueFilter, OfKeys, Static, prelude::*};

pub struct Fuse;

pub type StaticFuse = Static<Fuse>;

/// Defines the filter of any width, by the widths of its fingerprints.
macro_rules! widths {
    ($($width:ident $bits:literal $full:literal),*) => {
        #[allow(non_camel_case_types, reason = "the names of the fingerprints")]
        pub enum AnyWidth<H: Hasher> { $($width(FuseFilter<$width, H>)),* }

        macro_rules! of_each {
            ($any:expr, $filter:ident => $do:expr) => {
                match $any { $(AnyWidth::$width($filter) => $do),* }
            };
        }

        /// The bits and the type of the shortest fingerprints with an FPR of at most `target_fpr`.
        fn shortest(target_fpr: f64) -> Result<(u64, &'static str)> {
            let all = [$(($bits, $full)),*];
            let reaches = |(bits, _): &(u64, _)| (-(*bits as f64)).exp2() <= target_fpr;
            all.into_iter().find(reaches).context(
                "fingerprints have at most 32 bits, an FPR of 2.3e-10: give a higher FPR",
            )
        }

        fn built<H: Hasher>(bits: u64, hasher: H, keys: &[&[u8]]) -> Result<AnyWidth<H>> {
            let build = Builder::new(hasher);
            $(if bits == $bits {
                return Ok(AnyWidth::$width(build.from_keys(keys)?));
            })*
            bail!("no fingerprints have {bits} bits")
        }

        impl<H: Hasher> Decode for AnyWidth<H> {
            type Hasher = H;

            fn from_record(header: &Header, slots: &mut Reader<'_>, hasher: &H) -> Result<Self, DecodeError> {
                Ok(match header.parameters()[3] {
                    $($bits => Self::$width(Decode::from_record(header, slots, hasher)?),)*
                    _ => Self::u8(Decode::from_record(header, slots, hasher)?),
                })
            }
        }
    };
}
widths! {
    u8 8 "FuseFilter<u8, H>", Bits12 12 "FuseFilter<Bits12, H>", u16 16 "FuseFilter<u16, H>",
    u32 32 "FuseFilter<u32, H>"
}

impl<H: Hasher> Filter for AnyWidth<H> {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        of_each!(self, filter => filter.contains(key))
    }
}

impl<H: Hasher> CatalogueFilter for AnyWidth<H> {
    fn inspect(&self) -> &dyn Inspect {
        of_each!(self, filter => filter)
    }

    #[inline(always)]
    fn contains_one<K: Key + ?Sized>(&self, key: &K) -> bool {
        of_each!(self, filter => filter.contains(key))
    }

    #[inline(always)]
    fn contains_many<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        of_each!(self, filter => filter.contains_batch(keys, found));
    }

    fn header(&self) -> Option<Header> {
        Some(of_each!(self, filter => Encode::header(filter)))
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        of_each!(self, filter => filter.encode_to(out))
    }

    fn counted_keys(&self) -> Option<u64> {
        Some(of_each!(self, filter => filter.keys()))
    }

    fn keys_left(&self, _: f64) -> Option<u64> {
        Some(0)
    }
}

impl OfKeys for Fuse {
    const FACTS: Facts = Facts {
        name: "fuse",
        about: "Binary fuse filter (Graf and Lemire 2022): fingerprints of 8, 12, 16 or 32 bits, built \
                once of all keys",
        about_file: Some("Fingerprints, built once of all keys"),
        theory: "exact: the XOR of three slots is one of 2^f fingerprints",
        reference: None,
        // It cannot be built for a number of bits per key.
        least_bits_per_key: f64::INFINITY,
        unites: Unites::Never,
        family: Family::Static,
        style: Style::new("purple", "wedge", "dotted"),
        rationale: "it is built once of all keys, and then takes the least",
        simplicity_rank: 70,
        snippet: Snippet {
            by_fpr: Some(|fpr| shortest(fpr).map_or("FuseFilter<u32, H>", |(_, full)| full)),
            ..Snippet::new("fuse", "FuseFilter<H>")
        },
        ..PLAIN
    };
    const SIZING: SizingFn = |_, spec| {
        let (bits, _) = shortest(spec.target_fpr())?;
        let slots = Geometry::for_keys::<u8>(spec.capacity())?.slots();
        let fpr = move |keys| Some(with_hash_floor((-(bits as f64)).exp2(), keys, HASH_BITS));
        Ok(Outline::new(slots as f64 * bits as f64, fpr))
    };

    type Filter<H: Hasher> = AnyWidth<H>;

    fn of_keys<H: Hasher>(spec: Spec, hasher: H, keys: &[&[u8]]) -> Result<AnyWidth<H>> {
        built(shortest(spec.target_fpr())?.0, hasher, keys)
    }

    fn stored(header: &Header) -> Option<Shape> {
        let [parts, segments, length, width, _] = header.parameters();
        (header.variant() == id::FUSE).then(|| Shape {
            size_bits: [segments, length, width]
                .into_iter()
                .fold(parts, u64::saturating_mul),
            hashes: Some(3),
            made_of: Some(("segments", parts.saturating_mul(segments))),
            slot_bits: Some(width),
        })
    }

    fn load<H: Hasher, L: Load<Hasher = H>>(load: &L) -> Result<L::Loaded> {
        load.load::<AnyWidth<H>>()
    }
}
