//! Texts are shrunk to what makes them fail.

use norn_testkit::shrink::*;
use std::time::Duration;

#[test]
fn keeps_what_makes_it_fail() {
    let input = "one two three\nfour five\nsix seven\n";
    let minute = Duration::from_secs(60);
    assert_eq!(shrink(input.into(), minute, |text| text.contains("v") && text.contains("w")), "wv");
    assert_eq!(shrink(input.into(), minute, |_| true), "");
    assert_eq!(shrink(input.into(), minute, |_| false), input);
}
