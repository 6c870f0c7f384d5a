//! Runs the laws of encoding and decoding for this filter.

use bouquet_standard::{Folded, StandardBloom, StandardView, View, Xxh3Wide};
use bouquet_testkit::format::HEADER_BYTES;

bouquet_testkit::codec_laws! {
    folded {
        make: |spec, seed| StandardBloom::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: StandardBloom,
        view: StandardView<'_>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    // A length that is not a whole number of words.
    odd_bits {
        make: |spec, seed| {
            StandardBloom::from_parts(spec.capacity() * 11, 3, Xxh3Wide::with_seed(seed)).unwrap()
        },
        hasher: |seed| Xxh3Wide::with_seed(seed),
        filter: StandardBloom<Xxh3Wide>,
        view: StandardView<'_, Xxh3Wide>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
}

/// Opening does not detect bits past the last slot.
#[test]
fn bits_past_the_last_slot_do_not_count_in_a_view() {
    let mut filter = StandardBloom::from_parts(100, 3, Folded::with_seed(50)).unwrap();
    filter.insert("tulip");
    let mut bytes = filter.encode();
    let payload = &mut bytes[HEADER_BYTES as usize..][..64];
    payload[12] |= 0xf0;
    payload[13..].fill(0xff);
    let view: StandardView<'_> = View::open(&bytes).unwrap();
    assert_eq!(view.fill_ratio(), filter.fill_ratio());
    assert_eq!(view.estimated_keys(), filter.estimated_keys());
    assert!(StandardView::<Folded>::verify(&bytes).is_err());
}

#[cfg(feature = "siphash")]
mod keyed {
    use bouquet_standard::*;

    fn hasher(seed: u64) -> SipKeyed {
        let mut key = [0x5e; 16];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        SipKeyed::with_key(key)
    }

    bouquet_testkit::codec_laws! {
        sip_keyed {
            make: |spec, seed| StandardBloom::with_hasher(spec, hasher(seed)).unwrap(),
            hasher: |seed| hasher(seed),
            filter: StandardBloom<SipKeyed>,
            view: StandardView<'_, SipKeyed>,
            laws: [encode_round_trip, canonical, hostile_bytes, view],
        }
    }
}
