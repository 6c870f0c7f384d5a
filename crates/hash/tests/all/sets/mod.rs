//! Sets of integers on which a weak hash fails.

/// Sets of highly structured keys, in sequence.
pub const SETS: [Set; 13] = [
    ("in strides of 8", |i| i << 3),
    ("in strides of 4,096", |i| i << 12),
    ("in strides of 2^24", |i| i << 24),
    ("in strides of 2^32", |i| i << 32),
    ("in strides of 2^40", |i| i << 40),
    ("bit-reversed", u64::reverse_bits),
    ("downwards", |i| i.wrapping_neg()),
    ("near a constant", |i| 0x7fff_ffff_0000_0000 ^ i),
    ("multiples of a large prime", |i| {
        i.wrapping_mul(0xffff_ffff_ffff_ffc5)
    }),
    ("multiples of the golden ratio", |i| {
        i.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }),
    ("the same word twice", |i| i << 32 | i),
    ("one-bit neighbours", |i| {
        (i / 64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 1 << (i % 64)
    }),
    ("Gray code", |i| i ^ i >> 1),
];

/// The name of a key set, and the function that computes its i-th key.
pub type Set = (&'static str, fn(u64) -> u64);
