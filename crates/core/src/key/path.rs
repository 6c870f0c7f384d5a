//! Paths and the operating system's strings as keys.

use core::slice::from_ref;
use std::{
    ffi::{OsStr, OsString},
    path::{Component, Path, PathBuf, Prefix},
};

use super::{Key, KeyParts};

#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
impl Key for OsStr {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self.as_encoded_bytes())
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
impl Key for OsString {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self.as_encoded_bytes())
    }
}

/// The bytes are those of the components with a slash between them, because paths are equal if
/// their components are.
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
impl Key for Path {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        let mut parts = KeyParts::new();
        self.append_to(&mut parts);
        f(parts.bytes())
    }

    fn append_to(&self, parts: &mut KeyParts) {
        // Names in a verbatim path of Windows can contain slashes, but no backslashes.
        let (mut separator, mut is_inside) = (b'/', false);
        for component in self.components() {
            match component {
                Component::Prefix(prefix) => {
                    if prefix.kind().is_verbatim() {
                        separator = b'\\';
                    }
                    append_prefix(prefix.kind(), parts);
                }
                Component::RootDir => parts.push(from_ref(&separator)),
                Component::CurDir | Component::ParentDir | Component::Normal(_) => {
                    if is_inside {
                        parts.push(from_ref(&separator));
                    }
                    is_inside = true;
                    parts.push(component.as_os_str().as_encoded_bytes());
                }
            }
        }
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
impl Key for PathBuf {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        self.as_path().with_bytes(f)
    }

    #[inline]
    fn append_to(&self, parts: &mut KeyParts) {
        self.as_path().append_to(parts);
    }
}

/// Prefixes of Windows are equal whatever slashes they are written with.
fn append_prefix(prefix: Prefix<'_>, parts: &mut KeyParts) {
    let names: [&[u8]; 4] = match &prefix {
        Prefix::Verbatim(name) => [br"\\?\", name.as_encoded_bytes(), b"", b""],
        Prefix::VerbatimUNC(server, share) => {
            let (server, share) = (server.as_encoded_bytes(), share.as_encoded_bytes());
            [br"\\?\UNC\", server, br"\", share]
        }
        Prefix::VerbatimDisk(letter) => [br"\\?\", from_ref(letter), b":", b""],
        Prefix::DeviceNS(device) => [b"//./", device.as_encoded_bytes(), b"", b""],
        Prefix::UNC(server, share) => {
            let (server, share) = (server.as_encoded_bytes(), share.as_encoded_bytes());
            [b"//", server, b"/", share]
        }
        Prefix::Disk(letter) => [from_ref(letter), b":", b"", b""],
    };
    names.iter().for_each(|name| parts.push(name));
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String, vec::Vec};

    use super::*;

    fn text(path: &Path) -> String {
        path.with_bytes(|bytes| String::from_utf8(bytes.to_vec()).unwrap())
    }

    #[test]
    #[cfg(unix)]
    fn paths_have_equal_bytes_exactly_if_they_are_equal() {
        let mut paths: Vec<String> = alloc::vec![String::new()];
        for _ in 0..6 {
            let longer = |path: &String| ["/", ".", "..", "a"].map(|more| format!("{path}{more}"));
            let longer: Vec<_> = paths.iter().flat_map(longer).collect();
            paths.extend(longer);
            paths.sort();
            paths.dedup();
        }
        paths.truncate(1_500);
        for one in &paths {
            let one = Path::new(one);
            assert_eq!(Path::new(&text(one)), one);
            for other in paths.iter().map(Path::new) {
                assert_eq!(text(one) == text(other), one == other, "{one:?} {other:?}");
            }
        }
        assert_eq!(text(Path::new("/a//b/./c/")), "/a/b/c");
    }

    #[test]
    fn prefixes_of_windows_differ() {
        let [server, share] = ["server", "share"].map(OsStr::new);
        let text = |prefix| {
            let mut parts = KeyParts::new();
            append_prefix(prefix, &mut parts);
            String::from_utf8(parts.bytes().to_vec()).unwrap()
        };
        assert_eq!(text(Prefix::Disk(b'C')), "C:");
        assert_eq!(text(Prefix::UNC(server, share)), "//server/share");
        assert_eq!(text(Prefix::DeviceNS(share)), "//./share");
        assert_eq!(text(Prefix::Verbatim(share)), r"\\?\share");
        assert_eq!(text(Prefix::VerbatimDisk(b'C')), r"\\?\C:");
        let unc = Prefix::VerbatimUNC(server, share);
        assert_eq!(text(unc), r"\\?\UNC\server\share");
    }
}
