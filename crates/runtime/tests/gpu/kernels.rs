//! Kernels are compiled, launched, and compute what they should.

use crate::gpu::setup::*;
use norn_runtime::RuntimeError;
use norn_runtime::gpu::{Api, Loaded, Module, cuda};

#[test]
fn kernels_compute() {
    on_devices(|gpu, instance| {
        println!("{}: {:?}", gpu.describe(), gpu.facts());
        instance.enter(|session| {
            for n in [0usize, 1, 255, 256, 257, 1000, 1_000_003] {
                let xs: Vec<f32> = (0..n).map(|i| i as f32).collect();
                let (x, xs_at) = upload(session, &xs);
                let (y, ys_at) = upload(session, &vec![0.5f32; n]);
                let (z, zs_at) = upload(session, &vec![0f32; n]);
                for groups in [1, 7, 1000] {
                    launch(session, ADD, groups, &[n as u64, xs_at, ys_at, zs_at]).unwrap();
                    let zs: Vec<f32> = download(session, zs_at, n);
                    assert!(zs.iter().zip(&xs).all(|(z, x)| *z == x + 0.5), "{n} in {groups} groups");
                }
                // Parts of arrays; and no groups at all.
                if n > 300 {
                    launch(session, ADD, 2, &[100, xs_at + 400, xs_at + 4, zs_at + 800]).unwrap();
                    let zs: Vec<f32> = download(session, zs_at + 800, 101);
                    assert_eq!((zs[0], zs[99], zs[100]), (101.0, 299.0, 300.5));
                }
                launch(session, ADD, 0, &[n as u64, 1, 2, 3]).unwrap();
                // SAFETY: the block is held, and not used any more.
                [x, y, z].into_iter().for_each(|block| unsafe { session.release(block) });
            }
        });
        assert_eq!(instance.live_blocks(), 0);
    });
}

#[test]
fn scalars_of_all_sizes_are_passed() {
    on_devices(|_, instance| {
        instance.enter(|session| {
            let (block, to) = upload(session, &[0i64; 8]);
            // What is above the low bytes does not matter.
            let junk = 0xabcd_0000_0000_0000u64;
            let args = [
                junk | (-3i8 as u8 as u64),
                junk | (-300i16 as u16 as u64),
                junk | (-70_000i32 as u32 as u64),
                -5_000_000_000i64 as u64,
                junk | u64::from(1.5e6f32.to_bits()),
                (-2.5e10f64).to_bits(),
                1,
                to,
                0,
            ];
            launch(session, SCALARS, 2, &args).unwrap();
            let found: Vec<i64> = download(session, to, 8);
            assert_eq!(found, [-3, -300, -70_000, -5_000_000_000, 1_500_000, -25_000_000_000, 1, 1]);
            // SAFETY: the block is held, and not used any more.
            unsafe { session.release(block) };
        });
    });
}

#[test]
fn groups_share_memory_and_wait_for_each_other() {
    on_devices(|_, instance| {
        instance.enter(|session| {
            let xs: Vec<i32> = (0..256 * 100).collect();
            let (x, xs_at) = upload(session, &xs);
            let (y, ys_at) = upload(session, &xs);
            for groups in [1, 3, 100] {
                launch(session, REVERSE, groups, &[xs.len() as u64, xs_at, ys_at]).unwrap();
                let ys: Vec<i32> = download(session, ys_at, xs.len());
                assert!(ys.iter().enumerate().all(|(i, y)| *y as usize == i / 256 * 256 + 255 - i % 256));
            }
            for groups in [1usize, 2, 50, 1000] {
                let mut places = vec![0i32; groups + 2];
                places[1] = 1;
                let (block, at) = upload(session, &places);
                launch(session, CHAIN, groups as u64, &[0, at]).unwrap();
                let places: Vec<i32> = download(session, at, groups + 2);
                assert_eq!(places[groups + 1] as usize, 1 + groups * (groups - 1) / 2);
                // SAFETY: the block is held, and not used any more.
                unsafe { session.release(block) };
            }
            // SAFETY: the block is held, and not used any more.
            [x, y].into_iter().for_each(|block| unsafe { session.release(block) });
        });
    });
}

#[test]
fn the_worker_knows_the_device() {
    on_devices(|gpu, instance| {
        let groups = call(instance, 7, &[], 1).unwrap();
        assert_eq!(groups, [gpu.facts().groups as u64]);
        assert!(groups[0] > 0);
    });
}

#[test]
fn binaries_are_found_again() {
    on_devices(|gpu, _| {
        let module = module(gpu.facts().api);
        let Loaded { compile_time, name, .. } = gpu.load(&module).unwrap_or_else(|error| panic!("{error}"));
        // The instance was loaded before. Without a cache, nothing is ever found.
        if compile_time.is_none() {
            assert!(gpu.find(&name, &module.kernels).is_some());
        }
        assert!(gpu.find("nothing", &module.kernels).is_none());
    });
}

#[test]
fn text_that_is_no_module_is_refused() {
    on_devices(|gpu, _| {
        let refused = |module: &Module| gpu.load(module).err().expect("an error").to_string();
        let nonsense = Module { text: "nonsense".into(), ..Module::default() };
        let message = refused(&nonsense);
        assert!(message.contains("does not accept the compiled kernels"), "{message}");
        let mut missing = module(gpu.facts().api);
        missing.kernels[0].name = "k_missing".into();
        let message = refused(&missing);
        assert!(message.contains("k_missing") || message.contains("NOT_FOUND"), "{message}");
    });
}

/// NVRTC needs no GPU.
#[test]
fn cuda_text_compiles_without_a_gpu() {
    let module = module(Api::Cuda);
    match cuda::compile(&module.text, 90) {
        Ok(binary) => assert!(binary.starts_with(b"\x7fELF")),
        Err(error @ RuntimeError::NoKernelCompiler(_)) => println!("skipped: {error}"),
        Err(error) => panic!("{error}"),
    }
}
