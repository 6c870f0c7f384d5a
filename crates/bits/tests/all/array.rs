//! Tests each documented property of `BitArray`.

use bouquet_bits::{BitArray, LengthMismatch, OutOfMemory, WordsError};

#[test]
fn lengths_round_up_to_words() {
    for (len, words) in [
        (0, 0),
        (1, 1),
        (63, 1),
        (64, 1),
        (65, 2),
        (128, 2),
        (129, 3),
    ] {
        let bits = BitArray::new(len).unwrap();
        assert_eq!(bits.len(), len);
        assert_eq!(bits.is_empty(), len == 0);
        assert_eq!(bits.words(), vec![0; words]);
        assert_eq!(bits.memory_bytes(), 8 * words);
    }
}

#[test]
fn an_impossible_length_is_an_error_that_names_the_bytes() {
    for len in [1_000_000_000_000_000, BitArray::MAX_LEN + 1, u64::MAX] {
        let bytes = len.div_ceil(64) * 8;
        let error = BitArray::new(len).unwrap_err();
        assert_eq!(error, OutOfMemory { bytes });
        assert!(error.to_string().contains(&bytes.to_string()));
    }
}

#[test]
fn bits_lie_in_words_least_significant_first() {
    let mut bits = BitArray::new(130).unwrap();
    for i in [0, 63, 64, 129] {
        assert!(bits.set(i));
    }
    assert_eq!(bits.words(), [1 | 1 << 63, 1, 0b10]);
    assert_eq!(BitArray::from_words(bits.words().to_vec(), 130), Ok(bits));
}

#[test]
fn words_of_another_count_are_rejected() {
    for (len, expected, found) in [
        (0, 0, 1),
        (1, 1, 0),
        (64, 1, 2),
        (65, 2, 1),
        (u64::MAX, 1 << 58, 0),
    ] {
        let result = BitArray::from_words(vec![0; found], len);
        let found = found as u64;
        assert_eq!(
            result,
            Err(WordsError::Count {
                len,
                expected,
                found
            })
        );
    }
}

#[test]
fn every_stray_bit_is_rejected_and_named() {
    for len in 1..64 {
        for bit in 0..64 {
            let result = BitArray::from_words(vec![u64::MAX, 1 << bit], 64 + len);
            if bit < len {
                assert_eq!(result.unwrap().last_set(), Some(64 + bit));
            } else {
                let error = WordsError::StrayBit {
                    len: 64 + len,
                    bit: 64 + bit,
                };
                assert_eq!(result, Err(error));
            }
        }
    }
    assert!(BitArray::from_words(vec![u64::MAX], 64).is_ok());
}

#[test]
fn arrays_of_different_lengths_do_not_combine() {
    // Arrays of 65 and 66 bits have the same number of words.
    for (left, right) in [(65, 66), (66, 65), (0, 1), (64, 128)] {
        let mut a = BitArray::new(left).unwrap();
        let mut b = BitArray::new(right).unwrap();
        b.set(right.saturating_sub(1));
        if left > 0 {
            a.set(0);
        }
        let before = a.clone();
        let error = Err(LengthMismatch { left, right });
        assert_eq!(a.union_with(&b), error);
        assert_eq!(a.intersect_with(&b), error);
        assert_eq!(a.difference_with(&b), error);
        assert_eq!(a.symmetric_difference_with(&b), error);
        assert_eq!(a, before);
    }
}

#[test]
fn equality_is_of_length_and_bits() {
    let mut a = BitArray::new(65).unwrap();
    let b = BitArray::new(66).unwrap();
    assert_ne!(a, b);
    let copy = a.try_clone().unwrap();
    assert_eq!(a, copy);
    a.set(64);
    assert_ne!(a, copy);
    assert_eq!(a.clone(), a);
}

#[test]
fn debug_shows_no_bits() {
    let mut bits = BitArray::new(1000).unwrap();
    bits.set(1);
    bits.set(999);
    assert_eq!(format!("{bits:?}"), "BitArray { len: 1000, count_ones: 2 }");
}

#[test]
fn an_array_is_send_and_sync() {
    fn assert_send_sync<T: Send + Sync + Unpin + 'static>() {}
    assert_send_sync::<BitArray>();
}

/// Calls `f` on new arrays with indices past the end, some of them in the last word; each call
/// must panic.
fn assert_panics_past_the_end(f: fn(&mut BitArray, u64) -> bool) {
    for len in [0_u64, 1, 63, 64, 65] {
        let past = [
            len,
            len + 1,
            len.next_multiple_of(64),
            len + 64,
            1 << 38,
            u64::MAX,
        ];
        for i in past {
            let result = std::panic::catch_unwind(|| f(&mut BitArray::new(len).unwrap(), i));
            let message = *result.unwrap_err().downcast::<String>().unwrap();
            assert_eq!(
                message,
                format!("bit {i} is out of range: the array has {len} bits")
            );
        }
    }
}

#[test]
fn set_past_the_end_panics() {
    assert_panics_past_the_end(BitArray::set);
}

#[test]
fn clear_past_the_end_panics() {
    assert_panics_past_the_end(BitArray::clear);
}

#[test]
fn flip_past_the_end_panics() {
    assert_panics_past_the_end(BitArray::flip);
}

#[test]
fn test_past_the_end_panics() {
    assert_panics_past_the_end(|bits, i| bits.test(i));
}
