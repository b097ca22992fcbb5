//! Makes a failing input smaller.

use std::time::{Duration, Instant};

/// Leaves away stretches of lines, then of words, then of characters, as long as the rest still
/// fails and the time is not over.
pub fn shrink(mut input: String, limit: Duration, mut fails: impl FnMut(&str) -> bool) -> String {
    let end = Instant::now() + limit;
    for split in [lines, words, characters] {
        let mut size = usize::MAX;
        while size > 0 && Instant::now() < end {
            size = size.min(split(&input).len());
            match without_some(&split(&input), size, end, &mut fails) {
                Some(smaller) => input = smaller,
                None => size /= 2,
            }
        }
    }
    input
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn words(text: &str) -> Vec<&str> {
    text.split_inclusive(' ').collect()
}

fn characters(text: &str) -> Vec<&str> {
    text.split("").filter(|c| !c.is_empty()).collect()
}

/// The parts without `size` successive ones, if that fails.
fn without_some(
    parts: &[&str],
    size: usize,
    end: Instant,
    fails: &mut impl FnMut(&str) -> bool,
) -> Option<String> {
    (0..parts.len())
        .step_by(size.max(1))
        .take_while(|_| Instant::now() < end)
        .map(|start| parts[..start].concat() + &parts[(start + size).min(parts.len())..].concat())
        .find(|shorter| fails(shorter))
}
