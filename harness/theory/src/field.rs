//! All quantities that an answer can have, with their units. The list is the contract of `--format
//! json` and `csv`. The sources of the formulas are given at the formulas.

/// A quantity of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name of the quantity in every format.
    pub name: &'static str,
    /// The unit of the number; empty for text and for yes or no.
    pub unit: &'static str,
    /// Whether the quantity is shown in the table format.
    pub headline: bool,
}

const fn main(name: &'static str, unit: &'static str) -> Field {
    Field {
        name,
        unit,
        headline: true,
    }
}

const fn more(name: &'static str, unit: &'static str) -> Field {
    Field {
        name,
        unit,
        headline: false,
    }
}

/// All quantities in the order in which they are printed. A quantity that an answer does not have
/// is null in JSON and empty in CSV.
pub const FIELDS: &[Field] = &[
    main("filter", ""),
    main("capacity", "keys"),
    main("size_bits", "bits"),
    more("memory_bytes", "bytes"),
    main("bits_per_key", "bits/key"),
    main("hashes", "probes/key"),
    main("target_fpr", "share"),
    main("exact_fpr", "share"),
    main("keeps_target", ""),
    main("textbook_fpr", "share"),
    more("exact_over_textbook", "ratio"),
    more("classic_hashes", "probes/key"),
    more("classic_fpr", "share"),
    main("over_classic", "ratio"),
    more("information_bound", "share"),
    more("fill_mean", "share"),
    more("fill_sd", "share"),
    main("fpr_relative_sd", "ratio"),
    more("hash_bits", "bits"),
    more("hash_floor", "share"),
    more("fpr_with_hash_floor", "share"),
    main("least_size_bits", "bits"),
    more("least_hashes", "probes/key"),
    more("least_over_textbook", "ratio"),
    more("textbook_size_bits", "bits"),
    more("textbook_hashes", "probes/key"),
    more("textbook_size_fpr", "share"),
    main("textbook_size_over_target", "ratio"),
    more("partition_bits", "bits"),
    main("block_bits", "bits"),
    more("blocks", "blocks"),
    more("poisson_fpr", "share"),
    main("counter_bits", "bits"),
    more("counters", "slots"),
    more("counter_mean", "keys"),
    more("counter_overflow", "probability"),
    more("any_overflow", "probability"),
    main("expected_overflows", "slots"),
    more("overflow_bound", "slots"),
    main("shards", "shards"),
    more("shard_bits", "bits"),
    more("shard_keys", "keys"),
    more("balanced_fpr", "share"),
    main("over_balanced", "ratio"),
    more("largest_shard", "ratio"),
    main("stages", "stages"),
    more("growth", "ratio"),
    main("tightening", "ratio"),
    more("keys_of_all_stages", "keys"),
    more("first_stage_fpr", "share"),
    main("compound_fpr", "share"),
    more("compound_bound", "share"),
    main("compound_over_target", "ratio"),
    more("last_stage_fpr", "share"),
    more("last_stage_bits_per_key", "bits/key"),
    more("last_stage_hashes", "probes/key"),
    main("mean_bits_per_key", "bits/key"),
    more("most_probes", "probes/key"),
    main("fingerprint_bits", "bits"),
    main("bucket", "slots"),
    main("load", "share"),
    more("slots", "slots"),
    more("bound_fpr", "share"),
    more("all_values_fpr", "share"),
];
