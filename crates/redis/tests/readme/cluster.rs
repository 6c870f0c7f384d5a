use bouquet_redis::{Reconnecting, ShardedBitmap, redis::cluster::ClusterClient};

pub fn seen(urls: Vec<String>, key: &str) -> Result<bool, Box<dyn std::error::Error>> {
    let timeout = std::time::Duration::from_secs(1);
    let mut server = Reconnecting::new(ClusterClient::new(urls)?, timeout);
    // Twelve strings, evenly over the nodes.
    let filter = ShardedBitmap::open(&mut server, "seen", 10_000_000, 0.01, 12)?;
    filter.insert(&mut server, "rose")?;
    Ok(filter.contains(&mut server, key)?)
}
