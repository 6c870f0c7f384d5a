//! What is known of a filter without making one.

use bouquet_theory as theory;

use crate::{Reference, Style, part, style};

/// What a filter is made of, as far as its speed goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// All probes of a key in one block.
    Blocked,
    /// Probes anywhere: also of counters, in partitions, in stages.
    Spread,
    /// Cuckoo and quotient filters.
    Fingerprints,
    /// Built of all keys at once.
    Static,
}

impl Family {
    pub fn name(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Spread => "spread",
            Self::Fingerprints => "fingerprints",
            Self::Static => "static",
        }
    }
}

/// What the formats of other systems hold of a filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Foreign {
    /// One array of bits.
    Array,
    /// Blocks of 256 bits.
    Blocks256,
    /// A chain of arrays that grows.
    Chain,
}

/// What one is made of two that were filled apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unites {
    /// What the keys of both would have made.
    Same,
    /// As many copies of each key as both have, if there is room for them.
    IfRoom,
    /// The parts of both, with the FPRs of both added up.
    AddedFprs,
    /// None.
    Never,
}

/// What is known of a filter.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    pub name: &'static str,
    pub about: &'static str,
    /// The same of one that is made by its plain constructor, where that is not how
    /// it is judged.
    pub about_plain: Option<&'static str>,
    /// What `bouquet build` says of it; `None` where it makes none.
    pub about_file: Option<&'static str>,
    /// What it is in files of other systems.
    pub foreign: Option<Foreign>,
    /// Of one that is made of others: which header of its file is the first of theirs.
    pub inner_header: Option<usize>,
    /// The form by which its FPR is expected.
    pub theory: &'static str,
    /// What the calculator knows it as, if it is the one that it knows so.
    pub form: Option<theory::Form>,
    /// The scheme of its locations, where it has the name of one.
    pub scheme: &'static str,
    /// Where its keys are, worked out again; `None` where its geometry does not tell.
    pub reference: Option<Reference>,
    pub removes: bool,
    /// Its own `insert` may reject a key.
    pub rejects: bool,
    /// Has counters in place of bits.
    pub counts: bool,
    pub grows: bool,
    /// Takes keys from many threads at once.
    pub concurrent: bool,
    pub unites: Unites,
    /// Keys make room for each other, so that what it is stored as depends on the order
    /// in which they came.
    pub relocates: bool,
    /// With fewer there is no such filter.
    pub least_bits_per_key: f64,
    /// What beside its size a definition may choose of it, by the names of [`Options`].
    ///
    /// [`Options`]: crate::Options
    pub options: &'static [&'static str],
    pub family: Family,
    pub style: Style,
    /// Why one takes it, in a few words.
    pub virtue: &'static str,
    /// Made of another of the list, and evaluated where a definition asks for it.
    pub is_composed: bool,
    /// Its place among all that can be recommended: where costs are too close to call,
    /// the plainer one is. By what each is:
    ///
    /// - nothing at all, and a bit for each possible key, which has no hash and is
    ///   never wrong: below 20;
    /// - one array of bits, then the same in blocks, then in parts: below 70;
    /// - static filters of another crate, the smaller one first: rebuilt for every
    ///   change, and possible only where nothing changes: below 90;
    /// - what has means for more than to insert and to ask: without locks before with
    ///   locks, then growth, fingerprints, counters: below 150;
    /// - sets that hold the keys themselves, in many times the memory.
    pub plainness: u32,
    /// The most parts that it is made of by its plain constructor, each with memory of
    /// its own.
    pub parts: u32,
    /// What it is in shards that a program puts behind locks of its own, where threads
    /// share it in no other way.
    pub in_shards: Option<InShards>,
    pub snippet: Snippet,
}

/// What is to be known of shards of it beside what is known of one.
#[derive(Clone, Copy, Debug)]
pub struct InShards {
    pub name: &'static str,
    pub virtue: &'static str,
    /// As [`Facts::plainness`].
    pub plainness: u32,
}

/// How a program calls it.
#[derive(Clone, Copy, Debug)]
pub struct Snippet {
    /// The crate, without the prefix.
    pub package: &'static str,
    /// The type of the filter; `H` stands for the hasher.
    pub full: &'static str,
    pub constructor: &'static str,
    /// Whether it is what its type is by default, with the default hasher in place of `H`:
    /// then `new` makes it, of a capacity and an FPR.
    pub is_default: bool,
    /// A crate beside its own, and the type that is used of it.
    pub of: Option<(&'static str, &'static str)>,
}

impl Snippet {
    pub const fn new(package: &'static str, full: &'static str) -> Self {
        Self {
            package,
            full,
            constructor: "with_hasher",
            is_default: true,
            of: None,
        }
    }

    /// The types of its crate, that of the filter first.
    pub fn types(&self) -> impl Iterator<Item = &'static str> {
        let beside = self.of.map(|(_, inner)| inner);
        let words = self.full.split(['<', '>', ',', ' ']);
        words.filter(move |word| !["", "H"].contains(word) && Some(*word) != beside)
    }
}

/// What most have in common.
pub const PLAIN: Facts = Facts {
    name: "",
    about: "",
    about_plain: None,
    about_file: None,
    foreign: None,
    inner_header: None,
    theory: "exact, by recurrence over the probed slots (Bose et al. 2008; Christensen, Roginsky \
             and Jimeno 2010)",
    form: None,
    scheme: "",
    reference: Some(part::anywhere),
    removes: false,
    rejects: false,
    counts: false,
    grows: false,
    concurrent: false,
    unites: Unites::Same,
    relocates: false,
    least_bits_per_key: 0.0,
    options: &[],
    family: Family::Spread,
    style: style::PEER,
    virtue: "",
    is_composed: false,
    plainness: 0,
    parts: 1,
    in_shards: None,
    snippet: Snippet::new("", ""),
};
