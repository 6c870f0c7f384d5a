//! The attribute `#[key(...)]` of types and fields.

use proc_macro2::Span;
use syn::{Attribute, Error, Field, Path, parse_quote, spanned::Spanned};

/// How a field becomes a part of the key.
pub enum Part {
    /// By its own `Key`.
    Key,
    /// By its `Hash`.
    Hash,
    /// By the key that a function makes of a reference to it.
    With(Box<Path>),
    /// It is not a part.
    Skip,
}

/// The crate that exports `Key`, `KeyParts` and `Hashed`.
pub fn exporter(attributes: &[Attribute]) -> syn::Result<Path> {
    let mut exporter = None;
    for attribute in of_keys(attributes) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error("a type takes `#[key(crate = path)]` alone; `with`, `hash` and `skip` are for fields"));
            }
            once(&mut exporter, meta.value()?.parse()?, meta.path.span())
        })?;
    }
    Ok(exporter.unwrap_or_else(|| parse_quote!(::bouquet)))
}

/// What the attributes of a field say.
pub fn part(field: &Field) -> syn::Result<Part> {
    let mut part = None;
    for attribute in of_keys(&field.attrs) {
        attribute.parse_nested_meta(|meta| {
            let given = if meta.path.is_ident("with") {
                Part::With(Box::new(meta.value()?.parse()?))
            } else if meta.path.is_ident("hash") {
                Part::Hash
            } else if meta.path.is_ident("skip") {
                Part::Skip
            } else {
                return Err(meta.error(
                    "a field takes `#[key(with = path)]`, `#[key(hash)]` or `#[key(skip)]`",
                ));
            };
            once(&mut part, given, meta.path.span())
        })?;
    }
    Ok(part.unwrap_or(Part::Key))
}

/// Rejects the attribute at a place where it has no meaning.
pub fn none(attributes: &[Attribute]) -> syn::Result<()> {
    match of_keys(attributes).next() {
        Some(one) => Err(Error::new_spanned(
            one,
            "`#[key(...)]` is for types and fields",
        )),
        None => Ok(()),
    }
}

fn of_keys(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|one| one.path().is_ident("key"))
}

fn once<T>(slot: &mut Option<T>, given: T, at: Span) -> syn::Result<()> {
    match slot.replace(given) {
        Some(_) => Err(Error::new(at, "only one of these can be given, and once")),
        None => Ok(()),
    }
}
