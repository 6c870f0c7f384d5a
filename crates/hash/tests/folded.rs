//! The default hasher against the words of its documentation, and for ever.

use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::Folded;

/// The function once more, by its documentation: positions in a slice, no
/// chunks, no special lengths, products of 128 bits by their four parts.
fn documented(key: &[u8], seed: u64) -> KeyHash {
    const PI: [u64; 7] = [
        0x243f_6a88_85a3_08d3,
        0xbe54_66cf_34e9_0c6d,
        0xa409_3822_299f_31d1,
        0xc0ac_29b7_c97c_50dd,
        0x3f84_d5b5_b547_0917,
        0x082e_fa98_ec4e_6c89,
        0x4528_21e6_38d0_1377,
    ];
    let [a, b, c0, c1, c2, d, e] = PI;
    let byte = |at: usize| u64::from(key[at]);
    let word = |at: usize, bytes: usize| (0..bytes).rev().fold(0, |w, i| w << 8 | byte(at + i));
    let start = seed ^ a;
    let (mut s, mut at) = (start, 0);
    if key.len() > 48 {
        let mut lanes = [start; 3];
        while key.len() - at > 48 {
            for (lane, c) in lanes.iter_mut().zip([c0, c1, c2]) {
                *lane = fold(word(at, 8) ^ c, word(at + 8, 8) ^ *lane);
                at += 16;
            }
        }
        s = lanes[0] ^ lanes[1] ^ lanes[2];
    }
    while key.len() - at > 16 {
        s = fold(word(at, 8) ^ d, word(at + 8, 8) ^ s);
        at += 16;
    }
    let end = key.len();
    let (u, v) = match end {
        0 => (0, 0),
        1..=3 => (byte(0) | byte(end / 2) << 8 | byte(end - 1) << 16, 0),
        4..=8 => (word(0, 4) | word(end - 4, 4) << 32, 0),
        9..=16 => (word(0, 8), word(end - 8, 8)),
        _ => (word(end - 16, 8), word(end - 8, 8)),
    };
    let f = fold(u ^ s, v ^ b);
    let (high, low) = product(
        f ^ e ^ end as u64 ^ seed.rotate_left(32),
        0xff51_afd7_ed55_8ccd,
    );
    KeyHash::new(high ^ low, high ^ low.rotate_left(23))
}

fn fold(x: u64, y: u64) -> u64 {
    let (high, low) = product(x, y);
    high ^ low
}

/// The high and the low word of a product, as one multiplies by hand.
fn product(x: u64, y: u64) -> (u64, u64) {
    let halves = |word: u64| (word >> 32, word & 0xffff_ffff);
    let ((xh, xl), (yh, yl)) = (halves(x), halves(y));
    let (carry, low) = halves(xl * yl);
    let (carry_a, middle) = halves(xh * yl + carry);
    let (carry_b, middle) = halves(xl * yh + middle);
    (xh * yh + carry_a + carry_b, middle << 32 | low)
}

/// 0, 1, 2, … with a step, so that no two words of a key are equal.
fn key(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 37 + i / 256 * 11) as u8).collect()
}

const SEEDS: [u64; 4] = [0, 1, 0x0123_4567_89ab_cdef, u64::MAX];

#[test]
fn it_is_what_its_documentation_says() {
    for len in (0..=400).chain([1_000, 4_095, 1 << 20]) {
        for seed in SEEDS {
            let (key, hasher) = (key(len), Folded::with_seed(seed));
            assert_eq!(hasher.hash(&key), documented(&key, seed), "{len} {seed:x}");
        }
    }
    // Words that make factors zero, and the ends of every carry.
    for word in [0, 1, 0x243f_6a88_85a3_08d3, u64::MAX, 1 << 63] {
        let key = word.to_le_bytes();
        assert_eq!(Folded::new().hash(&key), documented(&key, 0), "{word:x}");
    }
}

/// What no release may change: length, then place and probe under the seeds 0 and
/// 0x0123456789abcdef. Computed by docs/reader.py, which shares no code with the crate.
const GOLDEN: &[(usize, [u64; 4])] = &[
    (
        0,
        [
            0x8e4e_5d10_8270_dc2e,
            0xcc23_3015_c15c_85a6,
            0x5e22_ee8b_50ef_baf0,
            0xeea5_b661_868a_d292,
        ],
    ),
    (
        1,
        [
            0x8eb8_22f8_9525_511a,
            0x3828_9ad3_5bdc_fe98,
            0x5d74_bea3_4f3a_2d04,
            0xfaaa_5caa_7c0b_79bb,
        ],
    ),
    (
        2,
        [
            0xa243_df1c_dfb0_3997,
            0x81b6_f37f_c1ac_9785,
            0xa1e1_9185_3deb_15d5,
            0xb397_6959_28df_464d,
        ],
    ),
    (
        3,
        [
            0x786b_cf66_7bc8_eaf9,
            0x4e88_538b_78ef_66ca,
            0xba49_be99_a055_c3f5,
            0xa1f6_fd74_f30a_2c76,
        ],
    ),
    (
        4,
        [
            0x4d11_4826_5e7a_63ac,
            0x54c8_ae00_14a6_c647,
            0x2725_f9c5_f2cb_e21f,
            0x03fd_edce_73f8_9d92,
        ],
    ),
    (
        5,
        [
            0xebb6_f3df_0ab1_85ad,
            0x39d7_275d_c389_a7f2,
            0xec6d_30ec_259e_a395,
            0xad31_7874_b789_eaa8,
        ],
    ),
    (
        6,
        [
            0x6d49_edc1_637d_cf8c,
            0x3e17_b949_eed3_5b9e,
            0x5347_b2d4_a67e_7501,
            0x5ba3_8cb3_8d30_2b1a,
        ],
    ),
    (
        7,
        [
            0xc945_932b_8542_1e95,
            0x56ea_5847_fb4a_dea3,
            0xc459_1c5f_7f7d_66f7,
            0x5c98_594c_582d_c076,
        ],
    ),
    (
        8,
        [
            0x7e7f_f8f5_997e_a148,
            0xf4e4_0857_e07c_1601,
            0x839e_56be_7206_abe9,
            0x2551_6974_d149_694f,
        ],
    ),
    (
        9,
        [
            0xd347_0d37_9bd5_222a,
            0xd4d5_a95e_5580_7276,
            0x31a2_72cf_5dd8_01ee,
            0xddde_bf58_093d_a391,
        ],
    ),
    (
        10,
        [
            0xd49a_b321_e541_1edc,
            0x379a_5d6b_da94_2357,
            0x70a5_fd35_92b4_d828,
            0x4139_bbd4_ad9e_4845,
        ],
    ),
    (
        11,
        [
            0x76a9_7272_cad6_a843,
            0xd6ee_b824_7581_3311,
            0x3f01_ece9_a30c_27fd,
            0xd384_7156_d204_5699,
        ],
    ),
    (
        12,
        [
            0xd60f_1613_8202_0d58,
            0x3607_d636_6723_ecbf,
            0x26ce_a4a2_bf77_0634,
            0xccc0_3a4d_394f_b8a7,
        ],
    ),
    (
        13,
        [
            0x71ef_8cf5_860b_43c0,
            0x4ab5_22d3_cc70_adff,
            0x6e6c_bcab_4659_242d,
            0x8725_85c7_4b70_d71e,
        ],
    ),
    (
        14,
        [
            0xbc9b_6c1f_09f7_0582,
            0x829a_57fc_c786_0086,
            0x82af_340c_562b_ec43,
            0xf8a6_1114_6cec_56b6,
        ],
    ),
    (
        15,
        [
            0x2c4d_0627_3e03_5b65,
            0xa0a6_3b59_6864_4409,
            0x89d6_5e01_4f1b_0b02,
            0xa30f_d6a5_8ea9_efb0,
        ],
    ),
    (
        16,
        [
            0x8044_143d_29c4_9b4a,
            0xf836_8d96_3217_dbc5,
            0xba43_84ed_92b9_f04c,
            0x5f9a_0b84_6767_1171,
        ],
    ),
    (
        17,
        [
            0x789f_5703_5cba_a5db,
            0x6e7e_3ce4_897c_4b5b,
            0xa0af_2b09_735c_1d20,
            0x05ab_9c4e_af4f_5aa5,
        ],
    ),
    (
        24,
        [
            0xbffa_2e5c_dbd1_40a4,
            0x5520_7d16_e3d7_e932,
            0x9759_f27d_d7d7_6cd4,
            0xa128_3f09_3096_b3d1,
        ],
    ),
    (
        48,
        [
            0x8459_5b21_d0c8_f948,
            0x5ee4_fb1d_3bf7_d75d,
            0x7e2c_d25d_535b_1487,
            0x4c7b_9a6f_93a6_ebf5,
        ],
    ),
    (
        49,
        [
            0xdf26_c9f3_7abd_f829,
            0x01d1_8b54_dcee_2b47,
            0x64f1_529a_8c2c_b50f,
            0xbc9a_bb01_bcc2_75c8,
        ],
    ),
    (
        64,
        [
            0xca60_766d_a359_5f75,
            0x9bd0_0e56_95ef_9af7,
            0x72eb_2323_0bf1_1969,
            0xdfaa_e358_5f4b_ac9c,
        ],
    ),
    (
        100,
        [
            0x50b9_99d0_ad5d_e574,
            0xc423_9afd_8051_611f,
            0x8d40_f7d4_2211_812e,
            0x25e5_208d_bd9b_f08e,
        ],
    ),
    (
        1_048_576,
        [
            0x6cee_9fda_e990_b70f,
            0xd956_a556_7276_10c4,
            0xc297_391f_8eb2_434b,
            0xb12a_b229_033b_3ef0,
        ],
    ),
];

#[test]
fn its_values_are_these_for_ever() {
    for (len, [place, probe, seeded_place, seeded_probe]) in GOLDEN {
        let key = key(*len);
        let hash = Folded::new().hash(&key);
        assert_eq!(hash, KeyHash::new(*place, *probe), "{len}");
        let hash = Folded::with_seed(SEEDS[2]).hash(&key);
        assert_eq!(hash, KeyHash::new(*seeded_place, *seeded_probe), "{len}");
    }
}

/// Of keys that differ in one byte or in length alone no two have a word in
/// common.
#[test]
fn short_keys_differ_in_both_words() {
    let mut keys = vec![Vec::new()];
    for len in 1..=17 {
        for at in 0..len {
            for value in [1, 0x80, 0xff] {
                let mut key = vec![0; len];
                key[at] = value;
                keys.push(key);
            }
        }
        keys.push(vec![0; len]);
    }
    for word in [|hash: KeyHash| hash.place, |hash: KeyHash| hash.probe] {
        let mut words: Vec<u64> = keys
            .iter()
            .map(|key| word(Folded::new().hash(key)))
            .collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), keys.len());
    }
}

/// Pieces of 16 bytes that change places, or of which two are equal, are other keys:
/// each lane tells its own.
#[test]
fn long_keys_of_few_pieces_differ() {
    let pieces = [[0u8; 16], *b"                ", *b"user=00000000001"];
    for len in [49, 63, 64, 112, 160] {
        let count = 3usize.pow(6.min(len as u32 / 16));
        let keys = (0..count).map(|number| {
            let mut key = vec![b'/'; len];
            let mut digits = number;
            for part in key.chunks_exact_mut(16).take(6) {
                part.copy_from_slice(&pieces[digits % 3]);
                digits /= 3;
            }
            key
        });
        let hashes: Vec<KeyHash> = keys.map(|key| Folded::new().hash(&key)).collect();
        for word in [|hash: &KeyHash| hash.place, |hash: &KeyHash| hash.probe] {
            let mut words: Vec<u64> = hashes.iter().map(word).collect();
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), count, "{len}");
        }
    }
}
