//! Each call for both kinds of connection, written once.

/// The methods of a type, whose connections block, and those of its namesake in [`aio`](crate::aio), whose
/// connections do not: each with its documentation, and what it does over a `Wire`.
///
/// `fn name[generics](&self, arguments) -> Output where [bounds, if any] { |wire| what it does }`, or, for one that takes
/// the filter by value, `{ function }` of the type.
macro_rules! calls {
    (impl [$($generics:tt)*] $type:ident [$($of:tt)*] {
        $($(#[$doc:meta])* fn $name:ident $g:tt $args:tt -> $out:ty $(where $w:tt)? { $($how:tt)* })*
    }) => {
        #[allow(unused_qualifications, reason = "within `aio` they are not")]
        impl<$($generics)*> $type<$($of)*> {
            $(crate::calls::call!(
                [] [redis::ConnectionLike] [crate::wire::Blocking] [crate::wire::now] [] []
                $(#[$doc])* $name $g $args [$out] [$($w)?] { $($how)* }
            );)*
        }

        #[cfg(feature = "async")]
        const _: () = {
            // Of what a call returns, the one over non-blocking connections.
            #[allow(unused_imports, reason = "most return none of them")]
            use crate::aio::*;

            impl<$($generics)*> crate::aio::$type<$($of)*> {
                $(crate::calls::call!(
                    [async] [redis::aio::ConnectionLike] [crate::wire::Async] [] [.await] [.0]
                    $(#[$doc])* $name $g $args [$out] [$($w)?] { $($how)* }
                );)*
            }
        };
    };
}
pub(crate) use calls;

/// One of them.
macro_rules! call {
    ([$($async:ident)?] [$like:path] [$kind:path] [$($now:tt)*] [$($await:tt)*] [$($inner:tt)*]
        $(#[$doc:meta])* $name:ident [$($g:tt)*] (&$self:ident $(, $arg:ident: $t:ty)*) [$out:ty] [$([$($w:tt)*])?]
        { |$wire:ident| $body:expr }) => {
        $(#[$doc])*
        pub $($async)? fn $name<$($g)*>(&$self, connection: &mut impl $like $(, $arg: $t)*) -> crate::Result<$out>
        where $($($w)*)? {
            let $wire = &mut $kind(connection);
            let done: crate::Result<_> = $($now)*(async { $body })$($await)*;
            done.map(Into::into)
        }
    };
    ([$($async:ident)?] [$like:path] [$kind:path] [$($now:tt)*] [$($await:tt)*] [$($inner:tt)*]
        $(#[$doc:meta])* $name:ident [] ($self:ident) [$out:ty] [] { $on:ident }) => {
        $(#[$doc])*
        pub $($async)? fn $name($self, connection: &mut impl $like) -> crate::Result<$out> {
            let wire = &mut $kind(connection);
            let done: crate::Result<_> = $($now)*($self $($inner)*.$on(wire))$($await)*;
            done.map(Into::into)
        }
    };
    ([$($async:ident)?] [$like:path] [$kind:path] [$($now:tt)*] [$($await:tt)*] [$($inner:tt)*]
        $(#[$doc:meta])* $name:ident [] ($($arg:ident: $t:ty),*) [$out:ty] [] { |$wire:ident| $body:expr }) => {
        $(#[$doc])*
        pub $($async)? fn $name(connection: &mut impl $like $(, $arg: $t)*) -> crate::Result<$out> {
            let $wire = &mut $kind(connection);
            let done: crate::Result<_> = $($now)*(async { $body })$($await)*;
            done.map(Into::into)
        }
    };
}
pub(crate) use call;
