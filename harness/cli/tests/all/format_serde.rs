//! Every filter variant can be stored in several serde formats, with the checks of its own format.

use std::fmt::Debug;

use bouquet_blocked::BlockedBloom;
use bouquet_counting::CountingBloom;
use bouquet_cuckoo::CuckooFilter;
use bouquet_format::{
    Encode,
    serde::{Deserialize, Serialize, WithHasher},
};
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::ScalableBloom;
use bouquet_sharded::{AtomicBloom, ShardedBloom};
use bouquet_standard::{SipKeyed, Spec, StandardBloom};
use serde::de::DeserializeSeed;

#[expect(clippy::unwrap_used, reason = "a helper of tests")]
fn round_trip<F>(filter: F)
where
    F: Encode + Serialize + for<'a> Deserialize<'a> + PartialEq + Debug,
{
    let json = serde_json::to_string(&filter).unwrap();
    let bytes: Vec<u8> = serde_json::from_str(&json).unwrap();
    assert_eq!(bytes, filter.encode());
    assert_eq!(serde_json::from_str::<F>(&json).unwrap(), filter);

    for at in [0, 9, 40, 130, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        let json = serde_json::to_string(&damaged).unwrap();
        let error = serde_json::from_str::<F>(&json).unwrap_err().to_string();
        let place = if at == 0 { "no signature" } else { "at byte " };
        assert!(error.contains(place), "{at}: {error}");
    }
    for wrong in ["[]", "[1, 2, 300]", "{}", "\"text\"", "null"] {
        assert!(serde_json::from_str::<F>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn all_variants() {
    let keys = || (0..100u32).chain([7]);
    round_trip(StandardBloom::from_keys(keys(), 0.01).unwrap());
    round_trip(CountingBloom::from_keys(keys(), 0.01).unwrap());
    round_trip(PartitionedBloom::from_keys(keys(), 0.01).unwrap());
    round_trip(BlockedBloom::from_keys(keys(), 0.01).unwrap());
    round_trip(ScalableBloom::from_keys(keys(), 0.01).unwrap());
    round_trip(ShardedBloom::from_keys(keys(), 0.01).unwrap());
    round_trip(AtomicBloom::from_keys(keys(), 0.01).unwrap());
    round_trip(CuckooFilter::from_keys(keys(), 0.01).unwrap());
}

#[test]
fn a_secret_key_is_given_by_the_reader() {
    let hasher = SipKeyed::with_key([7; 16]);
    let spec = Spec::new(100, 0.01).unwrap();
    let mut filter = StandardBloom::with_hasher(spec, hasher).unwrap();
    filter.insert("rose");
    let json = serde_json::to_string(&filter).unwrap();
    let read = |hasher| {
        let mut json = serde_json::Deserializer::from_str(&json);
        WithHasher::<StandardBloom<SipKeyed>>::new(hasher).deserialize(&mut json)
    };
    assert_eq!(read(hasher).unwrap(), filter);
    let error = read(SipKeyed::with_key([8; 16])).unwrap_err().to_string();
    assert!(
        error.contains("the key given is not the filter's"),
        "{error}"
    );
}
