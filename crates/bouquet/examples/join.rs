//! A join of two CSV files with little data sent: the ids of the few wanted customers are sent as a
//! filter to where the orders are, and only orders that may belong to these customers are sent
//! back.
//!
//! cargo run --example join

use std::{
    collections::HashMap,
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process,
};

use bouquet::BlockedBloom;

const CUSTOMERS: u64 = 20_000;
const ORDERS: u64 = 200_000;

/// An order id, and the name of its customer.
type Joined = (u64, String);

/// Writes a file of customers in fifty countries, and a file of orders of all customers.
fn write_files(folder: &Path) -> Result<[PathBuf; 2], Box<dyn Error>> {
    let paths = [folder.join("customers.csv"), folder.join("orders.csv")];
    let mut customers = csv::Writer::from_path(&paths[0])?;
    customers.write_record(["id", "name", "country"])?;
    for id in 0..CUSTOMERS {
        let name = format!("customer {id}");
        customers.write_record([id.to_string(), name, format!("country {}", id % 50)])?;
    }
    customers.flush()?;
    let mut orders = csv::Writer::from_path(&paths[1])?;
    orders.write_record(["order", "customer", "price"])?;
    for order in 0..ORDERS {
        let customer = (order.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % CUSTOMERS;
        let price = order % 997;
        orders.write_record([order, customer, price].map(|field| field.to_string()))?;
    }
    orders.flush()?;
    Ok(paths)
}

/// The names of the customers in a country, by id.
fn customers(path: &Path, country: &str) -> Result<HashMap<u64, String>, Box<dyn Error>> {
    let mut wanted = HashMap::new();
    for row in csv::Reader::from_path(path)?.records() {
        let row = row?;
        if &row[2] == country {
            wanted.insert(row[0].parse()?, row[1].to_owned());
        }
    }
    Ok(wanted)
}

/// The rows of the orders that pass, as they would be sent.
fn orders(
    path: &Path,
    passes: impl Fn(u64) -> bool,
) -> Result<Vec<csv::StringRecord>, Box<dyn Error>> {
    let mut sent = Vec::new();
    for row in csv::Reader::from_path(path)?.records() {
        let row = row?;
        if passes(row[1].parse()?) {
            sent.push(row);
        }
    }
    Ok(sent)
}

/// The exact join of the orders that were sent.
fn join(
    sent: &[csv::StringRecord],
    customers: &HashMap<u64, String>,
) -> Result<Vec<Joined>, Box<dyn Error>> {
    let mut joined = Vec::new();
    for row in sent {
        if let Some(name) = customers.get(&row[1].parse()?) {
            joined.push((row[0].parse()?, name.clone()));
        }
    }
    Ok(joined)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::temp_dir().join(format!("bouquet-join-{}", process::id()));
    fs::create_dir_all(&folder)?;
    let [customers_csv, orders_csv] = write_files(&folder)?;

    let wanted = customers(&customers_csv, "country 7")?;
    let filter = BlockedBloom::from_keys(wanted.keys(), 0.01)?;
    let all = orders(&orders_csv, |_| true)?;
    let sent = orders(&orders_csv, |customer| filter.contains(&customer))?;
    fs::remove_dir_all(&folder)?;

    let bytes =
        |rows: &[csv::StringRecord]| -> usize { rows.iter().map(|row| row.as_slice().len()).sum() };
    let joined = join(&sent, &wanted)?;
    println!(
        "{} customers wanted, {} orders are theirs",
        wanted.len(),
        joined.len()
    );
    println!(
        "{} orders sent in place of {}, {} of them for nothing",
        sent.len(),
        all.len(),
        sent.len() - joined.len()
    );
    println!(
        "{} bytes of filter out and {} of fields back, in place of {}",
        filter.encode().len(),
        bytes(&sent),
        bytes(&all)
    );
    if joined != join(&all, &wanted)? {
        return Err("the join by the filter lacks an order".into());
    }
    if sent.len() * 10 > all.len() {
        return Err("the filter lets more than a tenth through".into());
    }
    Ok(())
}
