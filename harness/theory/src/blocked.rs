//! Filters whose probes for a key all fall into one block: anywhere in it, or one in each word.

use std::{cell::RefCell, collections::HashMap};

use anyhow::{Result, bail};
use bouquet_blocked::{Geometry, Layout, Line, Words32, Words64};
use bouquet_core::{
    Spec,
    math::{self, Occupancy, Parameters},
};
use bouquet_sharded::math::mean_over_loads;

use super::{
    Answer, Form, Request, distinct,
    model::{Model, Sizing, at_most_a_slot_each},
    solve::{Settled, describe, fill, settle},
    standard::array,
};

/// The largest block size that is supported, in bits.
const LARGEST: u64 = 1 << 16;

/// The size of a cache line in bits, which is the default.
const USUAL: u64 = 512;

/// With this many blocks the loads are Poisson to eight digits.
const MANY_BLOCKS: u64 = 1 << 30;

/// The positions of a key's slots within its block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inside {
    /// Anywhere; slots may repeat.
    Anywhere,
    /// At k distinct slots.
    Different,
    /// One slot in each of this many words.
    Words(u32),
}

struct Blocked {
    block_bits: u64,
    inside: Inside,
    /// A cache of the FPR of a block, by k and the load.
    known: RefCell<HashMap<(u32, u64), f64>>,
}

impl Blocked {
    /// The FPR of one block with this number of keys.
    fn block_fpr(&self, hashes: u32, load: u64) -> f64 {
        *self
            .known
            .borrow_mut()
            .entry((hashes, load))
            .or_insert_with(|| match self.inside {
                Inside::Anywhere => math::expected_fpr(self.block_bits, hashes, load),
                Inside::Different => distinct::expected_fpr(self.block_bits, hashes, load),
                // A block with words is like a partitioned filter whose partitions are the words.
                Inside::Words(words) => {
                    let word_bits = self.block_bits / u64::from(words);
                    bouquet_partitioned::math::expected_fpr(word_bits, words, load)
                }
            })
    }

    /// How the probes of a key fall into one block; `None` if they are not independent.
    fn in_block(&self, hashes: u32) -> Option<Occupancy> {
        match self.inside {
            Inside::Anywhere => Some(array(self.block_bits, hashes)),
            Inside::Different => None,
            Inside::Words(words) => Some(Occupancy {
                groups: 1,
                ranges: words.into(),
                slots: self.block_bits / u64::from(words),
                throws: 1,
            }),
        }
    }

    /// The FPR of a filter with this number of blocks.
    fn fpr(&self, blocks: u64, hashes: u32, keys: u64) -> f64 {
        let (blocks, keys) = countable(blocks, keys);
        mean_over_loads(keys, blocks, |load| self.block_fpr(hashes, load))
    }

    /// The function by which one of our crates sizes such a filter, if there is one.
    fn least(&self) -> Option<Sizing<'static>> {
        match (self.inside, self.block_bits) {
            (Inside::Anywhere, Line::BLOCK_BITS) => Some(&size_of::<Line>),
            (Inside::Words(8), Words32::BLOCK_BITS) => Some(&size_of::<Words32>),
            (Inside::Words(8), Words64::BLOCK_BITS) => Some(&size_of::<Words64>),
            _ => None,
        }
    }

    fn most_hashes(&self) -> u32 {
        match self.inside {
            Inside::Words(words) => words,
            // The largest number of hashes of our own layout.
            Inside::Anywhere if self.block_bits == Line::BLOCK_BITS => 64,
            _ => at_most_a_slot_each(self.block_bits),
        }
    }

    /// The limit of the FPR for many blocks with the same number of keys per block. The remaining
    /// error halves when the number of blocks doubles, so it is extrapolated to zero.
    fn poisson_fpr(&self, hashes: u32, keys: u64, blocks: u64) -> f64 {
        let times = (MANY_BLOCKS / blocks).max(1);
        let at = |times: u64| self.fpr(blocks * times, hashes, keys.saturating_mul(times));
        2.0 * at(2 * times) - at(times)
    }
}

fn size_of<L: Layout>(keys: u64, fpr: f64) -> Result<Parameters> {
    let geometry = Geometry::<L>::from_spec(&Spec::new(keys, fpr)?)?;
    Ok(Parameters {
        size_bits: geometry.blocks(),
        hashes: geometry.hashes(),
    })
}

/// Reduces the number of blocks to what fits into 32 bits, and the keys in proportion: with four
/// thousand million blocks the loads are Poisson to ten digits.
fn countable(blocks: u64, keys: u64) -> (u32, u64) {
    match u32::try_from(blocks) {
        Ok(blocks) => (blocks, keys),
        Err(_) => {
            let share = f64::from(u32::MAX) / blocks as f64;
            (u32::MAX, (keys as f64 * share).round() as u64)
        }
    }
}

pub const BLOCKED: Form = Form {
    name: "",
    about: "k probes anywhere in one block",
    takes: &["bits", "bits_per_key", "hashes", "distinct", "block_bits"],
    answer: |request| {
        answer(
            request,
            match request.distinct {
                true => Inside::Different,
                false => Inside::Anywhere,
            },
        )
    },
};

pub const SPLIT_BLOCK: Form = Form {
    name: "",
    about: "k words of one block, a probe in each",
    takes: &["bits", "bits_per_key", "hashes", "block_bits"],
    answer: |request| answer(request, Inside::Words(request.hashes.unwrap_or(8))),
};

fn answer(request: &Request, inside: Inside) -> Result<Answer> {
    let block_bits = request.block_bits.unwrap_or(USUAL);
    if let Inside::Words(words) = inside
        && !block_bits.is_multiple_of(words.into())
    {
        bail!("a block of {block_bits} bits does not split into {words} words (--hashes)");
    }
    super::request::at_most("--block-bits", Some(block_bits), LARGEST)?;
    let blocked = Blocked {
        block_bits,
        inside,
        known: RefCell::default(),
    };
    let fpr = |blocks, hashes, keys| blocked.fpr(blocks, hashes, keys);
    let most = blocked.most_hashes();
    let all_words = |_, _| most;
    let model = Model {
        least: blocked.least(),
        most_hashes: &|_| most,
        best_hashes: match inside {
            Inside::Words(_) => Some(&all_words),
            _ => None,
        },
        ..Model::new(block_bits, &fpr)
    };
    let settled = settle(request, &model)?;
    let Settled {
        capacity,
        units,
        hashes,
    } = settled;
    let mut answer = describe(request, &model, &settled, units * block_bits)?;
    if let Some(in_block) = blocked.in_block(hashes) {
        let groups = units;
        fill(&mut answer, Occupancy { groups, ..in_block }, capacity);
    }
    answer.set("block_bits", block_bits);
    answer.set("blocks", units);
    answer.set("poisson_fpr", blocked.poisson_fpr(hashes, capacity, units));
    Ok(answer)
}
