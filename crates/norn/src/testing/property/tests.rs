//! Properties that hold, and the counterexamples of those that do not.

use super::*;
use crate::engine::Backend;
use crate::with_large_stack;

const PROGRAM: &str = "
type point = {x: i8, y: i8}
#[prop] entry holds (xs: []i32) = and (map2 (==) (reverse (reverse xs)) xs)
#[prop] entry small (x: i32) = x < 1000
#[prop] entry short (xs: []u8) = length xs < 3
#[prop] entry sorted (xs: []i32) = and (map (\\i -> i == 0 || xs[i - 1] <= xs[i]) (indices xs))
#[prop] entry positive (p: {a: i16, b: (bool, []f32)}) = p.a >= 0
#[prop] entry points (ps: []point) = all (\\p -> p.x != 0 || p.y == 0) ps
#[prop] entry same_length [n] (t: ([n]i32, [n]bool)) =
  all (\\x -> x < 10) (map2 (\\x b -> if b then x else 0) t.0 t.1)
type either = #left i32 | #right bool
#[prop] entry left (e: either) = match e case #left _ -> true case #right b -> b
#[prop] entry fails (x: i32) = assert (x != x) true

entry make (size: i64) (seed: u64) : []i64 = map (+ i64.u64 (seed & 1)) (iota size)
#[prop(gen(make), size(7))] entry made (xs: []i64) = length xs < 3
entry halve (x: i32) (_: u64) : i32 = x / 2
#[prop(shrink(halve))] entry halved (x: i32) = x < 1000 && x > -1000
entry stuck (x: i32) (_: u64) : i32 = x
#[prop(shrink(stuck))] entry stuck_prop (x: i32) = x < 0 && x > 0
entry broken (x: i32) (r: u64) : i32 = assert (r == 0) x
#[prop(shrink(broken))] entry broken_prop (x: i32) = x > 0 && x < 0

entry no_attribute (x: i32) = x == x
#[prop] entry no_bool (x: i32) = x
#[prop] entry two (x: i32) (y: i32) = x == y
#[prop(gen(nowhere))] entry no_generator (x: i32) = x == x
#[prop(gen(halve))] entry wrong_generator (x: i32) = x == x
#[prop(shrnk(halve))] entry misspelt (x: i32) = x == x
";

fn check(name: &str) -> Result<(), String> {
    with_large_stack("test", || {
        let (engine, _) = Engine::from_source("test.fut", PROGRAM, Backend::Interp).unwrap();
        check_property(&engine, name, PropertyOptions::default())
    })
}

#[track_caller]
fn counterexample(name: &str, expected: &str) {
    let why = check(name).unwrap_err();
    let line = why.lines().find_map(|line| line.strip_prefix("counterexample: "));
    let value = line.and_then(|line| line.split(", of type ").next());
    assert_eq!(value, Some(expected), "{why}");
}

#[track_caller]
fn refused(name: &str, expected: &str) {
    let why = check(name).unwrap_err();
    assert!(why.contains(expected), "{why}");
}

#[test]
fn a_property_that_holds_passes() {
    assert_eq!(check("holds"), Ok(()));
}

#[test]
fn counterexamples_are_made_small() {
    counterexample("small", "1000i32");
    counterexample("short", "[0, 0, 0]");
    counterexample("sorted", "[1, 0]");
    counterexample("positive", "{a = -1, b = (false, [])}");
    counterexample("points", "[{x = 0, y = 1}]");
    counterexample("same_length", "([10], [true])");
    counterexample("left", "#right false");
}

#[test]
fn generators_and_shrinkers_are_called() {
    counterexample("made", "[1, 2, 3]");
    let why = check("halved").unwrap_err();
    let found: i32 = why
        .lines()
        .find_map(|l| l.strip_prefix("counterexample: ")?.strip_suffix("i32")?.parse().ok())
        .unwrap();
    assert!((1000..2000).contains(&found.abs()), "{why}");
    assert!(check("stuck_prop").unwrap_err().contains("counterexample: "));
    refused("broken_prop", "The shrinker `broken` failed, and ours was used instead.");
    counterexample("broken_prop", "0i32");
}

#[test]
fn a_property_that_fails_is_not_one_that_does_not_hold() {
    let why = check("fails").unwrap_err();
    assert!(why.starts_with("It fails.\ncandidate: "), "{why}");
    assert!(why.contains("error: "), "{why}");
}

#[test]
fn properties_must_have_the_right_type() {
    refused("nowhere", "There is no entry point");
    refused("no_attribute", "no attribute `#[prop]`");
    refused("no_bool", "is of type i32");
    refused("two", "this one has 2");
    refused("no_generator", "The generator `nowhere` is no entry point.");
    refused("wrong_generator", "expected: i64 -> u64 -> i32\n   found: i32 -> u64 -> i32");
    refused("misspelt", "not `shrnk(halve)`");
}

#[test]
fn the_seed_decides_what_is_tried() {
    assert_eq!(check("small"), check("small"));
}
