//! Facts about each type of filter, which are known without building a filter.

use crate::{Reference, Style, part, style};

/// The kind of construction of a filter, on which its speed mainly depends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// All probes of a key fall into one block.
    Blocked,
    /// Probes may fall anywhere in the filter; includes counting, partitioned and scalable filters.
    Spread,
    /// Cuckoo and quotient filters.
    Fingerprints,
    /// Built from all keys at once.
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

/// The form in which the file formats of other systems store a filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Foreign {
    /// One array of bits.
    Array,
    /// Blocks of 256 bits.
    Blocks256,
    /// A chain of arrays that grows.
    Chain,
}

/// The result of uniting two filters that were filled separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unites {
    /// The union equals one filter into which the keys of both were inserted.
    Same,
    /// The union stores the fingerprints of both filters, and fails if there is no room for them.
    IfRoom,
    /// The union consists of the stages of both filters, so its FPR is about the sum of their FPRs.
    AddedFprs,
    /// The filters cannot be united.
    Never,
}

#[derive(Clone, Copy, Debug)]
pub struct Facts {
    pub name: &'static str,
    pub about: &'static str,
    /// The description of the filter with default options, if it is evaluated with other options.
    pub about_plain: Option<&'static str>,
    /// The description in `bouquet build`; `None` if that command cannot build the filter.
    pub about_file: Option<&'static str>,
    /// The filter's form in file formats of other systems; `None` if it has none.
    pub foreign: Option<Foreign>,
    /// If the filter consists of other filters: how many headers precede the header of the first
    /// inner filter in the file.
    pub inner_header: Option<usize>,
    /// The formula for the filter's expected FPR.
    pub theory: &'static str,
    /// The filter's location scheme, if it is tested under a name of its own; otherwise empty.
    pub scheme: &'static str,
    /// Computes a key's locations a second time, independently of the filter's crate, to check
    /// them; `None` if they are not checked.
    pub reference: Option<Reference>,
    pub removes: bool,
    /// Whether the filter's own `insert` can reject a key.
    pub rejects: bool,
    /// Whether it has counters instead of bits.
    pub counts: bool,
    pub grows: bool,
    /// Whether it forgets keys: it contains at least as many of the last insertions as its capacity.
    pub forgets: bool,
    /// Whether several threads can insert keys concurrently.
    pub concurrent: bool,
    pub unites: Unites,
    /// Whether it moves stored keys to make room, so that its encoding depends on the order in
    /// which keys were inserted.
    pub relocates: bool,
    /// The smallest number of bits per key with which it can be built.
    pub least_bits_per_key: f64,
    /// The names of the [`Options`] that it supports, besides the hasher.
    ///
    /// [`Options`]: crate::Options
    pub options: &'static [&'static str],
    pub family: Family,
    pub style: Style,
    /// Why one would choose it, in a few words.
    pub rationale: &'static str,
    /// Whether it is composed of other filters of the catalogue. If so, it is evaluated only if it
    /// is selected explicitly.
    pub is_composed: bool,
    /// Its rank by complexity among all candidates of `bouquet recommend`. If two candidates cost
    /// nearly the same, the one with the lower rank is recommended. The ranks are:
    ///
    /// - below 20: no filter at all, or a bitmap with one bit for each possible key
    /// - below 70: one array of bits, then blocks, then partitions
    /// - below 90: static filters of another crate, which must be rebuilt for every change
    /// - below 150: filters that can do more than insert and look up: those without locks, those
    ///   with locks, growing filters, fingerprints, counters
    /// - 150 and above: sets that store the keys themselves and need many times the memory
    pub simplicity_rank: u32,
    /// The largest number of shards that it has by default; 1 if it has no shards.
    pub parts: u32,
    /// The facts that differ if a program divides the filter into shards, each behind a lock.
    /// `None` if threads can share the filter in another way.
    pub in_shards: Option<InShards>,
    pub snippet: Snippet,
}

/// The facts that differ from [`Facts`] if a program divides a filter into shards behind locks.
#[derive(Clone, Copy, Debug)]
pub struct InShards {
    pub name: &'static str,
    pub rationale: &'static str,
    /// The rank by complexity, as in [`Facts::simplicity_rank`].
    pub simplicity_rank: u32,
}

/// The names that example code for the filter uses.
#[derive(Clone, Copy, Debug)]
pub struct Snippet {
    /// The name of its crate without the prefix `bouquet-`.
    pub package: &'static str,
    /// The type of the filter; `H` is replaced by the hasher.
    pub full: &'static str,
    pub constructor: &'static str,
    /// Whether `new` takes a capacity and a target FPR, and the type needs no generic arguments
    /// with the default hasher.
    pub is_default: bool,
    /// The type for a target FPR, if it depends on that.
    pub by_fpr: Option<fn(f64) -> &'static str>,
    /// A second crate that is needed, and the type that is used from it.
    pub of: Option<(&'static str, &'static str)>,
}

impl Snippet {
    pub const fn new(package: &'static str, full: &'static str) -> Self {
        Self {
            package,
            full,
            constructor: "with_hasher",
            is_default: true,
            by_fpr: None,
            of: None,
        }
    }

    /// The types to import from the filter's crate; the filter's own type comes first.
    pub fn types(&self) -> impl Iterator<Item = &'static str> {
        let beside = self.of.map(|(_, inner)| inner);
        let words = self.full.split(['<', '>', ',', ' ']);
        let is_type = |word: &str| word != "H" && word.starts_with(char::is_uppercase);
        words.filter(move |word| is_type(word) && Some(*word) != beside)
    }
}

/// The facts that most filters have in common.
pub const PLAIN: Facts = Facts {
    name: "",
    about: "",
    about_plain: None,
    about_file: None,
    foreign: None,
    inner_header: None,
    theory: "exact, by recurrence over the probed slots (Bose et al. 2008; Christensen, Roginsky \
             and Jimeno 2010)",
    scheme: "",
    reference: Some(part::anywhere),
    removes: false,
    rejects: false,
    counts: false,
    grows: false,
    forgets: false,
    concurrent: false,
    unites: Unites::Same,
    relocates: false,
    least_bits_per_key: 0.0,
    options: &[],
    family: Family::Spread,
    style: style::PEER,
    rationale: "",
    is_composed: false,
    simplicity_rank: 0,
    parts: 1,
    in_shards: None,
    snippet: Snippet::new("", ""),
};
