//! What the skeleton has to know about a language's parallel operators.

use super::parse::Parser;
use super::print::Printer;
use super::verify::Checker;
use super::walk::{Part, PartMut};
use super::{Type, Var};
use crate::text::Parse;
use std::fmt::Debug;

pub trait Operators: Clone + PartialEq + Debug {
    /// What stands directly in it, in the order of its text.
    fn for_each_part(&self, f: &mut dyn FnMut(Part<'_, Self>));

    fn for_each_part_mut(&mut self, f: &mut dyn FnMut(PartMut<'_, Self>));

    /// The arrays that it overwrites.
    fn consumed(&self) -> &[Var];

    fn print(&self, printer: &mut Printer);

    /// The operator that begins with this word, which has been read, if one does.
    fn parse(word: &str, parser: &mut Parser) -> Parse<Option<Self>>;

    /// Its operands and lambdas are what they should be (N4, N8). Yields the types of its results, unless these make no sense.
    /// `bound` are the types of the variables that the statement binds.
    fn verify(&self, checker: &mut Checker, bound: &[Type]) -> Option<Vec<Type>>;
}
