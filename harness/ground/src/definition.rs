//! TOML that users write, and what is wrong with it.

use anyhow::{Result, anyhow};
use serde::de::DeserializeOwned;

use crate::{detailed::Detailed, unknown};

/// Reads TOML.
///
/// # Errors
///
/// The line and what is wrong there; the rest, as what may stand there, is for those who
/// ask.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let line = 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
        let message = error.message().lines().next().unwrap_or_default();
        let message = of_names(message).unwrap_or_else(|| message.to_owned());
        anyhow!(Detailed::new(
            format!("line {line}: {message}"),
            error.to_string().trim_end()
        ))
    })
}

/// Of a name that is none of those expected, which may be a list of any length: it, and
/// what to write instead.
fn of_names(message: &str) -> Option<String> {
    let (wrong, expected) = message.split_once(", expected ")?;
    if !wrong.starts_with("unknown ") {
        return None;
    }
    let quoted = |text| str::split(text, '`').skip(1).step_by(2);
    let name = quoted(wrong).next()?;
    let known: Vec<&str> = quoted(expected).collect();
    Some(unknown::one_of(
        &format!("{wrong}; "),
        name,
        &known,
        "or leave it out",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "read to fail")]
    struct Shape {
        name: String,
        size: u64,
        other: Option<u64>,
    }

    #[test]
    fn an_error_is_one_line_with_the_names_or_the_nearest() {
        let error = read::<Shape>("name = \"a\"\nsise = 3\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: unknown field `sise`; there are name, size, other"
        );
        let details = Detailed::of(&error).unwrap();
        assert!(details.contains("expected one of `name`, `size`"));
        assert_eq!(
            of_names("unknown variant `x`, expected `a` or `b`").unwrap(),
            "unknown variant `x`; there are a, b"
        );
        let many: Vec<String> = (0..40).map(|i| format!("`field-{i}`")).collect();
        let many = format!("unknown field `x`, expected one of {}", many.join(", "));
        let words = of_names(&many).unwrap();
        assert!(words.ends_with("; or leave it out"), "{words}");
        assert!(words.chars().count() < 100, "{words}");
        // Of another kind: as it is.
        assert_eq!(of_names("invalid type: string \"a\", expected u64"), None);
    }
}
