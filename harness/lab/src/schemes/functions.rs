//! Small hash functions of the textbooks, here to be measured.

/// FNV-1a in 32 bits (Fowler, Noll and Vo).
pub fn fnv1a_32(key: &[u8]) -> u32 {
    key.iter().fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

/// FNV-1a in 64 bits.
pub fn fnv1a_64(key: &[u8]) -> u64 {
    key.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// FNV-1 in 64 bits: multiplies first.
pub fn fnv1_64(key: &[u8]) -> u64 {
    key.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        hash.wrapping_mul(0x0100_0000_01b3) ^ u64::from(*byte)
    })
}

/// `hash * factor + byte`: djb2 with 33 from 5381 (Bernstein), Java's
/// `String.hashCode` with 31 from 0.
pub fn polynomial_32(key: &[u8], start: u32, factor: u32) -> u32 {
    key.iter().fold(start, |hash, byte| {
        hash.wrapping_mul(factor).wrapping_add(u32::from(*byte))
    })
}

/// Adler-32 (RFC 1950): two sums of 16 bits.
pub fn adler_32(key: &[u8]) -> u32 {
    let (a, b) = key.iter().fold((1, 0), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    b << 16 | a
}

/// CRC-32 as in zip and PNG (ISO 3309), bit by bit.
pub fn crc_32(key: &[u8]) -> u32 {
    !key.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the test vectors of each function's authors or standard.
    #[test]
    fn published_values() {
        assert_eq!(fnv1a_32(b"foobar"), 0xbf9c_f968);
        assert_eq!(fnv1a_64(b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(fnv1_64(b"foobar"), 0x340d_8765_a4dd_a9c2);
        assert_eq!(polynomial_32(b"hello", 0, 31), 99_162_322);
        assert_eq!(polynomial_32(b"a", 5381, 33), 177_670);
        assert_eq!(adler_32(b"Wikipedia"), 0x11e6_0398);
        assert_eq!(crc_32(b"123456789"), 0xcbf4_3926);
    }
}
