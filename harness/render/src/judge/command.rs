//! The command that repeats one check.

/// Flags that narrow a run or set its seed, and so are replaced; and the
/// folder, which holds this report.
const REPLACED: [&str; 9] = [
    "--filter",
    "--filters",
    "--scheme",
    "--schemes",
    "--dataset",
    "--datasets",
    "--seed",
    "--out",
    "--format",
];

/// `command` narrowed by `flags`, with the run's seed. Empty if the run did
/// not record its command.
pub fn narrowed(command: &str, seed: &str, flags: &[(&str, &str)]) -> String {
    if command.is_empty() {
        return String::new();
    }
    let mut words = Vec::new();
    let mut rest = command.split_whitespace();
    while let Some(word) = rest.next() {
        let flag = word.split('=').next().unwrap_or(word);
        if !REPLACED.contains(&flag) {
            words.push(word);
        } else if flag == word {
            rest.next();
        }
    }
    for &(flag, value) in flags.iter().chain(&[("--seed", seed)]) {
        if !value.is_empty() {
            words.extend([flag, value]);
        }
    }
    words.join(" ")
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
    }
}
