//! Tunables that a user sets: what is accepted, and what is found wrong.

use norn_base::{FileId, Span};
use norn_passes::tuning::{NEVER, Tuner, Tuning, TuningError};

fn wrong(line: usize, message: &str) -> TuningError {
    TuningError { line, message: message.into() }
}

/// What `f.1.outer`, `f.2.outer` and `f.1.filter.lookback.each` (1 to 31) are then.
fn ask(text: &str) -> Result<Vec<Option<i64>>, Vec<TuningError>> {
    let mut tuner = Tuner::new(Tuning::parse(text)?);
    let span = Span::new(FileId(0), 0, 0);
    tuner.begin_pass();
    tuner.begin_fun("f");
    for number in [1, 2, 1] {
        tuner.ask(number, "outer", "by sizes", 0..=NEVER, span);
    }
    tuner.ask(1, "filter.lookback.each", 15, 1..=31, span);
    let tunables = tuner.finish()?;
    let names: Vec<&str> = tunables.iter().map(|tunable| tunable.name.as_str()).collect();
    assert_eq!(names, ["f.1.outer", "f.2.outer", "f.1.filter.lookback.each"]);
    Ok(tunables.into_iter().map(|tunable| tunable.value).collect())
}

#[test]
fn the_last_line_that_fits_decides() {
    assert_eq!(ask(""), Ok(vec![None, None, None]));
    assert_eq!(ask("# Nothing.\n\n  *=3 # All."), Ok(vec![Some(3); 3]));
    assert_eq!(ask("*.outer = never\nf.2.outer = 1_000\n"), Ok(vec![Some(NEVER), Some(1000), None]));
    assert_eq!(ask("f.2.outer = 1\n*.outer = 0\n"), Ok(vec![Some(0), Some(0), None]));
    assert_eq!(ask("f*.each = 9\nf.1.* = 7\ng.* = 1\n"), Ok(vec![Some(7), None, Some(7)]));
    assert_eq!(ask("*e*e*r = 2\n"), Ok(vec![None, None, None]));
    assert_eq!(ask("**2*r = 2\n"), Ok(vec![None, Some(2), None]));
}

#[test]
fn lines_that_set_nothing_are_found_wrong() {
    let text = "f.1.outer\nf.1.outer =\n= 3\nf.1.outer = -1\nf.1 outer = 1\nf.1.outer = 1e3\nf.1.outer = 99999999999999999999\n\
                *.outer = 1\n*.outer = 2\n";
    let expected = vec![
        wrong(1, "Expected `NAME = NUMBER`, found `f.1.outer`."),
        wrong(2, "Expected a number or `never`, found ``."),
        wrong(3, "Expected the name of a tunable, found ``."),
        wrong(4, "Expected a number or `never`, found `-1`."),
        wrong(5, "Expected the name of a tunable, found `f.1 outer`."),
        wrong(6, "Expected a number or `never`, found `1e3`."),
        wrong(7, "Expected a number or `never`, found `99999999999999999999`."),
        wrong(9, "`*.outer` is set in line 8 already."),
    ];
    assert_eq!(ask(text), Err(expected));
}

#[test]
fn names_and_values_must_be_those_of_the_program() {
    let text = "*.lookback.each = 32\nf.3.outer = 1\nf.1.outer = 5\n";
    let unknown = "The program has no tunable `f.3.outer`; `norn dev --tunables` lists those that it has.";
    let expected =
        vec![wrong(1, "`f.1.filter.lookback.each` is from 1 to 31, and cannot be 32."), wrong(2, unknown)];
    assert_eq!(ask(text), Err(expected));
    assert_eq!(ask("*.each = 0\n*.each* = 1\n"), Ok(vec![None, None, Some(1)]));
}
