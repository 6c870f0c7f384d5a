//~ E0277
//~ `bool` is no value of a Parquet column
//~ give the column's own type: `i32` for INT32

fn main() {
    let mut column = bouquet::interop::ParquetBloom::new(8).unwrap();
    column.insert(&true);
}
