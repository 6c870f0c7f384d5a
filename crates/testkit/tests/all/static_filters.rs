//! The laws of static filters hold of one that is right, and each finds what breaks it.

use bouquet_core::{Filter, Spec};
use bouquet_format::{Decode as _, Encode, Header, Stopped, Writer};
use bouquet_testkit::{laws, toy::ToyHasher};

use super::sorted::Sorted;

bouquet_testkit::static_laws! {
    sorted {
        make: |spec, seed, keys| Sorted::of_keys(spec, ToyHasher::with_seed(seed), keys),
        decode: |bytes, seed| Sorted::decode_with(bytes, ToyHasher::with_seed(seed)),
        laws: [built_members, built_empty, built_repeats, built_round_trip, built_hostile_bytes],
    }
}

type Filtered = Sorted<ToyHasher>;

fn made(spec: Spec, seed: u64, keys: &[&[u8]]) -> Filtered {
    Sorted::of_keys(spec, ToyHasher::with_seed(seed), keys)
}

/// Bytes that say how often keys were given.
struct Counting(Filtered, usize);

impl Filter for Counting {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        self.0.contains_bytes(key)
    }
}

impl Encode for Counting {
    fn header(&self) -> Header {
        self.0.header().with_keys(self.1 as u64)
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        self.0.write_payload(out)
    }
}

/// Contains every key.
struct All;

impl Filter for All {
    fn contains_bytes(&self, _: &[u8]) -> bool {
        true
    }
}

#[test]
fn each_law_finds_what_breaks_it() {
    let forgetful =
        laws::built_members(|spec, seed, keys| made(spec, seed, keys.get(1..).unwrap_or_default()));
    assert!(forgetful.unwrap_err().starts_with("false negative"));
    assert!(laws::built_empty(|_, _, _| All).is_err());
    let counting =
        laws::built_repeats(|spec, seed, keys| Counting(made(spec, seed, keys), keys.len()));
    assert_eq!(counting.unwrap_err(), "repeated keys make another filter");
    let unseeded = |bytes: &[u8], _| Sorted::decode_with(bytes, ToyHasher::with_seed(50));
    let any_seed = laws::built_round_trip(made, unseeded);
    assert_eq!(any_seed.unwrap_err(), "decoded with another seed");
    let lenient = |bytes: &[u8], seed| {
        let decoded = Sorted::decode_with(bytes, ToyHasher::with_seed(seed));
        decoded.or_else(|_| Ok(made(Spec::new(1, 0.5).unwrap(), seed, &[])))
    };
    assert!(laws::built_hostile_bytes(made, lenient).is_err());
}
