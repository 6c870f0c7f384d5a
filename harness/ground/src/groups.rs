//! What belongs together among many.

/// What has the same key together, in the order of the first of its kind. Mostly it
/// stands together already: the last group is looked at first.
pub fn grouped<K: PartialEq, T>(
    all: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    for one in all {
        let key = key(&one);
        match groups.iter_mut().rfind(|(other, _)| *other == key) {
            Some((_, group)) => group.push(one),
            None => groups.push((key, vec![one])),
        }
    }
    groups
}

/// Each value once, in the order of the first of its kind.
pub fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

/// The least and the greatest, beginning with these.
pub fn span(begin: (f64, f64), all: impl Iterator<Item = f64>) -> (f64, f64) {
    all.fold(begin, |(least, most), x| (x.min(least), x.max(most)))
}
