//! Runs that fail on the GPU or beside it, and what is left after them.

use crate::gpu::setup::*;
use norn_runtime::cpu::{Stop, Why};
use norn_runtime::gpu::Api;
use std::process::Command;
use std::time::Duration;

#[test]
fn a_check_that_fails_in_a_kernel_ends_the_run() {
    on_devices(|gpu, instance| {
        let live = gpu.memory_live();
        for round in 0..20 {
            let stop = instance.enter(|session| {
                let mut xs: Vec<i32> = (0..10_000).collect();
                let (_, at) = upload(session, &xs);
                // Nothing fails, and the next kernel works.
                let word = call_in(session, 1, &[CHECK, SET, 4, at, 10_000, 10_000, at], 1).unwrap();
                assert_eq!(word, [10_001]);
                xs[4321] = 99_999;
                let (_, at) = upload(session, &xs);
                // It fails; the next kernel does nothing, and nobody reads what it would have written.
                call_in(session, 1, &[CHECK, SET, 4, at, 10_000, 50_000, at], 1).unwrap_err()
            });
            let operands = vec![4321, 99_999];
            assert_eq!(stop.why, Why::Check { site: 7, operands: operands.clone() }, "{round}");
            assert_eq!((instance.live_blocks(), gpu.memory_live()), (0, live));
            // One that nobody waits for fails when the call ends.
            let stop = instance.enter(|session| {
                let (_, at) = upload(session, &[1, 2, 3, 99]);
                launch(session, CHECK, 1, &[4, 50, at]).unwrap_err()
            });
            assert_eq!(stop.why, Why::Check { site: 7, operands: vec![3, 99] });
            assert_eq!((instance.live_blocks(), gpu.memory_live()), (0, live));
        }
    });
}

#[test]
fn a_failing_host_program_leaves_nothing_behind() {
    on_devices(|gpu, instance| {
        let live = gpu.memory_live();
        for bound in [100u64, 2] {
            let stop = instance.enter(|session| {
                let (_, at) = upload(session, &[1, 2, 3]);
                call_in(session, 6, &[CHECK, 1, 3, bound, at], 0).unwrap_err()
            });
            match (bound, stop.why) {
                (100, why) => assert_eq!(why, Why::Check { site: 17, operands: vec![3] }),
                // What failed on the GPU came first. Which thread is first does not matter.
                (_, Why::Check { site: 7, .. }) => {}
                (_, why) => panic!("{why:?}"),
            }
            assert_eq!((instance.live_blocks(), gpu.memory_live()), (0, live));
        }
    });
}

#[test]
fn constants_are_forgotten_after_a_failure() {
    on_devices(|_, instance| {
        assert_eq!(call(instance, 5, &[], 1), Ok(vec![1]));
        assert_eq!(call(instance, 5, &[], 1), Ok(vec![2]));
        assert!(call(instance, 2, &[1, -1i64 as u64, 0], 0).is_err());
        assert_eq!(call(instance, 5, &[], 1), Ok(vec![1]));
        assert_eq!(instance.forget(), 1);
        assert_eq!(call(instance, 5, &[], 1), Ok(vec![1]));
    });
}

#[test]
fn a_run_can_be_cancelled() {
    on_devices(|_, instance| {
        let stopper = instance.stopper();
        let later = stopper.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            later.stop();
        });
        let stop = instance.enter(|session| {
            let (_, at) = upload(session, &[0i32; 4]);
            call_in(session, 4, &[SPIN, 2, 10_000, at], 0).unwrap_err()
        });
        assert_eq!(stop.why, Why::Cancelled);
        thread.join().unwrap();
        stopper.allow();
        assert_eq!(call(instance, 5, &[], 1), Ok(vec![1]));
    });
}

/// CUDA does not give the GPU again to a process in which a kernel went wrong, so this is tried in a process of its own. With OpenCL
/// on a processor it would end the process.
#[test]
fn a_kernel_that_goes_wrong_leaves_the_process_alive() {
    const INSIDE: &str = "NORN_TEST_INSIDE";
    if std::env::var_os(INSIDE).is_none() {
        let test = "failures::a_kernel_that_goes_wrong_leaves_the_process_alive";
        let mut command = Command::new(std::env::current_exe().expect("a path"));
        let ended = command.args(["--exact", test, "--nocapture"]).env(INSIDE, "1").status();
        assert!(ended.expect("a process").success());
        return;
    }
    on_devices(|gpu, instance| {
        if gpu.facts().api != Api::Cuda {
            return;
        }
        let Some(cpu) = cpu() else { return };
        let mut second = crate::gpu::setup::instance(&cpu, gpu);
        assert_eq!(call(&mut second, 5, &[], 1), Ok(vec![1]));
        let stop = instance.enter(|session| {
            let (_, at) = upload(session, &[0i32; 4]);
            launch(session, TRAP, 1, &[at]).unwrap_err()
        });
        let Why::Device(trouble) = stop.why else { panic!("{stop:?}") };
        println!("{trouble}");
        assert_eq!((trouble.kernel.as_deref(), trouble.site), (Some("k_trap"), Some(20)));
        for instance in [instance, &mut second] {
            // What was kept is lost, or the whole GPU.
            match call(instance, 5, &[], 1) {
                Ok(count) => assert_eq!(count, [1]),
                Err(Stop { why: Why::Device(trouble), .. }) => println!("{trouble}"),
                Err(stop) => panic!("{stop:?}"),
            }
            assert!(instance.live_blocks() <= 1);
            // What needs no GPU still works.
            assert!(call(instance, 7, &[], 1).is_ok());
        }
        match gpu.load(&module(Api::Cuda)) {
            Ok(_) => {}
            Err(error) => println!("{error}"),
        }
    });
}
