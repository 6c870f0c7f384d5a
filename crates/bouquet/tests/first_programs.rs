//! Programs as a new user writes them, which use only this crate: each is compiled and run.
//! (`wrong_programs.rs` tests those that must not compile.)

#![allow(unsafe_code, reason = "one of them maps a file")]

/// Includes each program as a module, with a test that runs it.
macro_rules! programs {
    ($($name:ident)*) => {
        const PROGRAMS: &[&str] = &[$(stringify!($name)),*];

        $(#[cfg(test)]
        mod $name {
            include!(concat!("first-programs/pass/", stringify!($name), ".rs"));

            #[test]
            fn runs() -> impl std::process::Termination {
                main()
            }
        })*
    };
}

programs! {
    a_cuckoo_filter_that_is_full
    a_field_of_a_struct
    a_file_in_place
    a_filter_that_grows
    a_key_of_ones_own
    a_report_of_any_filter
    adversarial_keys
    an_integer_is_its_value
    answers_for_an_iterator
    answers_in_place
    any_type_that_is_hash
    before_a_database
    behind_a_lock
    built_once
    by_memory_not_by_rate
    counted_and_removed
    derived_keys
    derived_with_attributes
    duplicates_of_the_last_hour
    emptied_copied_compared
    errors_that_say_what_to_do
    every_filter_as_a_file
    every_filter_as_bytes
    exactly_one_thread_is_first
    extended_from_anywhere
    files_that_are_not_the_filter
    filters_behind_a_pointer
    filters_of_many_kinds
    for_go
    for_guava
    for_parquet
    for_redis
    from_a_set
    generic_over_filters
    generic_over_the_hasher
    hashed_once_for_two
    how_full_it_is
    inserts_from_an_iterator
    keys_of_no_bytes
    keys_of_several_parts
    lines_seen_once
    made_smaller_once_filled
    many_keys_at_once
    names_beside_ours
    one_filter_for_the_program
    only_the_new_ones
    saved_and_loaded
    small_integers_exactly
    text_in_every_form
    the_hash_of_a_hash_map
    threads_make_it_grow
    threads_without_a_lock
    through_a_mutable_reference
    two_filters_united
    what_both_have
}

/// Every program in the folder must be in the list above, because others would not be run.
#[test]
fn all_of_them_are_run() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/first-programs/pass");
    let mut found: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    found.sort();
    assert_eq!(found, PROGRAMS);
    assert!(found.len() >= 40);
}

/// Code that the documentation shows without running it must be part of a program that is run.
#[test]
fn the_page_of_mapped_files_shows_one_of_them() {
    let page = include_str!("../../format/src/mapped.rs");
    let program = include_str!("first-programs/pass/a_file_in_place.rs");
    let mut shown = page
        .lines()
        .skip_while(|line| *line != "/// ```ignore")
        .skip(1)
        .take_while(|line| *line != "/// ```")
        .map(|line| line.trim_start_matches('/').trim())
        .filter(|line| !line.is_empty())
        .peekable();
    assert!(shown.peek().is_some());
    let mut rest = program.lines().map(str::trim);
    for line in shown {
        assert!(rest.any(|own| own == line), "not in the program: {line}");
    }
}
