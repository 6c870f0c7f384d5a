//! The header before the bitset: a `BloomFilterHeader` of Thrift's compact
//! protocol.

use super::scheme::MAX_BLOCKS;
use crate::{DecodeError, ReadError, Term, read::Reader, write::Pieces};

/// Field 1, an i32: the number of bytes, as a zigzag varint.
const NUM_BYTES: u8 = 0x15;
/// A union with its first, empty variant: field after the last, a struct; in it
/// field 1, a struct; the ends of both.
const FIRST_VARIANT: [u8; 4] = [0x1c, 0x1c, 0, 0];
/// The end of the header.
const STOP: u8 = 0;

/// Each union of the header, and what its first variant is.
const UNIONS: [(&str, &str); 3] = [
    ("algorithm", "BLOCK"),
    ("hash", "XXHASH"),
    ("compression", "UNCOMPRESSED"),
];

pub(super) fn write<E>(blocks: u32, out: &mut Pieces<'_, E>) -> Result<(), E> {
    out.bytes(&[NUM_BYTES])?;
    // Zigzag doubles what is not negative.
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

/// The number of blocks.
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
        return Err(ReadError::Decode(DecodeError {
            offset,
            field: "numBytes",
            found: Term::Number(bytes.into()),
            wanted: Term::Words("a multiple of 32 from 32 to 2147483616"),
        }));
    }
    for (field, variant) in UNIONS {
        let offset = reader.offset();
        if reader.array(field)? != FIRST_VARIANT {
            return Err(ReadError::Decode(DecodeError {
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

/// An unsigned LEB128 number of at most 5 bytes.
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
    Err(ReadError::Decode(DecodeError {
        offset,
        field: "numBytes",
        found: Term::Words("a number of more than 5 bytes"),
        wanted: Term::Words("one of 32 bits"),
    }))
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}
