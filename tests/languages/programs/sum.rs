use std::io::{self, Read, Write};

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    let mut words = text.split_ascii_whitespace().map(|w| w.parse::<i64>().unwrap());
    let n = words.next().unwrap();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut sum = 0;
    for x in words.take(n as usize) {
        sum += x;
        writeln!(out, "{}", sum).unwrap();
    }
}
