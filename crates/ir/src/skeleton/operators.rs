//! What the skeleton has to know about a language's parallel operators.

use super::parse::Parser;
use super::print::Printer;
use super::verify::Checker;
use super::walk::{Part, PartMut};
use super::{Body, Type, Var};
use crate::text::Parse;
use std::fmt::Debug;

pub trait Operators: Clone + PartialEq + Debug {
    /// Attributes of functions that stand as words before `fun`.
    const FUN_WORDS: &'static [&'static str];

    /// What stands directly in it, in the order of its text.
    fn for_each_part(&self, f: &mut dyn FnMut(Part<'_, Self>));

    fn for_each_part_mut(&mut self, f: &mut dyn FnMut(PartMut<'_, Self>));

    /// The arrays that it overwrites.
    fn consumed(&self) -> Vec<Var>;

    /// The operands whose memory its results share.
    fn views(&self) -> &[Var] {
        &[]
    }

    /// Bodies of which one runs; other bodies and lambdas run for each element.
    fn branches(&self) -> Vec<&Body<Self>> {
        Vec::new()
    }

    fn print(&self, printer: &mut Printer);

    /// The operator that begins with this word, which has been read, if one does; otherwise nothing more has been read.
    fn parse(word: &str, parser: &mut Parser) -> Parse<Option<Self>>;

    /// Its operands and lambdas are what they should be (N4, N8). Yields the types of its results, unless these make no sense.
    /// `bound` are the types of the variables that the statement binds.
    fn verify(&self, checker: &mut Checker, bound: &[Type]) -> Option<Vec<Type>>;
}
