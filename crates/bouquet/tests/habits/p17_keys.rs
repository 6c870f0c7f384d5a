use bouquet::StandardBloom;
use std::{borrow::Cow, net::IpAddr, path::PathBuf, rc::Rc, ffi::OsString, time::SystemTime};
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut f = StandardBloom::new(1000, 0.01)?;
    f.insert(&"a".to_string());
    f.insert(&vec![1u8, 2]);
    f.insert(b"bytes");
    f.insert(&b"bytes"[..]);
    f.insert(&7usize);
    f.insert(&'c');
    f.insert(&(1u32, "b"));
    f.insert(&Cow::Borrowed("x"));
    f.insert(&Rc::<str>::from("x"));
    f.insert(&Box::<str>::from("x"));
    f.insert(&Some(3u32));
    f.insert(&vec![1u32, 2]);
    f.insert(&vec!["a".to_string()]);
    f.insert(&"1.2.3.4".parse::<IpAddr>()?);
    f.insert(&PathBuf::from("/x"));
    f.insert(&OsString::from("/x"));
    f.insert(&uuid::Uuid::new_v4());
    f.insert(&SystemTime::now());
    Ok(())
}
