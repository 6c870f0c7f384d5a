//! Words for a filter that can be full, where one that takes every key must be.

use core::convert::Infallible;

/// The error of a filter that takes every key: [`Infallible`]. It is here to say in words
/// what to do with a filter that is no [`Insert`](crate::Insert), and for no other type.
#[diagnostic::on_unimplemented(
    message = "a filter that can reject a key, with `{Self}`, is no `Insert`",
    label = "this filter can be full",
    note = "write the bound `TryInsert` and call `try_insert`; or take a filter that takes every key, such as `StandardBloom`"
)]
pub trait CannotFail: sealed::Sealed {}

impl CannotFail for Infallible {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Infallible {}
}
