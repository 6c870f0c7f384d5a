//! Tests on whole Parquet files written by the crate `parquet`: each column's Bloom filter is
//! decoded by `ParquetBloom`, and a filter built by `ParquetBloom` replaces it in the file.

use std::sync::Arc;

use bouquet_interop::ParquetBloom;
use bytes::Bytes;
use parquet::{
    bloom_filter::Sbbf,
    data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type},
    file::{
        metadata::ColumnChunkMetaData,
        properties::{BloomFilterPosition, WriterProperties},
        reader::{FileReader, SerializedFileReader},
        writer::{SerializedFileWriter, SerializedRowGroupWriter},
    },
    schema::parser::parse_message_type,
};

use crate::value::{ABSENT, agree, bytes_of, mix};

const SCHEMA: &str = "message flowers {
    REQUIRED INT64 id;
    REQUIRED INT32 petals;
    REQUIRED DOUBLE height;
    OPTIONAL BYTE_ARRAY name (UTF8);
}";

/// Rows per row group. The name is null in every third row.
const ROWS: u64 = 3_000;
const GROUPS: u64 = 2;

fn id(row: u64) -> i64 {
    mix(row) as i64
}
fn petals(row: u64) -> i32 {
    (mix(row) >> 32) as i32
}
fn height(row: u64) -> f64 {
    mix(row) as f64 / 3.0
}
fn name(row: u64) -> Option<String> {
    (!row.is_multiple_of(3)).then(|| format!("flower {}", mix(row)))
}

/// The row numbers of a row group.
fn rows(group: u64) -> std::ops::Range<u64> {
    group * ROWS..(group + 1) * ROWS
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &[T::T],
    levels: Option<&[i16]>,
) {
    let mut column = group.next_column().unwrap().unwrap();
    column
        .typed::<T>()
        .write_batch(values, levels, None)
        .unwrap();
    column.close().unwrap();
}

/// Writes a Parquet file with a Bloom filter for every column of every row group.
fn file(position: BloomFilterPosition) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_bloom_filter_enabled(true)
        .set_bloom_filter_fpp(0.01)
        .set_bloom_filter_max_ndv(20 * ROWS)
        .set_bloom_filter_position(position)
        .build();
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for group in 0..GROUPS {
        let mut to = writer.next_row_group().unwrap();
        let (ids, all): (Vec<_>, Vec<_>) = rows(group).map(|row| (id(row), petals(row))).unzip();
        write_column::<Int64Type>(&mut to, &ids, None);
        write_column::<Int32Type>(&mut to, &all, None);
        let heights: Vec<_> = rows(group).map(height).collect();
        write_column::<DoubleType>(&mut to, &heights, None);
        let levels: Vec<_> = rows(group).map(|row| name(row).is_some().into()).collect();
        let names: Vec<_> = rows(group)
            .filter_map(name)
            .map(|name| ByteArray::from(&*name))
            .collect();
        write_column::<ByteArrayType>(&mut to, &names, Some(&levels));
        to.close().unwrap();
    }
    writer.into_inner().unwrap()
}

/// Every column chunk of the file: its row group, its column index and its metadata from the
/// footer.
fn chunks(file: &[u8]) -> Vec<(u64, usize, ColumnChunkMetaData)> {
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(file)).unwrap();
    let groups = reader.metadata().row_groups().iter().zip(0..);
    let chunks = groups.flat_map(|(group, i)| {
        let columns = group.columns().iter().cloned().enumerate();
        columns.map(move |(column, chunk)| (i, column, chunk))
    });
    chunks.collect()
}

/// The byte range of the column chunk's Bloom filter in the file.
fn place(chunk: &ColumnChunkMetaData) -> std::ops::Range<usize> {
    let offset = chunk.bloom_filter_offset().unwrap() as usize;
    offset..offset + chunk.bloom_filter_length().unwrap() as usize
}

fn insert_row(filter: &mut ParquetBloom, column: usize, row: u64) {
    match column {
        0 => filter.insert(&id(row)),
        1 => filter.insert(&petals(row)),
        2 => filter.insert(&height(row).to_le_bytes()),
        _ => name(row).is_some_and(|name| filter.insert(&name)),
    };
}

#[test]
fn the_filters_in_a_file_are_those_of_the_same_keys() {
    for position in [BloomFilterPosition::AfterRowGroup, BloomFilterPosition::End] {
        let file = file(position);
        let chunks = chunks(&file);
        assert_eq!(chunks.len() as u64, 4 * GROUPS);
        for (group, column, chunk) in &chunks {
            let place = place(chunk);
            let opened = ParquetBloom::from_bytes(&file[place.clone()]).unwrap();
            // Older footers lack the length of the filter, so it must also be readable from its
            // offset alone.
            let (again, len) = ParquetBloom::from_start_of(&file[place.start..]).unwrap();
            assert_eq!((&again, len), (&opened, place.len() as u64));

            let mut made = ParquetBloom::new(opened.blocks()).unwrap();
            rows(*group).for_each(|row| insert_row(&mut made, *column, row));
            assert_eq!(made, opened, "group {group}, column {column}");
            // The writer sizes the filter for more keys than it inserts, and then folds it.
            assert!((32..512).contains(&opened.blocks()), "{}", opened.blocks());

            let bytes = Bytes::copy_from_slice(&file);
            let theirs = Sbbf::read_from_column_chunk(chunk, &bytes)
                .unwrap()
                .unwrap();
            assert_eq!(bytes_of(&theirs), file[place]);
            let positives = agree(&opened, &theirs, 0);
            assert!((1..ABSENT / 20).contains(&positives), "{positives}");
        }
    }
}

#[test]
fn ours_in_place_of_theirs() {
    let mut file = file(BloomFilterPosition::AfterRowGroup);
    let chunks = chunks(&file);
    let mut members = 0..;
    let mut written = Vec::new();
    for (_, _, chunk) in &chunks {
        let place = place(chunk);
        let blocks = ParquetBloom::from_bytes(&file[place.clone()])
            .unwrap()
            .blocks();
        let mut ours = ParquetBloom::new(blocks).unwrap();
        let keys: Vec<i64> = members.by_ref().take(1_000).collect();
        for key in &keys {
            ours.insert(key);
        }
        file[place].copy_from_slice(&ours.to_bytes());
        written.push((ours, keys));
    }
    let file = Bytes::from(file);
    for ((_, _, chunk), (ours, keys)) in chunks.iter().zip(&written) {
        let theirs = Sbbf::read_from_column_chunk(chunk, &file).unwrap().unwrap();
        assert!(keys.iter().all(|key| theirs.check(key)));
        agree(ours, &theirs, 0);
    }
}
