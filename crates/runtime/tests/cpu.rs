//! The processor as a device, tried with C that does what compiled programs do. Without a C compiler there is nothing to try.

use norn_runtime::RuntimeError;
use norn_runtime::cpu::abi::{self, *};
use norn_runtime::cpu::{Cpu, CpuOptions, Instance, Stop, Why, block_data};
use norn_runtime::gpu::state::{OUT_OF_HEAP, OUT_OF_REGION, STATE_OPERANDS, State};
use std::mem::offset_of;
use std::num::NonZero;
use std::time::Duration;

const ABI: &str = include_str!("../../../rts/cpu/abi.h");
const STATE: &str = include_str!("../../../rts/gpu/state.h");
const LAYOUT: &str = include_str!("c/layout.c");
const BEHAVIOUR: &str = include_str!("c/behaviour.c");

fn cpu(threads: usize, memory_limit: Option<u64>) -> Option<Cpu> {
    match Cpu::new(CpuOptions { threads: NonZero::new(threads), memory_limit, quick: false }) {
        Ok(cpu) => Some(cpu),
        Err(RuntimeError::NoCompiler(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

fn instance(cpu: &Cpu, text: &str, entries: usize) -> Instance {
    let text = format!("{ABI}\n{text}");
    // SAFETY: the text is that of the test.
    let compiled = unsafe { cpu.load(&text, entries) }.unwrap_or_else(|error| panic!("{error}"));
    Instance::new(cpu, compiled.library, None).unwrap_or_else(|error| panic!("{error}"))
}

/// With several numbers of threads; more than there are processors, too.
fn on_threads(run: impl Fn(&Cpu, &mut Instance)) {
    for threads in [1, 2, 7] {
        let Some(cpu) = cpu(threads, Some(1 << 30)) else { return };
        run(&cpu, &mut instance(&cpu, BEHAVIOUR, 10));
    }
}

fn call(instance: &mut Instance, entry: usize, args: &[u64], results: usize) -> Result<Vec<u64>, Stop> {
    instance.enter(|session| {
        let mut results = vec![0; results];
        // SAFETY: arguments and results are what the text of the test says.
        unsafe { session.call(entry, args, &mut results) }.map(|_| results)
    })
}

#[test]
fn both_sides_agree_about_the_layout() {
    let Some(cpu) = cpu(1, None) else { return };
    let facts =
        call(&mut instance(&cpu, &format!("typedef uint64_t u64;\n{STATE}\n{LAYOUT}"), 1), 0, &[], 100)
            .unwrap();
    let expected = [
        size_of::<Block>(),
        offset_of!(Block, count),
        offset_of!(Block, bytes),
        offset_of!(Block, next),
        offset_of!(Block, length),
        offset_of!(Block, address),
        size_of::<Region>(),
        offset_of!(Region, base),
        offset_of!(Region, next),
        offset_of!(Region, unknown),
        size_of::<Run>(),
        offset_of!(Run, stop),
        offset_of!(Run, failed),
        offset_of!(Run, site),
        offset_of!(Run, at),
        offset_of!(Run, operands),
        offset_of!(Run, calls),
        offset_of!(Run, operand),
        offset_of!(Run, trace),
        size_of::<Host>(),
        offset_of!(Host, alloc),
        offset_of!(Host, free),
        offset_of!(Host, launch),
        offset_of!(Host, region_new),
        offset_of!(Host, region_end),
        offset_of!(Host, region_grow),
        offset_of!(Host, yield_now),
        offset_of!(Host, now),
        offset_of!(Host, charge),
        offset_of!(Host, show),
        offset_of!(Host, device_alloc),
        offset_of!(Host, device_launch),
        offset_of!(Host, device_launch_within),
        offset_of!(Host, device_read),
        offset_of!(Host, device_read_all),
        offset_of!(Host, device_write),
        offset_of!(Host, device_copy),
        offset_of!(Host, device_fill),
        offset_of!(Host, device_select),
        offset_of!(Host, device_plan),
        offset_of!(Host, device_part),
        offset_of!(Host, device_planned),
        offset_of!(Host, device_bring),
        offset_of!(Host, device_fetch),
        offset_of!(Host, device_look),
        offset_of!(Host, device_cell),
        offset_of!(Host, device_place),
        size_of::<abi::Worker>(),
        offset_of!(abi::Worker, host),
        offset_of!(abi::Worker, run),
        offset_of!(abi::Worker, globals),
        offset_of!(abi::Worker, stack_limit),
        offset_of!(abi::Worker, workers),
        offset_of!(abi::Worker, profile),
        offset_of!(abi::Worker, free),
        offset_of!(abi::Worker, device_groups),
        offset_of!(abi::Worker, device_pool),
        offset_of!(abi::Worker, tunables),
        size_of::<State>(),
        offset_of!(State, failed),
        offset_of!(State, site),
        offset_of!(State, operands),
        offset_of!(State, operand),
        offset_of!(State, failed_launch),
        offset_of!(State, heap_begin),
        offset_of!(State, heap_end),
        offset_of!(State, heap_next),
        offset_of!(State, launch),
    ];
    let constants = [
        i64::from(DONE),
        FAILED.into(),
        STOPPED.into(),
        CHUNKS as i64,
        FIRST_CHUNK as i64,
        OPERANDS as i64,
        TRACE as i64,
        CLASSES as i64,
        SMALL,
        KEPT,
        OUT_OF_MEMORY.into(),
        OUT_OF_STACK.into(),
        CANCELLED.into(),
        DEVICE_FAILED.into(),
        STATE_OPERANDS as i64,
        OUT_OF_HEAP.into(),
        OUT_OF_REGION.into(),
    ];
    let expected: Vec<u64> =
        expected.iter().map(|fact| *fact as u64).chain(constants.iter().map(|fact| *fact as u64)).collect();
    let (count, facts) = (facts[0] as usize, &facts[1..]);
    assert_eq!(count, expected.len());
    // Negative numbers were `int`s.
    let same =
        |(found, expected): (&u64, &u64)| found == expected || *found as i32 as i64 as u64 == *expected;
    let odd = facts.iter().zip(&expected).position(|pair| !same(pair)).filter(|i| *i < count);
    assert_eq!(odd, None, "{facts:?}\n{expected:?}");
}

#[test]
fn launches_cover_the_width_once() {
    on_threads(|_, instance| {
        let offsets: Vec<i64> = (0..=1000).map(|i| i * i).collect();
        for split in 0..3 {
            for (width, chunks) in [(0, 1), (0, 5), (1, 5), (1000, 1), (1000, 64), (37, 36)] {
                let mut marks = vec![0i32; width];
                let args = [width as u64, chunks, split, offsets.as_ptr() as u64, marks.as_mut_ptr() as u64];
                call(instance, 0, &args, 0).unwrap();
                assert!(marks.is_sorted() && !marks.contains(&0), "split {split}: {marks:?}");
                assert!(marks.iter().all(|mark| *mark as u64 <= chunks));
            }
        }
    });
}

#[test]
fn ordered_chunks_may_wait_for_each_other() {
    on_threads(|_, instance| {
        for _ in 0..100 {
            let mut places = [0i64; 101];
            let sum = call(instance, 1, &[12345, 100, places.as_mut_ptr() as u64], 1).unwrap();
            assert_eq!(sum, [12345]);
        }
    });
}

#[test]
fn a_failure_ends_everything_and_frees_everything() {
    on_threads(|cpu, instance| {
        for round in 0..20 {
            let stop = call(instance, 2, &[8, 4, 0], 0).unwrap_err();
            assert_eq!(stop.why, Why::Check { site: 7, operands: vec![0] }, "{round}");
            assert_eq!((&stop.trace[..], stop.omitted), (&[20, 30][..], 0));
            assert_eq!(instance.live_blocks(), 0);
        }
        // What is left is in free lists.
        assert!(cpu.memory().live() < 1 << 20, "{}", cpu.memory().live());
        assert_eq!(call(instance, 6, &[], 1), Ok(vec![1]), "globals are forgotten");
    });
}

#[test]
fn globals_belong_to_an_instance() {
    let Some(cpu) = cpu(1, None) else { return };
    let (mut first, mut second) = (instance(&cpu, BEHAVIOUR, 10), instance(&cpu, BEHAVIOUR, 10));
    assert_eq!(call(&mut first, 6, &[], 1), Ok(vec![1]));
    assert_eq!(call(&mut first, 6, &[], 1), Ok(vec![2]));
    assert_eq!(call(&mut second, 6, &[], 1), Ok(vec![1]));
}

#[test]
fn memory_has_a_limit() {
    let Some(cpu) = cpu(2, Some(64 << 20)) else { return };
    let mut instance = instance(&cpu, BEHAVIOUR, 10);
    for (blocks, bytes) in [(1, 0), (1000, 1), (1000, 5000), (10, 1 << 20), (1, 60 << 20)] {
        call(&mut instance, 3, &[blocks, bytes], 0).unwrap();
    }
    assert!(cpu.memory().peak() > 60 << 20);
    for (blocks, bytes) in [(10, 10 << 20), (1 << 30, 1 << 10), (1, i64::MAX as u64), (1, -8i64 as u64)] {
        let stop = call(&mut instance, 3, &[blocks, bytes], 0).unwrap_err();
        let Why::OutOfMemory { site: 5, bytes: requested, live, limit, on_gpu: false, .. } = stop.why else {
            panic!("{stop:?}")
        };
        assert!(requested == bytes && live <= limit && limit == 64 << 20);
        assert_eq!(instance.live_blocks(), 0);
    }
    call(&mut instance, 3, &[5, 10 << 20], 0).unwrap();
    drop(instance);
    assert_eq!(cpu.memory().live(), 0);
}

#[test]
fn recursion_that_is_too_deep_fails() {
    on_threads(|_, instance| {
        assert_eq!(call(instance, 4, &[100_000], 1), Ok(vec![100_000]));
        let stop = call(instance, 4, &[1 << 40], 1).unwrap_err();
        assert_eq!(stop.why, Why::OutOfStack);
        assert_eq!(stop.trace, [40; TRACE]);
        assert!(stop.omitted > 100_000);
        assert_eq!(call(instance, 4, &[1000], 1), Ok(vec![1000]));
    });
}

#[test]
fn regions_grow_from_all_threads() {
    on_threads(|_, instance| {
        // SAFETY: what is called and used is what the text of the test says.
        instance.enter(|session| unsafe {
            let region = session.region_new().unwrap();
            let own = session.cell_new(region, 600).unwrap();
            session.cell(region, own).add(599).write(17);
            let mut heads = [0u64; 8];
            session.call(5, &[region as u64, 8, 20_000], &mut heads).unwrap();
            for head in heads {
                let (mut head, mut expected) = (head as u32, 20_000);
                while head != 0 {
                    let words = session.cell(region, head);
                    expected -= 1;
                    assert_eq!(words.add(1).read(), expected);
                    head = words.add(2).read() as u32;
                }
                assert_eq!(expected, 0);
            }
            assert_eq!(session.cell(region, own).add(599).read(), 17);
            session.region_end(region);
        });
        assert_eq!(instance.live_blocks(), 0);
    });
}

#[test]
fn a_run_can_be_cancelled() {
    on_threads(|_, instance| {
        let stopper = instance.stopper();
        let later = stopper.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            later.stop();
        });
        let stop = call(instance, 2, &[8, 4, -1i64 as u64], 0).unwrap_err();
        assert_eq!((stop.why, stop.trace), (Why::Cancelled, vec![]));
        thread.join().unwrap();
        assert!(call(instance, 0, &[1000, 10, 0, 0, 0], 0).is_err(), "later runs are cancelled, too");
        stopper.allow();
        assert_eq!(call(instance, 6, &[], 1), Ok(vec![1]));
    });
}

#[test]
fn sessions_hand_out_blocks() {
    on_threads(|_, instance| {
        // SAFETY: what is called and used is what the text of the test says.
        instance.enter(|session| unsafe {
            let block = session.alloc(1000).unwrap();
            block_data(block).write_bytes(1, 1000);
            session.release(block);
            assert!(session.alloc(usize::MAX).is_none());
        });
        assert_eq!(instance.live_blocks(), 0);
    });
}

#[test]
fn text_that_is_no_program_is_refused() {
    let Some(cpu) = cpu(1, None) else { return };
    // SAFETY: the text is that of the test.
    let refused = |text: &str| unsafe { cpu.load(text, 1) }.err().map(|error| error.to_string()).unwrap();
    assert!(refused("nonsense").contains("does not accept"));
    assert!(refused("int x;").contains("cannot be loaded"));
}

/// Not tests of correctness: they print what things cost. Run them with `--ignored --nocapture --test-threads 1`.
mod measurements {
    use super::*;
    use std::time::Instant;

    fn time(instance: &mut Instance, entry: usize, args: &[u64]) -> Duration {
        let best = (0..5).map(|_| {
            // SAFETY: arguments and results are what the text of the test says.
            instance.enter(|session| unsafe { session.call(entry, args, &mut []) }).expect("no failure")
        });
        best.min().unwrap_or_default()
    }

    fn thread_counts() -> Vec<usize> {
        let all = std::thread::available_parallelism().map_or(1, NonZero::get);
        [1, 2, 4, 8, 16, 32].into_iter().filter(|count| *count <= all.max(2)).collect()
    }

    #[test]
    #[ignore = "a measurement"]
    fn empty_launches() {
        for threads in thread_counts() {
            let Some(cpu) = cpu(threads, None) else { return };
            let mut instance = instance(&cpu, BEHAVIOUR, 10);
            for chunks in [2, 8, 32, 128] {
                let launches = 10_000;
                let time = time(&mut instance, 7, &[launches, chunks]);
                let each = time.as_nanos() as f64 / launches as f64;
                println!("{threads:3} threads, {chunks:3} chunks: {each:8.0} ns per empty launch");
            }
        }
    }

    #[test]
    #[ignore = "a measurement"]
    fn launches_with_work() {
        for threads in thread_counts() {
            let Some(cpu) = cpu(threads, None) else { return };
            let mut instance = instance(&cpu, BEHAVIOUR, 10);
            for work in [10_000, 100_000, 1_000_000, 10_000_000] {
                for gap in [0, 10_000, 100_000, 1_000_000] {
                    let launches = if work > 1_000_000 { 20 } else { 200 };
                    let chunks = threads as u64 * 4;
                    let with = time(&mut instance, 8, &[launches, chunks, work, gap]);
                    let alone = time(&mut instance, 8, &[launches, 1, 0, gap]);
                    let one = time(&mut instance, 8, &[launches, 1, work, gap]);
                    let per = |time: Duration| time.as_nanos() as f64 / launches as f64 / 1000.0;
                    let (launch, sequential) = (per(with) - per(alone), per(one) - per(alone));
                    println!(
                        "{threads:3} threads, gap {:7.1} us: {launch:7.1} us, alone {sequential:7.1} us, speedup {:.2}",
                        per(alone),
                        sequential / launch
                    );
                }
            }
        }
    }

    #[test]
    #[ignore = "a measurement"]
    fn memory() {
        let Some(cpu) = cpu(1, None) else { return };
        let mut instance = instance(&cpu, BEHAVIOUR, 10);
        for bytes in [1 << 17, 1 << 20, 16 << 20, 256 << 20] {
            let mut fresh = Duration::MAX;
            for _ in 0..5 {
                cpu.memory().drop_spare();
                fresh = fresh.min(time_once(&mut instance, &[1, bytes]));
            }
            let again = time_once(&mut instance, &[20, bytes]) / 20;
            println!("{:6} KiB: fresh {fresh:?}, again {again:?}", bytes >> 10);
        }
    }

    fn time_once(instance: &mut Instance, args: &[u64]) -> Duration {
        // SAFETY: arguments and results are what the text of the test says.
        instance.enter(|session| unsafe { session.call(9, args, &mut []) }).expect("no failure")
    }

    #[test]
    #[ignore = "a measurement"]
    fn starts() {
        for threads in thread_counts() {
            let begin = Instant::now();
            let Some(cpu) = cpu(threads, None) else { return };
            let found = begin.elapsed();
            let mut instance = instance(&cpu, BEHAVIOUR, 10);
            let loaded = begin.elapsed();
            call(&mut instance, 6, &[], 1).expect("no failure");
            println!(
                "{threads:3} threads: compiler {found:?}, program {loaded:?}, call {:?}",
                begin.elapsed()
            );
        }
    }
}
