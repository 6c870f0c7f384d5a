//! Golden files of the filter that must always remain readable.

use bouquet_fuse::{Bits12, Builder, Decode, Folded, FuseFilter, Xxh3};
use bouquet_testkit::{Verdict, golden::keys};

macro_rules! golden {
    ($($name:ident: $fingerprint:ty, $hasher:ty, $value:expr;)+) => {$(
        #[test]
        fn $name() -> Verdict {
            let built = Builder::new($value).from_keys(keys());
            let filter: FuseFilter<$fingerprint, $hasher> = built.unwrap();
            bouquet_testkit::golden!(@file FuseFilter, $name, filter)
        }
    )+};
}

golden! {
    eight_bits: u8, Folded, Folded::new();
    twelve_bits: Bits12, Folded, Folded::with_seed(7);
    sixteen_bits: u16, Xxh3, Xxh3::with_seed(7);
    thirty_two_bits: u32, Folded, Folded::with_seed(9);
}
