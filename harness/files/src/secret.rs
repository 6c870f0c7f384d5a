//! The secret key of a hash, and files that contain one.

use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::Path,
};

use anyhow::{Context, Result, anyhow};

use super::hex::digit;

/// A secret key of 16 bytes.
#[derive(Clone)]
pub struct HashKey([u8; BYTES]);

const BYTES: usize = 16;

/// The number of bytes to read: more than any key file has, which is 32 digits and a line end.
const MOST: u64 = 64;

impl HashKey {
    /// Reads a key from a file, which contains 32 hex digits with an optional line end, or the 16
    /// bytes themselves.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or contains anything else; the message does not show the contents.
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.display();
        let read = || {
            let mut bytes = Vec::new();
            File::open(path)?.take(MOST).read_to_end(&mut bytes)?;
            Ok::<_, io::Error>(bytes)
        };
        let bytes = read().with_context(|| format!("cannot read the key in {name}"))?;
        let secret = of_bytes(&bytes).with_context(|| {
            let how = Self::HOW;
            format!("{name} is no key: give a file of 32 hex digits or of 16 bytes ({how})")
        })?;
        Ok(Self(secret))
    }

    /// A key from the system's random source, for a filter that is not saved.
    ///
    /// # Errors
    ///
    /// The system has no random source.
    pub fn random() -> Result<Self> {
        let mut secret = [0; BYTES];
        let filled = getrandom::fill(&mut secret);
        filled.map_err(|error| anyhow!("no random key can be had: {error}"))?;
        Ok(Self(secret))
    }

    /// How to make a key file.
    pub const HOW: &str = "openssl rand -hex 16 > FILE makes one";

    /// The bytes of the key.
    pub fn secret(&self) -> [u8; BYTES] {
        self.0
    }
}

/// Does not show the secret.
impl fmt::Debug for HashKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HashKey")
    }
}

fn of_bytes(bytes: &[u8]) -> Option<[u8; BYTES]> {
    if let Ok(secret) = bytes.try_into() {
        return Some(secret);
    }
    let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let (pairs, []) = line.as_chunks::<2>() else {
        return None;
    };
    let pairs: &[[u8; 2]; BYTES] = pairs.try_into().ok()?;
    let mut secret = [0; BYTES];
    for (byte, [high, low]) in secret.iter_mut().zip(pairs) {
        *byte = 16 * digit(*high)? + digit(*low)?;
    }
    Some(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_its_bytes_or_its_digits() {
        let want: [u8; BYTES] = std::array::from_fn(|i| 17 * i as u8);
        let hex = "00112233445566778899aAbBcCdDeEfF";
        for bytes in [hex.to_owned(), format!("{hex}\n"), format!("{hex}\r\n")] {
            assert_eq!(of_bytes(bytes.as_bytes()), Some(want), "{bytes:?}");
        }
        assert_eq!(of_bytes(&want), Some(want));
        assert_eq!(of_bytes(b"0123456789abcdef"), Some(*b"0123456789abcdef"));
        for bytes in [
            String::new(),
            "\n".to_owned(),
            hex[1..].to_owned(),
            format!("{hex}0"),
            format!("{hex}00"),
            format!("{hex}\n\n"),
            format!(" {hex}"),
            hex.replace('f', "g"),
            hex.replace('F', "\u{e9}"),
        ] {
            assert_eq!(of_bytes(bytes.as_bytes()), None, "{bytes:?}");
        }
    }

    #[test]
    fn it_is_not_shown_and_not_the_same_twice() {
        assert_eq!(format!("{:?}", HashKey([0xab; BYTES])), "HashKey");
        let [one, other] = [(); 2].map(|()| HashKey::random().unwrap().secret());
        assert_ne!(one, other);
    }
}
