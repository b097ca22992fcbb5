//! Scripts from text.

use super::{Exp, ExpKind, Pat};
use crate::testing::blocks::{BlockError, Cursor};

/// How deep expressions may nest. None that a person writes comes near.
const MAX_NESTING: usize = 200;

const KEYWORDS: &[&str] = &["let", "in"];

/// Reads a text that is one expression.
pub fn parse_script(text: &str) -> Result<Exp, BlockError> {
    let mut cursor = Cursor::new(text, 0);
    cursor.skip_space();
    let exp = parse_exp(&mut cursor)?;
    if cursor.is_at_end() { Ok(exp) } else { Err(cursor.expected("the end of the script")) }
}

/// Reads an expression and the white space behind it.
pub(crate) fn parse_exp(cursor: &mut Cursor) -> Result<Exp, BlockError> {
    let mut parser = Parser { cursor: cursor.clone(), depth: 0 };
    let exp = parser.exp()?;
    cursor.at = parser.cursor.at;
    Ok(exp)
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    depth: usize,
}

impl Parser<'_> {
    fn exp(&mut self) -> Result<Exp, BlockError> {
        if self.depth == MAX_NESTING {
            return Err(BlockError::new(self.cursor.at..self.cursor.at, "This nests too deeply."));
        }
        self.depth += 1;
        let exp = self.exp_at_depth();
        self.depth -= 1;
        exp
    }

    fn exp_at_depth(&mut self) -> Result<Exp, BlockError> {
        let start = self.cursor.at;
        if self.cursor.accept_word("let") {
            return self.let_exp(start);
        }
        if !self.is_at_value()
            && let Some(callee) = self.callee()
        {
            if self.cursor.accept("[") {
                let indices = self.list("]", Self::exp)?;
                let array = Box::new(callee.applied_to(Vec::new(), start..self.cursor.at));
                return Ok(self.exp_from(start, ExpKind::Index(array, indices)));
            }
            self.cursor.skip_space();
            if !self.cursor.sees(".") {
                let mut args = Vec::new();
                while let Some(arg) = self.atom()? {
                    args.push(arg);
                }
                return Ok(callee.applied_to(args, start..self.end()));
            }
            self.cursor.at = start;
        }
        match self.atom()? {
            Some(exp) => Ok(exp),
            None => Err(self.cursor.expected("an expression")),
        }
    }

    /// What follows `let`.
    fn let_exp(&mut self, start: usize) -> Result<Exp, BlockError> {
        let pat = if self.cursor.accept("(") {
            Pat::Tuple(self.list(")", Self::spaced_name)?)
        } else {
            Pat::Name(self.spaced_name()?)
        };
        self.cursor.expect("=")?;
        let bound = self.exp()?;
        if !self.cursor.sees_word("let") && !self.cursor.accept_word("in") {
            return Err(self.cursor.expected("`in`"));
        }
        let body = self.exp()?;
        Ok(self.exp_from(start, ExpKind::Let(pat, Box::new(bound), Box::new(body))))
    }

    fn atom(&mut self) -> Result<Option<Exp>, BlockError> {
        let start = self.cursor.at;
        let Some(mut exp) = self.atom_without_fields()? else { return Ok(None) };
        while self.cursor.accept(".") {
            let field = self.field_name()?;
            exp = self.exp_from(start, ExpKind::Project(Box::new(exp), field));
        }
        Ok(Some(exp))
    }

    fn atom_without_fields(&mut self) -> Result<Option<Exp>, BlockError> {
        let start = self.cursor.at;
        let kind = if self.cursor.accept("(") {
            let mut parts = self.list(")", Self::exp)?;
            if parts.len() == 1 {
                return Ok(parts.pop());
            }
            ExpKind::Tuple(parts)
        } else if self.cursor.accept("{") {
            ExpKind::Record(self.list("}", Self::field)?)
        } else if self.cursor.sees("[") {
            self.array()?
        } else if self.is_at_value() {
            ExpKind::Value(self.cursor.take_value()?)
        } else if let Some(callee) = self.callee() {
            let end = self.cursor.at;
            self.cursor.skip_space();
            return Ok(Some(callee.applied_to(Vec::new(), start..end)));
        } else {
            return Ok(None);
        };
        Ok(Some(self.exp_from(start, kind)))
    }

    /// An array is a constant if it can be read as one.
    fn array(&mut self) -> Result<ExpKind, BlockError> {
        let mut ahead = self.cursor.clone();
        let constant = ahead.take_value();
        if let Ok(value) = constant {
            self.cursor = ahead;
            return Ok(ExpKind::Value(value));
        }
        self.cursor.expect("[")?;
        if self.cursor.sees("]") {
            let error = self.cursor.expected("an expression");
            return Err(error.with_help("Empty arrays are written with their type, as in `empty([0]i32)`."));
        }
        Ok(ExpKind::Array(self.list("]", Self::exp)?))
    }

    fn field(&mut self) -> Result<(String, Exp), BlockError> {
        let name = self.field_name()?;
        self.cursor.expect("=")?;
        Ok((name, self.exp()?))
    }

    /// Items between commas, and what closes the list. A comma may stand before that too.
    fn list<T>(
        &mut self,
        close: &str,
        item: impl Fn(&mut Self) -> Result<T, BlockError>,
    ) -> Result<Vec<T>, BlockError> {
        let mut items = Vec::new();
        while !self.cursor.sees(close) {
            items.push(item(self)?);
            if !self.cursor.accept(",") {
                break;
            }
        }
        self.cursor.expect(close)?;
        Ok(items)
    }

    /// A function or variable, without the white space behind it.
    fn callee(&mut self) -> Option<Callee> {
        let start = self.cursor.at;
        let is_builtin = self.cursor.sees("$");
        if is_builtin {
            self.cursor.at += 1;
        }
        match self.name() {
            Some(name) => Some(Callee { name, is_builtin }),
            None => {
                self.cursor.at = start;
                None
            }
        }
    }

    fn name(&mut self) -> Option<String> {
        let starts = self.cursor.rest().starts_with(|c: char| c.is_alphabetic() || c == '_');
        if !starts || KEYWORDS.iter().any(|word| self.cursor.sees_word(word)) {
            return None;
        }
        let (name, _) = self.cursor.take_while(|c| c.is_alphanumeric() || c == '_' || c == '\'');
        Some(name.into())
    }

    fn spaced_name(&mut self) -> Result<String, BlockError> {
        let name = self.name().ok_or_else(|| self.cursor.expected("a name"))?;
        self.cursor.skip_space();
        Ok(name)
    }

    /// The name of a field, which may be a number.
    fn field_name(&mut self) -> Result<String, BlockError> {
        let (digits, _) = self.cursor.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return self.spaced_name();
        }
        self.cursor.skip_space();
        Ok(digits.into())
    }

    /// Whether a constant other than an array of brackets is next.
    fn is_at_value(&self) -> bool {
        let starts = ["empty(", "f16.", "f32.", "f64."];
        let words = ["true", "false"];
        self.cursor.rest().starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '"'))
            || starts.iter().any(|start| self.cursor.sees(start))
            || words.iter().any(|word| self.cursor.sees_word(word))
    }

    fn exp_from(&self, start: usize, kind: ExpKind) -> Exp {
        Exp { at: start..self.end(), kind }
    }

    /// The end of what was read, without the white space behind it.
    fn end(&self) -> usize {
        self.cursor.text[..self.cursor.at].trim_end().len()
    }
}

struct Callee {
    name: String,
    is_builtin: bool,
}

impl Callee {
    fn applied_to(self, args: Vec<Exp>, at: std::ops::Range<usize>) -> Exp {
        let kind =
            if self.is_builtin { ExpKind::Builtin(self.name, args) } else { ExpKind::Name(self.name, args) };
        Exp { at, kind }
    }
}
