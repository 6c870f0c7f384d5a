//! The locations of many keys, which are the input of every test.

use std::sync::Arc;

use anyhow::{Result, bail};

use crate::schemes::{Lattice, Locator, Part};

/// The locations of some keys, in one column per probe. Each column has one location of every key,
/// in the order of the keys.
#[derive(Clone, Debug)]
pub struct Sample {
    pub slots: u64,
    pub parts: Vec<Part>,
    pub columns: Vec<Arc<Vec<u64>>>,
    /// One entry for every part of a location, such as the block or the bit, and every probe that
    /// chooses it. A part with only one possible value is left out: there is nothing to test.
    pub draws: Vec<Draw>,
}

/// The values that one probe chooses for one part of the locations, such as the index of the block:
/// a number below `part.values` for each key.
#[derive(Clone, Debug)]
pub struct Draw {
    pub part: Part,
    pub probe: u32,
    pub data: Arc<Vec<u64>>,
}

impl Sample {
    /// Computes the locations of the keys that `keys` passes to its callback.
    ///
    /// Fails if a key has more or fewer locations than the locator claims.
    pub fn take(
        locator: &Locator,
        count: u64,
        keys: impl FnOnce(&mut dyn FnMut(&[u8])),
    ) -> Result<Self> {
        let claimed = locator.probes() as usize;
        let column = |_| Vec::with_capacity(count as usize);
        let mut columns: Vec<_> = (0..claimed).map(column).collect();
        let mut wrong = None;
        keys(&mut |key| {
            let mut probe = 0;
            locator.locate(key, &mut |slot| {
                if let Some(column) = columns.get_mut(probe) {
                    column.push(slot);
                }
                probe += 1;
            });
            if probe != claimed {
                wrong = Some(probe);
            }
        });
        if let Some(probes) = wrong {
            bail!("a key has {probes} locations in place of {claimed}");
        }
        Ok(Self::of(locator.slots(), locator.parts().to_vec(), columns))
    }

    /// Makes a sample from columns of locations, one column per probe.
    pub fn of(slots: u64, parts: Vec<Part>, columns: Vec<Vec<u64>>) -> Self {
        let columns: Vec<Arc<Vec<u64>>> = columns.into_iter().map(Arc::new).collect();
        let mut draws = Vec::new();
        for part in parts.iter().filter(|part| part.values > 1) {
            let is_whole = part.first == 0 && part.unit == 1 && part.values == slots;
            draws.extend(part.probes.clone().map(|probe| {
                let column = &columns[probe as usize];
                let drawn = || column.iter().map(|slot| part.value(*slot)).collect();
                Draw {
                    part: part.clone(),
                    probe,
                    data: match is_whole {
                        true => column.clone(),
                        false => Arc::new(drawn()),
                    },
                }
            }));
        }
        Self {
            slots,
            parts,
            columns,
            draws,
        }
    }

    /// The number of locations that are not below m.
    pub fn outside(&self) -> u64 {
        let all = self.columns.iter().flat_map(|column| column.iter());
        all.filter(|slot| **slot >= self.slots).count() as u64
    }

    pub fn keys(&self) -> u64 {
        self.columns.first().map_or(0, |column| column.len() as u64)
    }

    /// The pairs of probes that choose the same part of a location, as indexes of `draws`, each
    /// with the differences of the two values that the scheme can produce.
    pub fn pairs(&self) -> Vec<([usize; 2], Lattice)> {
        let mut pairs = Vec::new();
        for (y, b) in self.draws.iter().enumerate() {
            let earlier = self.draws[..y].iter().enumerate();
            for (x, a) in earlier.filter(|(_, a)| a.part == b.part) {
                let (i, j) = (a.probe - a.part.probes.start, b.probe - b.part.probes.start);
                let lattice = a.part.pairs.lattice(i, j, a.part.values);
                pairs.extend(lattice.map(|lattice| ([x, y], lattice)));
            }
        }
        pairs
    }

    /// Pairs of two parts of a location, such as the block and a bit within it, as indexes of
    /// `draws`. The scheme claims that the values of the two parts are independent.
    pub fn crossings(&self) -> Vec<[usize; 2]> {
        let mut pairs = Vec::new();
        for (x, a) in self.draws.iter().enumerate() {
            let within = |b: &Draw| b.part.probes.contains(&a.probe) && a.part.unit > b.part.unit;
            if a.part.probes.len() == 1 {
                let draws = self.draws.iter().enumerate();
                pairs.extend(draws.filter(|(_, b)| within(b)).map(|(y, _)| [x, y]));
            }
        }
        pairs
    }
}

impl Draw {
    pub fn values(&self) -> u64 {
        self.part.values
    }

    pub fn name(&self) -> String {
        format!("{} {}", self.part.name, self.probe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_blocks_are_drawn_and_crossed() {
        let parts = vec![
            Part::new("block", 0..1, 64, 4),
            Part::new("bit", 0..2, 1, 64),
        ];
        let sample = Sample::of(256, parts, vec![vec![65, 130], vec![70, 191]]);
        let names: Vec<_> = sample.draws.iter().map(Draw::name).collect();
        assert_eq!(names, ["block 0", "bit 0", "bit 1"]);
        assert_eq!(sample.draws[0].data[..], [1, 2]);
        assert_eq!(sample.draws[2].data[..], [6, 63]);
        assert_eq!(sample.crossings().len(), 2);
        assert_eq!(sample.pairs().len(), 1);
    }
}
