// A list of passwords that nobody may take, built once and opened by another program.

use bouquet::FuseFilter;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words = vec!["password".to_string(), "123456".to_string(), "qwerty".to_string()];
    let taken = FuseFilter::from_keys(&words)?;
    assert!(taken.contains("qwerty") && !taken.contains("a better one"));

    let again = FuseFilter::from_bytes(&taken.encode())?;
    assert!(words.iter().all(|word| again.contains(word)));
    assert_eq!(again.keys(), 3);
    Ok(())
}
