//! A program that several devices share: calls are made by all of them or by the first alone, and their results do not show which.

use super::*;
use norn::engine::Api;
use norn::{Argument, CallOptions};
use tempfile::TempDir;

const SHARED: &str = "
entry next [n] (xs: [n]i64) : [n]i64 = map (\\x -> x * 3 + 1) xs
entry clear [n] (xs: *[n]i64) (i: i64) : *[n]i64 = xs with [i] = 0
entry both [n] (xs: [n]i64) (ys: [n]i64) : (i64, [n]i64) = (reduce (+) 0 xs, map2 (-) ys xs)
entry failing [n] (xs: [n]i64) : [n]i64 = map (\\x -> 7 / (x - 5)) xs
entry same [n] (xs: [n]i64) : [n]i64 = xs
entry positive [n] (xs: [n]i64) : []i64 = filter (> 0) xs
";

/// Floats that devices of one kind combine in blocks.
const ROUNDED: &str = "
entry sums [n] (xs: [n]f64) : [n]f64 =
  let (sum, product) = (reduce (+) 0 xs, reduce (*) 1 (map (\\x -> 1 + x / 1000) xs))
  in map (\\x -> x * sum + product) (scan (+) 0 xs)
";

const MANY: usize = 100_000;

/// For two halves of the device that OpenCL has, and for that beside the processor, where there are such. Nothing is known of them, and the folder is their cache.
fn shared_programs() -> Vec<(Program, TempDir)> {
    programs_of(SHARED, None)
}

/// The same for another program, which may use so much memory of each device.
fn programs_of(source: &str, memory_limit: Option<u64>) -> Vec<(Program, TempDir)> {
    let device = |name: &str| name.parse().expect("the name of a device");
    let lists = [("opencl:0.0/2", "opencl:0.1/2"), ("opencl:0", "cpu")];
    let program = |(first, other): (&str, &str)| {
        let folder = tempfile::tempdir().expect("a folder");
        let options = ContextOptions {
            gpu: Some(device(first)),
            others: vec![device(other)],
            cache: Some(folder.path().to_path_buf()),
            memory_limit,
            ..ContextOptions::default()
        };
        let context = Context::new(options);
        if let Err(error) = context.gpu(Api::OpenCl).and_then(|_| context.others(Api::OpenCl)) {
            println!("skipped: {error}");
            return None;
        }
        let options = Options { context, quick: true, ..Options::from(Backend::OpenCl) };
        let program = Program::from_source("shared.fut", source, options);
        Some((program.unwrap_or_else(|error| panic!("{error}")), folder))
    };
    lists.into_iter().filter_map(program).collect()
}

fn called(program: &Program, entry: &str, args: &[&Handle]) -> Handle {
    let args: Vec<Argument> = args.iter().map(|arg| Argument::from(*arg)).collect();
    let called = program.entry(entry).expect("an entry point").call_with(&args, &CallOptions::default());
    called.unwrap_or_else(|error| panic!("{error}")).value
}

/// Whether all devices have made the last call.
fn is_shared(program: &Program) -> bool {
    program.engine().exec().is_some_and(|exec| exec.was_shared())
}

fn numbers(count: usize) -> Vec<i64> {
    (0..count as i64).collect()
}

/// Each call works on what the call before has left, whoever has made it.
#[test]
fn results_go_from_one_device_to_all_and_back() {
    for (program, _folder) in shared_programs() {
        let (mut expected, mut by_all) = (numbers(MANY), Vec::new());
        let mut xs: Handle = Value::vector(expected.clone()).into();
        for number in 0..120 {
            let next = called(&program, "next", &[&xs]);
            by_all.push(is_shared(&program));
            expected.iter_mut().for_each(|x| *x = x.wrapping_mul(3).wrapping_add(1));
            if number % 10 == 0 {
                let both = called(&program, "both", &[&xs, &next]);
                drop(both);
                let cleared = called(&program, "clear", &[&next, &Value::scalar(3i64).into()]);
                let mut changed = expected.clone();
                changed[3] = 0;
                assert_eq!(cleared.to_value().unwrap(), Value::vector(changed), "{number}");
            }
            assert_eq!(next.to_value().unwrap(), Value::vector(expected.clone()), "{number}");
            xs = next;
        }
        // Devices of one kind share at first; then the first is tried alone.
        let has_peers = program.engine().context().options().others[0].api == Api::OpenCl;
        assert_eq!(by_all[0], has_peers);
        assert!(by_all.contains(&false), "{by_all:?}");
    }
}

/// What was kept for the first device, all devices find there.
#[test]
fn all_devices_read_what_was_kept_for_the_first() {
    for (program, _folder) in shared_programs() {
        let xs = Value::vector(numbers(MANY));
        let kept =
            program.engine().keep(&norn::engine::Item::Value(xs.clone())).expect("an array that is kept");
        let kept = Handle::Kept(kept);
        for _ in 0..8 {
            assert_eq!(called(&program, "same", &[&kept]).to_value().unwrap(), xs);
            let next: Vec<i64> = numbers(MANY).iter().map(|x| x * 3 + 1).collect();
            assert_eq!(called(&program, "next", &[&kept]).to_value().unwrap(), Value::vector(next));
        }
        assert_eq!(kept.to_value().unwrap(), xs);
    }
}

/// Calls that fail leave nothing behind, and others go on.
#[test]
fn calls_that_fail_do_so_in_the_same_way() {
    for (program, _folder) in shared_programs() {
        let kept = program.engine().keep(&norn::engine::Item::Value(Value::vector(numbers(MANY))));
        let kept = Handle::Kept(kept.expect("an array that is kept"));
        let args = [Argument::from(&kept)];
        let mut messages = Vec::new();
        for _ in 0..6 {
            let failed = program.entry("failing").unwrap().call_with(&args, &CallOptions::default());
            messages.push(failed.err().unwrap_or_else(|| panic!("a call that fails")).to_string());
            called(&program, "next", &[&kept]);
        }
        messages.dedup();
        assert_eq!(messages.len(), 1, "{messages:?}");
    }
}

/// The next process knows how fast devices were, even if the task was run once.
#[test]
fn what_one_call_took_is_kept() {
    for (program, folder) in shared_programs() {
        let has_peers = program.engine().context().options().others[0].api == Api::OpenCl;
        called(&program, "next", &[&Value::vector(numbers(MANY)).into()]);
        drop(program);
        let kept = |ending: &str| {
            let files = std::fs::read_dir(folder.path()).expect("a folder").flatten();
            let path = files.map(|file| file.path()).find(|path| path.to_string_lossy().ends_with(ending))?;
            std::fs::read_to_string(path).ok()
        };
        assert!(kept(".calls").is_some_and(|calls| calls.lines().count() == 1));
        // Rates are those of devices that share something.
        assert_eq!(kept(".rates").is_some_and(|rates| rates.lines().count() == 2), has_peers);
    }
}

/// Numbers and short arrays are the first device's from the start.
#[test]
fn what_is_small_is_not_shared() {
    for (program, _folder) in shared_programs() {
        let xs: Handle = Value::vector(numbers(10)).into();
        // Then it may be tried, if it took long.
        for _ in 0..2 {
            called(&program, "next", &[&xs]);
            assert!(!is_shared(&program));
        }
    }
}

/// What has room on the first device, but not in parts, which have to be joined, is done by the first alone; and the next call at once.
#[test]
fn calls_without_enough_memory_are_made_again_by_the_first_device() {
    let count = 1 << 20;
    for (program, _folder) in programs_of(SHARED, Some(21 << 20)) {
        let has_peers = program.engine().context().options().others[0].api == Api::OpenCl;
        let xs: Handle = Value::vector(numbers(count)).into();
        for _ in 0..3 {
            let positive = called(&program, "positive", &[&xs]);
            assert_eq!(positive.to_value().unwrap(), Value::vector(numbers(count)[1..].to_vec()));
            assert!(!has_peers || !is_shared(&program));
        }
        // What has room in parts is shared as before.
        let next: Vec<i64> = numbers(MANY).iter().map(|x| x * 3 + 1).collect();
        let found = called(&program, "next", &[&Value::vector(numbers(MANY)).into()]);
        assert_eq!(found.to_value().unwrap(), Value::vector(next));
    }
}

/// Whether one device or two make a call shows nowhere, not even in the last bits of floats.
#[test]
fn floats_have_the_same_bits_whoever_makes_a_call() {
    let floats = |count: usize| -> Vec<f64> {
        (0..count).map(|i| ((i * 7919) % 10007) as f64 / 10007.0 - 0.3).collect()
    };
    for (program, _folder) in programs_of(ROUNDED, None) {
        if program.engine().context().options().others[0].api != Api::OpenCl {
            continue;
        }
        let mut found = Vec::new();
        let xs: Handle = Value::vector(floats(MANY)).into();
        // Who makes them is a matter of time: mostly all at first, and then the first device alone.
        for _ in 0..40 {
            found.push(called(&program, "sums", &[&xs]).to_value().unwrap());
        }
        found.dedup();
        assert_eq!(found.len(), 1);
    }
}
