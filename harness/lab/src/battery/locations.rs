//! The locations of many keys: what every test looks at.

use anyhow::{Result, bail};

use crate::schemes::{Lattice, Locator, Part};

/// The locations of some keys, column by column: all first probes, all second
/// ones, and so on.
#[derive(Clone, Debug)]
pub struct Sample {
    slots: u64,
    parts: Vec<Part>,
    columns: Vec<Vec<u64>>,
    /// What the keys drew of each part, by its probes; of what is no more than the columns
    /// none.
    drawn: Vec<Vec<Vec<u64>>>,
}

/// A part with more than one value, and what was drawn of it.
type Shown<'a> = (&'a Part, &'a Vec<Vec<u64>>);

/// One part of the locations of one probe index: a number below `values` for
/// every key.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    pub part: &'a Part,
    pub probe: u32,
    /// What each key drew.
    pub data: &'a [u64],
}

impl Sample {
    /// Locates keys; `keys` calls what it is given with each of them.
    ///
    /// Fails if a key has more or fewer locations than the locator claims.
    pub fn take(
        locator: &dyn Locator,
        count: u64,
        keys: impl FnOnce(&mut dyn FnMut(&[u8])),
    ) -> Result<Self> {
        let claimed = locator.probes() as usize;
        let mut columns = vec![Vec::with_capacity(count as usize); claimed];
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

    /// Of locations by their probes.
    pub fn of(slots: u64, parts: Vec<Part>, columns: Vec<Vec<u64>>) -> Self {
        let mut sample = Self {
            slots,
            parts,
            columns,
            drawn: Vec::new(),
        };
        sample.drawn = sample.parts.iter().map(|part| sample.draw(part)).collect();
        sample
    }

    fn draw(&self, part: &Part) -> Vec<Vec<u64>> {
        if self.is_whole(part) || part.values <= 1 {
            return Vec::new();
        }
        let of_probe = |probe| {
            let slots = self.column(probe).iter();
            slots.map(|slot| part.value(*slot)).collect()
        };
        part.probes.clone().map(of_probe).collect()
    }

    pub fn slots(&self) -> u64 {
        self.slots
    }

    /// Locations that are no slot.
    pub fn outside(&self) -> u64 {
        let all = self.columns.iter().flatten();
        all.filter(|slot| **slot >= self.slots).count() as u64
    }

    pub fn keys(&self) -> u64 {
        self.columns.first().map_or(0, Vec::len) as u64
    }

    pub fn probes(&self) -> u32 {
        self.columns.len() as u32
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The slots of one probe index.
    pub fn column(&self, probe: u32) -> &[u64] {
        &self.columns[probe as usize]
    }

    fn is_whole(&self, part: &Part) -> bool {
        part.first == 0 && part.unit == 1 && part.values == self.slots
    }

    /// Every part at every probe index that draws it. A part of one value,
    /// such as a single block, shows nothing.
    pub fn draws(&self) -> Vec<Draw<'_>> {
        self.shown()
            .flat_map(|shown| self.draws_of(shown))
            .collect()
    }

    fn shown(&self) -> impl Iterator<Item = Shown<'_>> {
        let all = self.parts.iter().zip(&self.drawn);
        all.filter(|(part, _)| part.values > 1)
    }

    fn draws_of<'a>(&'a self, (part, drawn): Shown<'a>) -> impl Iterator<Item = Draw<'a>> {
        let probes = part.probes.clone().enumerate();
        probes.map(move |(at, probe)| Draw {
            part,
            probe,
            data: drawn.get(at).map_or(self.column(probe), Vec::as_slice),
        })
    }

    /// Pairs of draws of one part, with the claim about them.
    pub fn pairs(&self) -> Vec<(Draw<'_>, Draw<'_>, Lattice)> {
        let mut pairs = Vec::new();
        for shown in self.shown() {
            let (part, draws) = (shown.0, self.draws_of(shown).collect::<Vec<_>>());
            for (at, b) in draws.iter().enumerate() {
                for a in &draws[..at] {
                    let (i, j) = (a.probe - part.probes.start, b.probe - part.probes.start);
                    if let Some(lattice) = part.pairs.lattice(i, j, part.values) {
                        pairs.push((*a, *b, lattice));
                    }
                }
            }
        }
        pairs
    }

    /// Pairs of draws of two parts of the same probes, such as block and bit:
    /// claimed to be independent.
    pub fn crossings(&self) -> Vec<(Draw<'_>, Draw<'_>)> {
        let mut pairs = Vec::new();
        for outer in self.shown() {
            let within = |(inner, _): &Shown<'_>| {
                inner.probes.contains(&outer.0.probes.start)
                    && outer.0.probes.len() == 1
                    && outer.0.unit > inner.unit
            };
            for inner in self.shown().filter(within) {
                for a in self.draws_of(outer) {
                    pairs.extend(self.draws_of(inner).map(|b| (a, b)));
                }
            }
        }
        pairs
    }
}

impl Draw<'_> {
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
        let names: Vec<_> = sample.draws().iter().map(Draw::name).collect();
        assert_eq!(names, ["block 0", "bit 0", "bit 1"]);
        assert_eq!(sample.draws()[0].data, [1, 2]);
        assert_eq!(sample.draws()[2].data, [6, 63]);
        assert_eq!(sample.crossings().len(), 2);
        assert_eq!(sample.pairs().len(), 1);
    }
}
