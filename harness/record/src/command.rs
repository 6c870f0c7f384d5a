//! Command lines as records store them: on one line, in a form that a shell parses back into the
//! same arguments.

use crate::line::is_harmless;

/// The command line that this program was called with, quoted for a shell.
pub fn own() -> String {
    let arguments = std::env::args_os().skip(1);
    let words = arguments.map(|word| quoted(word.as_encoded_bytes()));
    let words: Vec<String> = std::iter::once("bouquet".into()).chain(words).collect();
    words.join(" ")
}

/// Quotes an argument if a shell would otherwise change it. Line ends, other characters for which
/// [`is_harmless`] is false and bytes that are not UTF-8 are escaped as POSIX.1-2024 defines
/// (`$'\012'`), so that a command always is one line of text.
pub fn quoted(word: &[u8]) -> String {
    let is_bare = |c: char| c.is_alphanumeric() || "-_=/.,:+@%^".contains(c);
    match std::str::from_utf8(word) {
        Ok(text) if !text.is_empty() && text.chars().all(is_bare) => text.into(),
        Ok(text) if text.chars().all(is_harmless) => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        _ => format!(
            "$'{}'",
            word.utf8_chunks().map(written_out).collect::<String>()
        ),
    }
}

fn written_out(chunk: std::str::Utf8Chunk<'_>) -> String {
    let octal = |bytes: &[u8]| bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
    let character = |c: char| -> String {
        match c {
            '\\' | '\'' => format!("\\{c}"),
            c if !is_harmless(c) => octal(c.encode_utf8(&mut [0; 4]).as_bytes()),
            c => c.into(),
        }
    };
    let valid: String = chunk.valid().chars().map(character).collect();
    let invalid: String = octal(chunk.invalid());
    valid + &invalid
}

/// Splits a recorded command into its arguments. Quoted arguments keep their quotes.
pub fn words(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut quote) = (0, None);
    let mut characters = command.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        match (c, quote) {
            ('\\', None | Some("$'")) => drop(characters.next()),
            ('$', None) if characters.next_if(|(_, next)| *next == '\'').is_some() => {
                quote = Some("$'");
            }
            ('\'', None) => quote = Some("'"),
            ('\'', Some(_)) => quote = None,
            (c, None) if c.is_whitespace() => {
                words.push(&command[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    words.push(&command[start..]);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const HARD: [(&[u8], &str); 11] = [
        (b"--seed", "--seed"),
        (b"", "''"),
        (b"my keys.txt", "'my keys.txt'"),
        (b"it's", r"'it'\''s'"),
        (b"$HOME `id` \"a\" \\", "'$HOME `id` \"a\" \\'"),
        ("ключи".as_bytes(), "ключи"),
        (b"~/keys", "'~/keys'"),
        (b"a\nb", r"$'a\012b'"),
        (b"a'\t\\1", r"$'a\'\011\\1'"),
        (b"\xff1 \xc3\xa9", r"$'\3771 é'"),
        ("\u{85}".as_bytes(), r"$'\302\205'"),
    ];

    #[test]
    fn words_are_quoted_and_found_again() {
        let all: Vec<String> = HARD.iter().map(|(word, _)| quoted(word)).collect();
        assert_eq!(all, HARD.map(|(_, quoted)| quoted));
        assert_eq!(words(&all.join(" ")), all);
        assert_eq!(words("bouquet"), ["bouquet"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_reads_the_same_words() {
        let all: Vec<String> = HARD.iter().map(|(word, _)| quoted(word)).collect();
        let script = format!("printf '%s\\0' {}", all.join(" "));
        let output = std::process::Command::new("bash")
            .args(["-c", &script])
            .output();
        let output = output.unwrap().stdout;
        let read: Vec<&[u8]> = output
            .strip_suffix(b"\0")
            .unwrap()
            .split(|b| *b == 0)
            .collect();
        assert_eq!(read, HARD.map(|(word, _)| word));
    }
}
