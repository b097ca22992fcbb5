//! Directives: what a page shows, and how.
//!
//! ```text
//! directive ::= ">" ":covert"? ":brief"? (":" kind)? exp (";" parameters)?
//! ```
//!
//! Parameters are lines `key: value`; those of `:gnuplot` are a script of that program.

use crate::testing::blocks::{BlockError, Cursor};
use crate::testing::script::{Exp, parse_exp};
use std::ops::Range;

#[derive(Clone, Debug)]
pub struct Directive {
    pub kind: DirectiveKind,
    pub exp: Exp,
    /// The directive itself is not shown.
    pub covert: bool,
    /// Of the directive the parameters are not shown.
    pub brief: bool,
    pub params: Vec<Param>,
    /// The parameters as they are written.
    pub script: String,
    /// The directive without its parameters.
    pub head: Range<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DirectiveKind {
    /// A value as text.
    Result,
    /// Bytes that are a text.
    Text,
    Img,
    Plot2d,
    Gnuplot,
    Video,
    Audio,
}

const KINDS: &[(&str, DirectiveKind)] = &[
    ("text", DirectiveKind::Text),
    ("img", DirectiveKind::Img),
    ("plot2d", DirectiveKind::Plot2d),
    ("gnuplot", DirectiveKind::Gnuplot),
    ("video", DirectiveKind::Video),
    ("audio", DirectiveKind::Audio),
];

#[derive(Clone, Debug)]
pub struct Param {
    pub key: String,
    pub value: String,
    pub at: Range<usize>,
}

/// Reads the directive at `at` of `text`, the text of a file. `blank` is the same text with blanks in place of what makes lines
/// comments.
pub fn parse_directive(text: &str, blank: &str, at: Range<usize>) -> Result<Directive, BlockError> {
    let mut cursor = Cursor::new(&blank[..at.end], at.start + ">".len());
    cursor.skip_space();
    let (mut covert, mut brief, mut kind) = (false, false, DirectiveKind::Result);
    while cursor.sees(":") {
        let start = cursor.at;
        cursor.at += ":".len();
        let (word, _) = cursor.take_while(|c| c.is_alphanumeric() || c == '_');
        cursor.skip_space();
        match word {
            "covert" => covert = true,
            "brief" => brief = true,
            _ => {
                let found = KINDS.iter().find(|(name, _)| *name == word);
                let Some((_, found)) = found else { return Err(unknown(word, start)) };
                kind = *found;
                break;
            }
        }
    }
    let exp = parse_exp(&mut cursor)?;
    let head = at.start..at.start + text[at.start..cursor.at].trim_end().len();
    if cursor.is_at_end() {
        return Ok(Directive { kind, exp, covert, brief, params: Vec::new(), script: String::new(), head });
    }
    if !cursor.sees(";") {
        return Err(cursor.expected("`;` and parameters, or the end of the directive"));
    }
    cursor.at += ";".len();
    let params = if kind == DirectiveKind::Gnuplot { Vec::new() } else { parse_params(&mut cursor.clone())? };
    Ok(Directive { kind, exp, covert, brief, params, script: uncommented(&text[cursor.at..at.end]), head })
}

fn unknown(word: &str, start: usize) -> BlockError {
    let names: Vec<String> = KINDS.iter().map(|(name, _)| format!(":{name}")).collect();
    let message = format!("There is no directive `:{word}`.");
    BlockError::new(start..start + 1 + word.len(), message)
        .with_help(format!("There are :covert, :brief, {}.", names.join(", ")))
}

/// Lines `key: value`. An equals sign is as good as a colon, and a semicolon as a new line.
fn parse_params(cursor: &mut Cursor) -> Result<Vec<Param>, BlockError> {
    let mut params = Vec::new();
    cursor.skip_space();
    while !cursor.is_at_end() {
        let (key, at) = cursor.take_while(|c| c.is_alphanumeric() || c == '_');
        cursor.skip_blanks();
        if key.is_empty() || !(cursor.accept(":") || cursor.accept("=")) {
            return Err(cursor.expected("a parameter such as `file: name`"));
        }
        let (value, value_at) = cursor.take_while(|c| !matches!(c, '\n' | ';'));
        params.push(Param {
            key: key.into(),
            value: value.trim().into(),
            at: at.start..value_at.start + value.trim_end().len(),
        });
        cursor.accept(";");
        cursor.skip_space();
    }
    Ok(params)
}

/// The lines of a comment without what makes them one.
pub fn uncommented(text: &str) -> String {
    let line = |line: &str| {
        let words = line.strip_prefix("--").unwrap_or(line);
        words.strip_prefix(' ').unwrap_or(words).trim_end().to_string()
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

impl Directive {
    /// The parameter with this name.
    pub fn param(&self, key: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.key == key)
    }

    /// That no parameter means nothing.
    pub fn check_params(&self, known: &[&str]) -> Result<(), BlockError> {
        let Some(param) = self.params.iter().find(|param| !known.contains(&param.key.as_str())) else {
            return Ok(());
        };
        let message = format!("There is no parameter `{}` here.", param.key);
        let error = BlockError::new(param.at.clone(), message);
        match known {
            [] => Err(error),
            [only] => Err(error.with_help(format!("There is only `{only}`."))),
            _ => Err(error.with_help(format!("There are {}.", known.join(", ")))),
        }
    }
}

impl Param {
    pub fn wrong(&self, expected: &str) -> BlockError {
        BlockError::new(self.at.clone(), format!("`{}` must be {expected}.", self.key))
    }

    pub fn bool(&self) -> Result<bool, BlockError> {
        self.value.parse().map_err(|_| self.wrong("true or false"))
    }

    pub fn positive<N: std::str::FromStr + PartialOrd + Default>(&self) -> Result<N, BlockError> {
        let number = self.value.parse::<N>().ok().filter(|number| *number > N::default());
        number.ok_or_else(|| self.wrong("a positive number"))
    }

    /// The name of a file in the page's folder.
    pub fn file_name(&self) -> Result<&str, BlockError> {
        let sound = !self.value.is_empty()
            && !self.value.starts_with('.')
            && !self.value.contains(|c: char| {
                c.is_whitespace() || matches!(c, '/' | '\\' | '"' | '(' | ')' | '<' | '>')
            });
        if sound {
            Ok(&self.value)
        } else {
            Err(self.wrong("the name of a file, without a folder or spaces"))
        }
    }
}
