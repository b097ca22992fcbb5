//! Programs from their text: the inverse of `print`.
//!
//! The text is what the printer writes, with any white space, and comments from `//` to the end of a
//! line. A recursive descent over tokens. Functions, data and types may be mentioned before they are
//! defined, so a first sweep over the tokens collects their names. Variables are numbered by
//! their first mention in a function; each must be bound somewhere in it, but whether it is visible where it
//! is used is for the verifier to say.
//!
//! The first mistake ends the parsing. No input makes it panic or overflow the stack.

mod exp;
mod iface;
mod item;
mod names;
mod part;

use super::{Atom, Operators, Prog, Side, Type};
use crate::text::lexer::{Placed, lex};
use crate::text::{Parse, Scope};
pub(crate) use names::Ids;

pub use crate::text::ParseError;

pub fn parse<O: Operators>(text: &str) -> Result<Prog<O>, ParseError> {
    Ok(parse_tokens(lex(text)?)?.0)
}

/// The program with the names of what it defines. The last token is the end.
pub(crate) fn parse_tokens<O: Operators>(tokens: Vec<Placed>) -> Parse<(Prog<O>, Ids)> {
    let ids = Ids::collect(&tokens)?;
    let mut parser = Parser::new(tokens, Known { ids, scope: FunScope::default() });
    let prog = parser.prog()?;
    Ok((prog, parser.lang.ids))
}

/// What a parser knows about names.
pub struct Known {
    ids: Ids,
    /// The variables of the function that is being read.
    scope: FunScope,
}

pub type Parser = crate::text::Parser<Known>;
type FunScope = Scope<Declared>;

/// What the text says of a variable where it is bound.
type Declared = (Type, Option<Side>, Option<Atom>);
