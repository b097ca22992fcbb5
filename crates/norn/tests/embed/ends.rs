//! How calls end that have no result: errors are values, and what comes after them is not affected.

use super::*;
use norn::engine::Canceller;
use norn::{Argument, CallError, CallOptions, CompileError};
use std::time::{Duration, Instant};

fn call_forever(program: &Program, options: &CallOptions) -> CallError {
    let one: Handle = Value::scalar(1i64).into();
    let called = program.entry("forever").unwrap().call_with(&[Argument::from(&one)], options);
    called.map(|called| called.time).unwrap_err()
}

/// Nothing of an earlier call is left.
fn goes_on(program: &Program) {
    let sum = value(program, "add", &[&Value::scalar(1i32).into(), &Value::scalar(2i32).into()]);
    assert_eq!(sum.as_scalar::<i32>(), Some(3));
}

#[test]
fn a_call_is_cancelled_from_another_thread() {
    for program in &programs() {
        let canceller = Canceller::default();
        let options = CallOptions { canceller: Some(canceller.clone()), time_limit: None };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(30));
                canceller.cancel();
            });
            assert!(matches!(call_forever(program, &options), CallError::Cancelled));
        });
        // It stays used; other calls are none of its business.
        assert!(matches!(call_forever(program, &options), CallError::Cancelled));
        goes_on(program);
    }
}

#[test]
fn a_call_ends_at_its_time_limit() {
    for program in &programs() {
        let limit = Duration::from_millis(50);
        let options = CallOptions { canceller: None, time_limit: Some(limit) };
        let begin = Instant::now();
        let error = call_forever(program, &options);
        assert!(matches!(error, CallError::TimedOut(found) if found == limit), "{error}");
        assert_eq!(error.to_string(), "The program was stopped: it took longer than 50ms.");
        assert!(begin.elapsed() >= limit);
        goes_on(program);
        // A call that ends before is not affected.
        let args: [Handle; 2] = [Value::scalar(1i32).into(), Value::scalar(2i32).into()];
        let args: Vec<Argument> = args.iter().map(Argument::from).collect();
        let long = CallOptions { canceller: None, time_limit: Some(Duration::from_secs(3600)) };
        assert!(program.entry("add").unwrap().call_with(&args, &long).is_ok());
    }
}

/// Calls of one program on a GPU wait for each other; one that waits can be ended, too.
#[test]
fn one_who_waits_for_another_call_is_stopped() {
    for program in &programs() {
        let (long, short) = (Canceller::default(), Duration::from_millis(50));
        std::thread::scope(|scope| {
            let first = scope.spawn(|| {
                call_forever(program, &CallOptions { canceller: Some(long.clone()), time_limit: None })
            });
            let options = CallOptions { canceller: None, time_limit: Some(short) };
            assert!(matches!(call_forever(program, &options), CallError::TimedOut(_)));
            long.cancel();
            assert!(matches!(first.join().unwrap(), CallError::Cancelled));
        });
    }
}

#[test]
fn arguments_that_do_not_fit_are_errors() {
    for program in &programs() {
        let add = program.entry("add").unwrap();
        let one: Handle = Value::scalar(1i32).into();
        let error = add.call(&[&one]).unwrap_err();
        assert_eq!(error.to_string(), "The entry point `add` takes 2 arguments, but got 1.");
        let error = add.call(&[&one, &floats(vec![1.0])]).unwrap_err();
        let expected = "The argument `y` of the entry point `add` must be of type i32, but is of type []f32.";
        assert_eq!(error.to_string(), expected);
        assert!(program.entry("nothing").is_none());
    }
}

#[test]
fn errors_of_a_program_are_values() {
    let faulty = Program::from_source("faulty.fut", "entry main = 1 + true", Backend::Interp).unwrap_err();
    assert!(matches!(faulty, CompileError::Rejected(_)), "{faulty}");
    let missing = Program::load("no/such/file.fut", Backend::Interp).unwrap_err();
    assert!(matches!(missing, CompileError::Io(_)), "{missing}");
}

/// A panic, here of somebody who looks on, is an error of the call, even if it comes from inside of compiled code.
#[test]
fn panics_are_errors() {
    for program in &programs() {
        program.engine().observe(|_| panic!("nobody should look"));
        let one: Handle = Value::scalar(1i32).into();
        let error = program.entry("shown").unwrap().call(&[&one]).unwrap_err();
        assert!(matches!(&error, CallError::Bug(said) if said.ends_with("nobody should look")), "{error}");
        goes_on(program);
    }
}
