#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod body;

use proc_macro::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_macro_input, parse_quote};

/// Derives `Key` for the type; the page of the [crate] documents which bytes it has.
#[proc_macro_derive(Key)]
pub fn derive_key(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implementation(input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

fn implementation(mut input: DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    let body = body::of(&input)?;
    for parameter in input.generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(::bouquet::Key));
    }
    let name = input.ident;
    let (parameters, arguments, bounds) = input.generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #parameters ::bouquet::Key for #name #arguments #bounds {
            #body
        }
    })
}
