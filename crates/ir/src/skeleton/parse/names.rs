//! Which name means which id.

use crate::text::lexer::{Placed, Token};
use crate::text::{Name, Parse, define};
use std::collections::HashMap;

/// The names of what is defined at top level.
#[derive(Default)]
pub struct Ids {
    pub funs: HashMap<Name, u32>,
    pub datas: HashMap<Name, u32>,
    pub ifaces: HashMap<Name, u32>,
    /// By the name of the function.
    pub consts: HashMap<Name, u32>,
    /// Of each data, by number.
    pub constrs: Vec<HashMap<Name, u32>>,
}

impl Ids {
    /// Definitions are found without parsing what is between them: `fun`, `data`, `type` and `const` at top
    /// level, where no bracket is open, are followed by the name.
    pub fn collect(tokens: &[Placed]) -> Parse<Ids> {
        let mut ids = Ids::default();
        let mut open = 0u32;
        let mut in_data = false;
        for pair in tokens.windows(2) {
            let next = &pair[1];
            match &pair[0].token {
                Token::Punct('(' | '[' | '{') => open += 1,
                Token::Punct(')' | ']' | '}') => open = open.saturating_sub(1),
                Token::Punct('|') if open == 0 && in_data => {
                    if let Some(constrs) = ids.constrs.last_mut() {
                        define(constrs, next)?;
                    }
                }
                Token::Name { text, quoted: false, number: None } if open == 0 => match text.as_str() {
                    "fun" => define(&mut ids.funs, next)?,
                    "type" => define(&mut ids.ifaces, next)?,
                    "const" => define(&mut ids.consts, next)?,
                    "data" => {
                        define(&mut ids.datas, next)?;
                        ids.constrs.push(HashMap::new());
                        in_data = true;
                    }
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
