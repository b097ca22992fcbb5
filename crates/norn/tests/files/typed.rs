//! Which part of a conversation with `norn repl` is the user's.

/// What the user typed on a line, if it is the user's: it begins with a prompt (`[1]> `, or `[1]| ` for more
/// of an input).
pub fn typed(line: &str) -> Option<&str> {
    let (number, text) = line.strip_prefix('[')?.split_once(']')?;
    number.parse::<usize>().ok()?;
    text.strip_prefix("> ").or_else(|| text.strip_prefix("| "))
}
