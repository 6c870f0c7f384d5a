use bouquet_redis::{Error, Native, RemoteBitmap, connect};

pub fn seen(url: &str, key: &str) -> Result<bool, Error> {
    let mut server = connect(url)?;
    let filter = RemoteBitmap::open(&mut server, "seen", Native::new(1_000_000, 0.01)?)?;
    if let Err(Error::FilterLost { .. }) = filter.insert(&mut server, "rose") {
        filter.replace(&mut server)?; // and insert all keys again
    }
    filter.contains(&mut server, key) // `false`: definitely absent
}
