//! Where the blocks of a file are.

use std::ops::Range;

/// How many test blocks a program has.
pub fn count_blocks(text: &str) -> usize {
    find_blocks(text).len()
}

/// The bytes of each block, from behind the `==` to the end of the comment.
pub(super) fn find_blocks(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        match open {
            Some(_) if line.starts_with("--") => {}
            Some(start) => {
                found.push(start..at);
                open = None;
            }
            None => open = opening(line).map(|length| at + length),
        }
        at += line.len();
    }
    found.extend(open.map(|start| start..text.len()));
    found
}

/// The length of `-- ==`, if the line begins with that as a word.
fn opening(line: &str) -> Option<usize> {
    const MARK: &str = "-- ==";
    let rest = line.strip_prefix(MARK)?;
    rest.chars().next().is_none_or(char::is_whitespace).then_some(MARK.len())
}

/// The text with spaces in place of the `--` at the start of lines: the same places, no comments.
pub(crate) fn uncomment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("--") {
            Some(rest) => {
                out.push_str("  ");
                out.push_str(rest);
            }
            None => out.push_str(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_comments_below_a_line() {
        let text = "-- words\n-- ==\n-- a\n-- b\ndef x = 1 -- ==\n  -- ==\n-- ====\n-- == c\r\n";
        let found: Vec<&str> = find_blocks(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["\n-- a\n-- b\n", " c\r\n"]);
        assert_eq!((count_blocks("-- =="), find_blocks("-- ==").first()), (1, Some(&(5..5))));
        assert!(find_blocks("").is_empty());
    }

    #[test]
    fn places_stay_without_comments() {
        assert_eq!(uncomment("-- é --\nx --\n--"), "   é --\nx --\n  ");
    }
}
