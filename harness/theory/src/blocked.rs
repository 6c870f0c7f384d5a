//! All probes of a key in one block: anywhere in it, or one in each word.

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

/// The largest block that theory is given for.
const LARGEST: u64 = 1 << 16;

/// A cache line.
const USUAL: u64 = 512;

/// Loads of so many blocks are Poisson to eight digits.
const MANY_BLOCKS: u64 = 1 << 30;

/// Where in its block a key's slots are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inside {
    /// Anywhere.
    Anywhere,
    /// At k different slots.
    Different,
    /// One in each of this many words.
    Words(u32),
}

struct Blocked {
    block_bits: u64,
    inside: Inside,
    /// The FPR of a block by k and its load.
    known: RefCell<HashMap<(u32, u64), f64>>,
}

impl Blocked {
    /// The FPR of one block with so many keys.
    fn block_fpr(&self, hashes: u32, load: u64) -> f64 {
        *self
            .known
            .borrow_mut()
            .entry((hashes, load))
            .or_insert_with(|| match self.inside {
                Inside::Anywhere => math::expected_fpr(self.block_bits, hashes, load),
                Inside::Different => distinct::expected_fpr(self.block_bits, hashes, load),
                // A word is to a block what a partition is to a filter.
                Inside::Words(words) => {
                    let word_bits = self.block_bits / u64::from(words);
                    bouquet_partitioned::math::expected_fpr(word_bits, words, load)
                }
            })
    }

    /// How the probes of a key fall into one block; `None` where they do not fall
    /// independently.
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

    /// The FPR of so many blocks.
    fn fpr(&self, blocks: u64, hashes: u32, keys: u64) -> f64 {
        let (blocks, keys) = countable(blocks, keys);
        mean_over_loads(keys, blocks, |load| self.block_fpr(hashes, load))
    }

    /// How a crate of ours sizes it.
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
            // What the layout of ours has.
            Inside::Anywhere if self.block_bits == Line::BLOCK_BITS => 64,
            _ => at_most_a_slot_each(self.block_bits),
        }
    }

    /// The limit of many blocks at the same keys per block: what is left of the
    /// difference, which halves from B blocks to 2B, is taken off.
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

/// As many blocks as can be counted, with keys in proportion: loads of four
/// thousand million blocks are Poisson to ten digits.
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
