//! Generates the body of the `Key` implementation.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DataEnum, DeriveInput, Error, Fields, Member};

/// The associated constant and the method for a type.
pub fn of(input: &DeriveInput) -> syn::Result<TokenStream> {
    match &input.data {
        Data::Struct(data) => Ok(of_struct(&data.fields)),
        Data::Enum(data) => Ok(of_enum(data)),
        Data::Union(_) => Err(Error::new_spanned(
            &input.ident,
            "a union cannot be a key: which of its fields is set is not known; implement `Key` \
             and say which bytes it is",
        )),
    }
}

fn of_struct(fields: &Fields) -> TokenStream {
    let members: Vec<Member> = fields.members().collect();
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    if let ([member], [own]) = (&members[..], &types[..]) {
        return of_one(member, own);
    }
    let steps = quote! { #(parts.part(&self.#members);)* };
    let length = quote! {
        ::bouquet::KeyParts::length(&[#(<#types as ::bouquet::Key>::LEN),*])
    };
    joined(&length, &steps)
}

/// A struct with one field has the same bytes as that field.
fn of_one(member: &Member, own: &syn::Type) -> TokenStream {
    quote! {
        const LEN: ::core::option::Option<usize> = <#own as ::bouquet::Key>::LEN;

        #[inline]
        fn with_bytes<__R>(&self, f: impl ::core::ops::FnOnce(&[u8]) -> __R) -> __R {
            ::bouquet::Key::with_bytes(&self.#member, f)
        }
    }
}

fn of_enum(data: &DataEnum) -> TokenStream {
    if data.variants.is_empty() {
        return quote! {
            fn with_bytes<__R>(&self, _: impl ::core::ops::FnOnce(&[u8]) -> __R) -> __R {
                match *self {}
            }
        };
    }
    let arms = data.variants.iter().zip(0u64..).map(|(variant, number)| {
        let name = &variant.ident;
        let members: Vec<Member> = variant.fields.members().collect();
        let fields: Vec<_> = (0..members.len())
            .map(|i| format_ident!("field_{i}"))
            .collect();
        quote! {
            Self::#name { #(#members: #fields),* } => {
                parts.part(&#number);
                #(parts.part(#fields);)*
            }
        }
    });
    let steps = quote! { match self { #(#arms)* } };
    let has_fields = data
        .variants
        .iter()
        .any(|variant| !variant.fields.is_empty());
    let length = if has_fields {
        quote! { ::core::option::Option::None }
    } else {
        quote! { <u64 as ::bouquet::Key>::LEN }
    };
    joined(&length, &steps)
}

/// The implementation for a type whose parts are joined by `steps`.
fn joined(length: &TokenStream, steps: &TokenStream) -> TokenStream {
    quote! {
        const LEN: ::core::option::Option<usize> = #length;

        #[inline]
        fn with_bytes<__R>(&self, f: impl ::core::ops::FnOnce(&[u8]) -> __R) -> __R {
            #[allow(unused_mut, reason = "a type without fields has no parts")]
            let mut parts = ::bouquet::KeyParts::new();
            #steps
            f(parts.bytes())
        }
    }
}
