//! Types of other crates as keys.

#[cfg(feature = "uuid")]
impl super::Key for uuid::Uuid {
    const LEN: Option<usize> = Some(16);

    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self.as_bytes())
    }
}

#[cfg(feature = "bytes")]
impl super::Key for bytes::Bytes {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self)
    }
}

#[cfg(feature = "bytes")]
impl super::Key for bytes::BytesMut {
    #[inline]
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self)
    }
}
