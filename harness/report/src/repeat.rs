//! The command that repeats one check.

use bouquet_record::{
    Records,
    command::{quoted, words},
};

/// Flags that are removed from the recorded command: they narrow the run, set its seed, or say how
/// and where it writes its report.
const REPLACED: &str =
    "--filter --filters --scheme --schemes --dataset --datasets --seed --out --format";

/// The command that repeats the measurements of one filter or scheme on one key set; empty if the
/// run did not record its own command.
pub fn repeat(records: &Records, name: &str, dataset: &str) -> String {
    let flag = match records.subject(name) {
        Some(subject) if subject.kind == "filter" => "--filters",
        _ => "--schemes",
    };
    let narrowing = [(flag, name), ("--datasets", dataset)];
    narrowed(records.fact("command"), records.fact("seed"), &narrowing)
}

/// `command` without the flags in [`REPLACED`], followed by `flags` and the seed; empty if there is
/// no `command`.
fn narrowed(command: &str, seed: &str, flags: &[(&str, &str)]) -> String {
    if command.is_empty() {
        return String::new();
    }
    let mut kept: Vec<String> = Vec::new();
    let mut rest = words(command).into_iter();
    while let Some(word) = rest.next() {
        let bare = word.trim_start_matches(['$', '\'']);
        let flag = bare.split('=').next().unwrap_or(word);
        if !REPLACED.split(' ').any(|one| one == flag) {
            kept.push(word.into());
        } else if flag == bare {
            rest.next();
        }
    }
    for &(flag, value) in flags.iter().chain(&[("--seed", seed)]) {
        if !value.is_empty() {
            kept.extend([flag.into(), quoted(value.as_bytes())]);
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_narrowing_gives_way() {
        let got = narrowed(
            "bouquet evaluate --quick --filters a,b --datasets=x --seed 1 --out r --jobs 2",
            "42",
            &[("--filters", "a"), ("--datasets", "words")],
        );
        assert_eq!(
            got,
            "bouquet evaluate --quick --jobs 2 --filters a --datasets words --seed 42"
        );
        assert_eq!(narrowed("", "42", &[("--filters", "a")]), "");
        assert_eq!(
            narrowed("bouquet evaluate", "", &[("--datasets", "")]),
            "bouquet evaluate"
        );
        let quoted = r"bouquet evaluate --keys 'my  --out keys' --out $'it\'s \012' --define 'a'\''b c' '--out=a b'";
        assert_eq!(
            narrowed(quoted, "", &[]),
            r"bouquet evaluate --keys 'my  --out keys' --define 'a'\''b c'"
        );
        let of_records = [("--filters", "$(touch x)"), ("--datasets", "a' ;b")];
        assert_eq!(
            narrowed("bouquet evaluate", "`id`", &of_records),
            r"bouquet evaluate --filters '$(touch x)' --datasets 'a'\'' ;b' --seed '`id`'"
        );
    }
}
