#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod attributes;
mod body;

use proc_macro::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_macro_input};

use body::Body;

/// Derives `Key` for the type; the page of the [crate] documents its attribute and the bytes.
#[proc_macro_derive(Key, attributes(key))]
pub fn derive_key(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implementation(input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

fn implementation(mut input: DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    let mut body = Body {
        exporter: attributes::exporter(&input.attrs)?,
        bounds: Vec::new(),
    };
    let items = body.of(&input)?;
    if !body.bounds.is_empty() {
        let clause = input.generics.make_where_clause();
        clause.predicates.extend(body.bounds);
    }
    let (name, exporter) = (input.ident, body.exporter);
    let (parameters, arguments, bounds) = input.generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #parameters #exporter::Key for #name #arguments #bounds {
            #items
        }
    })
}
