//! Hand-written programs on a GPU: values go there and back, or stay there; failures have their places; nothing is
//! left behind. The device is the one that OpenCL has, which may be a processor (PoCL). Without one there is nothing
//! to try.

use norn_exec::{Array, Cell, Column, Elements, Ended, Exec, Values};
use norn_ir::failure::Failure;
use norn_ir::imp::parse::parse;
use norn_ir::imp::print::print;
use norn_ir::imp::verify::expect_valid;
use norn_ir::imp::{DataId, Scalar};
use norn_runtime::cpu::{Cpu, CpuOptions};
use norn_runtime::gpu::{Api, Gpu, GpuOptions, Which};
use norn_runtime::{Canceller, RuntimeError};
use norn_values::Data;
use std::borrow::Cow;
use std::num::NonZero;
use std::sync::{Arc, Mutex};

const PROGRAMS: &str = include_str!("gpu.imp");
const LIMIT: u64 = 1 << 28;

/// The devices, if they are there.
fn devices() -> Option<(Arc<Cpu>, Arc<Gpu>)> {
    let cpu = match Cpu::new(CpuOptions { threads: NonZero::new(2), memory_limit: Some(LIMIT), quick: true })
    {
        Ok(cpu) => Arc::new(cpu),
        Err(RuntimeError::NoCompiler(_)) => return None,
        Err(error) => panic!("{error}"),
    };
    match Gpu::new(GpuOptions { which: Which::usual(Api::OpenCl), memory_limit: Some(LIMIT) }) {
        Ok(gpu) => Some((cpu, Arc::new(gpu))),
        Err(error @ RuntimeError::NoDevice { .. }) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// What `work` makes of the programs, if there is a device. All memory is free at the end.
fn with_programs(work: impl FnOnce(&Exec)) {
    // The memory that is in use is counted, so one at a time.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let Some((cpu, gpu)) = devices() else { return };
    let prog = parse(PROGRAMS).unwrap_or_else(|error| panic!("{error}"));
    expect_valid(&prog, "gpu.imp");
    let exec = Exec::new(cpu, Some(gpu.clone()), &prog).unwrap_or_else(|error| panic!("{error}"));
    work(&exec);
    assert_eq!(exec.forget(), 0, "blocks are left");
    drop(exec);
    assert_eq!(gpu.memory_live(), 0, "memory of the GPU is left");
}

fn number(exec: &Exec, entry: &str) -> usize {
    let found = exec.interface().entries.iter().position(|found| found.name == entry);
    found.expect("an entry point")
}

fn values<'a>(columns: &[Column<'a>]) -> Values<'a> {
    Values { columns: columns.to_vec(), cells: Vec::new() }
}

fn call(exec: &Exec, entry: &str, columns: &[Column]) -> Vec<Column<'static>> {
    match exec.call(number(exec, entry), &values(columns), &Canceller::default()) {
        Ok(outcome) => outcome.values.columns,
        Err(ended) => panic!("{ended:?}"),
    }
}

fn failure(exec: &Exec, entry: &str, columns: &[Column]) -> Failure {
    match exec.call(number(exec, entry), &values(columns), &Canceller::default()) {
        Err(Ended::Failed(failure)) => failure,
        Err(Ended::Cancelled) => panic!("it was cancelled"),
        Ok(outcome) => panic!("{:?}", outcome.values),
    }
}

fn array(data: Data) -> Array<'static> {
    Array::regular(&[data.len()], Cow::Owned(data)).expect("an array")
}

fn ints(elements: &[i32]) -> Column<'static> {
    Column::Array(array(Data::I32(elements.to_vec())))
}

fn rows(offsets: &[i64], elements: &[i32]) -> Array<'static> {
    let dims = vec![Some(offsets.len() - 1), None];
    let elements = Elements::Prim(Cow::Owned(Data::I32(elements.to_vec())));
    Array::new(dims, vec![Cow::Owned(offsets.to_vec())], elements).expect("an array")
}

/// What is held, here.
fn fetch(column: &Column) -> Column<'static> {
    match column {
        Column::Held(held) => Column::Array(held.fetch().expect("an array")),
        other => panic!("{other:?} is not held"),
    }
}

#[test]
fn arrays_go_there_and_back() {
    with_programs(|exec| {
        let many: Vec<i32> = (0..100_000).collect();
        let negative: Vec<i32> = many.iter().map(|x| -x).collect();
        assert_eq!(call(exec, "negated", &[ints(&many)]), [ints(&negative)]);
        assert_eq!(call(exec, "negated", &[ints(&[])]), [ints(&[])]);
        let bools = Column::Array(array(Data::Bool(vec![true, false, true])));
        assert_eq!(call(exec, "same", &[ints(&[1, 2, 3]), bools.clone()]), [bools]);
        // Another entry point of the same program has its arrays here.
        assert!(exec.takes_held(number(exec, "negated")) && !exec.takes_held(number(exec, "first")));
        assert_eq!(call(exec, "first", &[ints(&[7, 8])]), [Column::Scalar(Scalar::I32(7))]);
    });
}

#[test]
fn what_is_overwritten_is_a_copy() {
    with_programs(|exec| {
        let given = ints(&[1, 2, 3]);
        assert_eq!(call(exec, "cleared", std::slice::from_ref(&given)), [ints(&[0, 0, 0])]);
        assert_eq!(given, ints(&[1, 2, 3]));
        let Column::Array(array) = &given else { panic!() };
        let held = Column::Held(exec.hold(array).expect("a held array"));
        assert_eq!(call(exec, "cleared", std::slice::from_ref(&held)), [ints(&[0, 0, 0])]);
        assert_eq!(fetch(&held), given);
    });
}

#[test]
fn irregular_arrays_go_there_and_back() {
    with_programs(|exec| {
        // Offsets that do not begin with 0 come out so that they do.
        let given = rows(&[0, 2, 2, 5], &[1, 2, 3, 4, 5]);
        let expected = [Column::Array(rows(&[0, 0, 3], &[3, 4, 5]))];
        assert_eq!(call(exec, "tail", &[Column::Array(given.clone())]), expected);
        let held = Column::Held(exec.hold(&given).expect("a held array"));
        assert_eq!(call(exec, "tail", std::slice::from_ref(&held)), expected);
        assert_eq!(fetch(&held), Column::Array(given));
        let one = Column::Array(rows(&[0, 0], &[]));
        assert_eq!(call(exec, "tail", &[one]), [Column::Array(rows(&[0], &[]))]);
    });
}

#[test]
fn refs_go_there_and_cells_stay_here() {
    with_programs(|exec| {
        let refs = |cells: &[u32]| {
            let elements = Elements::Ref(Cow::Owned(cells.to_vec()));
            Column::Array(Array::new(vec![Some(cells.len())], Vec::new(), elements).expect("an array"))
        };
        let cell = |constr, fields| Cell { data: DataId(0), constr, fields };
        let cells = vec![cell(0, vec![Column::Scalar(Scalar::I32(5)), Column::Ref(1)]), cell(1, vec![])];
        let given = Values { columns: vec![refs(&[0, 1, 0])], cells: cells.clone() };
        let never = Canceller::default();
        let found = exec.call(number(exec, "lists"), &given, &never).expect("lists").values;
        assert_eq!((found.columns, found.cells), (vec![refs(&[0, 1, 0])], cells));
        let Column::Array(array) = &given.columns[0] else { panic!() };
        assert!(exec.hold(array).is_none());
    });
}

#[test]
fn results_stay_where_they_are() {
    with_programs(|exec| {
        let (negated, never) = (number(exec, "negated"), Canceller::default());
        let Column::Array(array) = ints(&[1, 2, 3]) else { panic!() };
        let held = Column::Held(exec.hold(&array).expect("a held array"));
        let once =
            exec.call_holding(negated, &values(std::slice::from_ref(&held)), &never).expect("a result");
        let traffic = once.traffic.expect("traffic");
        let once = once.values.columns;
        assert_eq!((traffic.launches, traffic.bytes_to_device, traffic.bytes_from_device), (1, 0, 0));
        let twice = exec.call_holding(negated, &values(&once), &never).expect("a result").values.columns;
        drop(held);
        // A failure takes nothing along that is held.
        failure(exec, "refuse", &twice);
        assert_eq!(fetch(&once[0]), ints(&[-1, -2, -3]));
        assert_eq!(fetch(&twice[0]), ints(&[1, 2, 3]));
        assert!(exec.time(negated, &values(&twice), &never).is_ok());
        let rows = Column::Array(rows(&[0, 1, 2], &[1, 2]));
        let tail = exec.call_holding(number(exec, "tail"), &values(&[rows]), &never).expect("a result");
        assert!(matches!(&tail.values.columns[..], [Column::Array(_)]), "rows are fetched");
    });
}

#[test]
fn failures_have_their_places() {
    with_programs(|exec| {
        let (index, never) = (|i| Column::Scalar(Scalar::I64(i)), Canceller::default());
        let found = failure(exec, "at", &[ints(&[1, 2]), index(2)]);
        assert_eq!(found.message, "Index 2 is out of bounds for a dimension of length 2.");
        assert_eq!((found.span.lo, found.span.hi), (3, 4));
        assert_eq!(call(exec, "at", &[ints(&[1, 2]), index(1)]), [Column::Scalar(Scalar::I32(2))]);
        // Of the functions that were called, one was made by the compiler.
        let found = failure(exec, "refuse", &[ints(&[])]);
        assert_eq!((found.message.as_str(), found.span.lo), ("Never.", 9));
        let names: Vec<&str> = found.trace.iter().map(|frame| frame.function.as_str()).collect();
        assert_eq!(names, ["inner"]);
        let found = failure(exec, "large", &[index(1 << 30)]);
        let (start, end) = ("Cannot allocate 4.0 GiB on the GPU: ", " of at most 256.0 MiB are in use.");
        assert!(found.message.starts_with(start) && found.message.ends_with(end), "{}", found.message);
        assert!(exec.call(number(exec, "large"), &values(&[index(10)]), &never).is_ok());
    });
}

#[test]
fn a_compiled_program_is_found_again() {
    with_programs(|exec| {
        let interface = parse(&print(exec.interface())).unwrap_or_else(|error| panic!("{error}"));
        let Some((cpu, gpu)) = devices() else { return };
        let again = Exec::restore(cpu, Some(gpu), interface, exec.code().clone());
        // Where there is no cache nothing is found.
        if let Some(again) = again {
            assert_eq!(call(&again, "negated", &[ints(&[1, 2])]), [ints(&[-1, -2])]);
        }
    });
}
