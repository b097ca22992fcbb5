//! Not tests of correctness: they print what things cost. Run them with `--ignored --nocapture --test-threads 1`.

use crate::gpu::setup::*;
use norn_runtime::cpu::{Instance, Settings, block_address};
use std::time::{Duration, Instant};

fn best(times: usize, mut work: impl FnMut() -> Duration) -> Duration {
    (0..times).map(|_| work()).min().unwrap_or_default()
}

fn time(instance: &mut Instance, entry: usize, args: &[u64]) -> Duration {
    let mut results = [0; 8];
    best(5, || {
        // SAFETY: arguments and results are what the text of the test says.
        instance.enter(|session| unsafe { session.call(entry, args, &mut results) }).expect("no failure")
    })
}

/// An address with so many bytes, for as long as the program lives.
fn address(instance: &mut Instance, bytes: usize) -> u64 {
    instance.enter(|session| {
        let block = session.device_alloc(bytes).expect("no trouble").expect("memory");
        // SAFETY: the block was just made.
        unsafe { block_address(block) }
    })
}

#[test]
#[ignore = "a measurement"]
fn launches_and_reads() {
    on_devices(|gpu, instance| {
        println!("{}", gpu.describe());
        let at = address(instance, 4096);
        for groups in [1, 100] {
            let launches = 10_000;
            let time = time(instance, 0, &[launches, SPIN, groups, 0, 0, at]);
            println!("{groups:4} groups: {:8.2} us per empty launch", micros(time) / launches as f64);
        }
        let call = time(instance, 7, &[]);
        let once = time(instance, 1, &[SET, SET, 1, at, 1, 0, at]);
        println!("a call {:.2} us, two launches and a read {:.2} us", micros(call), micros(once));
        let blocks = 1000;
        let time = time(instance, 2, &[blocks, 4, 0]);
        println!("alloc, fill, read and release: {:.2} us", micros(time) / (2 * blocks) as f64);
        instance.set(Settings { profiling: true, ..Settings::default() });
        instance
            // SAFETY: arguments and results are what the text of the test says.
            .enter(|session| unsafe { session.call(0, &[1000, SPIN, 100, 3, 0, at], &mut []) })
            .expect("no failure");
        let cost = instance.take_profile()[3];
        println!(
            "an empty launch takes {:.2} us on the device",
            cost.time as f64 / 1e3 / cost.launches as f64
        );
    });
}

#[test]
#[ignore = "a measurement"]
fn copies() {
    on_devices(|gpu, instance| {
        println!("{}", gpu.describe());
        for shift in [12, 16, 20, 24, 28] {
            let mut bytes = vec![1u8; 1 << shift];
            let at = address(instance, bytes.len());
            instance.enter(|session| {
                let up = best(5, || {
                    let begin = Instant::now();
                    // SAFETY: so many bytes are there.
                    unsafe { session.upload(at, &bytes) }.expect("no trouble");
                    // SAFETY: so many bytes are there.
                    unsafe { session.download(&mut [0], at) }.expect("no trouble");
                    begin.elapsed()
                });
                let down = best(5, || {
                    let begin = Instant::now();
                    // SAFETY: so many bytes are there.
                    unsafe { session.download(&mut bytes, at) }.expect("no trouble");
                    begin.elapsed()
                });
                let rate = |time: Duration| (1u64 << shift) as f64 / time.as_secs_f64() / 1e9;
                println!(
                    "{:8} KiB: to the device {:8.1} us ({:.1} GB/s), back {:8.1} us ({:.1} GB/s)",
                    (1u64 << shift) >> 10,
                    micros(up),
                    rate(up),
                    micros(down),
                    rate(down)
                );
            });
        }
        instance.forget();
    });
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
