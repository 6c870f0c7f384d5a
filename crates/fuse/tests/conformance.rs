//! The laws that apply to the fuse filter, for each width and hasher.

use bouquet_fuse::{Bits12, Builder, Decode, Fingerprint, Folded, FuseFilter, KeyHasher, Xxh3Wide};

#[allow(clippy::unwrap_used, reason = "a helper of tests")]
fn built<F: Fingerprint, H: KeyHasher>(hasher: H, keys: &[&[u8]]) -> FuseFilter<F, H> {
    Builder::new(hasher).from_keys(keys).unwrap()
}

macro_rules! widths {
    ($($name:ident: $fingerprint:ty, $hasher:ident;)+) => {
        bouquet_testkit::static_laws! {$(
            $name {
                make: |_spec, seed, keys| built::<$fingerprint, _>($hasher::with_seed(seed), keys),
                decode: |bytes, seed| {
                    FuseFilter::<$fingerprint, _>::decode_with(bytes, $hasher::with_seed(seed))
                },
                laws: [
                    built_members, built_empty, built_repeats, built_round_trip,
                    built_hostile_bytes,
                ],
            }
        )+}
    };
}

widths! {
    eight_bits: u8, Folded;
    twelve_bits: Bits12, Folded;
    sixteen_bits: u16, Folded;
    thirty_two_bits: u32, Folded;
    xxh3_wide: u8, Xxh3Wide;
}
