//! What a line of flags asks for.

/// A workload, read from its flags.
pub struct Request {
    pub args: String,
    pub capacity: f64,
    /// How many times the keys of the beginning; 10 where nobody knows.
    pub growth: f64,
    pub is_unknown: bool,
    pub fpr: Option<f64>,
    /// Bytes of all sets.
    pub memory: Option<f64>,
    /// Of each MiB, in ns per lookup.
    pub memory_cost: Option<f64>,
    pub fp_is_loss: bool,
    pub hits: f64,
    pub work: f64,
    pub lookups: f64,
    pub threads: f64,
    pub filters: f64,
    pub below: Option<f64>,
    pub only: Vec<String>,
}

impl Request {
    pub fn new(args: &str) -> Self {
        let number = |flag: &str| value(args, flag).map(|text| text.parse::<f64>().unwrap());
        let capacity = number("--capacity").unwrap();
        let is_unknown = value(args, "--growth") == Some("unknown");
        let growth = match is_unknown {
            true => 10.0,
            false => number("--growth").unwrap_or(1.0),
        };
        let filters = number("--filters-count").unwrap_or(1.0);
        let bits = number("--bits-per-key").map(|bits| bits * capacity * filters / 8.0);
        let only = value(args, "--filters").map_or_else(Vec::new, |names| {
            names.split(',').map(str::to_owned).collect()
        });
        Self {
            args: args.to_owned(),
            capacity,
            growth,
            is_unknown,
            fpr: number("--fpr").or(number("--fpr-at-most")),
            memory: number("--memory").or(bits),
            memory_cost: value(args, "--memory-cost").map(work),
            fp_is_loss: args.contains("--false-positive-loses"),
            hits: number("--hits").unwrap_or(0.5),
            work: work(value(args, "--work-cost").unwrap_or("ssd-read")),
            lookups: number("--lookups-per-build").unwrap_or(10.0 * (capacity * growth).ceil()),
            threads: number("--threads").unwrap_or(1.0),
            filters,
            below: number("--integers-below"),
            only,
        }
    }

    pub fn has(&self, flag: &str) -> bool {
        self.args.split_whitespace().any(|word| word == flag)
    }

    /// Whether the filter is sized for the FPR: where memory is free, a bound is a target.
    pub fn has_target(&self) -> bool {
        let is_free = self.memory.is_none() && self.memory_cost.is_none();
        self.has("--fpr") || self.has("--fpr-at-most") && (is_free || self.fp_is_loss)
    }

    /// The share of lookups whose work is to no end without a filter.
    pub fn wasted(&self) -> f64 {
        match self.fp_is_loss {
            true => self.hits,
            false => 1.0 - self.hits,
        }
    }

    /// And behind one of this FPR.
    pub fn wasted_behind(&self, fpr: f64) -> f64 {
        match self.fp_is_loss {
            true => 0.0,
            false => (1.0 - self.hits) * fpr,
        }
    }

    /// The target FPR, of which a filter is not to be far below.
    pub fn target(&self) -> Option<f64> {
        self.fpr.filter(|_| self.has_target())
    }

    pub fn keys(&self) -> f64 {
        let keys = (self.capacity * self.growth).ceil();
        self.below.map_or(keys, |below| keys.min(below))
    }

    pub fn grows(&self) -> bool {
        self.growth > 1.0
    }

    pub fn has_urls(&self) -> bool {
        value(&self.args, "--key-kind") == Some("url")
    }

    pub fn names(&self, candidate: &str) -> bool {
        self.only.iter().any(|one| one == candidate)
    }
}

/// The word after a flag.
fn value<'a>(args: &'a str, flag: &str) -> Option<&'a str> {
    let mut words = args.split_whitespace().skip_while(|word| *word != flag);
    words.nth(1)
}

fn work(text: &str) -> f64 {
    match text {
        "l3-miss" => return 100.0,
        "ssd-read" => return 1e5,
        "same-dc-rpc" => return 5e5,
        "cross-region-rpc" => return 1.5e8,
        _ => {}
    }
    let units = [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];
    let found = units
        .iter()
        .find_map(|(unit, ns)| Some(text.strip_suffix(unit)?.parse::<f64>().ok()? * ns));
    found.unwrap()
}
