use bouquet_redis::{Error, Native, RemoteBitmap, connect};

pub fn seen(url: &str, key: &str) -> Result<bool, Error> {
    let mut server = connect(url)?;
    let filter = RemoteBitmap::open(&mut server, "seen", Native::new(1_000_000, 0.01)?)?;
    match filter.insert(&mut server, "rose") {
        Err(Error::FilterLost { .. }) => {
            filter.replace(&mut server)?;
            filter.insert(&mut server, "rose")?; // and all its other keys again
        }
        inserted => drop(inserted?),
    }
    filter.contains(&mut server, key) // `false`: definitely absent
}
