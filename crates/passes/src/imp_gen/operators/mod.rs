//! Parallel operators: loops in the thread that reaches them, or kernels all over the device.
//!
//! Each operator has one way of going over a range of its elements (`element`, `sweep`, `choose`, `hist`). In a thread
//! the range is everything; in a grid each chunk of a launch has its own, and the partial results of chunks are combined
//! afterwards in the order of chunks, so that a program yields the same bits run after run.

mod acc_stream;
pub mod accs;
pub mod choose;
pub mod cost;
pub mod dests;
mod element;
pub mod elementwise;
pub mod hist;
pub mod launch;
pub mod outs;
mod packs;
mod rows;
mod scan;
mod shaped;
pub mod sort;
mod stream;
mod strips;
pub mod sweep;

use super::state::{Gen, Where};
use choose::Choose;
use hist::Hist;
use launch::Grid;
use norn_ir::imp;
use norn_ir::nest::{Operator, Var};
use sort::Sort;
use std::slice::from_ref;
use stream::Stream;
use sweep::Sweep;

pub use dests::Dest;

impl Gen<'_> {
    /// A parallel operator: in this thread, or as a grid with this much work, balanced by the rows of a variable.
    pub fn operator(&mut self, vars: &[Var], op: &Operator, grid: Option<(imp::Exp, Option<Var>)>) {
        let grid = grid.map(|(work, balance)| Grid { work, balance, captured: self.captured(vars, op) });
        if let (Where::Host, Some(grid)) = (self.at, &grid) {
            return self.device_operator(vars, op, grid);
        }
        if self.at == Where::Group {
            return self.group_operator(vars, op);
        }
        match op {
            Operator::Map { width, inputs, lambda } => {
                let sweep = Sweep {
                    name: "map",
                    width: *width,
                    inputs,
                    lambda: Some(lambda),
                    scans: &[],
                    reductions: &[],
                    vars,
                };
                self.sweep(&sweep, grid);
            }
            Operator::Reduce { width, op, inputs } => {
                let (scans, reductions) = (&[][..], from_ref(op));
                let sweep =
                    Sweep { name: "reduce", width: *width, inputs, lambda: None, scans, reductions, vars };
                self.sweep(&sweep, grid);
            }
            Operator::Scan { width, op, inputs } => {
                let (scans, reductions) = (from_ref(op), &[][..]);
                let sweep =
                    Sweep { name: "scan", width: *width, inputs, lambda: None, scans, reductions, vars };
                self.sweep(&sweep, grid);
            }
            Operator::Fused { width, inputs, lambda, scans, reductions } => {
                let lambda = Some(lambda);
                let sweep = Sweep { name: "fused", width: *width, inputs, lambda, scans, reductions, vars };
                self.sweep(&sweep, grid);
            }
            Operator::Filter { width, inputs, lambda } => {
                let choose = Choose { name: "filter", width: *width, inputs, lambda, keep_rest: false, vars };
                self.choose(&choose, grid);
            }
            Operator::Partition { width, inputs, lambda } => {
                let choose =
                    Choose { name: "partition", width: *width, inputs, lambda, keep_rest: true, vars };
                self.choose(&choose, grid);
            }
            Operator::Sort { width, keys, yields } => {
                self.sort(&Sort { width: *width, keys: *keys, yields: *yields, vars }, grid.as_ref());
            }
            Operator::Scatter { width, dests, inputs, lambda } => {
                let hist = Hist { name: "scatter", width: *width, dests, op: None, inputs, lambda, vars };
                self.hist(&hist, grid);
            }
            Operator::Hist { width, dests, op, inputs, lambda } => {
                let hist = Hist { name: "hist", width: *width, dests, op: Some(op), inputs, lambda, vars };
                self.hist(&hist, grid);
            }
            Operator::Stream { width, form, inputs, lambda } => {
                self.stream(&Stream { width: *width, form, inputs, lambda, vars }, grid);
            }
            Operator::AccStream { width, dests, op, inputs, lambda } => {
                let (name, op) = ("acc_stream", op.as_ref());
                self.acc_stream(&Hist { name, width: *width, dests, op, inputs, lambda, vars }, grid);
            }
            Operator::Task(_) => panic!("imp_gen: a task in {} has not been cut", self.fun.name),
        }
    }
}
