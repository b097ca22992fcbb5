//! Where values are, and that nothing is left of them.

use super::*;
use norn::Argument;
use norn::CallOptions;
use norn::engine::{Given, Held, Kept};
use std::sync::Arc;

const MANY: usize = 100_000;

fn scaled(program: &Program, k: f32, xs: &Handle) -> norn::engine::Called {
    let k: Handle = Value::scalar(k).into();
    let args = [Argument::from(&k), Argument::from(xs)];
    program
        .entry("scale")
        .unwrap()
        .call_with(&args, &CallOptions::default())
        .unwrap_or_else(|e| panic!("{e}"))
}

fn live(program: &Program) -> u64 {
    let exec = program.engine().exec();
    exec.map_or(0, |exec| exec.cpu().memory().live() + exec.gpu().map_or(0, |gpu| gpu.memory_live()))
}

/// What the system has given to this process, in bytes.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split(' ').nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}

#[test]
fn results_are_passed_on_where_they_are() {
    for program in programs().iter().filter(|program| program.engine().exec().is_some()) {
        let before = live(program);
        let first = scaled(program, 2.0, &floats(vec![1.0; MANY])).value;
        let Handle::Kept(kept) = &first else { panic!("{first:?}") };
        let array = kept.as_array().expect("an array");
        let is_on_gpu = program.engine().exec().is_some_and(|exec| exec.gpu().is_some());
        assert_eq!(array.gpu().is_some(), is_on_gpu);
        let second = scaled(program, 3.0, &first);
        if let Some(traffic) = second.traffic {
            assert_eq!((traffic.bytes_to_device, traffic.bytes_from_device), (0, 0));
        }
        let second = second.value;
        drop(first);
        assert_eq!(second.to_value().unwrap(), Value::vector(vec![6f32; MANY]));
        drop(second);
        assert_eq!(live(program), before);
    }
}

/// A result of one program is an argument of another, on the same device or not.
#[test]
fn results_go_from_program_to_program() {
    let programs = programs();
    for from in &programs {
        for to in &programs {
            let made = scaled(from, 2.0, &floats(vec![1.0; MANY])).value;
            let sum = value(to, "total", &[&made]).as_scalar::<f32>().unwrap();
            assert_eq!(sum, 2.0 * MANY as f32);
        }
    }
    let context = programs[0].engine().context().clone();
    let [Some(one), Some(other)] = [program(Backend::OpenCl, &context), program(Backend::OpenCl, &context)]
    else {
        return;
    };
    let made = scaled(&one, 2.0, &floats(vec![1.0; MANY])).value;
    let again = scaled(&other, 2.0, &made);
    let traffic = again.traffic.expect("a GPU");
    assert_eq!((traffic.bytes_to_device, traffic.bytes_from_device), (0, 0));
    drop(one);
    assert_eq!(made.to_value().unwrap(), Value::vector(vec![2f32; MANY]));
}

/// An array of somebody else is used where it is, and is not needed any more when nobody has it.
#[test]
fn arrays_of_others_are_not_copied() {
    for program in &programs() {
        let data = Arc::new(norn_values::Data::F32(vec![1.0; MANY]));
        let held = Held::of_host(&[MANY], data.clone()).expect("an array");
        let xs = Handle::Kept(Kept::array(held).expect("a regular array"));
        assert_eq!(value(program, "total", &[&xs]).as_scalar::<f32>(), Some(MANY as f32));
        drop(xs);
        assert_eq!(Arc::strong_count(&data), 1);
    }
    assert!(Held::of_host(&[3], Arc::new(norn_values::Data::F32(vec![1.0; 2]))).is_none());
}

#[test]
fn records_stay_where_they_are() {
    for program in &programs() {
        let n: Handle = Value::scalar(MANY as i64).into();
        let pair = program.entry("pair").unwrap().call(&[&n]).unwrap();
        let parts = program.entry("parts").unwrap().call(&[&pair]).unwrap();
        let parts = program.engine().untuple(program.to_item(parts).unwrap());
        let text: Vec<String> =
            parts.iter().map(|part| norn::engine::show(program.engine(), part, 10)).collect();
        assert_eq!(text, [&MANY.to_string(), &MANY.to_string(), "1"]);
    }
}

/// Whether calls succeed or fail, and whoever keeps their results for a while. In a process of its own: other tests need memory, too.
#[test]
fn many_calls_leave_nothing_behind() {
    const INSIDE: &str = "NORN_TEST_INSIDE";
    if std::env::var_os(INSIDE).is_none() {
        let test = "memory::many_calls_leave_nothing_behind";
        let mut command = std::process::Command::new(std::env::current_exe().expect("a path"));
        let ended = command.args(["--exact", test, "--nocapture"]).env(INSIDE, "1").status();
        assert!(ended.expect("a process").success());
        return;
    }
    for program in programs().iter().filter(|program| program.engine().exec().is_some()) {
        let calls =
            if program.engine().exec().is_some_and(|exec| exec.gpu().is_some()) { 1000 } else { 10_000 };
        let xs = floats(vec![1.0; 20_000]);
        let short = ints(&[1, 2, 3]);
        let round = |i: usize| {
            let kept = scaled(program, 2.0, &xs).value;
            let index: Handle = Value::scalar((i % 4) as i64).into();
            let picked = program.entry("pick").unwrap().call(&[&short, &index]);
            assert_eq!(picked.is_ok(), i % 4 < 3);
            kept
        };
        // Caches and pools are filled first.
        (0..calls / 10).for_each(|i| drop(round(i)));
        let (live_before, resident_before) = (live(program), resident());
        let mut last = None;
        for i in 0..calls {
            last = Some(round(i));
        }
        drop(last);
        assert_eq!(live(program), live_before);
        let grown = resident().zip(resident_before).map_or(0, |(after, before)| after.saturating_sub(before));
        assert!(grown < 16 << 20, "{grown} bytes more are resident");
    }
}

/// An array that is given to a call that consumes it is overwritten where it is, if nobody else has it.
#[test]
fn what_is_given_is_overwritten() {
    for program in programs().iter().filter(|program| program.engine().exec().is_some()) {
        let before = live(program);
        let clear = program.entry("clear").unwrap();
        let kept = |handle: Handle| match handle {
            Handle::Kept(kept) => kept,
            Handle::Item(item) => panic!("{item:?}"),
        };
        let made = || kept(scaled(program, 2.0, &floats(vec![1.0; MANY])).value);
        let cleared = |array: Kept, i: i64| {
            let (given, i): (Given, Handle) = (Given::new(array), Value::vector(vec![i]).into());
            let args = [Argument::Given(&given), Argument::from(&i)];
            let called = clear.call_with(&args, &CallOptions::default()).unwrap_or_else(|e| panic!("{e}"));
            let again = clear.call_with(&args, &CallOptions::default()).unwrap_err();
            assert!(again.to_string().contains("was given to a call before"), "{again}");
            kept(called.value)
        };
        let address = |array: &Kept| array.as_array().expect("an array").address();
        let total = |array: Kept| value(program, "total", &[&Handle::Kept(array)]).as_scalar::<f32>();
        let mut array = made();
        let here = address(&array);
        for i in 0..5 {
            array = cleared(array, i);
            assert_eq!(address(&array), here);
        }
        assert_eq!(total(array.clone()), Some(2.0 * (MANY - 5) as f32));
        // Somebody else has it, too.
        let other = array.clone();
        assert_ne!(address(&cleared(array, 7)), here);
        assert_eq!(total(other), Some(2.0 * (MANY - 5) as f32));
        // A call that fails has consumed it nevertheless.
        let (given, far): (Given, Handle) = (Given::new(made()), Value::scalar(MANY as i64).into());
        let args = [Argument::Given(&given), Argument::from(&far)];
        program.entry("clear_one").unwrap().call_with(&args, &CallOptions::default()).unwrap_err();
        // Small blocks are kept for the next call.
        assert!(live(program) - before < 1024);
    }
}
