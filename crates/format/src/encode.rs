//! Encodes filters to bytes.

use alloc::{alloc::handle_alloc_error, vec::Vec};
use core::alloc::Layout;

use crate::{Header, Stopped, Writer, write::write};

/// A filter that can be encoded.
///
/// # For users
///
/// The bytes are the same on every machine, and [`Decode`](crate::Decode) creates an equal
/// filter from them. Equal filters with the same [`Spec`](bouquet_core::Spec) have the same
/// bytes.
///
/// A filter can be encoded while other threads insert into it: the bytes contain every key
/// whose insert returned before the call, and possibly some of the others.
///
/// # Implementing
///
/// `header` and `write_payload` must agree: the payload has as many bytes as the header states.
/// A filter that consists of other filters writes each of them as a [part](Writer::part), under
/// the lock that guards it. The law `encode_round_trip` of `bouquet-testkit` tests this.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be encoded",
    note = "every filter of this family can, views cannot: keep the bytes that the view is of"
)]
pub trait Encode {
    /// The header: everything except the slots.
    fn header(&self) -> Header;

    /// Writes the slots, or the parts that the filter consists of.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `out` returned it; nothing else can fail.
    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped>;

    /// Encodes the whole filter into a vector.
    ///
    /// Allocates all bytes at once; if that fails, the process ends, as with all of `alloc`.
    /// `encode_to` needs only a buffer.
    fn encode(&self) -> Vec<u8> {
        let bytes = self.header().file_bytes();
        let count = usize::try_from(bytes).unwrap_or(usize::MAX);
        let mut encoded = Vec::new();
        let reserved = encoded.try_reserve_exact(count);
        if reserved.is_err() || write(self, &mut encoded).is_err() {
            handle_alloc_error(Layout::array::<u8>(count).unwrap_or(Layout::new::<u8>()));
        }
        encoded
    }

    /// Encodes the whole filter into a writer, in one pass, through a buffer. The buffer has 64
    /// KiB or, for files of more than 512 KiB, an eighth to a quarter of the file, but at most
    /// 1 MiB. Needs the feature `std`.
    ///
    /// # Errors
    ///
    /// The writer's first error, or that there is no memory for the buffer.
    #[cfg(feature = "std")]
    fn encode_to(&self, writer: impl std::io::Write) -> std::io::Result<()>
    where
        Self: Sized,
    {
        crate::file::encode_to(self, writer)
    }

    /// Saves the filter as a file. At any time the file is either the old one or, once this has
    /// returned, the new one, and never a mixture, even if the process or the machine crashes.
    ///
    /// The filter is written to a temporary file in the same folder, which is synced to the
    /// disk and renamed; then the folder is synced too. On an error the temporary file is
    /// removed. A process that is killed may leave it behind, as `.NAME.bouquet-….tmp`; the
    /// next process that saves the same file removes it, but not while its owner lives, which
    /// holds a lock on it. No other file of the folder is touched. Needs the feature `std`.
    ///
    /// A symbolic link is followed and kept: its target is replaced. A dangling link is an
    /// error. A device, a pipe or anything else that is not a regular file is written into and
    /// not replaced; so there is no old file then, and an error may leave it partly written.
    ///
    /// On Unix the mode of a replaced file is kept, and its owner and group if the process is
    /// allowed to set them. If it is not, the process owns the new file: then the setuid and
    /// setgid bits are dropped and, if the group differs, the group gets only the permissions
    /// that others have. Access control lists and other attributes are not kept, and other hard
    /// links to the old file still refer to the old file.
    ///
    /// # Errors
    ///
    /// Those of the file system; the old file is unchanged, unless syncing the folder failed:
    /// then the new file may be in place.
    #[cfg(feature = "std")]
    fn save(&self, path: impl AsRef<std::path::Path>) -> std::io::Result<()>
    where
        Self: Sized,
    {
        crate::save(path, |out| self.encode_to(out))
    }
}

/// Allows saving a `&dyn Encode`: `Encode::save(&filter, path)`.
impl<E: Encode + ?Sized> Encode for &E {
    fn header(&self) -> Header {
        (**self).header()
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        (**self).write_payload(out)
    }
}
