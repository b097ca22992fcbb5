//! Names in the text: how they are written, and how equal hints become distinct names.
//!
//! Variables (and functions, data, constructors) have names that are only hints. Of those with the same hint the
//! first is `x`, the second `x.2` and so on, in the order of their numbers; the number is no part of
//! the hint, so hints survive. A name that is no word is written in quotes, and one that is a word
//! of the language always has a number: `map.1`.

use std::collections::HashMap;

/// The distinct names of a table of hints.
pub struct Names(Vec<String>);

impl Names {
    /// Which words are reserved is up to the language.
    pub fn new<'a>(hints: impl Iterator<Item = &'a str>, is_reserved: impl Fn(&str) -> bool) -> Names {
        let mut seen: HashMap<&str, u32> = HashMap::new();
        let name = |hint| {
            let count = seen.entry(hint).or_insert(0);
            *count += 1;
            numbered(hint, *count, &is_reserved)
        };
        Names(hints.map(name).collect())
    }

    /// An id outside the table has no name; its number is shown, for whoever debugs such a program.
    pub fn get(&self, id: u32) -> String {
        self.0.get(id as usize).cloned().unwrap_or_else(|| format!("%{id}"))
    }
}

fn numbered(hint: &str, number: u32, is_reserved: impl Fn(&str) -> bool) -> String {
    let word = is_word(hint);
    let name = if word { hint.to_string() } else { quoted(hint) };
    if number > 1 || (word && is_reserved(hint)) { format!("{name}.{number}") } else { name }
}

/// In quotes, on one line.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

pub fn is_word(name: &str) -> bool {
    name.starts_with(starts_word) && name.chars().all(continues_word)
}

pub fn starts_word(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

pub fn continues_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '\''
}
