//! Programs written from the habits of other crates and languages, without looking anything up.
//! Those whose habit cannot be right are in `first-programs/fail`.

#![allow(warnings, reason = "they stay as they were written")]
#![allow(
    clippy::all,
    clippy::pedantic,
    reason = "they stay as they were written"
)]

/// Includes each program as a module, with a test that runs it.
macro_rules! programs {
    ($($name:ident)*) => {$(
        mod $name {
            include!(concat!("habits/", stringify!($name), ".rs"));

            #[test]
            fn runs() -> impl std::process::Termination {
                super::in_a_folder();
                main()
            }
        }
    )*};
}

programs! {
    k_arcstr k_arcstr_deref k_boxstr k_bytes k_bytes_deref k_cow k_cstr k_duration k_ipaddr
    k_mutref k_option k_path k_pathbuf k_sliceu32 k_tuple k_uuid k_uuid_bytes k_vecstring k_vecu64
    p04_serde p05_rayon p06_tokio p07_usize_len p11_saveload p17_keys p21_sip p23_derive
    q23_derive_option q25_tryinsert q27_arcstr q28_hash_mismatch
    t_derive t_extend_refs t_generic_insert t_hash_trait t_scoped_atomic t_send_sync t_send_sync2
    t_serde_json t_union t_usize_cap
}

/// The one program that ends with an error: its capacity is 0.
mod t_error_box {
    include!("habits/t_error_box.rs");

    #[test]
    fn runs() {
        assert!(main().unwrap_err().to_string().contains("capacity"));
    }
}

/// Some of the programs write a file, which one of them cannot read when it is run again.
fn in_a_folder() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        std::env::set_current_dir(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let _ = std::fs::remove_file("seen.bloom");
    });
}
