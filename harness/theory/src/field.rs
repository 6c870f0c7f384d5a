//! What an answer can hold: every quantity with its unit and where its formula
//! is from. The list is the contract of `--format json` and `csv`.

/// A quantity of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Whether a table for people has it by default.
    pub headline: bool,
    /// Its name in every format.
    pub name: &'static str,
    /// Of the number; empty for words and for yes or no.
    pub unit: &'static str,
    /// What it is, and the source of its formula.
    pub about: &'static str,
}

macro_rules! fields {
    (headline) => { true };
    (field) => { false };
    ($($kind:ident $name:ident $unit:literal $about:literal)*) => {
        &[$(Field {
            headline: fields!($kind),
            name: stringify!($name),
            unit: $unit,
            about: $about,
        }),*]
    };
}

/// All of them, in the order in which they are printed. Quantities that an
/// answer does not have are null (JSON) or empty (CSV).
pub const FIELDS: &[Field] = fields! {
    headline filter "" "the filter, as --filter names it"
    headline capacity "keys"
        "n: the keys that the FPR is for; of a scalable filter, of its first stage"
    headline size_bits "bits" "m: storage in all; what a layout leaves over is not counted"
    field memory_bytes "bytes" "size_bits / 8, rounded up"
    headline bits_per_key "bits/key" "size_bits / keys at capacity"
    headline hashes "probes/key"
        "k: as given, or the best for this size and capacity by the exact form"
    headline target_fpr "share" "p: the target FPR"
    headline exact_fpr "share"
        "mean over all filters at capacity. Standard, counting: Bose et al., IPL 108, 2008, by a recurrence without cancellation; partitioned: Mullin, CACM 26(8), 1983; blocked, split-block: Putze, Sanders and Singler, JEA 14, 2009, with binomial loads; sharded: the mean over binomial loads; scalable: Almeida et al., IPL 101, 2007; cuckoo: Fan et al., CoNEXT 2014, with the zero fingerprint reserved"
    headline keeps_target "" "whether exact_fpr is at or below target_fpr"
    headline textbook_fpr "share"
        "(1 - e^(-kn/m))^k, Bloom, CACM 13(7), 1970, in the usual limit form; always too low"
    field exact_over_textbook "ratio" "exact_fpr / textbook_fpr - 1: the relative excess"
    field classic_hashes "probes/key"
        "round(m/n ln 2): the textbook's k for a standard filter with these bits per key"
    field classic_fpr "share"
        "the textbook FPR of a standard filter with these bits per key and classic_hashes"
    headline over_classic "ratio" "exact_fpr / classic_fpr: what this filter costs at equal memory"
    field information_bound "share" "2^-bits_per_key: no filter has less (Carter et al., STOC 1978)"
    field fill_mean "share" "mean share of slots set: occupancy, Johnson and Kotz, Urn Models, 1977"
    field fill_sd "share" "standard deviation of that share from filter to filter (eq. 3.7 there)"
    headline fpr_relative_sd "ratio"
        "standard deviation of the FPR from filter to filter over its mean, to first order: k fill_sd / fill_mean; blocked, split-block, sharded: of the mean over blocks or shards, whose loads vary too (Johnson and Kotz, 1977: multinomial); scalable: of the stages together; not known of cuckoo and of --distinct"
    field hash_bits "bits" "bits of hash per key (--hash-bits)"
    field hash_floor "share"
        "1 - (1 - 2^-hash_bits)^n: non-members with a member's whole hash; no size goes below"
    field fpr_with_hash_floor "share" "exact_fpr and hash_floor together"
    headline least_size_bits "bits"
        "the smallest size that keeps target_fpr at capacity by the exact form, in the layout's own steps; of cuckoo, what our filter takes with its room to spare"
    field least_hashes "probes/key" "the k that does it; of a standard filter the smallest"
    field least_over_textbook "ratio" "least_size_bits / textbook_size_bits"
    field textbook_size_bits "bits"
        "ceil(-n ln p / ln(2)^2), the usual sizing of a standard filter; it does not keep its promise"
    field textbook_hashes "probes/key" "round(ln(2) m/n) for it"
    field textbook_size_fpr "share" "the exact FPR that it gives"
    headline textbook_size_over_target "ratio" "textbook_size_fpr / target_fpr"
    field partition_bits "bits" "s = floor(m/k): partitioned"
    headline block_bits "bits" "b: blocked, split-block"
    field blocks "blocks" "m / b: blocked, split-block"
    field poisson_fpr "share"
        "the FPR in the limit of many blocks at these bits per key: Poisson loads (Putze et al.)"
    headline counter_bits "bits" "bits of a counter: counting"
    field counters "slots" "m / counter_bits: counting"
    field counter_mean "keys" "kn / counters: the mean of a counter"
    field counter_overflow "probability"
        "of a given counter to be asked past its maximum: Binomial(kn, 1/counters), Fan et al., ToN 8(3), 2000"
    field any_overflow "probability" "of at least one, counters taken as independent"
    headline expected_overflows "slots" "mean number of counters that overflow"
    field overflow_bound "slots"
        "the union bound of it in the publication: m (e k n / (v m))^v, v = maximum + 1"
    headline shards "shards" "S: sharded"
    field shard_bits "bits" "m / S"
    field shard_keys "keys" "n / S, the mean load"
    field balanced_fpr "share" "the exact FPR if every shard had its mean load"
    headline over_balanced "ratio" "exact_fpr / balanced_fpr: what random loads cost"
    field largest_shard "ratio"
        "load of the fullest shard over the mean, passed by one filter in 1,000"
    headline stages "stages" "of a scalable filter"
    field growth "ratio" "capacity of a stage over that of the one before"
    headline tightening "ratio" "r: target FPR of a stage over that of the one before"
    field keys_of_all_stages "keys" "capacity (1 + g + g^2 + ...)"
    field first_stage_fpr "share" "p (1 - r), or as given: Almeida et al., section 3"
    headline compound_fpr "share" "1 - prod(1 - p_i): all stages full and each at its own target"
    field compound_bound "share"
        "first_stage_fpr / (1 - r): however many stages; at r = 1 first_stage_fpr times stages"
    headline compound_over_target "ratio" "compound_fpr / target_fpr"
    field last_stage_fpr "share" "target of the last stage"
    field last_stage_bits_per_key "bits/key" "log2(1/p_i) / ln 2 for it: the textbook's"
    field last_stage_hashes "probes/key" "ceil(log2(1/p_i)) for it: the textbook's"
    headline mean_bits_per_key "bits/key" "the textbook's, over the keys of all stages"
    field most_probes "probes/key" "the textbook's k of all stages together: a query for a non-member"
    headline fingerprint_bits "bits" "f: cuckoo"
    headline bucket "slots" "b: slots of a bucket"
    headline load "share" "slots taken"
    field slots "slots" "capacity / load"
    field bound_fpr "share" "2b / 2^f, the publication's bound"
    field all_values_fpr "share"
        "1 - (1 - 2^-f)^(2b load): if no fingerprint is reserved for an empty slot"
};
