/// Generates tests from laws: a module per filter, a `#[test]` per law.
///
/// `make` builds the filter from a [`Spec`](bouquet_core::Spec) and a seed (a `u64`). `laws` lists
/// the laws that the filter satisfies. `geometry`, which only the law `locate` needs, returns the
/// filter's geometry. The README has a table of the laws.
///
/// The operations of the law `sequences` follow from the other laws in the list: `remove`, `union`,
/// `intersect`, `clear`, `extend` and `concurrent` each add an operation.
///
/// ```
/// use bouquet_testkit::toy::Toy;
///
/// bouquet_testkit::laws! {
///     toy {
///         make: |spec, seed| Toy::new(spec, seed).unwrap(),
///         geometry: |filter| filter.geometry(),
///         laws: [members, answers, union, locate],
///     }
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! laws {
    (@filter $name:ident
        make: |$spec:ident, $seed:ident| $make:expr,
        $(geometry: |$filter:ident| $geometry:expr,)?
        laws: $laws:tt $(,)?
    ) => {
        #[cfg(test)]
        mod $name {
            #[allow(unused_imports, reason = "`make` may name all by path")]
            use super::*;
            $crate::laws! {
                @each $laws (|$spec, $seed| $make) ($(|$filter| $geometry)?) $laws
            }
        }
    };
    (@each [$($law:ident),+ $(,)?] $make:tt $geometry:tt $laws:tt) => {
        $($crate::laws! { @test $law $make $geometry $laws })+
    };

    (@test $law:ident (|$spec:ident, $seed:ident| $make:expr) $geometry:tt $laws:tt) => {
        const _: () = assert!(
            $crate::laws::listed($crate::laws::FILTER_LAWS, stringify!($law)),
            "a law that is not in FILTER_LAWS"
        );
        #[test]
        fn $law() -> $crate::Verdict {
            let make = |$spec: $crate::core::Spec, $seed: u64| $make;
            $crate::laws! { @call $law make $geometry $laws }
        }
    };

    // First the laws that need more arguments than `make`, then all other laws.
    (@call locate $make:ident ($($geometry:tt)+) $laws:tt) => {
        $crate::laws::locate($make, $($geometry)+)
    };
    (@call clear $make:ident $geometry:tt $laws:tt) => {
        $crate::laws::clear($make, |filter| filter.clear())
    };
    (@call over_capacity $make:ident $geometry:tt $laws:tt) => {
        $crate::laws::over_capacity($make, |filter| filter.is_over_capacity())
    };
    (@call keys_left $make:ident $geometry:tt $laws:tt) => {
        $crate::laws::keys_left($make, |filter| filter.keys_left())
    };
    (@call counts $make:ident $geometry:tt $laws:tt) => {
        $crate::laws::counts($make, |filter, key| filter.estimated_count(key))
    };
    (@call max_bytes $make:ident $geometry:tt $laws:tt) => {
        $crate::laws::max_bytes(
            $make,
            |filter| filter.size_bits(),
            |filter, max| filter.set_max_bytes(max),
        )
    };
    (@call send_sync $make:ident $geometry:tt $laws:tt) => {{
        let spec = $crate::core::Spec::new(1, 0.5).map_err(|error| error.to_string())?;
        $crate::laws::assert_send_sync_val(&$make(spec, 0));
        Ok(())
    }};
    (@call inherent $make:ident $geometry:tt $laws:tt) => {{
        let spec = $crate::core::Spec::new(10, 0.01).map_err(|error| error.to_string())?;
        $crate::laws! { @typed $make spec
            "tulip", "", &String::from("tulip"), &vec![1u8, 2, 3], b"tulip", &b"tulip"[..],
            &42u8, &0x0102u16, &42u32, &42u64, &0x0102_0304_0506u64, &42u128,
            &-2i8, &-2i16, &-2i32, &-2i64, &-2i128, &42usize, &-2isize, &true, &'é', &&42u64,
            &[1u32, 2], &("tulip", 7u8), &(1u64, -1i32, true),
            // Keys that are longer than any buffer in which parts are joined.
            &[7u64; 40], &(1u8, "tulip".repeat(60), -1i64), &"tulip".repeat(60)
        }
        let spec = $crate::core::Spec::new(100, 0.01).map_err(|error| error.to_string())?;
        $crate::laws! { @batch $make spec
            ::std::vec::Vec::<u64>::new(), (0..97u64).map(|i| i * i % 89 + i % 5 * 89).collect::<::std::vec::Vec<_>>(),
            ::std::vec!["tulip", "rose", "", "tulip"], [[7u8, 9], [9, 7]],
            [(1u64, "tulip"), (1, "rose"), (2, "tulip")], [[1u32; 50], [2; 50]], [-1i128, 1]
                .map(|i| (i, [i; 20])),
            (0..33i32).map(|i| i.to_string()).collect::<::std::vec::Vec<_>>()
        }
        Ok(())
    }};
    (@call sequences $make:ident $geometry:tt [$($law:ident),+ $(,)?]) => {{
        let alphabet = $crate::laws::Alphabet::of(&$make);
        $(let alphabet = $crate::laws! { @letter alphabet $law };)+
        $crate::laws::sequences($make, &alphabet)
    }};
    (@call $law:ident $make:ident $geometry:tt $laws:tt) => {
        $crate::laws::$law($make)
    };
    (@typed $make:ident $spec:ident $($key:expr),+) => {$({
        let mut typed = $make($spec, 0);
        let _ = typed.insert($key);
        let found = typed.contains($key);
        $crate::laws::typed_key(&typed, found, $make($spec, 0), $key)?;
    })+};

    (@batch $make:ident $spec:ident $($keys:expr),+) => {$({
        let keys = $keys;
        let mut typed = $make($spec, 0);
        let reported = typed.insert_batch(&keys[..]);
        let mut found = ::std::vec![false; keys.len()];
        typed.contains_batch(&keys[..], &mut found);
        $crate::laws::typed_batch(&typed, reported, &found, $make($spec, 0), &keys[..])?;
    })+};

    // The operations that the filter's laws add to the law `sequences`.
    (@letter $alphabet:ident remove) => { $alphabet.remove() };
    (@letter $alphabet:ident union) => { $alphabet.union() };
    (@letter $alphabet:ident intersect) => { $alphabet.intersect() };
    (@letter $alphabet:ident clear) => { $alphabet.clear(|filter| filter.clear()) };
    (@letter $alphabet:ident extend) => { $alphabet.extend() };
    (@letter $alphabet:ident concurrent) => { $alphabet.share() };
    (@letter $alphabet:ident $law:ident) => { $alphabet };

    ($($name:ident { $($body:tt)+ })+) => {
        $($crate::laws! { @filter $name $($body)+ })+
    };
}

/// Generates tests from the laws of encoded filters: a module per filter, a `#[test]` per law.
///
/// `make` builds the filter from a [`Spec`](bouquet_core::Spec) and a seed (a `u64`), `hasher` its
/// hasher from the seed; `filter` and `view` are the types. If there is no `view`, leave out the
/// law `view`.
///
/// ```
/// use bouquet_testkit::toy::{CodecFault, CodecToy, ToyHasher, ToyView};
///
/// bouquet_testkit::codec_laws! {
///     toy {
///         make: |spec, seed| CodecToy::new(spec, seed, CodecFault::None).unwrap(),
///         hasher: |seed| ToyHasher::with_seed(seed),
///         filter: CodecToy,
///         view: ToyView<'_>,
///         laws: [encode_round_trip, canonical, hostile_bytes, view],
///     }
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! codec_laws {
    (@each $make:tt $hasher:tt $filter:ty, $view:tt, [$($law:ident),+ $(,)?]) => {
        $($crate::codec_laws! { @test $law $make $hasher $filter, $view })+
    };
    (@test $law:ident (|$spec:ident, $seed:ident| $make:expr) $hasher:tt $filter:ty, $view:tt) => {
        const _: () = assert!(
            $crate::laws::listed($crate::laws::CODEC_LAWS, stringify!($law)),
            "a law that is not in CODEC_LAWS"
        );
        #[test]
        fn $law() -> $crate::Verdict {
            let make = |$spec: $crate::core::Spec, $seed: u64| -> $filter { $make };
            $crate::codec_laws! { @call $law make $hasher $filter, $view }
        }
    };
    (@call view $make:ident (|$seed:ident| $hasher:expr) $filter:ty, ($view:ty)) => {
        $crate::laws::view(
            $make,
            |bytes, $seed| <$filter as $crate::format::Decode>::decode_with(bytes, $hasher),
            |bytes, $seed, keys| {
                let view = <$view as $crate::format::View<'_>>::open_with(bytes, $hasher)?;
                Ok($crate::laws::asked(&view, keys))
            },
            |bytes, $seed| <$view as $crate::format::View<'_>>::verify_with(bytes, $hasher),
        )
    };
    (@call $law:ident $make:ident (|$seed:ident| $hasher:expr) $filter:ty, $view:tt) => {
        $crate::laws::$law(
            $make,
            |bytes, $seed| <$filter as $crate::format::Decode>::decode_with(bytes, $hasher),
        )
    };
    ($($name:ident {
        make: |$spec:ident, $seed:ident| $make:expr,
        hasher: |$hasher_seed:ident| $hasher:expr,
        filter: $filter:ty,
        $(view: $view:ty,)?
        laws: $laws:tt $(,)?
    })+) => {$(
        #[cfg(test)]
        mod $name {
            #[allow(unused_imports, reason = "the types may be named by path")]
            use super::*;
            $crate::codec_laws! {
                @each (|$spec, $seed| $make) (|$hasher_seed| $hasher) $filter, ($($view)?), $laws
            }
        }
    )+};
}

/// Generates tests from the laws of hashers: a module per hasher, a `#[test]` per law.
///
/// `make` builds the hasher from a seed (a `u64`).
///
/// ```
/// use bouquet_testkit::toy::ToyHasher;
///
/// bouquet_testkit::hasher_laws! {
///     toy {
///         make: |seed| ToyHasher::with_seed(seed),
///         laws: [hasher, seeds, stream, user_id],
///     }
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! hasher_laws {
    (@test $law:ident (|$seed:ident| $make:expr)) => {
        const _: () = assert!(
            $crate::laws::listed($crate::laws::HASHER_LAWS, stringify!($law)),
            "a law that is not in HASHER_LAWS"
        );
        #[test]
        fn $law() -> $crate::Verdict {
            $crate::laws::$law(|$seed: u64| $make)
        }
    };
    ($($name:ident {
        make: |$seed:ident| $make:expr,
        laws: $laws:tt $(,)?
    })+) => {$(
        #[cfg(test)]
        mod $name {
            #[allow(unused_imports, reason = "`make` may name all by path")]
            use super::*;
            $crate::hasher_laws! { @each (|$seed| $make) $laws }
        }
    )+};
    (@each $make:tt [$($law:ident),+ $(,)?]) => {
        $($crate::hasher_laws! { @test $law $make })+
    };
}

/// Turns the laws of static filters, which are built of all their keys at once, into tests: a
/// module per filter, a `#[test]` per law.
///
/// `make` builds the filter from a [`Spec`](bouquet_core::Spec), a seed (a `u64`) and keys (a
/// `&[&[u8]]`). A filter without bytes leaves out `decode` and the laws `built_repeats`,
/// `built_round_trip` and `built_hostile_bytes`.
#[macro_export]
macro_rules! static_laws {
    (@each $make:tt $decode:tt [$($law:ident),+ $(,)?]) => {$(
        const _: () = assert!(
            $crate::laws::listed($crate::laws::STATIC_LAWS, stringify!($law)),
            "a law that is not in STATIC_LAWS"
        );
        #[test]
        fn $law() -> $crate::Verdict {
            $crate::static_laws! { @call $law $make $decode }
        }
    )+};
    (@call built_round_trip $make:tt $decode:tt) => {
        $crate::static_laws! { @with built_round_trip $make $decode }
    };
    (@call built_hostile_bytes $make:tt $decode:tt) => {
        $crate::static_laws! { @with built_hostile_bytes $make $decode }
    };
    (@call $law:ident (|$spec:ident, $seed:ident, $keys:ident| $make:expr) $decode:tt) => {
        $crate::laws::$law(|$spec: $crate::core::Spec, $seed: u64, $keys: &[&[u8]]| $make)
    };
    (@with $law:ident (|$spec:ident, $seed:ident, $keys:ident| $make:expr)
        (|$bytes:ident, $of:ident| $decode:expr)) => {
        $crate::laws::$law(
            |$spec: $crate::core::Spec, $seed: u64, $keys: &[&[u8]]| $make,
            |$bytes: &[u8], $of: u64| $decode,
        )
    };
    ($($name:ident {
        make: |$spec:ident, $seed:ident, $keys:ident| $make:expr,
        $(decode: |$bytes:ident, $of:ident| $decode:expr,)?
        laws: $laws:tt $(,)?
    })+) => {$(
        #[cfg(test)]
        mod $name {
            #[allow(unused_imports, reason = "the types may be named by path")]
            use super::*;
            $crate::static_laws! {
                @each (|$spec, $seed, $keys| $make) ($(|$bytes, $of| $decode)?) $laws
            }
        }
    )+};
}
