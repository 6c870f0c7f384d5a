//! The compiler's message when a filter that can reject keys is used where one that accepts
//! every key is required.

use core::convert::Infallible;

/// The error type of a filter that accepts every key: [`Infallible`] and no other type. This
/// trait exists for its compiler message, which says what to do with a filter that does not
/// implement [`Insert`](crate::Insert).
#[diagnostic::on_unimplemented(
    message = "a filter that can reject a key, with `{Self}`, is no `Insert`",
    label = "this filter can be full",
    note = "use `TryInsert`: write it as the bound and call `try_insert`",
    note = "or take a filter that accepts every key, such as `StandardBloom`"
)]
pub trait CannotFail: sealed::Sealed {}

impl CannotFail for Infallible {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Infallible {}
}
