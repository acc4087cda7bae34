use std::io::Read;

fn main() {
    println!("{}", std::io::stdin().bytes().count());
}
