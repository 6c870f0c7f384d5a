//! From a filter to bytes.

use alloc::{alloc::handle_alloc_error, vec::Vec};
use core::alloc::Layout;

use crate::{Header, Stopped, Writer, write::write};

/// A filter that can be written down.
///
/// # For users
///
/// The bytes are the same on every machine, and from them
/// [`Decode`](crate::Decode) makes a filter that is equal. Equal filters that
/// were made for the same [`Spec`](bouquet_core::Spec) have the same bytes.
///
/// A filter that other threads insert into meanwhile can be written: every key
/// whose insert returned before is in it, and of the others any.
///
/// # Implementing
///
/// `header` and `write_payload` say the same: the payload has as many bytes as
/// the header says. A filter made of others writes each as a
/// [part](Writer::part), under the lock that guards it. The law
/// `encode_round_trip` of `bouquet-testkit` tests it.
pub trait Encode {
    /// All that is written of it but its slots.
    fn header(&self) -> Header;

    /// Writes the slots, or the filters that it is made of.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `out` is; nothing else can fail.
    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped>;

    /// The bytes of the whole.
    ///
    /// Allocates as many at once; ends the process if they cannot be had, like
    /// all of `alloc`. `encode_to` needs a buffer alone.
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

    /// Writes all to a writer, in one pass, through a buffer of 64 KiB. Needs the
    /// feature `std`.
    ///
    /// # Errors
    ///
    /// The writer's first error.
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
    /// It is written aside in the same folder, brought to the disk, renamed, and
    /// the folder is brought to the disk. On an error the file aside is removed;
    /// a process that is killed may leave it, as `.NAME.….tmp`. Needs the feature
    /// `std`.
    ///
    /// A link is followed and stays: the file that it leads to is replaced. One that
    /// leads nowhere is an error. A device, a pipe or another thing that is no
    /// regular file is written into and stays what it is; there is no old file then,
    /// and an error may leave a part written.
    ///
    /// On Unix the mode of a file that is replaced is kept, and its owner and group
    /// where the process may give them away. Where it may not, the new file is the
    /// process's own: without the bits that run it as its owner or group, and, where
    /// the group is another, without rights for it that not all have. Access
    /// control lists and other attributes are not kept, and other names of the file
    /// (hard links) keep the old one.
    ///
    /// # Errors
    ///
    /// Those of the file system; the old file is as it was, unless bringing the
    /// folder to the disk failed: then it may be the new one.
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
