//! Programs from their text: the inverse of `print`.
//!
//! The text is what the printer writes, with any white space, and comments from `//` to the end of a
//! line. Functions, kernels and constants may be mentioned before they are defined, so a first sweep over the
//! tokens collects their names; what stands in `types { .. }` is left to the parser of nest. Variables are numbered
//! by their first mention in a function; each must have its type where it is assigned first.
//!
//! The first mistake ends the parsing. No input makes it panic or overflow the stack.

mod exp;
mod group;
mod item;
mod part;
mod stmt;

use super::{Prog, Type};
use crate::skeleton::parse::Ids as TypeIds;
pub use crate::text::ParseError;
use crate::text::lexer::{Placed, Token, lex};
use crate::text::{Name, Parse, Scope, define};
use std::collections::HashMap;

pub fn parse(text: &str) -> Result<Prog, ParseError> {
    let tokens = lex(text)?;
    let ids = Ids::collect(&tokens)?;
    Parser::new(tokens, Imp { ids, scope: Scope::default() }).prog()
}

/// A parser of imp: what it knows about names.
struct Imp {
    ids: Ids,
    /// The variables of the function that is being read.
    scope: Scope<Type>,
}

type Parser = crate::text::Parser<Imp>;

/// The names of what is defined at top level.
#[derive(Default)]
struct Ids {
    funs: HashMap<Name, u32>,
    kernels: HashMap<Name, u32>,
    group_kernels: HashMap<Name, u32>,
    /// By the name of the function.
    consts: HashMap<Name, u32>,
    /// Data and types of entry points, known once they are parsed.
    types: TypeIds,
}

impl Ids {
    /// Definitions are found without parsing what is between them: a word at top level, where no bracket is
    /// open, is followed by the name.
    fn collect(tokens: &[Placed]) -> Parse<Ids> {
        let mut ids = Ids::default();
        let mut open = 0u32;
        for (i, pair) in tokens.windows(2).enumerate() {
            let next = &pair[1];
            match &pair[0].token {
                Token::Punct('(' | '[' | '{') => open += 1,
                Token::Punct(')' | ']' | '}') => open = open.saturating_sub(1),
                Token::Name { text, quoted: false, number: None } if open == 0 => match text.as_str() {
                    "fun" => define(&mut ids.funs, next)?,
                    "kernel" if i > 0 && is_group(&tokens[i - 1]) => define(&mut ids.group_kernels, next)?,
                    "kernel" => define(&mut ids.kernels, next)?,
                    "const" => define(&mut ids.consts, next)?,
                    _ => {}
                },
                Token::Name { .. }
                | Token::Number(_)
                | Token::Place(_)
                | Token::Punct(_)
                | Token::Arrow
                | Token::End => {}
            }
        }
        Ok(ids)
    }
}

/// Whether a kernel that follows is one for groups.
fn is_group(placed: &Placed) -> bool {
    matches!(&placed.token, Token::Name { text, quoted: false, number: None } if text == "group")
}
