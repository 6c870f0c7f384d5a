//! From a filter to bytes.

use alloc::{alloc::handle_alloc_error, vec::Vec};
use core::alloc::Layout;

use crate::{Header, Stopped, Writer, write::write};

/// A filter that can be encoded.
///
/// # For users
///
/// The bytes are the same on every machine, and
/// [`Decode`](crate::Decode) makes an equal filter of them. Equal filters that
/// have the same [`Spec`](bouquet_core::Spec) have the same bytes.
///
/// A filter that other threads insert into meanwhile can be encoded: every key
/// whose insert returned before is in the bytes, and any of the others may be.
///
/// # Implementing
///
/// `header` and `write_payload` agree: the payload has as many bytes as
/// the header says. A filter made of others writes each as a
/// [part](Writer::part), under the lock that guards it. The law
/// `encode_round_trip` of `bouquet-testkit` tests it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be encoded",
    note = "every filter of this family can, views cannot: keep the bytes that the view is of"
)]
pub trait Encode {
    /// The header: everything except the slots.
    fn header(&self) -> Header;

    /// Writes the slots, or the filters that it is made of.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `out` is; nothing else can fail.
    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped>;

    /// The bytes of the whole.
    ///
    /// Allocates all of them at once; ends the process if that fails, like
    /// all of `alloc`. `encode_to` needs only a buffer.
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

    /// Writes all to a writer, in one pass, through a buffer: 64 KiB, for files of more than
    /// 512 KiB an eighth to a quarter of them, 1 MiB at most. Needs the feature `std`.
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

    /// Saves it as a file: the old one or, when this has returned, the new one,
    /// never anything between, whatever happens to process or machine.
    ///
    /// It is written to a temporary file in the same folder, synced to the disk, renamed, and
    /// the folder is synced too. On an error the temporary file is removed;
    /// a process that is killed may leave it, as `.NAME.bouquet-….tmp`, and the next one that
    /// saves the same file removes it: it is locked as long as its process lives. No other file
    /// of the folder is looked at. Needs the feature `std`.
    ///
    /// A link is followed and stays: its target is replaced. One that
    /// dangles is an error. A device, a pipe or anything else that is not a
    /// regular file is written into and stays what it is; there is no old file then,
    /// and an error may leave it partly written.
    ///
    /// On Unix the mode of a file that is replaced is kept, and its owner and group
    /// where the process may change them. Where it may not, the new file is the
    /// process's own: without the setuid and setgid bits, and, where
    /// the group differs, without group permissions that others do not have. Access
    /// control lists and other attributes are not kept, and other names of the file
    /// (hard links) keep the old one.
    ///
    /// # Errors
    ///
    /// Those of the file system; the old file is unchanged, unless syncing the
    /// folder failed: then it may be the new one.
    #[cfg(feature = "std")]
    fn save(&self, path: impl AsRef<std::path::Path>) -> std::io::Result<()>
    where
        Self: Sized,
    {
        crate::save(path, |out| self.encode_to(out))
    }
}

/// So that a `&dyn Encode` can be saved: `Encode::save(&filter, path)`.
impl<E: Encode + ?Sized> Encode for &E {
    fn header(&self) -> Header {
        (**self).header()
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        (**self).write_payload(out)
    }
}
