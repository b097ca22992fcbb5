//! Typed functions in Rust: the module of the program in examples/embed/rust, as its build script makes it. Values of all kinds go in and come out.

use crate::stats::{Point, Program, SummaryResult};
use ndarray::{Array2, array, s};
use norn::engine::Backend;
use norn::{CallError, Context};
use std::path::Path;

mod stats {
    include!("stats.txt");
}

/// `BLESS=1` writes it.
#[test]
fn the_module_is_what_a_build_script_makes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (text, files) =
        norn::bindings::module(&folder.join("../../examples/embed/rust/src/stats.fut")).expect("no errors");
    // Wherever the repository is.
    let text = text.replace(&format!("{}/../../examples/embed/rust/", folder.display()), "");
    assert_eq!(files.len(), 2);
    let golden = folder.join("tests/bindings/stats.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&golden, &text).expect("it can be written");
    }
    assert_eq!(std::fs::read_to_string(golden).expect("it is there"), text);
    let faulty = norn::bindings::module(&folder.join("../../tests/errors/E0801/derivative_of_cells.fut"));
    assert!(faulty.is_err());
}

fn programs() -> Vec<Program> {
    let interpreted = Program::load(Backend::Interp).expect("the program is right");
    vec![interpreted, Program::load(&Context::default()).expect("the program is right")]
}

#[test]
fn records_are_structs_and_tuples_are_tuples() {
    for program in programs() {
        let points = array![[0.0, 0.0], [6.0, 8.0]];
        let SummaryResult { mean, distances } = program.summary(points.view()).expect("a result");
        assert_eq!((mean, distances), (Point { x: 3.0, y: 4.0 }, array![5.0, 5.0]));
        let (a, b) = (Point { x: 1.0, y: 1.0 }, Point { x: 4.0, y: 5.0 });
        assert_eq!(program.between(&a, &b).expect("a result"), 5.0);
        assert_eq!(program.totals(array![2, 3, 7].view()).expect("a result"), (12, 42, 3));
    }
}

#[test]
fn views_need_not_be_contiguous() {
    for program in programs() {
        let rows = Array2::from_shape_fn((3, 4), |(i, j)| (4 * i + j) as f32);
        assert_eq!(program.scale(2.0, rows.view()).expect("a result"), &rows * 2.0);
        assert_eq!(program.scale(0.5, rows.t()).expect("a result"), &rows.t() * 0.5);
        let some = rows.slice(s![..;2, 1..3]);
        assert_eq!(program.scale(-1.0, some).expect("a result"), -&some);
        assert_eq!(program.scale(1.0, Array2::zeros((0, 4)).view()).expect("a result").dim(), (0, 4));
    }
}

#[test]
fn other_values_are_passed_on() {
    for program in programs() {
        let circle = program.circle(2.0).expect("a result");
        assert_eq!(program.area(&circle).expect("a result"), 4.0 * std::f32::consts::PI);
    }
}

#[test]
fn errors_are_values() {
    for program in programs() {
        let failed = program.pick(array![1, 2].view(), 2);
        assert!(
            matches!(failed, Err(CallError::Failed(failure)) if failure.message.contains("out of bounds"))
        );
        assert_eq!(program.pick(array![1, 2].view(), 1).expect("a result"), 2);
    }
}
