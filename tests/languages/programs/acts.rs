// One act of a contestant's program, by its name.
use std::io::BufRead;
use std::net::{SocketAddr, TcpStream};
use std::{env, fs, process, thread};

fn deep(n: i64) -> i64 {
    let here = unsafe { std::ptr::read_volatile(&n) };
    if here == 0 { 0 } else { deep(here - 1) + unsafe { std::ptr::read_volatile(&here) - here + 1 } }
}

fn memory() {
    let mut all: Vec<Vec<u8>> = Vec::new();
    loop {
        all.push(vec![1; 1 << 20]);
    }
}

fn threads() {
    let all: Vec<_> = (0..4).map(|_| thread::spawn(|| (1..=1000u64).sum::<u64>())).collect();
    println!("{}", all.into_iter().map(|t| t.join().unwrap()).sum::<u64>());
}

fn reach() {
    let port = env::args().nth(2).unwrap();
    let to: SocketAddr = format!("127.0.0.1:{}", port).parse().unwrap();
    println!("{}", if TcpStream::connect(to).is_ok() { "connected" } else { "refused" });
}

fn child() {
    match process::Command::new("/bin/sh").args(["-c", "exit 7"]).status() {
        Ok(status) => println!("child {}", status.code().unwrap()),
        Err(_) => println!("refused"),
    }
}

fn main() {
    let act = env::args().nth(1).unwrap_or("hello".to_string());
    match act.as_str() {
        "hello" => println!("hello, world"),
        "deep" => println!("{}", deep(100000)),
        "endless" => println!("{}", deep(-1)),
        "memory" => memory(),
        "loop" => loop { std::hint::spin_loop() },
        "error" => panic!("uncaught"),
        "exit3" => process::exit(3),
        "threads" => threads(),
        "missing" => println!("{}", if fs::read("missing.txt").is_ok() { "there" } else { "missing" }),
        "tmp" => {
            fs::write("/tmp/act.txt", "kept").unwrap();
            println!("{}", fs::read_to_string("/tmp/act.txt").unwrap());
        }
        "socket" => reach(),
        "fork" => child(),
        "unicode" => for line in std::io::stdin().lock().lines() {
            println!("ä€😀 {}", line.unwrap());
        },
        _ => process::exit(99),
    }
}
