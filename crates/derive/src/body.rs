//! Generates the body of the `Key` implementation.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::{
    Data, DataEnum, DeriveInput, Error, Fields, Generics, Member, Path, Type, WherePredicate,
    parse_quote, spanned::Spanned,
};

use crate::attributes::{self, Part};

/// Generates the implementation for one type.
pub struct Body {
    /// The crate that exports `Key`.
    pub exporter: Path,
    /// The bounds of the type parameters that occur in fields.
    pub bounds: Vec<WherePredicate>,
}

/// A field that is part of the key.
struct Field<'a> {
    member: Member,
    own: &'a Type,
    part: Part,
}

impl Body {
    /// The associated constant and the methods for a type.
    pub fn of(&mut self, input: &DeriveInput) -> syn::Result<TokenStream> {
        match &input.data {
            Data::Struct(data) => {
                let fields = self.fields(&data.fields, &input.generics)?;
                Ok(self.of_struct(&fields))
            }
            Data::Enum(data) => self.of_enum(data, &input.generics),
            Data::Union(_) => Err(Error::new_spanned(
                &input.ident,
                "a union cannot be a key: which of its fields is set is not known; implement \
                 `Key` and say which bytes it is",
            )),
        }
    }

    /// The fields that are not skipped. A type parameter that occurs in one gets the bound of it.
    fn fields<'a>(&mut self, all: &'a Fields, generics: &Generics) -> syn::Result<Vec<Field<'a>>> {
        let mut fields = Vec::new();
        for (field, member) in all.iter().zip(all.members()) {
            let part = attributes::part(field)?;
            let exporter = &self.exporter;
            let bound: Option<TokenStream> = match &part {
                Part::Key => Some(quote!(#exporter::Key)),
                Part::Hash => Some(quote!(::core::hash::Hash)),
                Part::With(_) | Part::Skip => None,
            };
            let own = &field.ty;
            for (parameter, bound) in generics.type_params().zip(bound.iter().cycle()) {
                let parameter = &parameter.ident;
                match occurs(parameter, own) {
                    Some(true) => self.bounds.push(parse_quote!(#parameter: #bound)),
                    Some(false) => self.bounds.push(parse_quote!(#own: #bound)),
                    None => {}
                }
            }
            if !matches!(part, Part::Skip) {
                fields.push(Field { member, own, part });
            }
        }
        Ok(fields)
    }

    fn of_struct(&self, fields: &[Field<'_>]) -> TokenStream {
        let exporter = &self.exporter;
        if let [field] = fields {
            // The bytes of a struct with one field are those of the field.
            let member = &field.member;
            let key = self.key(field, &quote!(self.#member));
            let (span, own) = (span(field.own), field.own);
            let (length, has_length_before) = match field.part {
                Part::Key => {
                    let own = quote_spanned! { span=> <#own as #exporter::Key> };
                    (quote!(#own::LEN), quote!(#own::HAS_LENGTH_BEFORE))
                }
                _ => (quote!(::core::option::Option::None), quote!(true)),
            };
            return quote_spanned! { span=>
                const LEN: ::core::option::Option<usize> = #length;
                const HAS_LENGTH_BEFORE: bool = #has_length_before;

                #[inline]
                fn with_bytes<__R>(&self, f: impl ::core::ops::FnOnce(&[u8]) -> __R) -> __R {
                    #exporter::Key::with_bytes(&#key, f)
                }

                #[inline]
                fn append_to(&self, parts: &mut #exporter::KeyParts) {
                    #exporter::Key::append_to(&#key, parts);
                }
            };
        }
        let steps = fields.iter().map(|field| {
            let member = &field.member;
            self.step(field, &quote!(self.#member))
        });
        let length = fields.iter().map(|field| self.length(field));
        let length = quote! { #exporter::KeyParts::length(&[#(#length),*]) };
        self.joined(&length, &quote! { #(#steps)* })
    }

    fn of_enum(&mut self, data: &DataEnum, generics: &Generics) -> syn::Result<TokenStream> {
        if data.variants.is_empty() {
            return Ok(quote! {
                fn with_bytes<__R>(&self, _: impl ::core::ops::FnOnce(&[u8]) -> __R) -> __R {
                    match *self {}
                }
            });
        }
        let (mut arms, mut has_fields) = (Vec::new(), false);
        for (variant, number) in data.variants.iter().zip(0u64..) {
            attributes::none(&variant.attrs)?;
            let name = &variant.ident;
            let fields = self.fields(&variant.fields, generics)?;
            has_fields |= !fields.is_empty();
            let members = fields.iter().map(|field| &field.member);
            let bound: Vec<_> = (0..fields.len())
                .map(|i| format_ident!("field_{i}"))
                .collect();
            let steps = fields.iter().zip(&bound);
            let steps = steps.map(|(field, bound)| self.step(field, &quote!(*#bound)));
            arms.push(quote! {
                Self::#name { #(#members: #bound,)* .. } => {
                    parts.part(&#number);
                    #(#steps)*
                }
            });
        }
        let exporter = &self.exporter;
        let length = match has_fields {
            true => quote! { ::core::option::Option::None },
            false => quote! { <u64 as #exporter::Key>::LEN },
        };
        Ok(self.joined(&length, &quote! { match self { #(#arms)* } }))
    }

    /// The length of a field's bytes, if it is known.
    fn length(&self, field: &Field<'_>) -> TokenStream {
        let (exporter, own) = (&self.exporter, field.own);
        match field.part {
            Part::Key => quote_spanned! { span(own)=> <#own as #exporter::Key>::PART_LEN },
            Part::Hash | Part::With(_) | Part::Skip => quote! { ::core::option::Option::None },
        }
    }

    /// The key that a field is, given the place of the field.
    fn key(&self, field: &Field<'_>, place: &TokenStream) -> TokenStream {
        let (exporter, span) = (&self.exporter, span(field.own));
        match &field.part {
            Part::Hash => quote_spanned! { span=> #exporter::Hashed(&#place) },
            Part::With(path) => quote! { #path(&#place) },
            Part::Key | Part::Skip => place.clone(),
        }
    }

    fn step(&self, field: &Field<'_>, place: &TokenStream) -> TokenStream {
        let key = self.key(field, place);
        quote_spanned! { span(field.own)=> parts.part(&#key); }
    }

    /// The implementation for a type whose parts are joined by `steps`.
    fn joined(&self, length: &TokenStream, steps: &TokenStream) -> TokenStream {
        let exporter = &self.exporter;
        quote! {
            const LEN: ::core::option::Option<usize> = #length;

            #[inline]
            fn with_bytes<__R>(&self, f: impl ::core::ops::FnOnce(&[u8]) -> __R) -> __R {
                let mut parts = #exporter::KeyParts::new();
                #exporter::Key::append_to(self, &mut parts);
                f(parts.bytes())
            }

            #[inline]
            fn append_to(&self, parts: &mut #exporter::KeyParts) {
                let _ = &parts;
                #steps
            }
        }
    }
}

/// The place of a type, for errors. Names are resolved as elsewhere in the derived code, also if
/// the type was written by a macro.
fn span(own: &Type) -> Span {
    own.span().resolved_at(Span::call_site())
}

/// Whether a type parameter occurs in a type: by itself, or only as `T::Name`, a type associated
/// with it.
fn occurs(name: &Ident, own: &Type) -> Option<bool> {
    fn any(tokens: TokenStream, name: &Ident) -> Option<bool> {
        let mut tokens = tokens.into_iter().peekable();
        let mut found = None;
        while let Some(token) = tokens.next() {
            let one = match token {
                TokenTree::Ident(one) if one == *name => Some(!matches!(
                    tokens.peek(),
                    Some(TokenTree::Punct(punct)) if punct.as_char() == ':'
                )),
                TokenTree::Group(group) => any(group.stream(), name),
                _ => None,
            };
            found = found.max(one);
        }
        found
    }
    any(quote!(#own), name)
}
