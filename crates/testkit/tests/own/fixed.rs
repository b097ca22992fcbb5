//! What is compared is what the language fixes.

use norn_testkit::fixed::Fixed;
use norn_testkit::nestfuzz::examine::{inputs, lowered};
use norn_testkit::nestfuzz::inputs::Inputs;
use norn_testkit::nestfuzz::outcome::{Outcome, outcomes};
use norn_testkit::nestfuzz::source::{carried_program, indexed_program, rows_program, uneven_program};

/// Of each run of a program, what is fixed.
fn fixed_of(text: &str, seed: u64) -> Vec<Fixed> {
    let prog = lowered(text).unwrap_or_else(|bug| panic!("{bug:?}"));
    let Some(prog) = prog else { return Vec::new() };
    let inputs = inputs(&prog, Inputs::small(seed)).expect("inputs can be made");
    let before = outcomes(&prog, 0, &inputs);
    let fixed = |(outcome, args): (&Outcome, &Vec<norn_interp::Value>)| match outcome {
        Outcome::Values(values) => Fixed::of(&prog, 0, args, Some(values)),
        Outcome::Failed(_) | Outcome::Broken(_) => Fixed::of(&prog, 0, args, None),
    };
    before.iter().zip(&inputs).map(fixed).collect()
}

fn is_whole(fixed: &Fixed) -> bool {
    matches!(fixed, Fixed::Columns(columns) if columns.iter().all(|fixed| *fixed))
}

#[test]
fn generated_programs_are_fixed() {
    for seed in 0..6 {
        for program in [
            rows_program(seed, 8),
            uneven_program(seed, 8),
            carried_program(seed, 8),
            indexed_program(seed, 8),
        ] {
            let text = program.text();
            assert!(fixed_of(&text, seed).iter().all(is_whole), "seed {seed}\n{text}");
        }
    }
}

#[test]
fn what_is_not_fixed_is_found() {
    let twice =
        "entry main (xs: [3]i32) (ys: [3]i32) = (scatter (copy xs) (map (% 2) (iota 3)) ys, i32.sum ys)";
    let broken = "entry main (xs: [3]i32) (ys: [3]i32) = (reduce (-) 0 (xs ++ ys), i32.sum ys)";
    let grows = "entry main (xs: [3]i32) (ys: [3]i32) = (i32.f64 (1000 * loop x = f64.i32 (xs[0] & 7) / 11 for _i < 99 do 3.9 * x * (1 - x)), i32.sum ys)";
    for text in [twice, broken, grows] {
        let all: Vec<Fixed> = (0..4).flat_map(|seed| fixed_of(text, seed)).collect();
        // The sum is always compared.
        let sums = all.iter().all(|fixed| matches!(fixed, Fixed::Columns(columns) if columns[1]));
        assert!(sums && !all.iter().all(is_whole), "{text}");
    }
}

#[test]
fn an_operator_that_fails_for_its_neutral_element_may_fail_without_elements() {
    let text = "entry main (ys: [3]i32) (k: i64) = reduce (\\a b -> a + b + ys[k | 8] - ys[k | 8]) 0 ys[:0]";
    assert!((0..4).all(|seed| fixed_of(text, seed).contains(&Fixed::Nothing)));
}
