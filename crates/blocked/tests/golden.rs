//! Files of the filter that are read for ever.

use bouquet_blocked::{BlockedBloom, Decode, Folded, Line, Spec, Words32, Xxh3};

bouquet_testkit::golden! {
    BlockedBloom:
    folded => BlockedBloom::with_hasher(Spec::new(100, 0.01).unwrap(), Folded::with_seed(7)),
    words64 => BlockedBloom::with_hasher(Spec::new(100, 0.01).unwrap(), Xxh3::with_seed(7)),
    words32 => BlockedBloom::from_parts(5, Words32, Xxh3::default()),
    line => BlockedBloom::from_parts(4, Line::new(11).unwrap(), Xxh3::default()),
}
