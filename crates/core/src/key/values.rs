//! Addresses, times and C strings of the standard library as keys.

use alloc::ffi::CString;
use core::{
    ffi::CStr,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6},
    time::Duration,
};
#[cfg(any(test, feature = "std"))]
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Key, KeyParts};

impl Key for Ipv4Addr {
    const LEN: Option<usize> = Some(4);

    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(&self.octets())
    }
}

impl Key for Ipv6Addr {
    const LEN: Option<usize> = Some(16);

    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(&self.octets())
    }
}

/// The length tells the two kinds of address apart.
impl Key for IpAddr {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        match self {
            Self::V4(address) => address.with_bytes(f),
            Self::V6(address) => address.with_bytes(f),
        }
    }
}

impl Key for SocketAddrV4 {
    const LEN: Option<usize> = <(Ipv4Addr, u16)>::LEN;

    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        (self.ip(), self.port()).with_bytes(f)
    }
}

impl Key for SocketAddrV6 {
    const LEN: Option<usize> = <(Ipv6Addr, u16, u32, u32)>::LEN;

    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        (self.ip(), self.port(), self.flowinfo(), self.scope_id()).with_bytes(f)
    }
}

impl Key for SocketAddr {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        match self {
            Self::V4(address) => address.with_bytes(f),
            Self::V6(address) => address.with_bytes(f),
        }
    }
}

impl Key for Duration {
    const LEN: Option<usize> = u128::LEN;

    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        self.as_nanos().with_bytes(f)
    }
}

#[cfg(any(test, feature = "std"))]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
impl Key for SystemTime {
    const LEN: Option<usize> = i128::LEN;

    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        // Both differences are below 2^94 nanoseconds.
        let nanoseconds = match self.duration_since(UNIX_EPOCH) {
            Ok(after) => after.as_nanos() as i128,
            Err(before) => -(before.duration().as_nanos() as i128),
        };
        nanoseconds.with_bytes(f)
    }
}

impl Key for CStr {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self.to_bytes())
    }
}

impl Key for CString {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self.to_bytes())
    }
}

impl<K: Key> Key for Option<K> {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        let mut parts = KeyParts::new();
        self.append_to(&mut parts);
        f(parts.bytes())
    }

    #[inline]
    fn append_to(&self, parts: &mut KeyParts) {
        parts.part(&self.is_some());
        if let Some(key) = self {
            parts.part(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{borrow::ToOwned, boxed::Box, string::String, vec, vec::Vec};
    use std::ffi::OsString;

    use super::*;

    fn bytes<K: Key + ?Sized>(key: &K) -> Vec<u8> {
        key.with_bytes(<[u8]>::to_vec)
    }

    /// Checks that two keys have equal bytes exactly if they are equal, also as parts, and that a
    /// fixed length is right.
    fn check<K: Key + PartialEq + Clone + core::fmt::Debug>(keys: &[K]) {
        for one in keys {
            assert!(K::LEN.is_none_or(|len| len == bytes(one).len()), "{one:?}");
            for other in keys {
                let is_equal = one == other;
                assert_eq!(bytes(one) == bytes(other), is_equal, "{one:?} {other:?}");
                let parts = (one.clone(), 7u8) == (other.clone(), 7);
                let parts_of_bytes = bytes(&(one, 7u8)) == bytes(&(other, 7u8));
                assert_eq!(parts_of_bytes, parts, "{one:?} {other:?}");
            }
        }
        let lists: Vec<Vec<K>> = (0..=keys.len().min(3))
            .flat_map(|length| {
                keys.windows(length.max(1))
                    .map(move |keys| keys[..length].to_vec())
            })
            .collect();
        for one in &lists {
            for other in &lists {
                assert_eq!(
                    bytes(one) == bytes(other),
                    one == other,
                    "{one:?} {other:?}"
                );
            }
        }
    }

    #[test]
    fn keys_have_equal_bytes_exactly_if_they_are_equal() {
        let v4 = [[127, 0, 0, 1], [0; 4], [1, 0, 0, 127]].map(Ipv4Addr::from);
        let v6 = [
            v4[0].to_ipv6_mapped(),
            Ipv6Addr::LOCALHOST,
            Ipv6Addr::UNSPECIFIED,
        ];
        check(&v4);
        check(&v6);
        let all: Vec<IpAddr> = v4.iter().map(|a| (*a).into()).collect();
        let all = [all, v6.iter().map(|a| (*a).into()).collect()].concat();
        check(&all);
        check(&[
            SocketAddr::from((v4[0], 80)),
            SocketAddr::from((v4[1], 80)),
            SocketAddr::from((v4[0], 81)),
            SocketAddr::from((v6[0], 80)),
            SocketAddrV6::new(v6[0], 80, 1, 0).into(),
            SocketAddrV6::new(v6[0], 80, 0, 1).into(),
        ]);
        let times = [0, 1, 999_999_999].map(|n| Duration::new(1, n));
        check(&times);
        check(&[Duration::ZERO, Duration::MAX, Duration::from_secs(1)]);
        check(&[
            UNIX_EPOCH,
            UNIX_EPOCH + times[1],
            UNIX_EPOCH - times[1],
            UNIX_EPOCH - times[0],
        ]);
        check(&[c"".to_owned(), c"a".to_owned(), c"ab".to_owned()]);
        check(&[OsString::new(), "a".into(), "ab".into()]);
        check(&[None, Some(None), Some(Some(0u8)), Some(Some(1))]);
        check(&[vec![], vec![vec![]], vec![vec![], vec![]], vec![vec![0u16]]]);
        check(&[vec![], vec![[0u8; 0]], vec![[]; 2]]);
        check(&[("ab", String::new()), ("a", "b".into()), ("", "ab".into())]);
        check(&[Box::new([1u8, 2]), Box::new([2, 1])]);
        check(&[[Some("a"), None], [None, Some("a")], [Some(""), None]]);
        check(&[vec![7u8; 70_000], vec![7; 69_999], vec![]]);
    }

    #[cfg(unix)]
    #[test]
    fn a_path_need_not_be_utf_8() {
        use std::{os::unix::ffi::OsStrExt, path::Path};

        let name = std::ffi::OsStr::from_bytes(b"/a\xff/b");
        assert_eq!(bytes(Path::new(name)), b"/a\xff/b");
        assert_eq!(bytes(name), b"/a\xff/b");
    }
}
