//! Hand-written programs on the processor: values in and out, failures with their places, nothing left behind. Without a
//! C compiler there is nothing to try.

use norn_exec::{Array, Cell, Column, Elements, Ended, Exec, NOWHERE, Values};
use norn_ir::failure::Failure;
use norn_ir::imp::parse::parse;
use norn_ir::imp::{DataId, Scalar};
use norn_runtime::cpu::{Cpu, CpuOptions};
use norn_runtime::{Canceller, RuntimeError};
use norn_values::Data;
use std::borrow::Cow;
use std::num::NonZero;
use std::sync::{Arc, Mutex};

const PROGRAMS: &str = include_str!("programs.imp");

/// What `work` makes of the programs, if there is a compiler. The blocks that nobody released are counted at the end.
fn with_programs(work: impl FnOnce(&Exec)) {
    // The memory that is in use is counted, so one at a time.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let cpu =
        match Cpu::new(CpuOptions { threads: NonZero::new(3), memory_limit: Some(1 << 28), quick: true }) {
            Ok(cpu) => Arc::new(cpu),
            Err(RuntimeError::NoCompiler(_)) => return,
            Err(error) => panic!("{error}"),
        };
    let prog = parse(PROGRAMS).unwrap_or_else(|error| panic!("{error}"));
    let exec = Exec::new(cpu, None, &prog).unwrap_or_else(|error| panic!("{error}"));
    work(&exec);
    assert_eq!(exec.forget(), 0, "blocks are left");
}

fn call<'a>(exec: &Exec, entry: &str, columns: Vec<Column<'a>>) -> Result<Values<'static>, Ended> {
    call_with(exec, entry, Values { columns, cells: Vec::new() })
}

fn call_with(exec: &Exec, entry: &str, values: Values) -> Result<Values<'static>, Ended> {
    let number = exec.interface().entries.iter().position(|found| found.name == entry);
    exec.call(number.expect("an entry point"), &values, &Canceller::default()).map(|outcome| outcome.values)
}

fn failure(exec: &Exec, entry: &str, columns: Vec<Column>) -> Failure {
    match call(exec, entry, columns) {
        Err(Ended::Failed(failure)) => failure,
        other => panic!("{other:?}"),
    }
}

fn i32(x: i32) -> Column<'static> {
    Column::Scalar(Scalar::I32(x))
}

fn i64(x: i64) -> Column<'static> {
    Column::Scalar(Scalar::I64(x))
}

fn ints(dims: &[usize], elements: &[i32]) -> Column<'static> {
    Column::Array(Array::regular(dims, Cow::Owned(Data::I32(elements.to_vec()))).expect("an array"))
}

fn irregular(dims: &[Option<usize>], offsets: &[&[i64]], elements: &[i32]) -> Column<'static> {
    let offsets = offsets.iter().map(|level| Cow::Owned(level.to_vec())).collect();
    let elements = Elements::Prim(Cow::Owned(Data::I32(elements.to_vec())));
    Column::Array(Array::new(dims.to_vec(), offsets, elements).expect("an array"))
}

fn refs(cells: &[u32]) -> Column<'static> {
    let cells = Elements::Ref(Cow::Owned(cells.to_vec()));
    Column::Array(Array::new(vec![Some(cells.len())], Vec::new(), cells).expect("an array"))
}

#[test]
fn scalars_and_arrays_go_in_and_out() {
    with_programs(|exec| {
        let negated = call(exec, "negate", vec![i32(5), Column::Scalar(Scalar::Bool(true))]);
        assert_eq!(negated.unwrap().columns, [i32(-5)]);
        let matrix = ints(&[2, 3], &[1, 2, 3, 4, 5, 6]);
        let transposed = call(exec, "transpose", vec![matrix.clone()]).unwrap().columns;
        assert_eq!(transposed, [ints(&[3, 2], &[1, 4, 2, 5, 3, 6])]);
        assert_eq!(call(exec, "transpose", transposed).unwrap().columns, [matrix]);
        let empty = call(exec, "transpose", vec![ints(&[0, 4], &[])]).unwrap().columns;
        assert_eq!(empty, [ints(&[4, 0], &[])]);
        // An argument that is returned is a value of its own.
        let same = call(exec, "same", vec![ints(&[1], &[1]), ints(&[1], &[2])]);
        assert_eq!(same.unwrap().columns, [ints(&[1], &[2])]);
    });
}

#[test]
fn what_is_overwritten_is_a_copy() {
    with_programs(|exec| {
        let given = ints(&[3], &[1, 2, 3]);
        assert_eq!(call(exec, "clear", vec![given.clone()]).unwrap().columns, [ints(&[3], &[0, 0, 0])]);
        assert_eq!(given, ints(&[3], &[1, 2, 3]));
    });
}

#[test]
fn irregular_arrays_go_in_and_out() {
    with_programs(|exec| {
        // Offsets that do not begin with 0 come out so that they do.
        let rows = irregular(&[Some(3), None], &[&[0, 2, 2, 5]], &[1, 2, 3, 4, 5]);
        let tail = irregular(&[Some(2), None], &[&[0, 0, 3]], &[3, 4, 5]);
        assert_eq!(call(exec, "tail", vec![rows]).unwrap().columns, [tail]);
        let boxes =
            irregular(&[Some(2), None, Some(2), None], &[&[0, 1, 3], &[0, 1, 1, 3, 3, 3, 4]], &[1, 2, 3, 4]);
        assert_eq!(call(exec, "boxes", vec![boxes.clone()]).unwrap().columns, [boxes]);
        let none = irregular(&[Some(0), None, Some(2), None], &[&[0], &[0]], &[]);
        let found = call(exec, "boxes", vec![none]).unwrap().columns;
        assert_eq!(found, [irregular(&[Some(0), None, Some(0), None], &[&[0], &[0]], &[])]);
    });
}

#[test]
fn cells_go_in_and_out() {
    with_programs(|exec| {
        let nil = Values {
            columns: vec![i32(1), Column::Ref(0)],
            cells: vec![Cell { data: DataId(0), constr: 1, fields: vec![] }],
        };
        let mut list = call_with(exec, "cons", nil).unwrap();
        for x in 2..100 {
            list.columns.insert(0, i32(x));
            list = call_with(exec, "cons", list).unwrap();
        }
        let (mut at, mut expected) = (list.columns[0].clone(), 100);
        loop {
            let Column::Ref(number) = at else { panic!("{at:?}") };
            let cell = &list.cells[number as usize];
            let [x, next, floats, lists, shorts] = &cell.fields[..] else {
                assert_eq!((cell.constr, expected), (1, 1));
                break;
            };
            expected -= 1;
            assert_eq!(*x, i32(expected));
            let Column::Ref(tail) = next else { panic!("{next:?}") };
            let data = |dims: &[usize], data| Column::Array(Array::regular(dims, Cow::Owned(data)).unwrap());
            assert_eq!(*floats, data(&[2], Data::F32(vec![1.5, 2.5])));
            assert_eq!(*shorts, data(&[2], Data::I16(vec![7, 8])));
            let rows = Elements::Ref(Cow::Owned(vec![*tail, NOWHERE, *tail]));
            let rows = Array::new(vec![Some(2), None], vec![Cow::Owned(vec![0, 2, 3])], rows);
            assert_eq!(*lists, Column::Array(rows.unwrap()));
            at = next.clone();
        }
        // Several lists share cells.
        let Column::Ref(first) = list.columns[0] else { panic!() };
        list.columns = vec![refs(&[first, NOWHERE, first])];
        let count = list.cells.len();
        let found = call_with(exec, "lists", list).unwrap();
        assert_eq!(found.cells.len(), count);
        assert_eq!(found.columns, [refs(&[0, NOWHERE, 0])]);
    });
}

#[test]
fn columns_that_do_not_fit_are_refused() {
    with_programs(|exec| {
        for (entry, columns, message) in [
            ("same", vec![], "same takes 2 columns, not 0."),
            ("negate", vec![i64(1), i32(1)], "The argument x has not the type of its parameter."),
            ("transpose", vec![ints(&[1], &[1])], "The argument xs has not the type of its parameter."),
            (
                "same",
                vec![ints(&[1], &[1]), ints(&[2], &[1, 2])],
                "The argument ys has a dimension of size 2, but 1 was expected.",
            ),
        ] {
            assert_eq!(failure(exec, entry, columns).message, message);
        }
    });
}

#[test]
fn failures_have_places_and_traces() {
    with_programs(|exec| {
        let found = failure(exec, "at", vec![ints(&[2], &[1, 2]), i64(2)]);
        assert_eq!(found.message, "Index 2 is out of bounds for a dimension of length 2.");
        assert_eq!((found.span.lo, found.span.hi), (3, 4));
        assert_eq!(found.trace.len(), 1);
        assert_eq!((found.trace[0].function.as_str(), found.trace[0].call.lo), ("inner", 5));
        assert_eq!(failure(exec, "at", vec![ints(&[0], &[]), i64(-1)]).message, "Never.");
        assert_eq!(call(exec, "at", vec![ints(&[2], &[1, 2]), i64(1)]).unwrap().columns, [i32(2)]);
    });
}

#[test]
fn recursion_and_memory_have_limits() {
    with_programs(|exec| {
        assert_eq!(call(exec, "deep", vec![i64(1000)]).unwrap().columns, [i64(1001)]);
        let found = failure(exec, "deep", vec![i64(1 << 40)]);
        assert!(found.message.starts_with("The recursion is too deep: more than "), "{}", found.message);
        assert!(found.omitted > 1000 && found.trace.iter().all(|frame| frame.function == "deep"));
        assert!(call(exec, "large", vec![i64(1000)]).is_ok());
        let found = failure(exec, "large", vec![i64(1 << 30)]);
        let (start, end) = ("Cannot allocate 1.0 GiB: ", " of at most 256.0 MiB are in use.");
        assert!(found.message.starts_with(start) && found.message.ends_with(end), "{}", found.message);
        assert_eq!(found.span.lo, 1);
        for bytes in [-1, i64::MIN, i64::MAX] {
            let found = failure(exec, "large", vec![i64(bytes)]);
            assert_eq!(found.message, "Cannot allocate an array: it would be too large for any memory.");
        }
    });
}

#[test]
fn a_cancelled_program_ends() {
    with_programs(|exec| {
        let deep =
            exec.interface().entries.iter().position(|found| found.name == "deep").expect("an entry point");
        let values = Values { columns: vec![i64(10)], cells: Vec::new() };
        let canceller = Canceller::default();
        canceller.cancel();
        assert!(matches!(exec.call(deep, &values, &canceller), Err(Ended::Cancelled)));
        assert!(exec.call(deep, &values, &Canceller::default()).is_ok());
    });
}

#[test]
fn large_results_stay_where_they_are() {
    with_programs(|exec| {
        let transpose = exec.interface().entries.iter().position(|found| found.name == "transpose").unwrap();
        let never = Canceller::default();
        let hold = |column: Column<'static>| {
            let values = Values { columns: vec![column], cells: Vec::new() };
            exec.call_holding(transpose, &values, &never).expect("a result").values.columns.remove(0)
        };
        let elements: Vec<i32> = (0..200_000).collect();
        let given = ints(&[2, 100_000], &elements);
        let before = exec.cpu().memory().live();
        let transposed = hold(given.clone());
        let Column::Held(held) = &transposed else { panic!("{transposed:?}") };
        assert_eq!((held.dims(), held.gpu().is_none()), (&[Some(100_000), Some(2)][..], true));
        assert_eq!(
            held.host_bytes().map(|bytes| bytes[..8].to_vec()),
            Some(vec![0, 0, 0, 0, 160, 134, 1, 0])
        );
        let again = hold(transposed.clone());
        drop(transposed);
        let Column::Held(held) = &again else { panic!("{again:?}") };
        assert_eq!(Column::Array(held.fetch().unwrap()), given);
        drop(again);
        assert_eq!(exec.cpu().memory().live(), before);
        assert_eq!(hold(ints(&[1, 2], &[1, 2])), ints(&[2, 1], &[1, 2]), "what is small is copied");
    });
}

#[test]
fn several_threads_call_at_the_same_time() {
    with_programs(|exec| {
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for i in 0..200 {
                        let n = 100 * thread + i;
                        assert_eq!(call(exec, "deep", vec![i64(n)]).unwrap().columns, [i64(n + 1)]);
                        let found = failure(exec, "at", vec![ints(&[2], &[1, 2]), i64(2 + n)]);
                        let message =
                            format!("Index {} is out of bounds for a dimension of length 2.", 2 + n);
                        assert_eq!(found.message, message);
                    }
                });
            }
        });
    });
}
