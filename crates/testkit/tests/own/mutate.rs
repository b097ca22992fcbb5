//! Mutants of programs.

use norn_testkit::mutate::*;

#[test]
fn tokens_are_all_of_the_text() {
    let text = "def f (x: i32) = x+1 -- é\n";
    assert_eq!(tokens(text).concat(), text);
    assert_eq!(tokens("f(x)+1"), ["f", "(", "x", ")", "+", "1"]);
}

#[test]
fn mutants_depend_on_their_seed_only() {
    let programs = ["def f x = x".to_string(), "entry g = 1".to_string()];
    for seed in 0..1000 {
        assert_eq!(mutant(&programs, seed), mutant(&programs, seed));
    }
    assert_eq!(mutant(&[], 1), "");
    mutant(&[String::new()], 1);
}
