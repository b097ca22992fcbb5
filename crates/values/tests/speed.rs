//! How long a million numbers take:
//! `cargo test --release -p norn-values --test all -- speed --ignored --nocapture`

use norn_values::binary::{read_binary, write_binary};
use norn_values::{Element, Value, read_value};
use std::hint::black_box;
use std::time::{Duration, Instant};

const COUNT: usize = 1_000_000;

/// The best of a few runs, since the machine may be busy.
fn timed<T>(what: &str, mut run: impl FnMut() -> T) -> Duration {
    let once = |_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed()
    };
    let best = (0..5).map(once).min().unwrap();
    println!("{what}: {best:?}");
    best
}

fn check_speed<T: Element>(elements: Vec<T>) {
    let value = Value::array(vec![COUNT / 4, 4], elements).unwrap();
    let name = value.prim();
    let text = value.to_string();
    timed(&format!("{name} print"), || value.to_string());
    let read = timed(&format!("{name} parse"), || read_value(text.as_bytes(), None).unwrap());
    assert!(read < Duration::from_millis(200));
    let mut bytes = Vec::new();
    write_binary(&value, &mut bytes);
    timed(&format!("{name} write binary"), || {
        bytes.clear();
        write_binary(&value, &mut bytes);
    });
    let read = timed(&format!("{name} read binary"), || read_binary(&bytes).unwrap());
    assert!(read < Duration::from_millis(20));
}

#[test]
#[ignore = "measures a release build"]
fn a_million_numbers_are_read_in_a_blink() {
    let mut state = 1u64;
    let noise: Vec<u64> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    })
    .take(COUNT)
    .collect();
    check_speed(noise.iter().map(|&x| x as i32).collect());
    check_speed(noise.iter().map(|&x| x as i64).collect());
    check_speed(noise.iter().map(|&x| x as f32 / 1e9).collect());
    check_speed(noise.iter().map(|&x| x as f64 / 1e9).collect());
    check_speed(noise.iter().map(|&x| x % 2 == 0).collect());
}
