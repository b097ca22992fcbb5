//! With freedom, a result that the language fixes stays the same, and another one does not.

use norn_interp::{Interp, Value};
use norn_ir::nest::parse::parse;

const SEEDS: u64 = 8;

/// The results of an entry point with several seeds, without those that are the same.
fn results(text: &str, args: &[&str]) -> Vec<Vec<Value>> {
    let read =
        |text: &&str| Value::from_host(&norn_values::read_value(text.as_bytes(), None).expect("a value"));
    let args: Vec<Value> = args.iter().map(read).collect();
    let mut found: Vec<Vec<Value>> = Vec::new();
    let mut interp = Interp::new(parse(text).unwrap_or_else(|error| panic!("{error}")));
    interp.stack_budget(1 << 19);
    for seed in 0..=SEEDS {
        if seed > 0 {
            interp.use_freedom(seed);
        }
        let result = interp.call(0, args.clone()).unwrap_or_else(|failure| panic!("{}", failure.message));
        if !found.contains(&result) {
            found.push(result);
        }
    }
    found
}

fn reduction(ty: &str, op: &str, neutral: &str) -> String {
    format!(
        "type xs = array 1 {ty} columns ([]{ty})
type x = scalar {ty} columns ({ty})

entry main = main (xs: xs) -> x

fun main (n: i64, xs: [n]{ty}) -> {ty} {{
  let r: {ty} = reduce n (xs) neutral ({neutral}{ty}) \\(a: {ty}, b: {ty}) {{ let c: {ty} = {op}.{ty} a b in c }}
  in r
}}"
    )
}

#[test]
fn associative_operators_have_one_result() {
    let xs = "[5i32, 3i32, 8i32, 1i32, 9i32, 4i32, 7i32]";
    for (op, neutral) in [("add", "0"), ("mul", "1"), ("max", "-2147483648"), ("xor", "0")] {
        assert_eq!(results(&reduction("i32", op, neutral), &[xs]).len(), 1, "{op}");
    }
    // Whole numbers, which floats add exactly.
    let floats = "[5.0f64, 3.0f64, 8.0f64, 0.5f64, 9.0f64, 4.0f64, 7.0f64]";
    assert_eq!(results(&reduction("f64", "add", "0.0"), &[floats]).len(), 1);
}

#[test]
fn operators_without_the_laws_have_many() {
    let xs = "[5i32, 3i32, 8i32, 1i32, 9i32, 4i32, 7i32]";
    // It is not associative.
    assert!(results(&reduction("i32", "sub", "0"), &[xs]).len() > 1);
    // This is not its neutral element.
    assert!(results(&reduction("i32", "add", "1"), &[xs]).len() > 1);
    assert!(results(&reduction("i32", "max", "100"), &[xs]).len() > 1);
    let floats = "[0.1f64, 0.2f64, 0.3f64, 0.7f64, 1e9f64, -1e9f64]";
    assert!(results(&reduction("f64", "add", "0.0"), &[floats]).len() > 1);
}

#[test]
fn scans_combine_chunks() {
    let scan = |op: &str| {
        format!(
            "type xs = array 1 i32 columns ([]i32)

entry main = main (xs: xs) -> xs

fun main (n: i64, xs: [n]i32) -> *[n]i32 {{
  let r: [n]i32 = scan n (xs) neutral (0i32) \\(a: i32, b: i32) {{ let c: i32 = {op}.i32 a b in c }}
  in r
}}"
        )
    };
    let xs = "[5i32, 3i32, 8i32, 1i32, 9i32, 4i32, 7i32]";
    assert_eq!(results(&scan("add"), &[xs]).len(), 1);
    assert!(results(&scan("sub"), &[xs]).len() > 1);
}

#[test]
fn any_of_two_writes_to_one_place_wins() {
    let scatter = "type xs = array 1 i32 columns ([]i32)
type is = array 1 i64 columns ([]i64)

entry main = main (dest: xs, is: is, vs: xs) -> xs

fun main (k: i64, n: i64, dest: *[k]i32, is: [n]i64, vs: [n]i32) -> *[k]i32 {
  let r: [k]i32 = scatter n (dest) from (is, vs) \\(i: i64, v: i32) { in i, v }
  in r
}";
    let dest = "[0i32, 0i32, 0i32]";
    assert_eq!(results(scatter, &[dest, "[2i64, 0i64]", "[7i32, 8i32]"]).len(), 1);
    assert_eq!(results(scatter, &[dest, "[1i64, 1i64]", "[7i32, 8i32]"]).len(), 2);
}

#[test]
fn bins_may_be_combined_with_the_neutral_element() {
    let hist = |neutral: &str| {
        format!(
            "type xs = array 1 i32 columns ([]i32)
type is = array 1 i64 columns ([]i64)

entry main = main (dest: xs, is: is, vs: xs) -> xs

fun main (k: i64, n: i64, dest: *[k]i32, is: [n]i64, vs: [n]i32) -> *[k]i32 {{
  let r: [k]i32 = hist n (dest) from (is, vs) \\(i: i64, v: i32) {{ in i, v }}
    reduce commutative neutral ({neutral}i32) \\(a: i32, b: i32) {{ let c: i32 = max.i32 a b in c }}
  in r
}}"
        )
    };
    let (dest, is, vs) = ("[-5i32, -6i32]", "[1i64]", "[7i32]");
    assert_eq!(results(&hist("-2147483648"), &[dest, is, vs]).len(), 1);
    assert!(results(&hist("0"), &[dest, is, vs]).len() > 1);
}
