//! Names in C, made from hints: words of C, and names that the printer and the headers use, are avoided.

use std::collections::{HashMap, HashSet};

/// Gives out names that are distinct from each other and from those of its parent.
pub(crate) struct Names<'a> {
    parent: Option<&'a Names<'a>>,
    /// Reserved in this dialect, beside the words of C.
    words: &'static [&'static str],
    taken: HashSet<String>,
    /// The next number to try after a base.
    next: HashMap<String, usize>,
}

impl<'a> Names<'a> {
    pub fn new(words: &'static [&'static str]) -> Names<'a> {
        Names { parent: None, words, taken: HashSet::new(), next: HashMap::new() }
    }

    pub fn inside(parent: &'a Names<'a>) -> Names<'a> {
        Names { parent: Some(parent), ..Names::new(parent.words) }
    }

    /// A name as close to the hint as possible.
    pub fn give(&mut self, prefix: &str, hint: &str) -> String {
        let base = format!("{prefix}{}", word(hint));
        let begins = |prefix: &&str| base.starts_with(*prefix) || format!("{base}_").starts_with(*prefix);
        let base = if PREFIXES.iter().any(begins) {
            format!("v_{base}")
        } else if is_reserved(&base) || self.words.contains(&base.as_str()) {
            format!("{base}_")
        } else {
            base
        };
        if !self.is_taken(&base) {
            self.taken.insert(base.clone());
            return base;
        }
        let mut number = self.next.get(&base).copied().unwrap_or(2);
        let name = loop {
            let name = format!("{base}_{number}");
            number += 1;
            if !self.is_taken(&name) {
                break name;
            }
        };
        self.next.insert(base, number);
        self.taken.insert(name.clone());
        name
    }

    fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name) || self.parent.is_some_and(|parent| parent.is_taken(name))
    }
}

/// The letters and digits of a hint, starting with a letter.
fn word(hint: &str) -> String {
    let mut word = String::new();
    for c in hint.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' => word.push(c),
            _ if word.is_empty() || word.ends_with('_') => {}
            _ => word.push('_'),
        }
    }
    let word = word.trim_end_matches('_');
    match word.chars().next() {
        None => "v".to_string(),
        Some('0'..='9') => format!("v{word}"),
        Some(_) => word.to_string(),
    }
}

fn is_reserved(name: &str) -> bool {
    WORDS.contains(&name)
        || is_vector(name)
        // Macros of the system's headers, like INT64_MAX.
        || (name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
}

/// Whether it is a vector's type, or what is done with one: `f32x16_add`.
fn is_vector(name: &str) -> bool {
    let digits = |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit()).to_string();
    let Some(rest) = name.strip_prefix(['i', 'u', 'f']) else { return false };
    let after = digits(rest);
    after.len() < rest.len() && after.starts_with('x')
}

/// Names of the printer itself: locals of launches and calls, and everything of the headers.
const PREFIXES: &[&str] = &["norn_", "NORN_", "out_", "result_"];

const WORDS: &[&str] = &[
    "alignas",
    "alignof",
    "args",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "end",
    "enum",
    "extern",
    "f16",
    "f32",
    "f64",
    "false",
    "float",
    "for",
    "goto",
    "i16",
    "i32",
    "i64",
    "i8",
    "if",
    "inline",
    "int",
    "linux",
    "long",
    "nullptr",
    "register",
    "restrict",
    "results",
    "return",
    "run",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "thread_local",
    "true",
    "typedef",
    "typeof",
    "u16",
    "u32",
    "u64",
    "u8",
    "union",
    "unix",
    "unsigned",
    "void",
    "volatile",
    "w",
    "while",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_of_c_and_distinct() {
        let mut global = Names::new(&["kernel"]);
        assert_eq!(global.give("f_", "main"), "f_main");
        let mut names = Names::inside(&global);
        for (hint, name) in [
            ("x", "x"),
            ("x", "x_2"),
            ("x_2", "x_2_2"),
            ("x", "x_3"),
            ("f_main", "f_main_2"),
            ("while", "while_"),
            ("x'", "x_4"),
            ("<+>", "v"),
            ("2nd", "v2nd"),
            ("größe", "gr_e"),
            ("w", "w_"),
            ("f32x8_add", "f32x8_add_"),
            ("f32xs", "f32xs_"),
            ("fox", "fox"),
            ("INT64_MAX", "INT64_MAX_"),
            ("N", "N"),
            ("out_0", "v_out_0"),
            ("result", "v_result"),
            ("kernel", "kernel_"),
            ("", "v_2"),
        ] {
            assert_eq!(names.give("", hint), name, "of {hint}");
        }
    }
}
