//! The Redis keys that belong to a filter, all in the same slot of a cluster.

use crate::{Error, Result};

/// The maximum length of a name, in bytes.
const LONGEST: usize = 4096;

/// The name of a filter, and the keys that belong to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    /// The key of the string with the bits: the name itself.
    pub(crate) string: Vec<u8>,
    /// The key with the settings of a `BF.*` filter, which has no room for them.
    pub(crate) meta: Vec<u8>,
    /// The key with Redisson's settings.
    pub(crate) config: Option<Vec<u8>>,
}

impl Name {
    pub(crate) fn new(name: &[u8], has_config: bool) -> Result<Self> {
        let bad = |why| Err(Error::BadName { why });
        if name.is_empty() {
            return bad("the name is empty: give one of at least one byte");
        }
        if name.len() > LONGEST {
            return bad("the name is longer than 4096 bytes: give a shorter one");
        }
        let beside = |suffix: &[u8]| {
            if has_tag(name) {
                // Keys with the same hash tag are in the same slot.
                [name, suffix].concat()
            } else {
                [b"{", name, b"}", suffix].concat()
            }
        };
        if !has_tag(name) && name.contains(&b'}') {
            return bad(
                "a name with } and no {tag} has no second key in the same slot of a cluster: leave \
                 out the }, or write a {tag}",
            );
        }
        Ok(Self {
            string: name.to_vec(),
            meta: beside(b":bouquet"),
            config: has_config.then(|| beside(b":config")),
        })
    }

    /// The name under which a new generation of this filter is built.
    pub(crate) fn draft(&self, generation: u64) -> Self {
        Self {
            string: self.beside(&format!("new-bits:{generation:016x}")),
            meta: self.meta.clone(),
            config: None,
        }
    }

    /// An unused name to which a string that is not this filter is renamed while an insert is
    /// rejected.
    pub(crate) fn aside(&self) -> Vec<u8> {
        self.beside(&format!("aside:{:016x}", crate::trailer::random()))
    }

    fn beside(&self, end: &str) -> Vec<u8> {
        [&self.meta[..], b":", end.as_bytes()].concat()
    }
}

/// Whether the name has a hash tag, from which alone a cluster computes the slot.
fn has_tag(name: &[u8]) -> bool {
    let Some(open) = name.iter().position(|byte| *byte == b'{') else {
        return false;
    };
    let rest = &name[open + 1..];
    rest.iter()
        .position(|byte| *byte == b'}')
        .is_some_and(|close| close > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta(name: &[u8]) -> Option<Vec<u8>> {
        Name::new(name, false).ok().map(|name| name.meta)
    }

    #[test]
    fn all_keys_have_one_tag() {
        assert_eq!(meta(b"roses").as_deref(), Some(&b"{roses}:bouquet"[..]));
        assert_eq!(meta(b"a{b").as_deref(), Some(&b"{a{b}:bouquet"[..]));
        assert_eq!(meta(b"x{t}y").as_deref(), Some(&b"x{t}y:bouquet"[..]));
        assert_eq!(meta(b" \n\0").as_deref(), Some(&b"{ \n\0}:bouquet"[..]));
        for name in [&b""[..], b"a}b", b"{}x", &[b'x'; LONGEST + 1]] {
            assert_eq!(meta(name), None, "{name:?}");
        }
    }
}
