/// The names of all laws of filters. [`laws!`](crate::laws!) takes no other, and
/// a test fails for each without a mutant that it catches.
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

/// The names of all laws of hashers, in the same way for
/// [`hasher_laws!`](crate::hasher_laws!).
pub const HASHER_LAWS: &[&str] = &["hasher", "seeds", "stream", "user_id"];

/// The names of all laws of filters as bytes, in the same way for
/// [`codec_laws!`](crate::codec_laws!).
pub const CODEC_LAWS: &[&str] = &["encode_round_trip", "canonical", "hostile_bytes", "view"];

/// Whether a law is in a list; for the macros, at compile time.
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

/// `==` is not for constants.
const fn same(left: &[u8], right: &[u8]) -> bool {
    let mut i = 0;
    while i < left.len() && i < right.len() && left[i] == right[i] {
        i += 1;
    }
    i == left.len() && i == right.len()
}
