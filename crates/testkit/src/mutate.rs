//! Programs made from others by small damage, at the level of tokens and of bytes.

use crate::rng::Rng;

/// Words that reach parts of the compiler which the programs at hand may not.
const WORDS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "[?]",
    "[]",
    "[n]",
    "?[k].",
    ".",
    "..",
    "...",
    "..<",
    "..>",
    ",",
    ":",
    ":>",
    "=",
    "->",
    "*",
    "-",
    "!",
    "_",
    "???",
    "#c",
    "#[a]",
    "'a",
    "'~a",
    "'^a",
    "+",
    "`f`",
    "|>",
    "<|",
    "\"",
    "'",
    "\\x ->",
    "--",
    "-- |",
    "0",
    "1i8",
    "300u8",
    "0x",
    "1e400",
    "1.0f16",
    "9999999999999999999999",
    "true",
    "x",
    "i32",
    "f64",
    "def",
    "let",
    "in",
    "entry",
    "type",
    "type^",
    "type~",
    "type rec",
    "with",
    "with def",
    "module",
    "module type",
    "open",
    "local",
    "import \"a\"",
    "include",
    "val",
    "if",
    "then",
    "else",
    "match",
    "case",
    "loop",
    "for",
    "while",
    "do",
    "assert",
    "map",
    "reduce",
    "scatter",
    "copy",
    "iota",
    "zip",
    "\u{0}",
    "\u{202e}",
    "é",
];

/// A damaged copy of one of `programs`. Depends on nothing but its arguments.
pub fn mutant(programs: &[String], seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let Some(original) = rng.pick(programs) else { return String::new() };
    let mut tokens: Vec<&str> = tokens(original);
    let donor: Vec<&str> = rng.pick(programs).map_or(Vec::new(), |p| self::tokens(p));
    for _ in 0..1 + rng.below(4) {
        mutate_tokens(&mut rng, &mut tokens, &donor);
    }
    let text = tokens.concat();
    if rng.below(8) == 0 { mutate_bytes(&mut rng, text) } else { text }
}

fn mutate_tokens<'a>(rng: &mut Rng, tokens: &mut Vec<&'a str>, donor: &[&'a str]) {
    let at = rng.below(tokens.len());
    let run = (1 + rng.below(12)).min(tokens.len() - at);
    match rng.below(8) {
        0 => {
            tokens.drain(at..at + run.min(2));
        }
        1 => {
            tokens.drain(at..at + run);
        }
        2 => {
            let copy = tokens[at..at + run].to_vec();
            let to = rng.below(tokens.len() + 1);
            tokens.splice(to..to, copy);
        }
        3 if !tokens.is_empty() => {
            let other = rng.below(tokens.len());
            tokens.swap(at, other);
        }
        4 if !tokens.is_empty() => tokens[at] = rng.pick(WORDS).copied().unwrap_or(""),
        5 => tokens.splice(at..at, [" ", rng.pick(WORDS).copied().unwrap_or(""), " "]).for_each(drop),
        6 if !tokens.is_empty() => tokens[at] = rng.pick(donor).copied().unwrap_or(""),
        _ => {
            let from = rng.below(donor.len());
            let run = rng.below(30).min(donor.len() - from);
            tokens.splice(at..at, donor[from..from + run].iter().copied()).for_each(drop);
        }
    }
}

fn mutate_bytes(rng: &mut Rng, text: String) -> String {
    let mut bytes = text.into_bytes();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(bytes.len());
        let byte = rng.draw() as u8;
        match rng.below(3) {
            0 if !bytes.is_empty() => bytes[at] = byte,
            1 if !bytes.is_empty() => bytes.truncate(at),
            _ => bytes.insert(at, byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Words, blanks and runs of punctuation: close enough to the language's own tokens.
pub fn tokens(text: &str) -> Vec<&str> {
    fn class(c: char) -> u8 {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => 0,
            ' ' => 1,
            '\n' => 2,
            '(' | ')' | '[' | ']' | '{' | '}' | ',' => 3,
            _ => 4,
        }
    }
    let mut out = Vec::new();
    let mut start = 0;
    let mut previous = None;
    for (i, c) in text.char_indices() {
        let now = class(c);
        if i > 0 && (now == 3 || previous != Some(now)) {
            out.push(&text[start..i]);
            start = i;
        }
        previous = Some(now);
    }
    if start < text.len() {
        out.push(&text[start..]);
    }
    out
}
