use std::sync::{Arc, Mutex, RwLock};

use bouquet::{ScalableBloom, StandardBloom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shared = Arc::new(RwLock::new(StandardBloom::new(1_000, 0.01)?));
    let writer = Arc::clone(&shared);
    std::thread::spawn(move || writer.write().unwrap().insert("rose"))
        .join()
        .map_err(|_| "the writer panicked")?;
    assert!(shared.read().unwrap().contains("rose"));

    let grows = Mutex::new(ScalableBloom::new(10, 0.01)?);
    assert!(grows.lock().unwrap().insert("rose"));
    assert!(grows.lock().unwrap().contains("rose"));
    Ok(())
}
