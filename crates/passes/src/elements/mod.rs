//! Segmented operators, those in maps over rows of different lengths, become operators over all elements of all rows.
//!
//! Before:
//! ```text
//! let yss: [n][?]f32 = map n (xss, ss) \(k: i64, xs: [k]f32, s: f32) {
//!   let ys: [k]f32 = map k (xs) \(x: f32) { .. x .. s .. }
//!   in ys
//! }
//! ```
//! After:
//! ```text
//! let ks: [n]i64 = lengths xss
//! let ends: [n]i64 = ends ks                              // sums of lengths
//! let total: i64 = ..                                     // the last of these
//! let numbers: [total]i64 = ..                            // of each element, that of its row
//! let all: [total]f32 = ..                                // the rows of xss, one after the other
//! let ys: [total]f32 = map total (numbers, all) \(r: i64, x: f32) {
//!   let s: f32 = index ss [r]
//!   .. x .. s ..
//! }
//! let yss: [n][?]f32 = segment ks ys
//! ```
//!
//! Needs: nest, distributed. Gives: nest that obeys the rules of flat, in which fewer irregular arrays are made other than by
//! `segment`. Keeps: results and failures, and the work up to a constant. Refuses (and leaves to the thread of each row): what writes
//! to places, and operators whose combining function depends on the row. What is expensive in front of rows that are made is a map of its own.
//!
//! Method: flattening as NESL has it (Blelloch; Bergstrom and Reppy, ICFP 2012). `rows` describes where rows are, once for all
//! operators over the same rows; `nest` finds the maps (`before`: those that do much else first; `branches`: those that choose rows by a condition), `flat` makes the map over elements, which everything begins with; `operators` goes on from there: `combine` with
//! segmented reductions and scans, `choose` with segmented filters, `sort`; `arrays` does what a host asks for with whole irregular arrays,
//! and `joins` what maps do with the rows of their rows.
//! Cost: linear, times the depth of maps.

mod arrays;
mod before;
mod branches;
mod checks;
mod choose;
mod combine;
mod flat;
mod joins;
mod nest;
mod operators;
mod rows;
mod sort;
mod updates;

use crate::flatten::calls::called_outside;
use crate::nest::memory::{memory, signatures};
use crate::nest::subst::Names;
use norn_base::Span;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{ArrayExp, Atom, Body, ControlExp, Exp, Operator, Prog, Stm, Type, Var};
use rows::KnownRows;
use std::collections::{HashMap, HashSet};

pub fn elements(prog: &mut Prog) {
    let signatures = signatures(prog);
    let outside = called_outside(prog);
    for (fun, _) in prog.funs.iter_mut().zip(outside).filter(|(_, outside)| *outside) {
        let memory = memory(&signatures, fun);
        let names = Names { vars: std::mem::take(&mut fun.vars), memory };
        let mut yielded = HashSet::new();
        yielded_by(&fun.body, &mut yielded);
        let mut elements = Elements {
            names,
            known: KnownRows::default(),
            checked: Checked::default(),
            yielded,
            out: Vec::new(),
            span: fun.span,
        };
        elements.body(&mut fun.body);
        fun.vars = elements.names.vars;
        normalise_fun(fun);
    }
    crate::nest::dce::dce(prog);
}

/// What a body yields around all maps, and those in it.
fn yielded_by(body: &Body, yielded: &mut HashSet<Var>) {
    yielded.extend(body.result.iter().filter_map(|atom| atom.var()));
    for stm in &body.stms {
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => yielded_by(body, yielded),
            Part::Lambda(_) | Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
}

/// What checks say about the lengths of rows.
#[derive(Default)]
struct Checked {
    /// Lengths that are those of a row of an array.
    row_of: HashMap<Var, (Var, Atom)>,
    /// Sizes that are equal, by the certificate.
    equal: HashMap<Var, (Atom, Atom)>,
}

/// One function being changed.
struct Elements {
    names: Names,
    known: KnownRows,
    checked: Checked,
    /// What bodies around all maps yield.
    yielded: HashSet<Var>,
    /// Statements of the body around all maps.
    out: Vec<Stm>,
    /// Of the statement that is looked at.
    span: Span,
}

impl Elements {
    /// A body around all maps.
    fn body(&mut self, body: &mut Body) {
        let outer = std::mem::take(&mut self.out);
        let known = self.known.clone();
        for stm in std::mem::take(&mut body.stms) {
            self.statement(stm);
        }
        // What is described inside is not there outside.
        self.known = known;
        body.stms = std::mem::replace(&mut self.out, outer);
    }

    fn statement(&mut self, mut stm: Stm) {
        self.span = stm.span;
        match &mut stm.exp {
            Exp::Op(Operator::Map { .. }) => {
                let after = self.make_even(&mut stm);
                self.join_outside(&mut stm);
                let replaced = self.known_lengths(&stm)
                    || self.looked_up_rows(&stm)
                    || self.map(&stm)
                    || self.map_apart(&stm)
                    || self.rows_of_branches(&stm);
                if !replaced {
                    self.note(&stm);
                    self.out.push(stm);
                }
                return after.into_iter().for_each(|stm| self.statement(stm));
            }
            exp @ Exp::Control(
                ControlExp::If { .. } | ControlExp::Switch { .. } | ControlExp::Loop { .. },
            ) => {
                exp.for_each_part_mut(&mut |part| match part {
                    PartMut::Body(body) => self.body(body),
                    PartMut::Lambda(_) | PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
                });
            }
            Exp::Array(ArrayExp::JoinRows(array)) if self.is_joined(*array) => {
                return self.join_again(&stm.vars, *array);
            }
            _ => {
                if self.whole_array(&stm) {
                    return;
                }
            }
        }
        self.note(&stm);
        self.note_checked(&stm);
        self.out.push(stm);
    }

    fn emit(&mut self, name: &str, ty: Type, exp: Exp) -> Var {
        let var = self.names.fresh(name, ty);
        self.bind(vec![var], exp);
        var
    }

    fn bind(&mut self, vars: Vec<Var>, exp: Exp) {
        self.out.push(self.stm(vars, exp));
    }

    fn stm(&self, vars: Vec<Var>, exp: Exp) -> Stm {
        Stm::new(vars, exp, self.span)
    }
}
