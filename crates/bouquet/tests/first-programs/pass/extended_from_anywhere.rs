use bouquet::{PartitionedBloom, StandardBloom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = "rose\ntulip\ndaisy\n";
    let mut filter = StandardBloom::new(100, 0.01)?;
    filter.extend(text.lines());
    filter.extend(vec![String::from("lily")]);
    filter.extend([1u8, 2, 3].iter());
    assert!(text.lines().all(|line| filter.contains(line)));
    assert!(filter.contains("lily") && filter.contains(&3));

    let mut parts = PartitionedBloom::new(100, 0.01)?;
    parts.extend(text.lines());
    assert!(parts.contains("daisy"));
    Ok(())
}
