//! How full a filter is, by ranges of its slots or by its parts.

use std::io;

use bouquet_catalogue::Shape;
use bouquet_format::{Encode, HEADER_BYTES, Header};

use super::kind::kind;

/// The most ranges that are shown.
pub const ROWS: u64 = 16;

/// Some slots of a filter.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// What they are.
    pub name: String,
    /// The share of them that is not zero.
    pub fill: f64,
}

/// Slots that are counted as their bytes come, by ranges of equal length.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Bits of a slot, 1 to 32.
    width: u32,
    slots: u64,
    /// The next slot, its range, and the first slot of the range after that.
    at: u64,
    row: usize,
    row_end: u64,
    /// The bits of the next slot and of those after it that are there.
    pending: u64,
    pending_bits: u32,
    /// Slots that are not zero, by range.
    filled: Vec<u64>,
}

impl Tally {
    /// Of so many slots of so many bits, in at most so many ranges.
    pub fn new(slots: u64, width: u32, ranges: u64) -> Self {
        // A range of fewer than eight slots says nothing.
        let ranges = ranges.min(slots / 8).max(1);
        let mut tally = Self {
            width,
            slots,
            at: 0,
            row: 0,
            row_end: 0,
            pending: 0,
            pending_bits: 0,
            filled: vec![0; ranges as usize],
        };
        tally.row_end = tally.first(1);
        tally
    }

    /// Of these words, whose bits are the slots from the least significant on.
    pub fn of_bits(words: &[u64], slots: u64, ranges: u64) -> Self {
        let mut tally = Self::new(slots, 1, ranges);
        for word in words {
            if tally.at + 64 <= tally.row_end {
                tally.filled[tally.row] += u64::from(word.count_ones());
                tally.at += 64;
            } else {
                tally.put(&word.to_le_bytes());
            }
        }
        tally
    }

    /// Takes the next bytes; those past the last slot count for nothing.
    pub fn put(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.width == 1 && self.at + 8 <= self.row_end {
                self.filled[self.row] += u64::from(byte.count_ones());
                self.at += 8;
                continue;
            }
            self.pending |= u64::from(*byte) << self.pending_bits;
            self.pending_bits += 8;
            while self.pending_bits >= self.width {
                let slot = self.pending & ((1 << self.width) - 1);
                self.pending >>= self.width;
                self.pending_bits -= self.width;
                self.slot(slot != 0);
            }
        }
    }

    fn slot(&mut self, filled: bool) {
        if self.at == self.row_end && self.at < self.slots {
            self.row += 1;
            self.row_end = self.first(self.row + 1);
        }
        if filled && self.at < self.slots {
            self.filled[self.row] += 1;
        }
        self.at += 1;
    }

    /// The first slot of a range; of the one after the last, their number.
    fn first(&self, row: usize) -> u64 {
        let first = (row as u128 * u128::from(self.slots)).div_ceil(self.filled.len() as u128);
        first as u64
    }

    /// Slots that are not zero.
    pub fn ones(&self) -> u64 {
        self.filled.iter().sum()
    }

    /// The share of slots that are not zero.
    pub fn fill(&self) -> f64 {
        self.ones() as f64 / self.slots.max(1) as f64
    }

    /// Each range, with the number of its first slot.
    fn parts(&self) -> Vec<Part> {
        let part = |(row, filled): (usize, &u64)| {
            let slots = self.first(row + 1) - self.first(row);
            Part {
                name: format!("from slot {}", self.first(row)),
                fill: *filled as f64 / slots.max(1) as f64,
            }
        };
        self.filled.iter().enumerate().map(part).collect()
    }
}

/// The fills of one array: by its ranges. Of several: by array, and if there are
/// too many of them by groups of neighbours.
pub fn parts(name: &str, tallies: &[Tally]) -> Vec<Part> {
    if let [tally] = tallies {
        return tally.parts();
    }
    let group = tallies.len().div_ceil(2 * ROWS as usize).max(1);
    let part = |(i, tallies): (usize, &[Tally])| {
        let (ones, slots) = tallies.iter().fold((0, 0), |(ones, slots), t| {
            (ones + t.ones(), slots + t.slots)
        });
        let first = i * group + 1;
        let last = first + tallies.len() - 1;
        let name = if first == last {
            format!("{name} {first}")
        } else {
            format!("{name}s {first} to {last}")
        };
        Part {
            name,
            fill: ones as f64 / slots.max(1) as f64,
        }
    };
    tallies.chunks(group).enumerate().map(part).collect()
}

/// The fills of a filter of ours, read from its encoding as it is written.
pub fn of_encoding(filter: &impl Encode) -> io::Result<Vec<Part>> {
    of_written(&filter.header(), |out| filter.encode_to(out))
}

/// The same of a file with this header.
pub fn of_written(
    header: &Header,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> io::Result<Vec<Part>> {
    let mut stream = Stream {
        header: Vec::new(),
        payload_left: 0,
        file_left: header.file_bytes() - 8,
        ranges: ROWS,
        tallies: Vec::new(),
    };
    write(&mut stream)?;
    let made_of = kind(header).and_then(|(_, shape)| shape.made_of);
    let name = made_of.map_or("part", |(parts, _)| parts.trim_end_matches('s'));
    Ok(parts(name, &stream.tallies))
}

/// A file of ours on its way past: headers are read, slots counted.
struct Stream {
    /// Bytes of a header that is not yet whole.
    header: Vec<u8>,
    payload_left: u64,
    file_left: u64,
    ranges: u64,
    tallies: Vec<Tally>,
}

impl Stream {
    fn take_header(&mut self) -> io::Result<()> {
        let bytes = self.header.as_slice().try_into();
        let bytes = bytes.map_err(|_| io::ErrorKind::InvalidData)?;
        let header = Header::from_bytes(bytes, 0).map_err(io::Error::other)?;
        self.header.clear();
        if header.parts() > 1 {
            self.ranges = 1;
        }
        if header.parts() == 0 {
            let (slots, width) = slots_of(&header);
            self.tallies.push(Tally::new(slots, width, self.ranges));
            self.payload_left = header.payload_bytes();
        }
        Ok(())
    }
}

impl io::Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.file_left == 0 {
            return Ok(bytes.len());
        }
        let wanted = match self.payload_left {
            0 => HEADER_BYTES - self.header.len() as u64,
            left => left,
        };
        let count = bytes.len().min(wanted.min(self.file_left) as usize);
        self.file_left -= count as u64;
        let taken = &bytes[..count];
        if self.payload_left > 0 {
            self.payload_left -= count as u64;
            if let Some(tally) = self.tallies.last_mut() {
                tally.put(taken);
            }
        } else {
            self.header.extend_from_slice(taken);
            if self.header.len() as u64 == HEADER_BYTES {
                self.take_header()?;
            }
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Slots of a record without parts, and the bits of one; docs/FORMAT.md.
fn slots_of(header: &Header) -> (u64, u32) {
    let shape = kind(header).map_or_else(Shape::default, |(_, shape)| shape);
    let width = shape.slot_bits.unwrap_or(1).max(1);
    (shape.size_bits / width, width as u32)
}

#[cfg(test)]
mod tests {
    use bouquet_core::{Inspect, Spec, TryInsert};
    use bouquet_counting::CountingBloom;
    use bouquet_cuckoo::CuckooFilter;
    use bouquet_hash::Folded;
    use bouquet_scalable::ScalableBloom;
    use bouquet_sharded::ShardedBloom;
    use bouquet_standard::StandardBloom;

    use super::*;

    #[test]
    fn ranges_add_up_to_the_fill_whatever_the_slots() {
        fn check<F: Encode + Inspect + TryInsert>(mut filter: F, parts: usize) {
            for key in 0..900u32 {
                assert!(filter.try_insert(&key.to_le_bytes()).is_ok());
            }
            let found = of_encoding(&filter).unwrap();
            assert_eq!(found.len(), parts);
            let mean = found.iter().map(|part| part.fill).sum::<f64>() / parts as f64;
            // Ranges differ by a slot in length.
            assert!((mean - filter.fill_ratio()).abs() < 1e-3, "{mean}");
        }
        check(StandardBloom::new(1_000, 0.01).unwrap(), 16);
        check(CountingBloom::new(1_000, 0.01).unwrap(), 16);
        check(CuckooFilter::new(1_000, 0.001).unwrap(), 16);
        check(
            StandardBloom::from_parts(1_001, 3, Folded::default()).unwrap(),
            16,
        );
        let spec = Spec::new(1_000, 0.01).unwrap();
        let sharded = ShardedBloom::<StandardBloom>::with_shards(spec, 100, Folded::default());
        check(sharded.unwrap(), 25);
    }

    #[test]
    fn stages_are_named_and_a_lone_one_is_shown_by_ranges() {
        let mut filter = ScalableBloom::new(100, 0.01).unwrap();
        assert_eq!(of_encoding(&filter).unwrap().len(), 16);
        filter.extend(0..250u32);
        let parts = of_encoding(&filter).unwrap();
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["stage 1", "stage 2"]);
        assert!(parts[0].fill > 0.4);
    }

    #[test]
    fn few_slots_make_few_ranges() {
        let tally = |slots| Tally::of_bits(&[u64::MAX], slots, ROWS);
        assert_eq!(tally(3).parts().len(), 1);
        assert_eq!((tally(3).ones(), tally(3).fill()), (3, 1.0));
        assert_eq!(tally(61).parts().len(), 7);
        assert!(tally(61).parts().iter().all(|part| part.fill == 1.0));
        assert_eq!(tally(61).ones(), 61);
    }
}
