//! The header before the bitset: a `BloomFilterHeader` in Thrift's compact protocol.

use super::scheme::MAX_BLOCKS;
use crate::{ForeignDecodeError, ReadError, Term, read::Reader, write::Pieces};

/// Field 1, an i32 as a zigzag varint: the number of bytes of the bitset.
const NUM_BYTES: u8 = 0x15;
/// A union whose variant is the first one, an empty struct. The bytes are: the next field, a
/// struct; in it field 1, a struct; the end of the inner struct; the end of the outer one.
const FIRST_VARIANT: [u8; 4] = [0x1c, 0x1c, 0, 0];
/// The byte that ends the header.
const STOP: u8 = 0;

/// Each union of the header, and the name of its first variant.
const UNIONS: [(&str, &str); 3] = [
    ("algorithm", "BLOCK"),
    ("hash", "XXHASH"),
    ("compression", "UNCOMPRESSED"),
];

pub(super) fn write<E>(blocks: u32, out: &mut Pieces<'_, E>) -> Result<(), E> {
    out.bytes(&[NUM_BYTES])?;
    // The zigzag encoding doubles a non-negative number.
    let mut rest = 64 * u64::from(blocks);
    while rest >= 0x80 {
        out.bytes(&[rest as u8 | 0x80])?;
        rest >>= 7;
    }
    out.bytes(&[rest as u8])?;
    for _ in UNIONS {
        out.bytes(&FIRST_VARIANT)?;
    }
    out.bytes(&[STOP])
}

/// Reads the header and returns the number of blocks.
pub(super) fn read<E>(reader: &mut Reader<'_, E>) -> Result<u32, ReadError<E>> {
    reader.checked(
        "numBytes",
        |[b]: [u8; 1]| b,
        |b| b == NUM_BYTES,
        "field 1, 21",
    )?;
    let offset = reader.offset();
    let bytes = unzigzag(varint(reader)?);
    if bytes <= 0 || bytes % 32 != 0 || bytes / 32 > MAX_BLOCKS.into() {
        return Err(ReadError::Decode(ForeignDecodeError {
            offset,
            field: "numBytes",
            found: Term::Number(bytes.into()),
            wanted: Term::Words("a multiple of 32 from 32 to 2147483616"),
        }));
    }
    for (field, variant) in UNIONS {
        let offset = reader.offset();
        if reader.array(field)? != FIRST_VARIANT {
            return Err(ReadError::Decode(ForeignDecodeError {
                offset,
                field,
                found: Term::Words("something else"),
                wanted: Term::Words(variant),
            }));
        }
    }
    reader.checked("end of header", |[b]: [u8; 1]| b, |b| b == STOP, "0")?;
    Ok((bytes / 32) as u32)
}

/// Reads an unsigned LEB128 number of at most 5 bytes.
fn varint<E>(reader: &mut Reader<'_, E>) -> Result<u64, ReadError<E>> {
    let offset = reader.offset();
    let mut number = 0;
    for place in 0..5 {
        let [byte] = reader.array("numBytes")?;
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(ReadError::Decode(ForeignDecodeError {
        offset,
        field: "numBytes",
        found: Term::Words("a number of more than 5 bytes"),
        wanted: Term::Words("one of 32 bits"),
    }))
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}
