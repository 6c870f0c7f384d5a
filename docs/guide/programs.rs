//! The chapters of the guide; `cargo test --doc` runs their programs.

/// Lists the chapters by their files. Each becomes a module with the chapter as its documentation,
/// so that its programs are doctests.
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
    build_once = "static.md",
    forget = "forget.md",
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
