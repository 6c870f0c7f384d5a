//! Groups equal values.

/// Groups values by their key; the groups are in the order in which their keys first occur.
/// Searches from the last group on, because values with equal keys mostly follow each other.
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

/// The distinct values, in the order in which they first occur.
pub fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

/// The minimum and maximum of all values and of the pair `begin`.
pub fn span(begin: (f64, f64), all: impl Iterator<Item = f64>) -> (f64, f64) {
    all.fold(begin, |(least, most), x| (x.min(least), x.max(most)))
}
