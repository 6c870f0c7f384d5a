//! Which filter of the catalogue a header is of.

use bouquet_catalogue::{Judged, Shape, judged};
use bouquet_format::Header;

/// The filter that a header is of: what the catalogue knows of it, and its shape.
pub fn kind(header: &Header) -> Option<(&'static bouquet_catalogue::Facts, Shape)> {
    type Stored = fn(&Header) -> Option<Shape>;
    fn stored<J: Judged>() -> (&'static bouquet_catalogue::Facts, Stored) {
        (&J::FACTS, J::stored)
    }
    let kinds = judged!(stored).into_iter();
    let mut known = kinds.filter_map(|(facts, stored)| Some((facts, stored(header)?)));
    known.next()
}
