//! Which name means which id.

use super::lexer::{Placed, Token};
use super::{Parse, ParseError};
use crate::nest::{Type, Var, VarInfo};
use std::collections::HashMap;

/// A name in the text: the hint, and the number that tells it from others with that hint.
pub type Name = (String, u32);

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

/// The number of a definition is the count of those before it. What is no name is reported by the parser.
fn define(ids: &mut HashMap<Name, u32>, placed: &Placed) -> Parse<()> {
    if let Token::Name { text, quoted: _, number } = &placed.token {
        let id = ids.len() as u32;
        if ids.insert((text.clone(), number.unwrap_or(1)), id).is_some() {
            let message = format!("A second definition has the name `{text}`.");
            return Err(ParseError { line: placed.line, column: placed.column, message });
        }
    }
    Ok(())
}

/// The variables of a function, in the order of their first mention.
#[derive(Default)]
pub struct FunScope {
    numbers: HashMap<Name, Var>,
    vars: Vec<FunVar>,
}

struct FunVar {
    name: String,
    /// Known once the variable is bound.
    ty: Option<Type>,
    /// The token of the first mention.
    first: usize,
}

impl FunScope {
    pub fn mention(&mut self, name: Name, token: usize) -> Var {
        if let Some(var) = self.numbers.get(&name) {
            return *var;
        }
        let var = Var(self.vars.len() as u32);
        self.vars.push(FunVar { name: name.0.clone(), ty: None, first: token });
        self.numbers.insert(name, var);
        var
    }

    /// Whether the type is the only one that the variable is bound with.
    pub fn bind(&mut self, var: Var, ty: Type) -> bool {
        let known = &mut self.vars[var.0 as usize].ty;
        *known.get_or_insert_with(|| ty.clone()) == ty
    }

    /// The table of the function, or the name and the token of a variable that is not bound.
    pub fn finish(self) -> Result<Vec<VarInfo>, (String, usize)> {
        let info = |var: FunVar| match var.ty {
            Some(ty) => Ok(VarInfo { name: var.name, ty }),
            None => Err((var.name, var.first)),
        };
        self.vars.into_iter().map(info).collect()
    }
}
