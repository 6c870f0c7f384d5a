//! A request: a filter and some of its numbers.

use anyhow::{Error, Result, anyhow, bail, ensure};
use bouquet_core::{MAX_SIZE_BITS, math::MAX_HASHES};

use super::{
    Answer,
    number::{Range, Steps, counts, reals, shares},
};

/// A kind of filter that the calculator supports: the flags that apply to it, and the function that
/// computes its answer. The caller gives it a name.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    pub name: &'static str,
    pub about: &'static str,
    /// The flags that apply to it in addition to the capacity and the FPR.
    pub(crate) takes: &'static [&'static str],
    pub(crate) answer: fn(&Request) -> Result<Answer>,
}

impl Form {
    /// The same form with a name.
    pub const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    fn takes(&self, field: &str) -> bool {
        ["capacity", "fpr"].contains(&field) || self.takes.contains(&field)
    }
}

/// Compares only the visible fields, the name and the description.
impl PartialEq for Form {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.about) == (other.name, other.about)
    }
}

/// The numbers that a request can have. Each has a flag, the type of one value and the type of all
/// values of the flag. Ranges are combined in this order; the help has its own order.
macro_rules! flags {
    ($($(#[$arg:meta])* $field:ident: $one:ty, $all:ty,)*) => {
        /// A filter and its numbers. `None` means that a number is not given.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Request {
            pub form: Form,
            pub hash_bits: u32,
            $(pub $field: $one,)*
        }

        /// The same on the command line, where a flag may have several values.
        #[derive(clap::Args, Clone, Debug)]
        pub struct Flags {
            $($(#[$arg])* $field: $all,)*
        }

        impl Request {
            pub fn new(form: Form) -> Self {
                Self { form, hash_bits: 64, $($field: Default::default()),* }
            }

            /// The same request for another filter, without the flags that do not apply to it.
            fn of(&self, form: Form) -> Self {
                let mut request = Self { form, ..self.clone() };
                $(if !form.takes(stringify!($field)) {
                    request.$field = Default::default();
                })*
                request
            }

            /// The names of the fields that are given.
            pub fn given(&self) -> Vec<&'static str> {
                let none = Self::new(self.form);
                let mut given = Vec::new();
                $(if self.$field != none.$field {
                    given.push(stringify!($field));
                })*
                given
            }
        }

        impl Flags {
            /// Every combination of the given values.
            fn combined(&self, form: Form, hash_bits: u32) -> Result<Vec<Request>> {
                let mut requests = vec![Request { hash_bits, ..Request::new(form) }];
                $(
                    let values = self.$field.values();
                    if requests.len() * values.len() > MOST_ROWS {
                        bail!("the ranges multiply to more than {MOST_ROWS} answers");
                    }
                    let with = |request: &Request, $field| Request { $field, ..request.clone() };
                    let each = |request| values.iter().map(move |value| with(request, *value));
                    requests = requests.iter().flat_map(each).collect();
                )*
                Ok(requests)
            }
        }
    };
}

/// The largest number of answers; more are taken for a typing error.
const MOST_ROWS: usize = 10_000;

/// The values of a flag; if it is not given, the single value that stands for this.
trait Values<T> {
    fn values(&self) -> Vec<T>;
}

impl<T: Copy> Values<Option<T>> for Option<Range<T>> {
    fn values(&self) -> Vec<Option<T>> {
        let given = |range: &Range<T>| range.0.iter().copied().map(Some).collect();
        self.as_ref().map_or_else(|| vec![None], given)
    }
}

impl Values<bool> for bool {
    fn values(&self) -> Vec<bool> {
        vec![*self]
    }
}

flags! {
    /// Keys (n); of a scalable filter those of its first stage.
    #[arg(long, value_name = "N", value_parser = counts::<u64>(Steps::Decades))]
    capacity: Option<u64>, Option<Range<u64>>,
    /// Bits of storage in all (m).
    #[arg(long, value_name = "M", value_parser = counts::<u64>(Steps::Decades))]
    bits: Option<u64>, Option<Range<u64>>,
    /// Bits of storage per key.
    #[arg(long, value_name = "BITS", value_parser = reals(Steps::By(1.0)))]
    bits_per_key: Option<f64>, Option<Range<f64>>,
    /// Target false-positive rate, a share.
    #[arg(long, display_order = 5, value_name = "P", value_parser = shares(Steps::Decades))]
    fpr: Option<f64>, Option<Range<f64>>,
    /// Probes per key (k); of split-block, words in a block.
    #[arg(long, display_order = 4, value_name = "K", value_parser = counts::<u32>(Steps::By(1.0)))]
    hashes: Option<u32>, Option<Range<u32>>,
    /// The probes of a key never repeat: standard, blocked.
    #[arg(long)]
    distinct: bool, bool,
    /// Bits of a block: blocked, split-block. [default: 512]
    #[arg(long, value_name = "BITS", value_parser = counts::<u64>(Steps::Doubling))]
    block_bits: Option<u64>, Option<Range<u64>>,
    /// Bits of a counter, 1 to 8: counting. [default: 4]
    #[arg(long, value_name = "BITS", value_parser = counts::<u32>(Steps::By(1.0)))]
    counter_bits: Option<u32>, Option<Range<u32>>,
    /// Shards: sharded. [default: 64]
    #[arg(long, value_name = "S", value_parser = counts::<u32>(Steps::Doubling))]
    shards: Option<u32>, Option<Range<u32>>,
    /// Target FPR of the first stage: scalable. [default: FPR * (1 - TIGHTENING)]
    #[arg(long, display_order = 13, value_name = "P0", value_parser = shares(Steps::Decades))]
    first_fpr: Option<f64>, Option<Range<f64>>,
    /// Target FPR of a stage over that of the one before: scalable. [default: 0.8]
    #[arg(long, value_name = "R", value_parser = reals(Steps::By(0.1)))]
    tightening: Option<f64>, Option<Range<f64>>,
    /// Keys of a stage over those of the one before: scalable. [default: 2]
    #[arg(long, value_name = "G", value_parser = counts::<u32>(Steps::By(1.0)))]
    growth: Option<u32>, Option<Range<u32>>,
    /// Full stages: scalable.
    #[arg(long, value_name = "STAGES", value_parser = counts::<u32>(Steps::By(1.0)))]
    #[arg(display_order = 10)]
    stages: Option<u32>, Option<Range<u32>>,
    /// Slots of a bucket: cuckoo. [default: 4]
    #[arg(long, value_name = "SLOTS", value_parser = counts::<u32>(Steps::Doubling))]
    #[arg(display_order = 15)]
    bucket: Option<u32>, Option<Range<u32>>,
    /// Bits of a fingerprint: cuckoo.
    #[arg(long, value_name = "BITS", value_parser = counts::<u32>(Steps::By(1.0)))]
    #[arg(display_order = 14)]
    fingerprint_bits: Option<u32>, Option<Range<u32>>,
    /// Share of slots taken: cuckoo. [default: 0.95]
    #[arg(long, value_name = "SHARE", value_parser = shares(Steps::By(0.05)))]
    load: Option<f64>, Option<Range<f64>>,
}

impl Flags {
    /// Every combination of the given values with every filter. A filter gets only the flags that
    /// apply to it; each flag must apply to at least one of the filters.
    pub fn requests(&self, forms: &[Form], hash_bits: u32) -> Result<Vec<Request>> {
        let requests = self.combined(forms[0], hash_bits)?;
        for field in requests[0].given() {
            if !forms.iter().any(|form| form.takes(field)) {
                return Err(says_nothing(field, forms));
            }
        }
        let mut all: Vec<Request> = Vec::new();
        for request in &requests {
            for form in forms {
                let own = request.of(*form);
                // If the flag with a range does not apply to this filter, all its requests are the
                // same and only one is kept.
                if forms.len() == 1 || !all.contains(&own) {
                    all.push(own);
                }
            }
            ensure!(all.len() <= MOST_ROWS, "more than {MOST_ROWS} answers");
        }
        Ok(all)
    }
}

/// The flag for a field.
pub fn flag(field: &str) -> String {
    format!("--{}", field.replace('_', "-"))
}

fn says_nothing(field: &str, forms: &[Form]) -> Error {
    let names: Vec<_> = forms.iter().map(|form| form.name).collect();
    let (flag, names) = (flag(field), names.join(", "));
    anyhow!("{flag} does not apply to --filter {names}; remove it")
}

impl Request {
    /// Checks that all given flags apply to the filter, and the ranges that are the same for all
    /// filters.
    pub fn check(&self) -> Result<()> {
        if let Some(field) = self.given().iter().find(|field| !self.form.takes(field)) {
            return Err(says_nothing(field, &[self.form]));
        }
        let counts = [
            ("--capacity", self.capacity),
            ("--bits", self.bits),
            ("--hashes", self.hashes.map(u64::from)),
            ("--block-bits", self.block_bits),
            ("--counter-bits", self.counter_bits.map(u64::from)),
            ("--shards", self.shards.map(u64::from)),
            ("--stages", self.stages.map(u64::from)),
            ("--growth", self.growth.map(u64::from)),
            ("--fingerprint-bits", self.fingerprint_bits.map(u64::from)),
            ("--bucket", self.bucket.map(u64::from)),
        ];
        for (name, value) in counts {
            ensure!(value != Some(0), "{name} 0: give at least 1");
        }
        for (name, value) in [("--fpr", self.fpr), ("--first-fpr", self.first_fpr)] {
            if let Some(fpr) = value.filter(|fpr| !(*fpr > 0.0 && *fpr < 1.0)) {
                bail!("{name} {fpr:?} is not between 0 and 1: give a share such as 0.01 for 1 %");
            }
        }
        if let Some(bits) = self.bits_per_key.filter(|bits| *bits <= 0.0) {
            bail!("--bits-per-key {bits} is not above 0: give one such as 10");
        }
        ensure!(
            self.capacity.is_none() || self.bits.is_none() || self.bits_per_key.is_none(),
            "--capacity, --bits and --bits-per-key contradict each other: any two of them give \
             the third"
        );
        at_most("--hashes", self.hashes.map(u64::from), MAX_HASHES.into())?;
        at_most("--bits", self.bits, MAX_SIZE_BITS)?;
        at_most("--hash-bits", Some(self.hash_bits.into()), 256)
    }
}

/// Fails if the number is larger than the filter supports.
pub fn at_most(name: &str, value: Option<u64>, most: u64) -> Result<()> {
    match value {
        Some(value) if value > most => bail!("{name} {value}: give at most {most}"),
        _ => Ok(()),
    }
}
