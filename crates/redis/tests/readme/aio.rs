use bouquet_redis::{Native, aio::RemoteBitmap, redis::Client};

pub async fn seen(url: &str, key: &str) -> Result<bool, Box<dyn std::error::Error>> {
    let mut server = Client::open(url)?.get_connection_manager().await?;
    let filter = RemoteBitmap::open(&mut server, "seen", Native::new(1_000_000, 0.01)?).await?;
    filter.insert(&mut server, "rose").await?;
    Ok(filter.contains(&mut server, key).await?)
}
