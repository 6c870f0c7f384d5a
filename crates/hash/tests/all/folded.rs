//! Compares the default hasher with its documentation, and with values that must never change.

use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::Folded;

/// The function implemented again from its documentation: indices into a slice, no chunks, no
/// special cases by length, and 128-bit products computed from four parts.
fn documented(key: &[u8], seed: u64) -> KeyHash {
    const A: u64 = 0x243f_6a88_85a3_08d3;
    const B: u64 = 0xbe54_66cf_34e9_0c6d;
    const C: [u64; 4] = [
        0xa409_3822_299f_31d1,
        0xc0ac_29b7_c97c_50dd,
        0x3f84_d5b5_b547_0917,
        0x9216_d5d9_8979_fb1b,
    ];
    const D: [u64; 4] = [
        0x082e_fa98_ec4e_6c89,
        0xd131_0ba6_98df_b5ac,
        0x2ffd_72db_d01a_dfb7,
        0xb8e1_afed_6a26_7e96,
    ];
    const E: u64 = 0x4528_21e6_38d0_1377;
    let byte = |at: usize| u64::from(key[at]);
    let word = |at: usize, bytes: usize| (0..bytes).rev().fold(0, |w, i| w << 8 | byte(at + i));
    let end = key.len();
    let (_, length) = product(end as u64, 0x9e37_79b9_7f4a_7c15);
    let u = match end {
        1..=3 => byte(0) | byte(end / 2) << 8 | byte(end - 1) << 16,
        4..=8 => word(0, 4) | word(end - 4, 4) << 32,
        9..=16 => word(0, 8),
        _ => 0,
    };
    let v = match end {
        9..=16 => word(end - 8, 8),
        _ => u,
    };
    let mut f = fold(u ^ seed ^ A, v.wrapping_add(B ^ length));
    if end > 16 {
        let piece = |i: usize, at: usize, lane| fold(word(at, 8) ^ C[i], word(at + 8, 8) ^ lane);
        let mut lanes = D.map(|d| seed ^ d);
        let mut at = 0;
        while end - at > 64 {
            for (i, lane) in lanes.iter_mut().enumerate() {
                *lane = piece(i, at, *lane);
                at += 16;
            }
        }
        let starts = match end {
            ..=48 => vec![0, end.min(32) - 16, end - 16],
            49..=64 => vec![0, 16, 32, end - 16],
            _ => vec![end - 64, end - 48, end - 32, end - 16],
        };
        f = (0..starts.len()).fold(length, |f, i| f ^ piece(i, starts[i], lanes[i]));
    }
    let (high, low) = product(f ^ E ^ seed.rotate_left(32), 0xff51_afd7_ed55_8ccd);
    KeyHash::new(high ^ low, high ^ low.rotate_left(23))
}

fn fold(x: u64, y: u64) -> u64 {
    let (high, low) = product(x, y);
    high ^ low
}

/// The high and low word of a product, by schoolbook multiplication.
fn product(x: u64, y: u64) -> (u64, u64) {
    let halves = |word: u64| (word >> 32, word & 0xffff_ffff);
    let ((xh, xl), (yh, yl)) = (halves(x), halves(y));
    let (carry, low) = halves(xl * yl);
    let (carry_a, middle) = halves(xh * yl + carry);
    let (carry_b, middle) = halves(xl * yh + middle);
    (xh * yh + carry_a + carry_b, middle << 32 | low)
}

/// Bytes 0, 37, 74, … modulo 256, such that no two words of a key are equal.
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
    // Words that make factors zero, and words that cause every carry.
    for word in [0, 1, 0x243f_6a88_85a3_08d3, u64::MAX, 1 << 63] {
        let key = word.to_le_bytes();
        assert_eq!(Folded::new().hash(&key), documented(&key, 0), "{word:x}");
    }
}

/// Hashes that no release may change: length, then place and probe with the seeds 0 and
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
            0xdeff_c663_d5ce_63cf,
            0xa2b2_3098_5b6e_2c7f,
            0xe265_ddfe_9433_8aea,
            0xb29f_bd04_81b0_fac5,
        ],
    ),
    (
        2,
        [
            0x3747_55fb_08b8_9745,
            0x066b_7c38_24e6_d48a,
            0xa187_8bd0_bd38_5491,
            0xd5aa_b76f_69f1_606b,
        ],
    ),
    (
        3,
        [
            0xbc62_513c_8aa8_571c,
            0xaa9a_f2b2_5bad_e218,
            0xb730_72b4_dc00_6151,
            0x1192_6919_660b_f475,
        ],
    ),
    (
        4,
        [
            0x3a33_e464_720c_3770,
            0x7390_f46d_04ef_16f2,
            0x9238_6316_ca00_ebe1,
            0xde04_4448_9c88_c861,
        ],
    ),
    (
        5,
        [
            0x7db3_dc07_4384_6be0,
            0x7bea_0f45_6979_a1eb,
            0x6638_a8ea_eb1e_c3e5,
            0x5c8d_7fec_9a85_7473,
        ],
    ),
    (
        6,
        [
            0x324c_bcf0_0fc8_1fb4,
            0xb06b_3e12_82ce_3ca4,
            0xee99_723e_4d3b_83d3,
            0x905e_a3cf_9b1d_25e9,
        ],
    ),
    (
        7,
        [
            0x32aa_f440_b628_3925,
            0x02b4_2f21_9f76_0bcb,
            0x8a9a_052e_cf95_af94,
            0x0ef9_a313_d6e9_124d,
        ],
    ),
    (
        8,
        [
            0x3512_7fd0_f384_c8c6,
            0x5538_f78b_be45_25df,
            0xacac_ddcc_2993_024b,
            0x8ebf_9f8e_a32f_c33a,
        ],
    ),
    (
        9,
        [
            0x6366_f8dc_8888_907a,
            0xd734_924b_2bd4_7b5d,
            0xba57_9f32_f5c7_f6d8,
            0x0713_8111_7d07_d341,
        ],
    ),
    (
        10,
        [
            0x746e_7fd8_eb1d_a7f0,
            0x3c3b_e307_dc92_6b34,
            0xdbb8_3eda_644a_a5aa,
            0x006b_34c7_7ffd_5e55,
        ],
    ),
    (
        11,
        [
            0xaf8f_13e1_2788_cb38,
            0x93ec_f345_5512_79bf,
            0x39a2_13f6_ca85_cc50,
            0xe965_4458_f09f_cdf3,
        ],
    ),
    (
        12,
        [
            0x97c5_7f72_a9e9_0bdf,
            0x5183_ed9b_64f3_2819,
            0xed5d_53c2_631b_97d5,
            0x5d28_ef03_26a8_d610,
        ],
    ),
    (
        13,
        [
            0xe740_4b5e_ef58_1cfe,
            0xb7bf_d5f9_73c0_f640,
            0xbb51_d8ce_36e1_2e0b,
            0xf673_69bc_baf3_2694,
        ],
    ),
    (
        14,
        [
            0xa1e4_96d5_9704_7802,
            0xa219_6a7b_a299_52d6,
            0xf50d_5394_2469_8aa3,
            0x1c5e_1e34_31d7_046f,
        ],
    ),
    (
        15,
        [
            0x54a9_d41a_4bfd_35f2,
            0xfb63_c863_7cc4_3e5b,
            0xd4e5_ed50_07cf_e820,
            0x50d1_fa8c_7b48_dc0b,
        ],
    ),
    (
        16,
        [
            0x6fc0_0879_5745_261c,
            0x0c22_e990_9a26_d49f,
            0x5079_580c_509a_5351,
            0x220e_5bad_76b0_4441,
        ],
    ),
    (
        17,
        [
            0x472b_4ccd_4c9f_eee8,
            0x24bb_4697_4c1a_b7b6,
            0x9a45_cc5e_ce35_4cc5,
            0xf6f4_a2f6_7c34_7361,
        ],
    ),
    (
        24,
        [
            0x95ec_269f_8644_258d,
            0xa77e_7878_52d1_dd03,
            0x7119_d363_6527_1fc2,
            0x15a8_1128_09ab_49aa,
        ],
    ),
    (
        31,
        [
            0xceb0_6c8b_f1d0_3b03,
            0xd895_0e4c_54d0_862d,
            0xdb4d_ad3b_54e8_79a1,
            0x6b78_c86c_c8be_c51b,
        ],
    ),
    (
        32,
        [
            0xa486_8695_3e1c_d5b4,
            0xbb72_061c_5876_5c52,
            0xbd3d_2055_9178_b672,
            0xd7e0_d661_3394_bf70,
        ],
    ),
    (
        33,
        [
            0x949b_b9a6_04ff_f4c9,
            0x782b_d64f_6ec8_2948,
            0x47a1_c4f3_05ec_4e30,
            0x1e51_80f7_26c0_94c9,
        ],
    ),
    (
        47,
        [
            0xf3d3_d856_1f64_0919,
            0xb38f_f104_46ac_9ac8,
            0x3a25_73da_e4ea_ec6b,
            0x8f0b_a486_b3d5_3a3c,
        ],
    ),
    (
        48,
        [
            0xbee8_abec_4f64_3f8d,
            0x804f_9bd5_ab50_a772,
            0x475d_2a96_7b5e_72c5,
            0x1607_a747_83b4_eca3,
        ],
    ),
    (
        49,
        [
            0x50ad_68ea_c623_695c,
            0xb054_2f6f_1315_8012,
            0xef1f_23eb_710a_412e,
            0x6664_0a21_ec87_8ced,
        ],
    ),
    (
        63,
        [
            0x22b6_b0a1_150e_f162,
            0x1003_a133_5274_c457,
            0x634f_9476_aebb_b6b1,
            0x4322_264a_031e_0291,
        ],
    ),
    (
        64,
        [
            0x7448_05d2_acf5_7507,
            0x556b_a59e_63ce_606b,
            0xb3ef_5130_0590_ab78,
            0xfe63_c98d_81ce_0d23,
        ],
    ),
    (
        65,
        [
            0x50ee_f3aa_d694_12c5,
            0x60c7_b11d_5f11_212a,
            0x6e18_b007_5c0b_2975,
            0x7255_ff01_0ec2_f8aa,
        ],
    ),
    (
        96,
        [
            0xc7ea_172a_41f8_c9b1,
            0xea57_4de1_aa08_c51c,
            0xf4cd_1b01_301d_603d,
            0x40ca_dc18_09cb_d9c5,
        ],
    ),
    (
        97,
        [
            0x7016_b036_da66_fe48,
            0x1e7f_aba7_75fb_daf8,
            0x5bcc_a831_87a6_c30f,
            0x771c_d05e_a718_be92,
        ],
    ),
    (
        100,
        [
            0xad65_4ba8_1dcc_ae8c,
            0x5627_8eb4_78f3_08a4,
            0xa094_1f14_5782_9076,
            0xd67a_0e91_3083_0848,
        ],
    ),
    (
        128,
        [
            0x100c_598c_63ef_cedf,
            0xbaba_7de0_59dd_524a,
            0xb62e_13e8_087b_698a,
            0x164b_5470_1835_8b3b,
        ],
    ),
    (
        129,
        [
            0x2b4a_174b_741a_063a,
            0xcd87_9df5_142e_3b4a,
            0x130a_c964_a672_503b,
            0x639a_b18f_1757_e078,
        ],
    ),
];

#[test]
fn its_values_never_change() {
    for (len, [place, probe, seeded_place, seeded_probe]) in GOLDEN {
        let key = key(*len);
        let hash = Folded::new().hash(&key);
        assert_eq!(hash, KeyHash::new(*place, *probe), "{len}");
        let hash = Folded::with_seed(SEEDS[2]).hash(&key);
        assert_eq!(hash, KeyHash::new(*seeded_place, *seeded_probe), "{len}");
    }
}

/// Of keys that differ only in one byte or in length, no two have the same `place` or the same
/// `probe`.
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

/// Keys whose 16-byte pieces are swapped or repeated have different hashes, because each lane
/// has its own constants.
#[test]
fn long_keys_of_few_pieces_differ() {
    let pieces = [[0u8; 16], *b"                ", *b"user=00000000001"];
    for len in [49, 63, 64, 65, 112, 160] {
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

/// Flipping a bit of a key flips each bit of the hash in half of all cases. The counts for some
/// 90,000 pairs of bits are within 6.5 standard errors.
#[test]
fn every_bit_of_a_key_moves_every_bit_of_its_hash() {
    const KEYS: u32 = 1_024;
    let hasher = Folded::with_seed(0);
    let hash = |key: &[u8]| {
        let KeyHash { place, probe } = hasher.hash(key);
        u128::from(place) << 64 | u128::from(probe)
    };
    for len in [3, 4, 7, 8, 9, 16, 17, 33, 48, 49, 59, 64, 65, 128, 1_000] {
        let step = (8 * len / 64).max(1);
        for bit in (0..8 * len).step_by(step).take(64) {
            let mut flips = [0u32; 128];
            for number in 0..KEYS {
                let word = |i: usize| {
                    hasher
                        .hash(&[number.to_le_bytes(), (i as u32).to_le_bytes()].concat())
                        .probe
                };
                let mut key: Vec<u8> = (0..len).map(|i| word(i / 8).to_le_bytes()[i % 8]).collect();
                let before = hash(&key);
                key[bit / 8] ^= 1 << (bit % 8);
                let changed = before ^ hash(&key);
                for (at, flips) in flips.iter_mut().enumerate() {
                    *flips += u32::from(changed >> at & 1 == 1);
                }
            }
            let worst = flips
                .map(|flips| flips.abs_diff(KEYS / 2))
                .into_iter()
                .max();
            assert!(worst < Some(104), "bit {bit} of {len} bytes: {worst:?}");
        }
    }
}
