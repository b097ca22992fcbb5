//! What one asks of kernels and the other expressions of flat; and what the skeleton asks of them.

mod parse;
mod print;
mod vars;
mod verify;
mod walk;

use super::{
    Atom, Body, CPU, Extent, Fact, HOST, Kernel, Level, Operator, Out, Part, PartMut, SpaceDim, THREAD, Type,
    Var,
};
use crate::skeleton::Operators;
use crate::skeleton::parse::Parser;
use crate::skeleton::print::Printer;
use crate::skeleton::verify::Checker;
use crate::text::Parse;
use std::slice::from_ref;

impl Operators for Operator {
    const FUN_WORDS: &'static [&'static str] = &[HOST, THREAD, CPU];

    fn for_each_part(&self, f: &mut dyn FnMut(Part<'_>)) {
        walk::for_each_part(self, f);
    }

    fn for_each_part_mut(&mut self, f: &mut dyn FnMut(PartMut<'_>)) {
        walk::for_each_part_mut(self, f);
    }

    fn consumed(&self) -> Vec<Var> {
        match self {
            Operator::Kernel(kernel) => kernel.outs.iter().flat_map(Out::destinations).collect(),
            Operator::Describe { .. }
            | Operator::Rows { .. }
            | Operator::Read(_)
            | Operator::CopyTo { .. }
            | Operator::Choose { .. }
            | Operator::Fact { .. }
            | Operator::Owner { .. }
            | Operator::Offset { .. } => Vec::new(),
        }
    }

    fn views(&self) -> &[Var] {
        match self {
            Operator::Rows { array, .. } => from_ref(array),
            Operator::Kernel(_)
            | Operator::Describe { .. }
            | Operator::Read(_)
            | Operator::CopyTo { .. }
            | Operator::Choose { .. }
            | Operator::Fact { .. }
            | Operator::Owner { .. }
            | Operator::Offset { .. } => &[],
        }
    }

    fn branches(&self) -> Vec<&Body> {
        match self {
            Operator::Choose { cases, otherwise } => {
                cases.iter().map(|(_, body)| body).chain([otherwise]).collect()
            }
            Operator::Kernel(_)
            | Operator::Describe { .. }
            | Operator::Rows { .. }
            | Operator::Read(_)
            | Operator::CopyTo { .. }
            | Operator::Fact { .. }
            | Operator::Owner { .. }
            | Operator::Offset { .. } => Vec::new(),
        }
    }

    fn print(&self, printer: &mut Printer) {
        print::print(self, printer);
    }

    fn parse(word: &str, parser: &mut Parser) -> Parse<Option<Operator>> {
        parse::parse(word, parser)
    }

    fn verify(&self, checker: &mut Checker, bound: &[Type]) -> Option<Vec<Type>> {
        verify::verify(self, checker, bound)
    }
}

impl<O> Kernel<O> {
    /// All dimensions, points first.
    pub fn dims(&self) -> impl DoubleEndedIterator<Item = &SpaceDim> {
        self.points.iter().chain(&self.through)
    }
}

impl SpaceDim {
    pub fn size(&self) -> Option<Atom> {
        match self.extent {
            Extent::Size(size) => Some(size),
            Extent::Row(_) => None,
        }
    }
}

impl<O> Out<O> {
    /// How many results of the body belong to it.
    pub fn takes(&self) -> usize {
        match self {
            Out::Map { values, into: _ } | Out::Sort { order: _, values } => *values,
            Out::Reduce { op, after: _ } => op.neutral.len(),
            Out::Scan { op, after } => op.neutral.len() + after.as_ref().map_or(0, |after| after.further),
            Out::Filter { values } | Out::Partition { values } => values + 1,
            Out::Scatter { indices, into } | Out::Hist { op: _, indices, into } => indices + into.len(),
            Out::Acc { .. } => 1,
        }
    }

    /// How many variables the statement binds for it. A filter binds a descriptor if there are points.
    pub fn yields(&self, points: usize) -> usize {
        match self {
            Out::Map { values, into: _ } | Out::Sort { order: _, values } => *values,
            Out::Reduce { op, after } => {
                after.as_ref().map_or(op.neutral.len(), |after| after.body.result.len())
            }
            Out::Scan { op, after } => {
                after.as_ref().map_or(op.neutral.len(), |after| after.lambda.body.result.len())
            }
            Out::Filter { values } => values + 1 + usize::from(points > 0),
            Out::Partition { values } => values + 1,
            Out::Scatter { indices: _, into } | Out::Hist { op: _, indices: _, into } => into.len(),
            Out::Acc { var: _, op: _, into } => into.len(),
        }
    }

    /// What it overwrites.
    pub fn destinations(&self) -> Vec<Var> {
        match self {
            Out::Map { into, .. } | Out::Scatter { into, .. } | Out::Hist { into, .. } => {
                into.iter().map(|into| into.array).collect()
            }
            Out::Acc { into, .. } => into.clone(),
            Out::Reduce { .. }
            | Out::Scan { .. }
            | Out::Filter { .. }
            | Out::Partition { .. }
            | Out::Sort { .. } => Vec::new(),
        }
    }
}

impl Level {
    pub const ALL: [Level; 4] = [Level::Grid, Level::Groups, Level::Group, Level::Seq];

    pub fn name(self) -> &'static str {
        match self {
            Level::Grid => "grid",
            Level::Groups => "groups",
            Level::Group => "group",
            Level::Seq => "seq",
        }
    }
}

impl Fact {
    pub const ALL: [Fact; 4] = [Fact::Number, Fact::Total, Fact::Longest, Fact::Nonempty];

    pub fn name(self) -> &'static str {
        match self {
            Fact::Number => "number",
            Fact::Total => "total",
            Fact::Longest => "longest",
            Fact::Nonempty => "nonempty",
        }
    }
}
