mod part;

fn main() {
    println!("42 of {}", part::name());
}
