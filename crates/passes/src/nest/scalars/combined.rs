//! Reductions and scans of small rows outside of all operators: of their elements, which a thread of a device keeps in registers.
//!
//! ```text
//! let s: [n][2]f32 = scan n (ps) neutral (zero)      let s.0: [n]f32, s.1: [n]f32 = fused n (ps.0, ps.1) ..
//!   \(a: [2]f32, b: [2]f32) { .. }             ==>     scan neutral (0f32, 0f32) \(a.0: f32, a.1: f32, b.0: f32, b.1: f32) { .. }
//!                                                    let s: [n][2]f32 = map n (s.0, s.1) \(x: f32, y: f32) { array (x, y) }
//! ```
//!
//! Only for devices, whose host fetches the elements of what is reduced: a processor combines small rows in its cache. Refuses operators that ask
//! for elements of more than a few by an index that is not known once their loops over a few elements are unrolled, and neutral elements that are not known, also after the map that makes them is unrolled. Leaves
//! reductions by an operator on each element alone: these are reductions of columns, whatever their number (`flatten/columns`).

use super::literals::of_constants;
use super::{Scalars, atoms, beside, small};
use crate::nest::memory::{memory, signatures};
use crate::nest::mentions;
use crate::nest::subst::Names;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, Body, Combining, ControlExp, DimIndex, Exp, Lambda, Operator, Prog, Reduction, Stm, Type,
    Var,
};
use std::collections::HashSet;

/// So many elements are chosen from by branches.
const CHOICES: usize = 8;

/// Whether anything has changed.
pub fn combined_rows(prog: &mut Prog) -> bool {
    let signatures = signatures(prog);
    let literals = of_constants(prog, &signatures);
    let mut changed = false;
    for fun in &mut prog.funs {
        let memory = memory(&signatures, fun);
        let names = Names { vars: std::mem::take(&mut fun.vars), memory };
        let mut scalars = Scalars::new(names, &literals);
        let own = scalars.combined_in(&mut fun.body);
        fun.vars = scalars.names.vars;
        if own {
            normalise_fun(fun);
        }
        changed |= own;
    }
    changed
}

impl Scalars<'_> {
    fn combined_in(&mut self, body: &mut Body) -> bool {
        let mut changed = false;
        let neutrals = neutrals(body);
        for mut stm in std::mem::take(&mut body.stms) {
            // A matrix of zeros and ones that a map makes: then its elements are known.
            if stm.vars.iter().any(|var| neutrals.contains(var)) && self.unroll(&stm, &mut body.stms) {
                changed = true;
                continue;
            }
            if let Some(stms) = self.combined_statement(&stm) {
                body.stms.extend(stms);
                changed = true;
                continue;
            }
            if stm.exp.op().is_none() {
                stm.for_each_part_mut(&mut |part| match part {
                    PartMut::Body(body) => changed |= self.combined_in(body),
                    PartMut::Lambda(_) | PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
                });
            }
            self.note_constants(&stm);
            if let Some(elements) = self.elements_of(&stm).filter(|_| self.is_small(stm.vars[0])) {
                self.known.insert(stm.vars[0], elements);
            }
            body.stms.push(stm);
        }
        changed
    }

    fn combined_statement(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Combining { width, inputs, lambda, scans, reductions } = stm.exp.op()?.combining()?;
        let ops = || scans.iter().chain(reductions);
        let is_row = |var: &Var| !self.names.ty(*var).is_scalar();
        let combines_rows = |op: &Reduction| op.lambda.params.iter().any(is_row);
        let by_columns = scans.is_empty() && ops().filter(|op| combines_rows(op)).all(is_map);
        if by_columns || inputs.iter().any(|input| self.names.ty(*input).has_irregular_rows()) {
            return None;
        }
        let fits = |op: &Reduction| {
            let known =
                |atom: &Atom| atom.var().is_none_or(|var| !is_row(&var) || self.known.contains_key(&var));
            op.lambda.params.iter().all(|var| !is_row(var) || self.is_small(*var))
                && op.neutral.iter().all(known)
        };
        if !ops().all(fits) {
            return None;
        }
        let room = self.room;
        let mut out = Vec::new();
        let mut own: Vec<Reduction> = Vec::with_capacity(scans.len() + reductions.len());
        for op in ops() {
            let Some(op) = self.on_scalars(op, stm, &mut out) else {
                self.room = room;
                return None;
            };
            own.push(op);
        }
        let reduced = own.split_off(scans.len());

        // What is combined, element by element.
        let lambda = self.names.lambda_or_rows(lambda, inputs);
        let mut lambda = self.names.copy_lambda(&lambda);
        self.body(&mut lambda.body);
        let mut carriers: Vec<Var> =
            ops().flat_map(|op| op.lambda.params[..op.neutral.len()].iter().copied()).collect();
        let mut columns: Vec<bool> = carriers.iter().map(|param| self.is_small(*param)).collect();
        columns.resize(stm.vars.len(), false);
        carriers.extend(&stm.vars[carriers.len()..]);
        let result = std::mem::take(&mut lambda.body.result);
        lambda.body.result = self.carried_elements(&result, &carriers, &columns, stm, &mut lambda.body.stms);
        let scanned: usize = scans.iter().map(|op| op.neutral.len()).sum();
        let mut vars = Vec::new();
        let mut arrays: Vec<(Var, Vec<Var>)> = Vec::new();
        for (at, (var, carried)) in stm.vars.iter().zip(&columns).enumerate() {
            if !carried {
                vars.push(*var);
                continue;
            }
            let elements = match at < scanned {
                true => self.column_vars(*var),
                false => self.element_vars(*var),
            };
            vars.extend(&elements);
            arrays.push((*var, elements));
        }
        let exp = Operator::Fused { width, inputs: inputs.to_vec(), lambda, scans: own, reductions: reduced };
        let mut whole = Stm { vars, exp: Exp::Op(exp), ..stm.clone() };
        self.take_columns(&mut whole, &mut out);
        out.push(whole);
        for (var, elements) in arrays {
            match self.names.ty(elements[0]).is_scalar() {
                true => self.assemble(var, atoms(&elements), stm, &mut out),
                false => self.rows_of_columns(width, var, elements, stm, &mut out),
            }
        }
        Some(out)
    }

    /// The operator on elements, if it uses rows only by their elements.
    fn on_scalars(&mut self, op: &Reduction, stm: &Stm, out: &mut Vec<Stm>) -> Option<Reduction> {
        let lambda = self.names.copy_lambda(&op.lambda);
        let rows: Vec<Var> = lambda.params.iter().copied().filter(|param| self.is_small(*param)).collect();
        if rows.is_empty() {
            return Some(Reduction { lambda, ..op.clone() });
        }
        let mut op = self.of_elements(&Reduction { lambda, ..op.clone() }, stm, out);
        self.choose_elements(&mut op.lambda.body);
        let mut live = Vec::new();
        mentions::in_atoms(&op.lambda.body.result, &mut live);
        let needed = mentions::needed(&self.names.vars, &op.lambda.body.stms, &mut live);
        let is_made = |stm: &Stm| stm.vars.iter().any(|var| rows.contains(var));
        (!needed.iter().any(is_made)).then_some(op)
    }

    /// An element of a small row whose index is not known is chosen among all: so steps of an automaton, which are rows of states, are composed.
    fn choose_elements(&self, body: &mut Body) {
        for stm in &mut body.stms {
            if let Exp::Array(ArrayExp::Index { array, slice }) = &stm.exp
                && let [DimIndex::Fix(index @ Atom::Var(_))] = slice[..]
                && let Some((last, others)) = self.known.get(array).and_then(|known| known.split_last())
                && others.len() < CHOICES
                && self.names.ty(*array).rank() == 1
            {
                let yields = |element: &Atom| Body { stms: Vec::new(), result: vec![*element] };
                let cases = (0..).zip(others.iter().map(yields)).collect();
                stm.exp = Exp::Control(ControlExp::Switch { scrutinee: index, cases, default: yields(last) });
            }
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.choose_elements(body),
                PartMut::Lambda(lambda) => self.choose_elements(&mut lambda.body),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
        }
    }

    /// Variables for the columns of an array of small rows.
    fn column_vars(&mut self, array: Var) -> Vec<Var> {
        let ty = self.names.ty(array).clone();
        let name = self.names.name(array);
        let count = small(&ty.with_dims(ty.dims()[1..].to_vec())).unwrap_or(0);
        (0..count).map(|_| self.names.fresh(&name, ty.with_dims(ty.dims()[..1].to_vec()))).collect()
    }

    /// The array whose columns these are.
    fn rows_of_columns(
        &mut self,
        width: Atom,
        array: Var,
        columns: Vec<Var>,
        like: &Stm,
        out: &mut Vec<Stm>,
    ) {
        let ty: Type = self.names.ty(array).clone();
        let params: Vec<Var> = columns.iter().flat_map(|column| self.names.row_params(*column)).collect();
        let row = self.names.fresh(&self.names.name(array), ty.with_dims(ty.dims()[1..].to_vec()));
        let mut lambda = Lambda::new(params.clone(), Body::default());
        self.assemble(row, atoms(&params), like, &mut lambda.body.stms);
        lambda.body.result.push(row.into());
        out.push(beside(like, vec![array], Exp::map(width, columns, lambda)));
    }
}

/// The arrays from which reductions and scans of a body begin.
fn neutrals(body: &Body) -> HashSet<Var> {
    let combining = body.stms.iter().filter_map(|stm| stm.exp.op()?.combining());
    let ops = combining.flat_map(|op| op.scans.iter().chain(op.reductions));
    ops.flat_map(|op| op.neutral.iter().filter_map(|atom| atom.var())).collect()
}

/// Whether an operator is a map of its rows.
fn is_map(op: &Reduction) -> bool {
    matches!(&op.lambda.body.stms[..], [Stm { exp: Exp::Op(Operator::Map { .. }), .. }])
}
