//! What embedders rely on: values in and out, failures with their places, regions that live on.

use norn_base::{FileId, Span};
use norn_interp::{Interp, Value};
use norn_ir::nest::parse::parse;
use norn_ir::nest::{Column, Elem, Prim, Scalar};

fn interp(text: &str) -> Interp {
    let mut interp = Interp::new(parse(text).unwrap_or_else(|error| panic!("{error}")));
    interp.stack_budget(1 << 19);
    interp
}

fn call(interp: &mut Interp, entry: &str, columns: Vec<Value>) -> Result<Vec<Value>, norn_interp::Failure> {
    let index = interp.prog().entries.iter().position(|found| found.name == entry);
    interp.call(index.expect("an entry point"), columns)
}

fn value(text: &str) -> Value {
    Value::from_host(&norn_values::read_value(text.as_bytes(), None).expect("a value"))
}

fn i32_scalar(x: i32) -> Value {
    Value::Scalar(Scalar::I32(x))
}

#[test]
fn values_come_back_from_the_host() {
    for text in ["5i32", "[1.5f32, f32.nan]", "[[true, false]]", "empty([0][2]u8)", "-0.0f64", "[1f16]"] {
        let host = norn_values::read_value(text.as_bytes(), None).expect("a value");
        let own = Value::from_host(&host);
        assert!(own.to_host().is_some_and(|back| back.is_identical(&host)), "{text}");
        assert_eq!(own, own.clone(), "{text}");
        assert_eq!(own.shape(), host.shape());
    }
    assert_ne!(value("0.0f64"), value("-0.0f64"));
}

#[test]
fn arrays_are_taken_apart_and_assembled() {
    let array = value("[[1i32, 2i32], [3i32, 4i32]]");
    let rows: Vec<Value> = (0..2).filter_map(|i| array.index_outer(i)).collect();
    assert_eq!(rows[1], value("[3i32, 4i32]"));
    assert_eq!(array.index_outer(2), None);
    assert_eq!(Value::stack(&rows), Some(array));
    assert_eq!(rows[0].index_outer(1), Some(i32_scalar(2)));
    assert_eq!(Value::stack(&[i32_scalar(1), i32_scalar(2)]), Some(rows[0].clone()));
    assert_eq!(Value::stack(&[]), None);
    assert_eq!(Value::stack(&[i32_scalar(1), value("1i64")]), None);
    assert_eq!(Value::stack(&[value("[1i32]"), value("[1i32, 2i32]")]), None);
}

const ROWS: &str = r#"
type row = opaque columns ([]i32)

type rows = opaque columns ([][?]i32)

type sizes = array 1 i64 columns ([]i64)

entry measure = measure (xss: rows) -> sizes

entry copies = copies (xs: row) -> rows

fun measure (n: i64, xss: [n][?]i32) -> [n]i64 {
  let ks: [n]i64 = lengths xss
  in ks
}

fun copies (n: i64, xs: [n]i32) -> [2][?]i32 {
  let less: i64 = sub.i64 n 1i64
  let tail: [less]i32 = index xs [1i64:less:1i64]
  let both: [2][?]i32 = array (xs, tail)
  in both
}
"#;

#[test]
fn irregular_arrays_go_in_and_out() {
    let mut interp = interp(ROWS);
    let rows = Value::stack_irregular(&[value("[1i32]"), value("[1i32, 2i32]")]).expect("rows");
    assert_eq!(call(&mut interp, "measure", vec![rows]), Ok(vec![value("[1i64, 2i64]")]));
    // A regular array is one whose rows happen to be of one length.
    let regular = value("[[1i32, 2i32], [3i32, 4i32]]");
    assert_eq!(call(&mut interp, "measure", vec![regular]), Ok(vec![value("[2i64, 2i64]")]));
    let column = Column { elem: Elem::Prim(Prim::I32), irregular: vec![false, true] };
    let none = Value::empty(&column).expect("an array");
    assert_eq!(call(&mut interp, "measure", vec![none]), Ok(vec![value("empty([0]i64)")]));

    let found = call(&mut interp, "copies", vec![value("[7i32, 8i32]")]).expect("a result").remove(0);
    assert_eq!(found.shape(), [2]);
    assert_eq!(found.to_host(), None);
    assert_eq!(found.index_outer(1), Some(value("[8i32]")));
}

#[test]
fn columns_that_do_not_fit_are_refused() {
    let mut interp = interp(ROWS);
    for (columns, message) in [
        (vec![], "measure takes 1 columns, not 0."),
        (vec![value("1i32")], "The argument xss has not the type of its parameter."),
        (vec![value("[1i32]")], "The argument xss has not the type of its parameter."),
        (vec![value("[[1i64]]")], "The argument xss has not the type of its parameter."),
    ] {
        let failure = call(&mut interp, "measure", columns).expect_err("a failure");
        assert_eq!(failure.message, message);
    }
}

const LISTS: &str = r#"
data list
  | cons (i32, &list, [?]&list)
  | nil ()

type i32.1 = scalar i32 columns (i32)

type list = opaque columns (&list)

type lists = opaque columns ([]&list)

entry nil = nil () -> list

entry cons = cons (x: i32.1, xs: list) -> list

entry append = append (xs: list, ys: list) -> list

entry all = all (xss: lists) -> i32.1

entry sum = sum (xs: list) -> i32.1

fun nil (r: region) -> &r list {
  let xs: &r list = alloc r list.nil ()
  in xs
}

fun cons (r: region, x: i32, xs: &r list) -> &r list {
  let both: [2]&r list = array (xs, xs)
  let ys: &r list = alloc r list.cons (x, xs, both)
  in ys
}

fun append (r: region, xs: &r list, ys: &r list) -> &r list {
  let t: i8 = tag xs
  let zs: &r list = switch t case 0 {
    let x: i32, rest: &r list, k: i64, both: [k]&r list = load list.cons xs
    let end: &r list = call append (r, rest, ys)
    let us: &r list = call cons (r, x, end)
    in us
  } else {
    in ys
  }
  in zs
}

fun sum (r: region, xs: &r list) -> i32 {
  let t: i8 = tag xs
  let s: i32 = switch t case 0 {
    let x: i32, rest: &r list, k: i64, both: [k]&r list = load list.cons xs
    let rest.2: &r list = index both [1i64]
    let m: i32 = call sum (r, rest.2)
    let n: i32 = add.i32 x m
    in n
  } else {
    in 0i32
  }
  in s
}

fun all (r: region, n: i64, xss: [n]&r list) -> i32 {
  let sums: [n]i32 = map n (xss) \(xs: &r list) {
    let s: i32 = call sum (r, xs)
    in s
  }
  let total: i32 = reduce n (sums) neutral (0i32) \(a: i32, b: i32) {
    let c: i32 = add.i32 a b
    in c
  }
  in total
}
"#;

fn list(interp: &mut Interp, numbers: &[i32]) -> Value {
    let mut xs = call(interp, "nil", vec![]).expect("a list").remove(0);
    for x in numbers.iter().rev() {
        xs = call(interp, "cons", vec![i32_scalar(*x), xs]).expect("a list").remove(0);
    }
    xs
}

#[test]
fn refs_keep_their_regions_and_meet_in_one() {
    let mut interp = interp(LISTS);
    let (xs, ys) = (list(&mut interp, &[1, 2, 3]), list(&mut interp, &[10, 20]));
    assert_eq!(xs.to_host(), None);
    let both = call(&mut interp, "append", vec![xs.clone(), ys.clone()]).expect("a list").remove(0);
    for (list, sum) in [(&xs, 6), (&ys, 30), (&both, 36)] {
        assert_eq!(call(&mut interp, "sum", vec![list.clone()]), Ok(vec![i32_scalar(sum)]));
    }
    assert_eq!(Value::stack(&[xs.clone(), ys.clone()]), None, "two regions");
    let twice = Value::stack(&[xs.clone(), xs.clone()]).expect("an array");
    assert_eq!(twice.index_outer(1), Some(xs));
    assert_eq!(call(&mut interp, "all", vec![twice]), Ok(vec![i32_scalar(12)]));
}

#[test]
fn long_lists_are_copied_without_recursion() {
    let mut interp = interp(LISTS);
    let long = list(&mut interp, &[1; 20_000]);
    let other = list(&mut interp, &[5]);
    // The first argument's region is taken, so the long list is copied into it.
    let both = call(&mut interp, "append", vec![other, long]).expect("a list").remove(0);
    let failure = call(&mut interp, "sum", vec![both]).expect_err("too deep for this stack");
    assert!(failure.message.starts_with("The recursion is too deep: more than "), "{}", failure.message);
    assert!(failure.omitted > 0 && failure.trace.len() == 64);
    assert!(failure.trace.iter().all(|frame| frame.function == "sum"));
}

#[test]
fn failures_say_where_and_by_which_calls() {
    let text = r#"
type i64.1 = scalar i64 columns (i64)

entry main = outer (i: i64.1) -> i64.1

fun outer (i: i64) -> i64 {
  let x: i64 = call inner (i)
  in x
}

fun inner (i: i64) -> i64 {
  let one: bool = lt.i64 i 5i64
  let y: i64 = if one {
    in 0i64
  } else {
    let ok: cert = check index i 5i64
    in 1i64
  }
  in y
}
"#;
    let mut prog = parse(text).unwrap_or_else(|error| panic!("{error}"));
    // As if they had come from a source file.
    let span = |lo: usize| Span::new(FileId(0), lo, lo + 1);
    prog.funs[0].body.stms[0].span = span(10);
    let norn_ir::nest::Exp::Control(norn_ir::nest::ControlExp::If { els, .. }) =
        &mut prog.funs[1].body.stms[1].exp
    else {
        panic!("an if")
    };
    els.stms[0].span = span(20);
    let mut interp = Interp::new(prog);
    let failure = interp.call(0, vec![Value::Scalar(Scalar::I64(7))]).expect_err("a failure");
    assert_eq!(failure.to_string(), "Index 7 is out of bounds for a dimension of length 5.");
    assert_eq!(failure.span, span(20));
    let trace: Vec<(&str, Span)> = failure.trace.iter().map(|f| (f.function.as_str(), f.call)).collect();
    assert_eq!(trace, [("inner", span(10))]);
    assert_eq!(interp.call(0, vec![Value::Scalar(Scalar::I64(4))]), Ok(vec![Value::Scalar(Scalar::I64(0))]));
}

#[test]
fn values_that_violate_their_types_are_found() {
    let text = r#"
type i64.1 = scalar i64 columns (i64)

entry main = main (n: i64.1) -> i64.1

fun main (n: i64) -> i64 {
  let xs: [3]i32 = replicate n 0i32
  let x: i32 = index xs [0i64]
  in n
}
"#;
    let mut interp = interp(text);
    interp.check_types(true);
    let failure = interp.call(0, vec![Value::Scalar(Scalar::I64(4))]).expect_err("a failure");
    assert_eq!(failure.message, "nest type violated: xs of main is [4]i32, but its type is [3]i32.");
    interp.check_types(false);
    assert!(interp.call(0, vec![Value::Scalar(Scalar::I64(4))]).is_ok());
}

#[test]
fn constants_are_computed_once_and_only_if_asked_for() {
    let text = r#"
type i64.1 = scalar i64 columns (i64)

entry main = main (n: i64.1) -> i64.1

entry broken = broken (n: i64.1) -> i64.1

const table

const fault

fun table () -> i64, [#0]i64 {
  let n: i64 = loop (a: i64 = 0i64) for i: i64 < 3i64 {
    let b: i64 = add.i64 a 1i64
    in b
  }
  let xs: [n]i64 = range.i64 n 0i64 1i64
  in n, xs
}

fun fault () -> i64 {
  let ok: cert = check fail "Not this one."
  in 0i64
}

fun main (n: i64) -> i64 {
  let k: i64, xs: [k]i64 = const table
  let own: [k]i64 = copy xs
  let ys: [k]i64 = update own [0i64] n
  let k.2: i64, zs: [k.2]i64 = const table
  let y: i64 = index ys [0i64]
  let z: i64 = index zs [0i64]
  let sum: i64 = add.i64 y z
  in sum
}

fun broken (n: i64) -> i64 {
  let x: i64 = const fault
  in x
}
"#;
    let mut interp = interp(text);
    for _ in 0..2 {
        let found = call(&mut interp, "main", vec![Value::Scalar(Scalar::I64(7))]);
        assert_eq!(found, Ok(vec![Value::Scalar(Scalar::I64(7))]));
    }
    let failure = call(&mut interp, "broken", vec![Value::Scalar(Scalar::I64(7))]).expect_err("a failure");
    assert_eq!((failure.message.as_str(), failure.trace[0].function.as_str()), ("Not this one.", "fault"));
}
