//! Stored files of this filter that every release must be able to read.

use bouquet_blocked::{
    BlockedBloom, BlockedView, Decode, Folded, Geometry, Line, Spec, SpecError, View, Words32,
    Words64, Xxh3,
};

bouquet_testkit::golden! {
    BlockedBloom:
    folded => BlockedBloom::with_hasher(Spec::new(100, 0.01).unwrap(), Folded::with_seed(7)),
    words64 => BlockedBloom::with_hasher(Spec::new(100, 0.01).unwrap(), Xxh3::with_seed(7)),
    words32 => BlockedBloom::from_parts(5, Words32, Xxh3::default()),
    line => four_lines(),
}

/// Four blocks, with the FPR that the first release stored in the file: at that time it was
/// computed in another order, which gave other last bits.
fn four_lines() -> Result<BlockedBloom<Line, Xxh3>, SpecError> {
    let reached = Spec::new(129, f64::from_bits(0x3f4a_9dc8_e9da_b540))?;
    let geometry = Geometry::new(4, Line::new(11)?)?;
    let now = BlockedBloom::from_parts(4, geometry.layout(), Xxh3::default())?;
    assert_eq!(now.capacity(), reached.capacity());
    let change = now.target_fpr() / reached.target_fpr() - 1.0;
    assert!(change.abs() < 1e-14, "{change}");
    BlockedBloom::with_geometry(geometry, reached, Xxh3::default())
}

/// The errors of decoding and of opening in place.
fn errors<'a, L: bouquet_blocked::Layout>(stored: &'a [u8]) -> [String; 2] {
    let decoded = BlockedBloom::<L>::decode(stored).err();
    let opened = <BlockedView<'a, L> as View<'a>>::open(stored).err();
    [decoded, opened].map(|error| error.map_or(String::new(), |error| error.to_string()))
}

#[test]
fn a_file_of_another_hasher_names_the_type_to_write() {
    for (stored, named) in [
        (
            &include_bytes!("data/words64.bouquet")[..],
            "`BlockedBloom<Words64, Xxh3>`",
        ),
        (
            &include_bytes!("data/words32.bouquet")[..],
            "`BlockedBloom<Words32, Xxh3>`",
        ),
        (
            &include_bytes!("data/line.bouquet")[..],
            "`BlockedBloom<Line, Xxh3>`",
        ),
    ] {
        for error in errors::<Words64>(stored) {
            assert!(error.contains(named), "{error}");
        }
    }
}

#[test]
fn a_file_of_another_layout_names_the_type_to_write() {
    let stored = include_bytes!("data/folded.bouquet");
    let found = "the filter's layout is Words64, not ";
    let advice = ": use the type `BlockedBloom<Words64, Folded>`";
    for error in errors::<Words32>(stored) {
        assert!(
            error.ends_with(&format!("{found}Words32{advice}")),
            "{error}"
        );
    }
    for error in errors::<Line>(stored) {
        assert!(error.ends_with(&format!("{found}Line{advice}")), "{error}");
    }
}
