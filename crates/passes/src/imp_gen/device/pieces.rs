//! Arrays that threads need in one piece.
//!
//! ```text
//! map n (xsss) \xss { let xs = reshape xss 2 (k); .. xs[i] .. }
//! ```
//!
//! What is made in another order than that of its dimensions (`point_order`), or transposed, cannot be seen under another shape where it lies: every thread would
//! copy its part first. So the host copies all of it, once. The same for what a loop begins with, and what a function takes, which is row-major.

use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::Repr;
use crate::imp_gen::state::Gen;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Applied, ArrayExp, Atom, Body, ControlExp, DimIndex, Exp, Operator, ScalarExp, Var};
use rustc_hash::FxHashMap;

impl Gen<'_> {
    /// Launch what an operator is, with what its threads need in one piece.
    pub fn in_pieces(&mut self, op: &Operator, grid: &Grid, launch: &mut dyn FnMut(&mut Self)) {
        let mut pieces = Pieces::default();
        for var in &grid.captured {
            if let Some(Repr::Array(array)) = self.env.get(var)
                && !array.is_row_major()
                && array.counted.is_none()
            {
                let view = View { of: *var, fixed: 0, row_major_from: array.row_major_from };
                pieces.views.insert(*var, view);
            }
        }
        if !pieces.views.is_empty() {
            pieces.operator(op);
        }
        let mut replaced = Vec::with_capacity(pieces.needed.len());
        for var in pieces.needed {
            let array = self.array(var);
            let piece = Repr::Array(self.in_row_major(array));
            replaced.extend(self.env.insert(var, piece).map(|old| (var, old)));
        }
        launch(self);
        self.env.extend(replaced);
    }
}

/// A part of an array, behind so many indices.
#[derive(Clone, Copy)]
struct View {
    of: Var,
    fixed: usize,
    row_major_from: usize,
}

#[derive(Default)]
struct Pieces {
    views: FxHashMap<Var, View>,
    needed: Vec<Var>,
}

impl Pieces {
    fn operator(&mut self, op: &Operator) {
        if let Some(Applied { inputs, lambda, skipped, .. }) = op.applied() {
            for (input, param) in inputs.iter().zip(&lambda.params[skipped..]) {
                self.view(*param, *input, 1);
            }
        }
        op.for_each_part(&mut |part| self.part(part));
    }

    fn part(&mut self, part: Part) {
        match part {
            Part::Body(body) => self.body(body),
            Part::Lambda(lambda) => self.body(&lambda.body),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        }
    }

    fn body(&mut self, body: &Body) {
        for stm in &body.stms {
            let var = stm.vars.last().copied();
            match (&stm.exp, var) {
                (Exp::Scalar(ScalarExp::Atom(Atom::Var(array))), Some(var)) => self.view(var, *array, 0),
                (Exp::Array(ArrayExp::Index { array, slice }), Some(var)) => {
                    let fixed = slice.iter().take_while(|dim| matches!(dim, DimIndex::Fix(_))).count();
                    self.view(var, *array, fixed);
                }
                (
                    Exp::Array(ArrayExp::Rearrange { array, .. } | ArrayExp::Coerce { array, .. }),
                    Some(var),
                ) => self.view(var, *array, 0),
                (Exp::Array(ArrayExp::Reshape { array, .. }), _) => self.needs(*array),
                (Exp::Control(ControlExp::Call { args, .. }), _) => {
                    args.iter().filter_map(|arg| arg.var()).for_each(|var| self.needs(var));
                }
                (Exp::Control(ControlExp::Loop { params, .. }), _) => {
                    params.iter().filter_map(|(_, initial)| initial.var()).for_each(|var| self.needs(var));
                }
                _ => {}
            }
            match &stm.exp {
                Exp::Op(op) => self.operator(op),
                exp => exp.for_each_part(&mut |part| self.part(part)),
            }
        }
    }

    fn view(&mut self, var: Var, array: Var, fixed: usize) {
        if let Some(view) = self.views.get(&array).copied() {
            self.views.insert(var, View { fixed: view.fixed + fixed, ..view });
        }
    }

    fn needs(&mut self, array: Var) {
        if let Some(view) = self.views.get(&array)
            && view.fixed < view.row_major_from
            && !self.needed.contains(&view.of)
        {
            self.needed.push(view.of);
        }
    }
}
