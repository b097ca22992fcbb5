//! Reductions of rows as reductions of columns (rule G5): many small ones in place of one with a large operator.
//!
//! ```text
//! let s: [m]f32 = reduce n (xss) neutral (zeros)       let columns: [m][n]f32 = rearrange xss (1, 0)
//!   \(a: [m]f32, b: [m]f32) {                          let s: [m]f32 = map m (zeros, columns)
//!     let c: [m]f32 = map m (a, b) \(x, y) {             \(zero: f32, column: [n]f32) {
//!       let z: f32 = add.f32 x y                 ==>       let t: f32 = reduce n (column) neutral (zero) \(x, y) {
//!       in z                                                 let z: f32 = add.f32 x y
//!     }                                                      in z
//!     in c                                                 }
//!   }                                                      in t
//!                                                        }
//! ```
//!
//! The same holds for scans. If the elements are rows again, the rule applies once more inside.

use super::Distributor;
use crate::nest::inputs::param_groups;
use crate::nest::mentions::{bound_inside, in_lambda};
use crate::nest::subst::Subst;
use norn_ir::nest::{Atom, Body, Dim, Exp, Lambda, Operator, Reduction, Stm, Type, Var};

/// An operator on rows that is a map.
struct Rowwise<'a> {
    width: Atom,
    inputs: &'a [Var],
    lambda: &'a Lambda,
}

impl Distributor<'_, '_> {
    /// A reduction or scan of rows by columns.
    pub fn by_columns(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Exp::Op(Operator::Reduce { width, op, inputs } | Operator::Scan { width, op, inputs }) = &stm.exp
        else {
            return None;
        };
        let rowwise = self.rowwise(op, inputs)?;
        let is_scan = matches!(stm.exp, Exp::Op(Operator::Scan { .. }));
        let mut list = Vec::new();
        let place = |vars: Vec<Var>, exp: Exp| Stm { vars, exp, ..stm.clone() };

        // What the outer map takes: neutral elements, columns, and what the operator takes besides.
        let mut outer = Lambda::new(Vec::new(), Body::default());
        let mut outer_inputs = Vec::new();
        let mut neutral = Vec::new();
        for atom in &op.neutral {
            neutral.push(match atom.var().map(|var| (var, self.replicated.get(&var).copied())) {
                Some((_, Some(value))) => value,
                Some((array, None)) => {
                    let param = self.names.row_params(array);
                    outer_inputs.push(array);
                    outer.params.extend(&param);
                    param[0].into()
                }
                None => *atom,
            });
        }
        let mut columns = Vec::new();
        for input in inputs {
            let ty = self.names.ty(*input).clone();
            let mut dims = ty.dims().to_vec();
            dims.swap(0, 1);
            let turned = self.names.fresh(&self.names.name(*input), ty.with_dims(dims.clone()));
            list.push(place(vec![turned], Exp::rearrange(*input, vec![1, 0])));
            outer_inputs.push(turned);
            let column = self.names.fresh(&self.names.name(*input), ty.with_dims(dims[1..].to_vec()));
            outer.params.push(column);
            columns.push(column);
        }

        // The operator on elements.
        let element = |this: &mut Self, param: &Var| {
            let ty = this.names.ty(*param).row().unwrap_or(Type::bool());
            this.names.fresh(&this.names.name(*param), ty)
        };
        let params: Vec<Var> = op.lambda.params.iter().map(|param| element(self, param)).collect();
        let mut subst = Subst::default();
        for (input, param) in rowwise.inputs.iter().zip(&rowwise.lambda.params) {
            match op.lambda.params.iter().position(|own| own == input) {
                Some(at) => subst.set(*param, params[at]),
                None => {
                    outer_inputs.push(*input);
                    let own = element(self, input);
                    outer.params.push(own);
                    subst.set(*param, own);
                }
            }
        }
        let mut inner = Stm::new(Vec::new(), Exp::atom(Atom::i64(0)), stm.span);
        let mut body = rowwise.lambda.body.clone();
        subst.body_and_types(&mut self.names.vars, &mut body);
        let reduction = Reduction { lambda: Lambda::new(params, body), neutral, commutative: op.commutative };
        let results = |this: &mut Self, column: &Var| {
            let ty = this.names.ty(*column).clone();
            let ty = if is_scan { ty } else { ty.row().unwrap_or(Type::bool()) };
            this.names.fresh(&this.names.name(stm.vars[0]), ty)
        };
        inner.vars = columns.iter().map(|column| results(self, column)).collect();
        outer.body.result = inner.vars.iter().map(|var| (*var).into()).collect();
        inner.exp = match is_scan {
            true => Exp::scan(*width, reduction, columns),
            false => Exp::reduce(*width, reduction, columns),
        };
        outer.body.stms.push(inner);
        let map = Exp::map(rowwise.width, outer_inputs, outer);
        if !is_scan {
            list.push(place(stm.vars.clone(), map));
            return Some(list);
        }
        let turned: Vec<Var> = stm
            .vars
            .iter()
            .map(|var| {
                let ty = self.names.ty(*var).clone();
                let mut dims = ty.dims().to_vec();
                dims.swap(0, 1);
                self.names.fresh(&self.names.name(*var), ty.with_dims(dims))
            })
            .collect();
        list.push(place(turned.clone(), map));
        for (var, turned) in stm.vars.iter().zip(turned) {
            list.push(place(vec![*var], Exp::rearrange(turned, vec![1, 0])));
        }
        Some(list)
    }

    /// Whether the operator combines rows by a map, alone or beside others.
    pub fn reduces_rows(&self, stm: &Stm) -> bool {
        match &stm.exp {
            Exp::Op(Operator::Reduce { op, inputs, .. } | Operator::Scan { op, inputs, .. }) => {
                self.rowwise(op, inputs).is_some()
            }
            Exp::Op(Operator::Fused { scans, reductions, .. }) => {
                scans.iter().chain(reductions).any(|op| self.rowwise_operator(op).is_some())
            }
            _ => false,
        }
    }

    fn rowwise<'a>(&self, op: &'a Reduction, inputs: &[Var]) -> Option<Rowwise<'a>> {
        let regular = |input: &Var| {
            let dims = self.names.ty(*input).dims();
            dims.len() > 1 && dims[1] != Dim::Irregular && dims.get(2) != Some(&Dim::Irregular)
        };
        self.rowwise_operator(op).filter(|_| inputs.iter().all(regular))
    }

    /// The operator as a map of the rows, all of which it takes, and yields.
    fn rowwise_operator<'a>(&self, op: &'a Reduction) -> Option<Rowwise<'a>> {
        let [Stm { vars, exp: Exp::Op(Operator::Map { width, inputs, lambda }), .. }] =
            &op.lambda.body.stms[..]
        else {
            return None;
        };
        let yielded = vars.iter().map(|var| Atom::Var(*var)).eq(op.lambda.body.result.iter().copied());
        let bound = |var: &Var| op.lambda.params.contains(var);
        let rows = op.lambda.params.iter().all(|param| {
            let dims = self.names.ty(*param).dims();
            !dims.is_empty()
                && dims.iter().all(|dim| dim.atom().and_then(Atom::var).is_none_or(|var| !bound(&var)))
        });
        let plain =
            param_groups(&self.names.vars, inputs, &lambda.params).iter().all(|group| group.len() == 1);
        let fits = yielded && rows && plain && width.var().is_none_or(|var| !bound(&var));
        // Of rows that are combined, the map uses the elements that it takes, and no others.
        let mut used = Vec::new();
        in_lambda(&self.names.vars, lambda, &mut used);
        let fits = fits && !used.iter().any(bound);
        // What the map takes besides is there outside the operator.
        let outside = inputs.iter().all(|input| bound(input) || !bound_inside_op(op).contains(input));
        (fits && outside && !super::worth::is_narrow(*width)).then_some(Rowwise {
            width: *width,
            inputs,
            lambda,
        })
    }
}

fn bound_inside_op(op: &Reduction) -> std::collections::HashSet<Var> {
    op.lambda.body.stms.iter().flat_map(|stm| bound_inside(stm).into_iter().chain(stm.vars.clone())).collect()
}
