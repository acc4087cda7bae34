// What a Rust program may do in a contest: each step must succeed.
use std::io::{Read, Write};
use std::{fs, io, panic, sync::mpsc, thread, time::Duration};

fn main() {
    let (sender, receiver) = mpsc::channel();
    let threads: Vec<_> = (0..8)
        .map(|i| {
            let sender = sender.clone();
            thread::spawn(move || sender.send(i).unwrap())
        })
        .collect();
    for t in threads {
        t.join().unwrap();
    }
    drop(sender);
    assert_eq!(receiver.iter().sum::<i32>(), 28);

    fs::write("life.txt", "hello").unwrap();
    fs::copy("life.txt", "life2.txt").unwrap();
    let mut text = String::new();
    fs::File::open("life2.txt").unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "hello");
    assert_eq!(fs::read_dir(".").unwrap().filter(|e| e.as_ref().unwrap().file_name() == "life.txt").count(), 1);
    fs::remove_file("life.txt").unwrap();

    let big = vec![1u8; 300 << 20];
    assert!(panic::catch_unwind(|| panic!("caught")).is_err());
    thread::sleep(Duration::from_millis(u64::from(big[7])));
    print!("good ");
    io::stdout().flush().unwrap();
    io::copy(&mut io::stdin(), &mut io::stdout()).unwrap();
}
