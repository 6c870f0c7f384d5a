//! The pictures, each with its finding for a title.

pub mod below;
mod bits_needed;
mod churn;
mod fpr;
mod histogram;
pub mod sorted;

pub use self::bits_needed::bits as bits_per_key;
use super::{battery, document::Figure, judge::Judgement};
use bouquet_ground::record::Records;

/// What has the same key together, in the order of the first of its kind.
pub fn grouped<K: PartialEq, T>(
    all: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    for one in all {
        let key = key(&one);
        match groups.iter_mut().find(|(other, _)| *other == key) {
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

/// Every picture that the records suffice for.
pub fn all(records: &Records, judgement: &Judgement) -> Vec<Figure> {
    let mut figures = fpr::figures(records, judgement);
    figures.extend(churn::figures(records, judgement));
    figures.extend(bits_needed::figure(records));
    let locations = &judgement.locations;
    figures.extend(battery::charts::all(&records.battery, locations));
    figures.extend(histogram::figure(records));
    figures
}
