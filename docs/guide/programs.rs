//! The chapters of the guide, whose programs `cargo test --doc` runs.

/// Chapters by their files; each is a module whose documentation is the chapter, so that
/// its programs are tests.
macro_rules! chapters {
    ($($name:ident = $file:literal,)+) => {
        /// The files of all chapters, in `src`.
        pub const CHAPTERS: &[&str] = &[$($file),+];

        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("src/", $file))]
            pub mod $name {}
        )+
    };
}

chapters! {
    introduction = "introduction.md",
    choose = "choose.md",
    size = "size.md",
    usage = "use.md",
    keep = "keep.md",
    share = "share.md",
    evaluate = "evaluate.md",
    beyond = "beyond-one-machine.md",
    migrate = "migrate.md",
    from_fastbloom = "migrate/fastbloom.md",
    from_bloomfilter = "migrate/bloomfilter.md",
    from_bits_and_blooms = "migrate/bits-and-blooms.md",
    from_guava = "migrate/guava.md",
    from_redisbloom = "migrate/redisbloom.md",
    mistakes = "mistakes.md",
    formulas = "formulas.md",
    examples = "examples.md",
}
