//~ no method named `remove` found for struct `StandardBloom

fn main() {
    let mut seen = bouquet::StandardBloom::new(10, 0.01).unwrap();
    seen.remove("rose");
}
