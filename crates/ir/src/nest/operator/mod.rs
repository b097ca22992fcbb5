//! The operators of nest: constructors, and the facts about them that passes use; and the implementation of what the skeleton requires (`Operators`).
//!
//! A pass that treats all operators alike uses these facts instead of matching: `width`, `inputs` (what is taken element by element or in chunks), `dests` (what is consumed), `lambda`, `reductions`,
//! and predicates such as `is_sweep` (one traversal, nothing longer than the inputs), `can_be_split` (may run in parallel) and `is_ordered` (a part depends on the parts before).
//!
//! Every match here lists all operators, so that the compiler points at this file when a new one is added.

mod applied;
mod combining;
mod parse;
mod print;
mod task;
mod verify;
mod walk;

pub use applied::Applied;
pub use combining::Combining;

use super::task::Join;
use super::walk::{Part, PartMut};
use super::{Atom, Exp, Lambda, Operator, Reduction, StreamForm, Task, Type, Var};
use crate::skeleton::Operators;
use crate::skeleton::parse::Parser;
use crate::skeleton::print::Printer;
use crate::skeleton::verify::Checker;
use crate::text::Parse;
use std::slice::from_ref;

impl Operators for Operator {
    const FUN_WORDS: &'static [&'static str] = &[];

    fn for_each_part(&self, f: &mut dyn FnMut(Part<'_>)) {
        Operator::for_each_part(self, f);
    }

    fn for_each_part_mut(&mut self, f: &mut dyn FnMut(PartMut<'_>)) {
        Operator::for_each_part_mut(self, f);
    }

    fn consumed(&self) -> Vec<Var> {
        self.dests().to_vec()
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

impl Exp {
    pub fn map(width: Atom, inputs: Vec<Var>, lambda: Lambda) -> Exp {
        Exp::Op(Operator::Map { width, inputs, lambda })
    }

    pub fn reduce(width: Atom, op: Reduction, inputs: Vec<Var>) -> Exp {
        Exp::Op(Operator::Reduce { width, op, inputs })
    }

    pub fn scan(width: Atom, op: Reduction, inputs: Vec<Var>) -> Exp {
        Exp::Op(Operator::Scan { width, op, inputs })
    }

    pub fn filter(width: Atom, inputs: Vec<Var>, lambda: Lambda) -> Exp {
        Exp::Op(Operator::Filter { width, inputs, lambda })
    }
}

impl Operator {
    /// The word that its text begins with.
    pub fn name(&self) -> &'static str {
        match self {
            Operator::Map { .. } => "map",
            Operator::Reduce { .. } => "reduce",
            Operator::Scan { .. } => "scan",
            Operator::Fused { .. } => "fused",
            Operator::Filter { .. } => "filter",
            Operator::Partition { .. } => "partition",
            Operator::Sort { .. } => "sort",
            Operator::Scatter { .. } => "scatter",
            Operator::Hist { .. } => "hist",
            Operator::Stream { .. } => "stream",
            Operator::AccStream { .. } => "acc_stream",
            Operator::Task(_) => "task",
        }
    }

    pub fn width(&self) -> Atom {
        match self {
            Operator::Map { width, .. }
            | Operator::Reduce { width, .. }
            | Operator::Scan { width, .. }
            | Operator::Fused { width, .. }
            | Operator::Filter { width, .. }
            | Operator::Partition { width, .. }
            | Operator::Sort { width, .. }
            | Operator::Scatter { width, .. }
            | Operator::Hist { width, .. }
            | Operator::Stream { width, .. }
            | Operator::AccStream { width, .. } => *width,
            Operator::Task(task) => task.width,
        }
    }

    /// The arrays that it takes element by element, or in chunks.
    pub fn inputs(&self) -> &[Var] {
        match self {
            Operator::Map { inputs, .. }
            | Operator::Reduce { inputs, .. }
            | Operator::Scan { inputs, .. }
            | Operator::Fused { inputs, .. }
            | Operator::Filter { inputs, .. }
            | Operator::Partition { inputs, .. }
            | Operator::Scatter { inputs, .. }
            | Operator::Hist { inputs, .. }
            | Operator::Stream { inputs, .. }
            | Operator::AccStream { inputs, .. } => inputs,
            Operator::Sort { keys, .. } => from_ref(keys),
            Operator::Task(task) => &task.inputs,
        }
    }

    /// Those of its inputs that it takes element by element.
    pub fn elements(&self) -> &[Var] {
        match self {
            Operator::Sort { .. } | Operator::Stream { .. } | Operator::Task(_) => &[],
            Operator::Map { inputs, .. }
            | Operator::Reduce { inputs, .. }
            | Operator::Scan { inputs, .. }
            | Operator::Fused { inputs, .. }
            | Operator::Filter { inputs, .. }
            | Operator::Partition { inputs, .. }
            | Operator::Scatter { inputs, .. }
            | Operator::Hist { inputs, .. }
            | Operator::AccStream { inputs, .. } => inputs,
        }
    }

    /// The arrays that it writes to, which it consumes.
    pub fn dests(&self) -> &[Var] {
        match self {
            Operator::Scatter { dests, .. }
            | Operator::Hist { dests, .. }
            | Operator::AccStream { dests, .. } => dests,
            Operator::Map { .. }
            | Operator::Reduce { .. }
            | Operator::Scan { .. }
            | Operator::Fused { .. }
            | Operator::Filter { .. }
            | Operator::Partition { .. }
            | Operator::Sort { .. }
            | Operator::Stream { .. }
            | Operator::Task(_) => &[],
        }
    }

    /// What it does with each element or chunk.
    pub fn lambda(&self) -> Option<&Lambda> {
        match self {
            Operator::Map { lambda, .. }
            | Operator::Fused { lambda, .. }
            | Operator::Filter { lambda, .. }
            | Operator::Partition { lambda, .. }
            | Operator::Scatter { lambda, .. }
            | Operator::Hist { lambda, .. }
            | Operator::Stream { lambda, .. }
            | Operator::AccStream { lambda, .. } => Some(lambda),
            Operator::Task(task) => Some(&task.lambda),
            Operator::Reduce { .. } | Operator::Scan { .. } | Operator::Sort { .. } => None,
        }
    }

    /// What it combines two values by.
    pub fn reductions(&self) -> Vec<&Lambda> {
        match self {
            Operator::Reduce { op, .. } | Operator::Scan { op, .. } | Operator::Hist { op, .. } => {
                vec![&op.lambda]
            }
            Operator::Fused { scans, reductions, .. } => {
                scans.iter().chain(reductions).map(|op| &op.lambda).collect()
            }
            Operator::Stream { form, .. } => match form {
                StreamForm::Reduce { any_order: _, op } => vec![op],
                StreamForm::Map { any_order: _ } | StreamForm::Seq { init: _ } => Vec::new(),
            },
            Operator::AccStream { op, .. } => op.iter().map(|op| &op.lambda).collect(),
            Operator::Task(task) => {
                let carries = task.carries.iter().map(|carry| &carry.op.lambda);
                carries.chain(task.joins.iter().filter_map(Join::operator)).collect()
            }
            Operator::Map { .. }
            | Operator::Filter { .. }
            | Operator::Partition { .. }
            | Operator::Sort { .. }
            | Operator::Scatter { .. } => Vec::new(),
        }
    }

    /// All lambdas in the order of the text, and whether each combines two values.
    pub fn for_each_lambda_mut(&mut self, f: &mut dyn FnMut(&mut Lambda, bool)) {
        match self {
            Operator::Map { lambda, .. }
            | Operator::Filter { lambda, .. }
            | Operator::Partition { lambda, .. }
            | Operator::Scatter { lambda, .. } => f(lambda, false),
            Operator::Reduce { op, .. } | Operator::Scan { op, .. } => f(&mut op.lambda, true),
            Operator::Fused { lambda, scans, reductions, .. } => {
                f(lambda, false);
                scans.iter_mut().chain(reductions).for_each(|op| f(&mut op.lambda, true));
            }
            Operator::Hist { op, lambda, .. } => {
                f(lambda, false);
                f(&mut op.lambda, true);
            }
            Operator::Stream { form, lambda, .. } => {
                match form {
                    StreamForm::Reduce { any_order: _, op } => f(op, true),
                    StreamForm::Map { any_order: _ } | StreamForm::Seq { init: _ } => {}
                }
                f(lambda, false);
            }
            Operator::AccStream { op, lambda, .. } => {
                op.iter_mut().for_each(|op| f(&mut op.lambda, true));
                f(lambda, false);
            }
            Operator::Task(task) => {
                let Task { windows, carries, lambda, joins, .. } = &mut **task;
                windows.iter_mut().for_each(|window| f(&mut window.need, false));
                for carry in carries {
                    f(&mut carry.total, false);
                    f(&mut carry.op.lambda, true);
                }
                f(lambda, false);
                joins.iter_mut().filter_map(Join::operator_mut).for_each(|op| f(op, true));
            }
            Operator::Sort { .. } => {}
        }
    }

    /// Whether it goes through its inputs once, and makes nothing that is longer than they are, whatever their elements.
    pub fn is_sweep(&self) -> bool {
        match self {
            Operator::Map { .. }
            | Operator::Reduce { .. }
            | Operator::Scan { .. }
            | Operator::Fused { .. } => true,
            Operator::Filter { .. }
            | Operator::Partition { .. }
            | Operator::Sort { .. }
            | Operator::Scatter { .. }
            | Operator::Hist { .. }
            | Operator::Stream { .. }
            | Operator::AccStream { .. }
            | Operator::Task(_) => false,
        }
    }

    /// Whether it can run in parallel.
    pub fn can_be_split(&self) -> bool {
        match self {
            Operator::Stream { form, .. } => !matches!(form, StreamForm::Seq { .. }),
            Operator::AccStream { op, .. } => op.is_none(),
            // It is the host's, and its lambda has the grids.
            Operator::Task(_) => false,
            Operator::Map { .. }
            | Operator::Reduce { .. }
            | Operator::Scan { .. }
            | Operator::Fused { .. }
            | Operator::Filter { .. }
            | Operator::Partition { .. }
            | Operator::Sort { .. }
            | Operator::Scatter { .. }
            | Operator::Hist { .. } => true,
        }
    }

    /// Whether what a piece of it yields depends on the pieces before.
    pub fn is_ordered(&self) -> bool {
        match self {
            Operator::Scan { .. }
            | Operator::Filter { .. }
            | Operator::Partition { .. }
            | Operator::Sort { .. } => true,
            Operator::Fused { scans, .. } => !scans.is_empty(),
            Operator::Stream { form, .. } => matches!(form, StreamForm::Seq { .. }),
            Operator::Map { .. }
            | Operator::Reduce { .. }
            | Operator::Scatter { .. }
            | Operator::Hist { .. }
            | Operator::AccStream { .. }
            | Operator::Task(_) => false,
        }
    }
}
