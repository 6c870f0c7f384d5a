//! The error message for an unknown name.

use crate::groups::distinct;

/// The longest message that lists all names, in characters.
const LONGEST: usize = 180;
/// The number of names to suggest if a list of all names would be too long.
const NEAREST: usize = 3;

/// The number of characters of an unknown name that the message repeats.
const QUOTED: usize = 60;

/// A name in quotes, shortened if it is long.
pub fn quoted(name: &str) -> String {
    match name.char_indices().nth(QUOTED) {
        None => format!("{name:?}"),
        Some((end, _)) => format!("{:?}…", &name[..end]),
    }
}

/// The message that `name` is unknown. It lists all `known` names or, if that is too long, the most
/// similar ones and `others`, which says where to find the rest.
pub fn unknown(what: &str, name: &str, known: &[&str], others: &str) -> String {
    let words = format!("no {what} is called {}; ", quoted(name));
    // Some names occur twice, such as a filter that is timed both on one thread and on several.
    let mut known = distinct(known.iter().copied());
    let all = format!("{words}there are {}", known.join(", "));
    if all.chars().count() <= LONGEST {
        return all;
    }
    let likeness = |known: &str| strsim::jaro_winkler(known, name);
    known.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    known.truncate(NEAREST);
    let known: Vec<_> = known.iter().map(|name| format!("\"{name}\"")).collect();
    format!("{words}the nearest are {}; {others}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_name_its_beginning_is_repeated() {
        let said = unknown("filter", &"ä".repeat(100_000), &["a"], "");
        let name = "ä".repeat(60);
        assert_eq!(said, format!("no filter is called {name:?}…; there are a"));
    }

    #[test]
    fn few_names_are_all_said_and_of_many_the_nearest() {
        let few = unknown("key set", "wurds", &["words", "urls", "words"], "");
        assert_eq!(few, "no key set is called \"wurds\"; there are words, urls");
        let many: Vec<String> = (100..200).map(|i| format!("scheme-{i}")).collect();
        let mut many: Vec<&str> = many.iter().map(String::as_str).collect();
        many.push("double-hashing");
        let words = unknown(
            "scheme",
            "doubel",
            &many,
            "`bouquet evaluate --help` has all",
        );
        assert!(
            words.starts_with(
                "no scheme is called \"doubel\"; the nearest are \"double-hashing\", "
            ),
            "{words}"
        );
        assert!(
            words.ends_with("; `bouquet evaluate --help` has all"),
            "{words}"
        );
    }
}
