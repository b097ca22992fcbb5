//! Which name means which id.

use super::lexer::{Placed, Token};
use super::{Parse, ParseError};
use std::collections::HashMap;

/// A name in the text: the hint, and the number that distinguishes it from others with that hint.
pub type Name = (String, u32);

/// The number of a definition is the count of those before it. What is no name is reported by the parser.
pub fn define(ids: &mut HashMap<Name, u32>, placed: &Placed) -> Parse<()> {
    if let Token::Name { text, quoted: _, number } = &placed.token {
        let id = ids.len() as u32;
        if ids.insert((text.clone(), number.unwrap_or(1)), id).is_some() {
            let message = format!("A second definition has the name `{text}`.");
            return Err(ParseError { line: placed.line, column: placed.column, message });
        }
    }
    Ok(())
}

/// The variables of a function, in the order of their first mention. `T` is the language's types.
pub struct Scope<T> {
    numbers: HashMap<Name, u32>,
    vars: Vec<FunVar<T>>,
}

struct FunVar<T> {
    name: String,
    /// Known once the variable is bound.
    ty: Option<T>,
    /// The token of the first mention.
    first: usize,
}

impl<T> Default for Scope<T> {
    fn default() -> Scope<T> {
        Scope { numbers: HashMap::new(), vars: Vec::new() }
    }
}

impl<T: Clone + PartialEq> Scope<T> {
    pub fn mention(&mut self, name: Name, token: usize) -> u32 {
        if let Some(var) = self.numbers.get(&name) {
            return *var;
        }
        let var = self.vars.len() as u32;
        self.vars.push(FunVar { name: name.0.clone(), ty: None, first: token });
        self.numbers.insert(name, var);
        var
    }

    /// Whether the type is the only one that the variable is bound with.
    pub fn bind(&mut self, var: u32, ty: T) -> bool {
        // A raw id may lead nowhere, which the verifier reports.
        match self.vars.get_mut(var as usize) {
            Some(info) => *info.ty.get_or_insert_with(|| ty.clone()) == ty,
            None => true,
        }
    }

    /// The names and types of all, or the name and the token of a variable that is not bound.
    pub fn finish(self) -> Result<Vec<(String, T)>, (String, usize)> {
        let info = |var: FunVar<T>| match var.ty {
            Some(ty) => Ok((var.name, ty)),
            None => Err((var.name, var.first)),
        };
        self.vars.into_iter().map(info).collect()
    }
}
