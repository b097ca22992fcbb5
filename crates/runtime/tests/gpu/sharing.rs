//! Several programs on one device, and what each of them asked for.

use crate::gpu::setup::*;
use norn_runtime::cpu::{Instance, Settings};

#[test]
fn launches_are_counted_and_timed() {
    on_devices(|_, instance| {
        for timed in [false, true] {
            instance.set(Settings { profiling: timed, ..Settings::default() });
            instance.take_traffic();
            instance.enter(|session| {
                let (block, at) = upload(session, &[0i32; 1000]);
                call_in(session, 0, &[5000, SPIN, 2, 33, 100, at], 0).unwrap();
                download::<i32>(session, at, 10);
                // SAFETY: the block is held, and not used any more.
                unsafe { session.release(block) };
            });
            let traffic = instance.take_traffic();
            assert_eq!(
                (traffic.launches, traffic.bytes_to_device, traffic.bytes_from_device),
                (5000, 4000, 40)
            );
            // At the end of the call, to read, and after so many launches that one of them may have failed long ago.
            assert_eq!(traffic.waits, 3);
            let profile = instance.take_profile();
            if !timed {
                assert!(profile.is_empty());
                continue;
            }
            let cost = profile[33];
            assert_eq!((cost.launches, cost.width), (5000, 5000 * 512));
            assert!(cost.time > 5000 && cost.bytes >= 5000 * 4000, "{cost:?}");
        }
    });
}

#[test]
fn two_programs_side_by_side() {
    on_devices(|gpu, first| {
        let Some(cpu) = cpu() else { return };
        let mut second = instance(&cpu, gpu);
        let work = |instance: &mut Instance, value: i32| {
            for round in 0..50 {
                instance.enter(|session| {
                    let (block, at) = upload(session, &vec![-1i32; 10_000]);
                    launch(session, SET, 5, &[10_000, value as u64, at]).unwrap();
                    assert!(download::<i32>(session, at, 10_000).iter().all(|x| *x == value));
                    // SAFETY: the block is held, and not used any more.
                    unsafe { session.release(block) };
                });
                if value == 2 && round % 10 == 0 {
                    // A failure of one is none of the other.
                    instance.enter(|session| {
                        let (_, at) = upload(session, &[7]);
                        launch(session, CHECK, 1, &[1, 0, at]).unwrap_err();
                    });
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| work(first, 1));
            scope.spawn(|| work(&mut second, 2));
        });
        assert_eq!((first.live_blocks(), second.live_blocks()), (0, 0));
    });
}
