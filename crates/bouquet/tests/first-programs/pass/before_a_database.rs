// Cache penetration: ids that do not exist do not reach the database.
use std::collections::HashMap;

use bouquet::BlockedBloom;

struct Users {
    database: HashMap<u64, String>,
    known: BlockedBloom,
    lookups: usize,
}

impl Users {
    fn name(&mut self, id: u64) -> Option<&str> {
        if !self.known.contains(&id) {
            return None;
        }
        self.lookups += 1;
        self.database.get(&id).map(String::as_str)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let database: HashMap<u64, String> = (0..1_000).map(|id| (id, format!("user {id}"))).collect();
    let known = BlockedBloom::from_keys(database.keys(), 0.01)?;
    let mut users = Users {
        database,
        known,
        lookups: 0,
    };
    assert!((0..1_000).all(|id| users.name(id).is_some()));
    users.lookups = 0;
    assert!((1_000_000..1_010_000).all(|id| users.name(id).is_none()));
    assert!(users.lookups < 200, "{}", users.lookups);
    Ok(())
}
