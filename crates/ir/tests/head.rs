//! Where a program in tests begins, behind what its comments say about it.

/// The text after the comments at its start.
pub fn without_head(text: &str) -> &str {
    let mut rest = text;
    while rest.starts_with("//") || rest.starts_with('\n') {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest
}
