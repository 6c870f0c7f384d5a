//! Compares the hashers with published test vectors, and their methods with each other.
//!
//! The fixed expected values would reveal a target that hashes differently.

use std::hint::black_box;

use bouquet_core::{HashStream, KeyHash, KeyHasher, StreamHasher, USER_HASHER_IDS};
use bouquet_hash::{Folded, Xxh3, Xxh3Wide};

/// The input of xxHash's own self-test (`xsum_sanity_check.c`).
fn sanity_buffer(len: usize) -> Vec<u8> {
    let mut state = GENERATOR_START;
    let mut next = || {
        let byte = (state >> 56) as u8;
        state = state.wrapping_mul(SANITY_SEED);
        byte
    };
    (0..len).map(|_| next()).collect()
}

/// The start value of the generator of xxHash's self-test input, and a seed of that self-test.
const GENERATOR_START: u64 = 2_654_435_761;
/// The second seed of xxHash's self-test.
const SANITY_SEED: u64 = 0x9e37_79b1_85eb_ca8d;

#[test]
fn xxh3_gives_the_published_values() {
    for (len, unseeded, seeded) in [
        (0, 0x2d06_8005_38d3_94c2, 0xa8a6_b918_b2f0_364a),
        (1, 0xc44b_dff4_074e_ecdb, 0x032b_e332_dd76_6ef8),
        (6, 0x27b5_6a84_cd2d_7325, 0x8458_9c11_6ab5_9ab9),
        (12, 0xa713_daf0_dfbb_77e7, 0xe730_3e1b_2336_de0e),
        (24, 0xa3fe_70bf_9d35_10eb, 0x850e_80fc_35bd_d690),
        (48, 0x397d_a259_ecba_1f11, 0xadc2_cbaa_44ac_c616),
        (80, 0xbcde_fbbb_2c47_c90a, 0xc6dd_0cb6_9953_2e73),
        (195, 0xcd94_217e_e362_ec3a, 0xba68_003d_370c_b3d9),
        (403, 0xcdeb_804d_65c6_dea4, 0x6259_f6ec_fd64_43fd),
        (512, 0x617e_4959_9013_cb6b, 0x3ce4_57de_14c2_7708),
        (2_048, 0xdd59_e2c3_a5f0_38e0, 0x66f8_1670_669a_babc),
        (2_240, 0x6e73_a905_39cf_2948, 0x757b_a848_7d1b_5247),
        (2_367, 0xcb37_aeb9_e5d3_61ed, 0xd2db_3415_b942_b42a),
    ] {
        let key = sanity_buffer(len);
        assert_eq!(
            Xxh3::new().hash(&key),
            KeyHash::from_word(unseeded),
            "{len}"
        );
        let hasher = Xxh3::with_seed(SANITY_SEED);
        assert_eq!(hasher.hash(&key), KeyHash::from_word(seeded), "{len}");
    }
}

#[test]
fn xxh3_wide_gives_the_published_values() {
    for (len, seed, high, low) in [
        (0, 0, 0x99aa_06d3_0147_98d8, 0x6001_c324_468d_497f),
        (
            0,
            GENERATOR_START,
            0x9222_0ae5_5e14_ab50,
            0x5444_f786_9c67_1ab0,
        ),
        (1, 0, 0xa6cd_5e93_9200_0f6a, 0xc44b_dff4_074e_ecdb),
        (
            1,
            GENERATOR_START,
            0x89b9_9554_ba22_467c,
            0xb53d_5557_e7f7_6f8d,
        ),
        (6, 0, 0x082a_fe0b_8162_d12a, 0x3e70_39bd_da43_cfc6),
        (
            6,
            GENERATOR_START,
            0x5a86_5b53_89ab_d2b1,
            0x269d_8f70_be98_856e,
        ),
        (12, 0, 0x6e3e_fd8f_c780_2b18, 0x061a_1927_13f6_9ad9),
        (
            12,
            GENERATOR_START,
            0xd7e0_9d51_8a34_05d3,
            0x9be9_f9a6_7f3c_7dfb,
        ),
        (24, 0, 0x0ce9_66e4_678d_3761, 0x1e70_44d2_8b1b_901d),
        (
            24,
            GENERATOR_START,
            0x3162_0267_14a6_a243,
            0xd730_4c54_ebad_40a9,
        ),
        (48, 0, 0xa002_ac4e_5478_227e, 0xf942_219a_ed80_f67b),
        (
            48,
            GENERATOR_START,
            0x163a_dde3_6c07_2295,
            0x7ba3_c3e4_53a1_934e,
        ),
        (81, 0, 0x4952_f581_81ab_0042, 0x5e8b_afb9_f95f_b803),
        (
            81,
            GENERATOR_START,
            0x2724_ec7a_dc75_0fb6,
            0x703f_bb3d_7a5f_755c,
        ),
        (222, 0, 0x337e_0964_1b94_8717, 0xf1ae_bd59_7cec_6b3a),
        (
            222,
            GENERATOR_START,
            0x9182_0016_621e_97f1,
            0xae99_5bb8_af91_7a8d,
        ),
        (403, 0, 0x1b6d_e21e_332d_d73d, 0xcdeb_804d_65c6_dea4),
        (
            403,
            SANITY_SEED,
            0xbed3_1197_1e0b_e8f2,
            0x6259_f6ec_fd64_43fd,
        ),
        (512, 0, 0x18d2_d110_dcc9_bca1, 0x617e_4959_9013_cb6b),
        (
            512,
            SANITY_SEED,
            0x925d_06b8_ec5b_8040,
            0x3ce4_57de_14c2_7708,
        ),
        (2048, 0, 0xf736_557f_d470_73a5, 0xdd59_e2c3_a5f0_38e0),
        (
            2048,
            GENERATOR_START,
            0x7fb0_3f7e_7186_c3ea,
            0x230d_43f3_0206_260b,
        ),
        (2240, 0, 0xccb1_34fb_fa7c_e49d, 0x6e73_a905_39cf_2948),
        (
            2240,
            GENERATOR_START,
            0x50a1_fe17_b338_995f,
            0xed38_5111_126f_ba6f,
        ),
        (2367, 0, 0xe89c_0f6f_f369_b427, 0xcb37_aeb9_e5d3_61ed),
        (
            2367,
            GENERATOR_START,
            0xd23a_ae4b_76c3_1ecb,
            0x6f53_60ae_69c2_f406,
        ),
    ] {
        let hash = Xxh3Wide::with_seed(seed).hash(&sanity_buffer(len));
        assert_eq!(hash, KeyHash::new(high, low), "{len} seed {seed:x}");
    }
}

#[test]
fn ids_are_different_and_reserved() {
    assert_eq!((Xxh3::ID, Xxh3Wide::ID), (1, 2));
    assert_eq!((Xxh3::HASH_BITS, Xxh3Wide::HASH_BITS), (64, 128));
    assert!(!USER_HASHER_IDS.contains(&Xxh3Wide::ID));
}

#[test]
fn default_is_seed_0() {
    assert_eq!(Xxh3::default(), Xxh3::with_seed(0));
    assert_eq!(Xxh3Wide::default(), Xxh3Wide::with_seed(0));
    assert_eq!(Xxh3::with_seed(7).seed(), 7);
    assert_eq!(Xxh3Wide::with_seed(7).seed(), 7);
    assert_ne!(Xxh3::with_seed(7), Xxh3::with_seed(8));
}

/// The hash of the whole key, of two parts for every cut, and of three parts must be equal.
fn parts_are_the_joined_key<H: StreamHasher>(hasher: &H) {
    // XXH3 changes its algorithm at 16, 128 and 240 bytes, and buffers 256 bytes.
    let lengths = (0..=70).chain([127, 128, 129, 239, 240, 241, 255, 256, 257, 600, 1_100]);
    for len in lengths {
        let key = sanity_buffer(len);
        let whole = hasher.hash(&key);
        for cut in 0..=len {
            let (left, right) = key.split_at(cut);
            assert_eq!(hasher.hash_parts(&[left, right]), whole, "{len} at {cut}");
            let (middle, end) = right.split_at(right.len() / 2);
            assert_eq!(
                hasher.hash_parts(&[left, middle, end]),
                whole,
                "{len} at {cut}"
            );
        }
    }
    let key = sanity_buffer(600);
    let mut stream = hasher.stream();
    for (written, byte) in key.iter().enumerate() {
        assert_eq!(
            stream.finish(),
            hasher.hash(&key[..written]),
            "after {written}"
        );
        stream.write(std::slice::from_ref(byte));
    }
}

#[test]
fn folded_takes_parts() {
    parts_are_the_joined_key(&Folded::new());
    parts_are_the_joined_key(&Folded::with_seed(SANITY_SEED));
}

#[test]
fn xxh3_takes_parts() {
    parts_are_the_joined_key(&Xxh3::new());
    parts_are_the_joined_key(&Xxh3::with_seed(SANITY_SEED));
}

#[test]
fn xxh3_wide_takes_parts() {
    parts_are_the_joined_key(&Xxh3Wide::new());
    parts_are_the_joined_key(&Xxh3Wide::with_seed(SANITY_SEED));
}

#[cfg(feature = "siphash")]
mod sip {
    use bouquet_hash::SipKeyed;

    use super::*;

    /// The secret key of the paper's appendix.
    fn keyed() -> SipKeyed {
        SipKeyed::with_key(core::array::from_fn(|i| i as u8))
    }

    /// SipHash-1-3 of the bytes 0, 1, … of each length, with the key of the paper's appendix,
    /// from the file `vectors.h` of the reference implementation, built for SipHash-1-3.
    #[test]
    fn gives_the_published_values() {
        for (len, word) in [
            (0, 0xabac_0158_050f_c4dc),
            (1, 0xc9f4_9bf3_7d57_ca93),
            (2, 0x82cb_9b02_4dc7_d44d),
            (3, 0x8bf8_0ab8_e7dd_f7fb),
            (7, 0xd392_7d98_9bb1_1140),
            (8, 0x3690_9511_8d29_9a8e),
            (9, 0x25a4_8eb3_6c06_3de4),
            (15, 0xd320_d86d_2a51_9956),
            (16, 0xcc4f_dd1a_7d90_8b66),
            (31, 0x2370_dd1f_8c21_d1bc),
            (63, 0x9d19_9062_b7bb_b3a8),
        ] {
            let key: Vec<u8> = (0..len).collect();
            assert_eq!(keyed().hash(&key), KeyHash::from_word(word), "{len}");
        }
    }

    #[test]
    fn takes_parts() {
        parts_are_the_joined_key(&keyed());
    }

    #[test]
    fn id_is_its_own() {
        assert_eq!((SipKeyed::ID, SipKeyed::HASH_BITS), (3, 64));
    }

    #[test]
    fn secret_decides_hash_and_equality() {
        for bit in 0..128 {
            let mut secret = core::array::from_fn(|i| i as u8);
            secret[bit / 8] ^= 1 << (bit % 8);
            let other = SipKeyed::with_key(secret);
            assert_ne!(other, keyed());
            assert_ne!(other.seed(), keyed().seed());
            assert_ne!(other.hash(b"rose"), keyed().hash(b"rose"));
        }
        assert_eq!(keyed(), keyed().clone());
        assert_eq!(keyed().seed(), 0xc163_e089_36c5_afd9);
    }

    #[test]
    fn secret_is_not_shown() {
        let secret = *b"\x11\x22\x33\x44\x55\x66\x77\x88tulips!!";
        let hasher = SipKeyed::with_key(secret);
        let shown = format!("{hasher:?} {hasher:#?} {:?}", hasher.stream());
        let check = format!("{:016x}", hasher.seed());
        assert!(shown.contains(&check), "{shown}");
        for hidden in secret.as_chunks::<8>().0 {
            let word = u64::from_le_bytes(*hidden);
            let swapped = word.swap_bytes();
            for form in [
                format!("{word}"),
                format!("{word:x}"),
                format!("{swapped:x}"),
                format!("{hidden:?}"),
            ] {
                assert!(!shown.contains(&form), "{shown} has {form}");
            }
        }
        assert!(!shown.to_lowercase().contains("tulips"), "{shown}");
    }
}

/// If the compiler knows the length, it omits the rest of the hash function. The hash must
/// equal that of the bytes, whose length the compiler does not know here.
#[test]
fn integers_hash_as_the_bytes_of_their_value() {
    fn check<H: KeyHasher>(hasher: H) {
        for n in (0..64).map(|bit| 1u64 << bit).chain([0, 7, u64::MAX]) {
            let bytes = n.to_le_bytes();
            let (wide, wide_bytes) = (u128::from(n) << 40, (u128::from(n) << 40).to_le_bytes());
            for (hash, bytes) in [
                (
                    hasher.hash_key(&(n as u8)),
                    &u64::from(n as u8).to_le_bytes()[..],
                ),
                (
                    hasher.hash_key(&(n as i16)),
                    &i64::from(n as i16).to_le_bytes(),
                ),
                (
                    hasher.hash_key(&(n as u32)),
                    &u64::from(n as u32).to_le_bytes(),
                ),
                (hasher.hash_key(&n), &bytes),
                (hasher.hash_key(&n.cast_signed()), &bytes),
                (hasher.hash_key(&bytes), &bytes),
                (hasher.hash_key(&wide), &wide_bytes),
            ] {
                assert_eq!(hash, hasher.hash(black_box(bytes)), "{n} {hasher:?}");
            }
        }
    }
    check(Folded::new());
    check(Folded::with_seed(SANITY_SEED));
    check(Xxh3::new());
    check(Xxh3::with_seed(SANITY_SEED));
    check(Xxh3Wide::new());
}
