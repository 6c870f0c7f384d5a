/// The names of all laws of filters. [`laws!`](crate::laws!) accepts no other name, and a test
/// fails for each law that detects no mutant.
pub const FILTER_LAWS: &[&str] = &[
    "members",
    "answers",
    "repeats",
    "empty",
    "sequences",
    "agreement",
    "far",
    "keys",
    "inherent",
    "determinism",
    "order_free",
    "equality",
    "clone",
    "extend",
    "clear",
    "debug",
    "send_sync",
    "union",
    "intersect",
    "other_key",
    "fold",
    "remove",
    "remove_absent",
    "counts",
    "rejection",
    "max_bytes",
    "sizing",
    "inspect",
    "estimated_fpr",
    "expected_fpr",
    "estimated_keys",
    "over_capacity",
    "keys_left",
    "locate",
    "concurrent",
    "concurrent_exact",
    "concurrent_absent",
    "concurrent_new",
    "concurrent_once",
];

/// The names of all laws of hashers, which [`hasher_laws!`](crate::hasher_laws!) accepts.
pub const HASHER_LAWS: &[&str] = &["hasher", "seeds", "stream", "user_id"];

/// The names of all laws of encoded filters, which [`codec_laws!`](crate::codec_laws!) accepts.
pub const CODEC_LAWS: &[&str] = &["encode_round_trip", "canonical", "hostile_bytes", "view"];

/// The names of all laws of static filters, in the same way for
/// [`static_laws!`](crate::static_laws!).
pub const STATIC_LAWS: &[&str] = &[
    "built_members",
    "built_empty",
    "built_repeats",
    "built_round_trip",
    "built_hostile_bytes",
];

/// Whether `name` is in the list `laws`. The macros call it at compile time.
pub const fn listed(laws: &[&str], name: &str) -> bool {
    let mut i = 0;
    while i < laws.len() {
        if same(laws[i].as_bytes(), name.as_bytes()) {
            return true;
        }
        i += 1;
    }
    false
}

/// Compares bytes, because `==` on slices is not allowed in a `const fn`.
const fn same(left: &[u8], right: &[u8]) -> bool {
    let mut i = 0;
    while i < left.len() && i < right.len() && left[i] == right[i] {
        i += 1;
    }
    i == left.len() && i == right.len()
}
