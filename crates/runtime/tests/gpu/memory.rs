//! Memory on the GPU: blocks, copies, limits, and the heap.

use crate::gpu::setup::*;
use norn_runtime::cpu::Why;

#[test]
fn many_blocks_of_all_sizes() {
    on_devices(|gpu, instance| {
        let live = gpu.memory_live();
        for (blocks, bytes, more) in [(1, 0, 0), (100, 0, 1), (2000, 1, 37), (50, 1 << 20, 4097)] {
            call(instance, 2, &[blocks, bytes, more], 0).unwrap();
        }
        assert_eq!(gpu.memory_live(), live);
        assert!(gpu.memory_peak() > 50 << 20);
    });
}

#[test]
fn copies_of_unusual_sizes() {
    on_devices(|_, instance| {
        for bytes in [0, 1, 2, 3, 7, 8, 9, 63, 999, 1000, 1001, 4095, 4096] {
            call(instance, 3, &[bytes], 0).unwrap_or_else(|stop| panic!("{bytes}: {stop:?}"));
        }
        // Many large ones, which go a way of their own.
        instance.enter(|session| {
            let xs: Vec<u64> = (0..3_333_333).collect();
            let (block, at) = upload(session, &xs);
            assert!(download::<u64>(session, at, xs.len()) == xs);
            // SAFETY: the block is held, and not used any more.
            unsafe { session.release(block) };
        });
    });
}

#[test]
fn memory_has_a_limit() {
    on_devices_with(Some(64 << 20), |gpu, instance| {
        assert_eq!(gpu.memory_limit(), 64 << 20);
        for (blocks, bytes) in [(1, 60 << 20), (50, 1 << 20), (5, 12 << 20)] {
            call(instance, 2, &[blocks, bytes, 0], 0).unwrap();
        }
        for (blocks, bytes) in [(10, 10 << 20), (1, i64::MAX as u64), (1, -8i64 as u64), (1, 65 << 20)] {
            let stop = call(instance, 2, &[blocks, bytes, 0], 0).unwrap_err();
            let Why::OutOfMemory { site: 5, bytes: requested, live, limit, on_gpu: true, .. } = stop.why
            else {
                panic!("{stop:?}")
            };
            assert!(requested == bytes && live <= limit && limit == 64 << 20);
        }
        call(instance, 2, &[5, 10 << 20, 0], 0).unwrap();
    });
}

#[test]
fn the_heap_grows_until_it_is_large_enough() {
    on_devices(|gpu, instance| {
        instance.enter(|session| {
            let (block, at) = upload(session, &[0i64; 1000]);
            for bytes in [64u64, 100_000, 300_032, 64] {
                launch(session, HEAP, 3, &[1000, bytes, at]).unwrap();
                let sums: Vec<i64> = download(session, at, 1000);
                let touched = bytes.div_ceil(64) as i64;
                assert!(
                    sums.iter().enumerate().all(|(i, sum)| *sum == touched * (i as i64 % 256)),
                    "{bytes}"
                );
            }
            // SAFETY: the block is held, and not used any more.
            unsafe { session.release(block) };
        });
        assert!(gpu.memory_live() >= 300_000_000, "the heap is kept for later");
    });
}

#[test]
fn a_heap_that_cannot_grow_is_out_of_memory() {
    on_devices_with(Some(300 << 20), |_, instance| {
        for _ in 0..2 {
            let stop = instance.enter(|session| {
                let (_, at) = upload(session, &[0i64; 1000]);
                launch(session, HEAP, 3, &[1000, 1 << 20, at]).unwrap_err()
            });
            let Why::OutOfMemory { site: 20, on_gpu: true, bytes, .. } = stop.why else { panic!("{stop:?}") };
            assert!(bytes >= 256 << 20);
            // The heap makes room for blocks.
            instance.enter(|session| {
                let (block, at) = upload(session, &[0i64; 1000]);
                launch(session, HEAP, 3, &[1000, 100_032, at]).unwrap();
                // SAFETY: the block is held, and not used any more.
                unsafe { session.release(block) };
            });
            call(instance, 2, &[1, 250 << 20, 0], 0).unwrap();
        }
    });
}
