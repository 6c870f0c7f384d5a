//! What the other harness crates share: records, units, safe writing, threads, the machine.

// This crate is a part of the program and not a published library: its items are documented where
// their names do not say enough, and have only the methods that the program needs.
#![allow(missing_docs, missing_debug_implementations)]
#![allow(clippy::len_without_is_empty, clippy::new_without_default)]

pub mod command;
pub mod definition;
pub mod detailed;
pub mod folder;
pub mod groups;
pub mod key_file;
pub mod line;
pub mod machine;
mod outcome;
pub mod parallel;
pub mod room;
mod rows;
pub mod units;
pub mod unknown;

pub use outcome::Outcome;
pub use rows::*;

/// Defines an enum whose variants have names: `name` returns `"name"` for `Variant = "name"`.
#[macro_export]
macro_rules! named {
    ($(#[$of:meta])* $seen:vis enum $Name:ident {
        $($(#[$one:meta])* $Variant:ident = $name:literal,)*
    }) => {
        $(#[$of])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $seen enum $Name { $($(#[$one])* $Variant,)* }

        impl $Name {
            $seen const fn name(self) -> &'static str {
                match self { $(Self::$Variant => $name,)* }
            }
        }
    };
}
