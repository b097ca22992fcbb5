//! Calls from several threads.

use super::*;

fn is_shared<T: Send + Sync + 'static>() {}

#[test]
fn programs_and_values_go_from_thread_to_thread() {
    is_shared::<Context>();
    is_shared::<Program>();
    is_shared::<norn::Entry>();
    is_shared::<Handle>();
    is_shared::<norn::CallError>();
}

#[test]
fn two_programs_run_at_once_on_two_devices() {
    let programs = programs();
    std::thread::scope(|scope| {
        for program in &programs {
            scope.spawn(move || {
                let xs = floats((0..5000).map(|x| x as f32).collect());
                for round in 0..50 {
                    let scaled =
                        program.entry("scale").unwrap().call(&[&Value::scalar(2f32).into(), &xs]).unwrap();
                    let sum = value(program, "total", &[&scaled]).as_scalar::<f32>().unwrap();
                    assert!((sum - 24_995_000.0).abs() < 100.0, "{sum} in round {round}");
                }
            });
        }
    });
}

/// Each call has a state of its own: what fails in one shows in no other.
#[test]
fn one_program_is_called_from_several_threads() {
    for program in &programs() {
        std::thread::scope(|scope| {
            for thread in 0..4i32 {
                scope.spawn(move || {
                    for i in 0..50 {
                        let sum =
                            value(program, "add", &[&Value::scalar(thread).into(), &Value::scalar(i).into()]);
                        assert_eq!(sum.as_scalar::<i32>(), Some(thread + i));
                        let args = [&ints(&[1, 2]), &Value::scalar(i64::from(thread) + 2).into()];
                        let failed = program.entry("pick").unwrap().call(&args).unwrap_err();
                        let message =
                            format!("Index {} is out of bounds for a dimension of length 2.", thread + 2);
                        assert_eq!(failed.to_string(), message);
                    }
                });
            }
        });
    }
}

/// A call that goes on for ever does not keep others waiting, even with as many threads as a call has.
#[test]
fn a_long_call_does_not_delay_others() {
    let context = Context::new(ContextOptions { threads: NonZero::new(1), ..ContextOptions::default() });
    let Some(program) = program(Backend::Cpu, &context) else { return };
    let canceller = norn::engine::Canceller::default();
    let options = norn::CallOptions { canceller: Some(canceller.clone()), time_limit: None };
    std::thread::scope(|scope| {
        let long = scope.spawn(|| {
            let one: Handle = Value::scalar(1i64).into();
            program.entry("forever").unwrap().call_with(&[(&one).into()], &options).map(|called| called.time)
        });
        for i in 0..100 {
            let sum = value(&program, "add", &[&Value::scalar(1i32).into(), &Value::scalar(i).into()]);
            assert_eq!(sum.as_scalar::<i32>(), Some(i + 1));
        }
        canceller.cancel();
        assert!(matches!(long.join().unwrap(), Err(norn::CallError::Cancelled)));
    });
}

/// Programs are compiled and interpreted on large stacks, whatever the stack of the caller is.
#[test]
fn callers_need_no_large_stack() {
    let small = std::thread::Builder::new().stack_size(128 << 10);
    let work = || {
        let nested = format!("{}1i64{}", "(".repeat(200), ")".repeat(200));
        let text = format!(
            "def deep (n: i64) : i64 = if n <= 0 then {nested} else 1 + deep (n - 1)\nentry main (n: i64) = deep n"
        );
        let program =
            Program::from_source("deep.fut", &text, Backend::Interp).unwrap_or_else(|e| panic!("{e}"));
        let depth = value(&program, "main", &[&Value::scalar(20_000i64).into()]);
        assert_eq!(depth.as_scalar::<i64>(), Some(20_001));
    };
    small.spawn(work).unwrap().join().unwrap();
}

/// Calls that use one thread stay on the thread that makes them, unless they need more stack than it has.
#[test]
fn calls_have_the_stack_that_they_need() {
    for program in &programs() {
        let counted = |n: i64| value(program, "counted", &[&Value::scalar(n).into()]).as_scalar::<i64>();
        let work = || {
            for n in [10, 10, 30_000, 10, 30_000] {
                assert_eq!(counted(n), Some(n));
            }
        };
        work();
        // Too little for a visit, enough for one, and for a deep one.
        for stack in [128 << 10, 3 << 20, 64 << 20] {
            std::thread::scope(|scope| {
                let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, work);
                thread.unwrap().join().unwrap();
            });
        }
    }
}

/// What is launched on several threads during a call that began on one.
#[test]
fn calls_that_grow_are_right() {
    for program in &programs() {
        for count in [10, 10, 200_000, 10, 10, 200_000, 200_000] {
            let sum = value(program, "total", &[&floats(vec![1.0; count])]);
            assert_eq!(sum.as_scalar::<f32>(), Some(count as f32), "{}", program.engine().backend().name());
        }
    }
}
