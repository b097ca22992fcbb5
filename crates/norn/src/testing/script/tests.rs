//! What scripts mean, with a small program to call.

use super::*;
use crate::engine::{Backend, Engine, show};
use crate::testing::blocks::BlockError;
use crate::with_large_stack;
use std::path::Path;

const PROGRAM: &str = "
type point = {x: f32, y: f32}
entry add (x: i32) (y: i32) : i32 = x + y
entry count (n: i64) : []i64 = iota n
entry total (xs: []i32) : i32 = i32.sum xs
entry total_wide (xs: []i64) : i64 = i64.sum xs
entry matrix (n: i64) (m: i64) : [][]i64 = tabulate_2d n m (\\i j -> 10 * i + j)
entry both (x: i32) : (i32, bool) = (x, x > 0)
entry make_point (x: f32) (y: f32) : point = {x, y}
entry norm (p: point) : f32 = p.x * p.x + p.y * p.y
entry norms (ps: []point) : []f32 = map (\\p -> p.x * p.x + p.y * p.y) ps
entry inner (t: (i32, {a: i32, b: (i8, bool)})) : i32 = t.0 + t.1.a + i32.i8 t.1.b.0
entry answer : i32 = 42
entry bytes (s: []u8) : i64 = length s
entry fail (x: i32) : i32 = assert (x > 0) x
entry small (x: i8) : i8 = x
entry seeded (seed: u64) : u64 = seed
";

/// What a script is, as text; or the message and the place that is wrong.
fn eval(script: &str) -> Result<String, (String, String)> {
    eval_in(Path::new(""), script)
}

fn eval_in(folder: &Path, script: &str) -> Result<String, (String, String)> {
    with_large_stack("test", || {
        let error_at = |e: BlockError| (e.message, script[e.at].to_string());
        let exp = parse_script(script).map_err(error_at)?;
        let (engine, _) = Engine::from_source("test.fut", PROGRAM, Backend::Interp).unwrap();
        let mut evaluator = Evaluator { engine: &engine, folder };
        let value = evaluator.eval(&exp).map_err(error_at)?;
        Ok(print(&engine, &value))
    })
}

fn print(engine: &Engine, value: &Val) -> String {
    let all = |values: &[Val]| values.iter().map(|v| print(engine, v)).collect::<Vec<_>>().join(", ");
    match value {
        Val::Const(value) => value.to_string(),
        Val::Item(item) => show(engine, item, 100),
        Val::Tuple(parts) => format!("({})", all(parts)),
        Val::Record(fields) => {
            let field = |(name, value): &(String, Val)| format!("{name} = {}", print(engine, value));
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Val::Array(rows) => format!("[{}]", all(rows)),
        Val::Function(entry, args) => format!("{entry} {}", all(args)).trim_end().into(),
    }
}

#[track_caller]
fn is(script: &str, expected: &str) {
    assert_eq!(eval(script).as_deref(), Ok(expected), "{script}");
}

#[track_caller]
fn fails(script: &str, at: &str, message: &str) {
    let (found, place) = eval(script).unwrap_err();
    assert!(found.contains(message), "{script}: {found}");
    assert_eq!(place, at, "{script}: {found}");
}

#[test]
fn constants() {
    is("5", "5i32");
    is("[1i8, -2]", "[1i8, -2i8]");
    is("(1.5f32, true, \"ab\")", "(1.5f32, true, [97u8, 98u8])");
    is("empty([0]i32)", "empty([0]i32)");
    is("{a = 1, 1 = f32.nan}", "{a = 1i32, 1 = f32.nan}");
    is("()", "()");
    is("(1,)", "1i32");
}

#[test]
fn calls() {
    is("add 1 2", "3");
    is("add (add 1 2) answer", "45");
    is("answer", "42");
    is("count 3", "[0, 1, 2]");
    is("add (1, 2)", "3");
    is("add 1", "add 1i32");
    is("let f = add 1 in f 2", "3");
    is("bytes \"abc\"", "3");
}

#[test]
fn variables_hide_entry_points() {
    is("let x = 2 in add x x", "4");
    is("let answer = 1 in answer", "1i32");
    is("let (a, b) = both 3 in (b, a)", "(true, 3)");
    is("let x = 1 let y = 2 in add x y", "3");
    fails("let (a, b, c) = both 3 in a", "let (a, b, c) = both 3 in a", "3 names for a tuple of 2");
}

#[test]
fn integer_constants_adapt() {
    is("make_point 1 2", "{x = 1.0, y = 2.0}");
    is("total_wide [1, 2, 3]", "6");
    is("small 5i64", "5");
    is("seeded 7", "7");
    fails("small 300", "small 300", "300i32 is not within the range of i8");
    fails("seeded (-1)", "seeded (-1)", "-1i32 is not within the range of u64");
    fails("add 1.5 2", "add 1.5 2", "expected a value of type i32, found f64");
    fails("count answer", "count answer", "expected a value of type i64, found i32");
}

#[test]
fn records_and_tuples_fit() {
    is("norm {y = 3, x = 4}", "25.0");
    is("norm (make_point 1 1)", "2.0");
    is("inner (1, {a = 2, b = (3, true)})", "6");
    is("norms [{x = 1, y = 2}, make_point 3 4]", "[5.0, 25.0]");
    fails("norm {x = 1}", "norm {x = 1}", "a record without the field `y`");
    fails("norm {x = 1, y = 2, z = 3}", "norm {x = 1, y = 2, z = 3}", "a record with a field `z`");
}

#[test]
fn parts_are_taken_out() {
    is("(make_point 1 2).y", "2.0");
    is("let p = both 5 in p.1", "true");
    is("{a = (1, 2)}.a.0", "1i32");
    is("let m = matrix 2 3 in m[1, 2]", "12");
    is("let m = matrix 2 3 in m[1]", "[10, 11, 12]");
    is("let xs = [1, 2] in xs[1]", "2i32");
    fails("let m = matrix 2 3 in m[2]", "m[2]", "out of bounds");
    fails("(1, 2).2", "(1, 2).2", "no field `2`");
}

#[test]
fn arrays_of_expressions() {
    is("[add 1 2, answer]", "[3, 42]");
    is("[count 2, count 2]", "[[0, 1], [0, 1]]");
    is("[count 1, count 2]", "[[0], [0, 1]]");
}

#[test]
fn files_are_read_and_written() {
    let folder = tempfile::TempDir::new().unwrap();
    let is = |script: &str, expected: &str| {
        assert_eq!(eval_in(folder.path(), script).as_deref(), Ok(expected), "{script}");
    };
    std::fs::write(folder.path().join("two"), "1i64 [2.5]").unwrap();
    is("$loaddata \"two\"", "(1i64, [2.5f64])");
    is("let (n, _) = $loaddata \"two\" in count n", "[0]");
    is("$loadbytes \"two\"", "[49u8, 105u8, 54u8, 52u8, 32u8, 91u8, 50u8, 46u8, 53u8, 93u8]");
    is("$store \"one\" (count 3)", "()");
    is("total_wide ($restore \"[]i64\" \"one\")", "3");
}

#[test]
fn errors_have_places() {
    fails("add 1 (nothing 2)", "nothing 2", "There is no entry point or variable `nothing`.");
    fails("let x = 1 in x 2", "x 2", "no function");
    fails("add 1 2 3", "add 1 2 3", "takes 2 arguments, but here are 3");
    fails("add 1 (fail 0)", "fail 0", "The call of `fail` failed.");
    fails("$nothing 1", "$nothing 1", "There is no function `$nothing`");
    fails("$loaddata \"nowhere\"", "$loaddata \"nowhere\"", "cannot be read");
    fails("(1", "", "Expected `)`, found the end.");
    fails("1 2", "2", "Expected the end of the script");
    fails("let = 1 in 2", "=", "Expected a name");
    fails("[]", "]", "Expected an expression");
    fails(&"(".repeat(10_000), "", "nests too deeply");
}
