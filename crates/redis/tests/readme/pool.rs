use bouquet_redis::{Native, RemoteBitmap, redis::Client};

pub fn seen(url: &str, key: &str) -> Result<bool, Box<dyn std::error::Error>> {
    let pool = r2d2::Pool::new(Client::open(url)?)?;
    let filter = RemoteBitmap::open(&mut pool.get()?, "seen", Native::new(1_000_000, 0.01)?)?;
    filter.insert(&mut pool.get()?, "rose")?;
    // The filter has no connection: threads share it, and each takes one from the pool.
    Ok(filter.contains(&mut pool.get()?, key)?)
}
