//! Defines each method once for both kinds of connection.

/// Defines the methods of a type for blocking connections, and those of the type with the same name
/// in [`aio`](crate::aio) for non-blocking ones. Each method has its documentation and a body that
/// works with any `Wire`.
///
/// `fn name[generics](&self, arguments) -> Output where [optional bounds] { |wire| body }`
///
/// A method that takes the filter by value has `{ function }`, an associated function of the type,
/// instead of `{ |wire| body }`.
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
            // In the return types of the methods, names refer to the types for non-blocking
            // connections.
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

/// Defines one of these methods.
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
