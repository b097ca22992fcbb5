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
//! The same holds for scans. If the elements are rows again, the rule applies once more inside. What fusion has put in front of the operator is computed
//! for each element where that is combined, if it is a map of rows; otherwise a map of its own stores it.

use super::Distributor;
use super::context::Context;
use crate::nest::inputs::param_groups;
use crate::nest::mentions::{bound_inside, in_lambda, in_stm};
use crate::nest::subst::Subst;
use norn_ir::nest::{Atom, Body, Dim, DimIndex, Exp, Lambda, Operator, Prim, Reduction, Stm, Type, Var};

/// So many statements of a row may be done again for each of its elements.
const LITTLE: usize = 12;

/// What a lambda does for a row: first this, then perhaps a map.
struct Row<'a> {
    before: &'a [Stm],
    map: Option<Mapped<'a>>,
}

struct Mapped<'a> {
    vars: &'a [Var],
    inputs: &'a [Var],
    lambda: &'a Lambda,
}

/// An operator on rows that is a map.
struct Rowwise<'a> {
    width: Atom,
    inputs: &'a [Var],
    lambda: &'a Lambda,
}

/// The map over columns in the making.
struct Outer {
    lambda: Lambda,
    inputs: Vec<Var>,
}

impl Outer {
    fn take(&mut self, input: Var, param: Var) {
        self.inputs.push(input);
        self.lambda.params.push(param);
    }
}

impl Distributor<'_, '_> {
    /// A reduction or scan of rows by columns.
    pub fn by_columns(&mut self, cx: &Context, stm: &Stm) -> Option<Vec<Stm>> {
        match &stm.exp {
            Exp::Op(Operator::Reduce { width, op, inputs }) => {
                if self.rowwise(cx, op, inputs).is_none() {
                    return self.by_components(cx, stm);
                }
                let list = self.reduced_columns(cx, stm, *width, inputs, None, std::slice::from_ref(op));
                Some(list.expect("distribute: rows without columns"))
            }
            Exp::Op(Operator::Scan { width, op, inputs }) => {
                self.scanned_columns(cx, stm, *width, op, inputs).or_else(|| self.by_components(cx, stm))
            }
            Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }) => {
                if !self.reduces_rows(cx, stm) {
                    return None;
                }
                if let Some(stm) = self.with_chosen_elements(cx, stm, lambda) {
                    return self.by_columns(cx, &stm);
                }
                if scans.is_empty()
                    && let Some(list) =
                        self.reduced_columns(cx, stm, *width, inputs, Some(lambda), reductions)
                {
                    return Some(list);
                }
                self.by_components(cx, stm)
                    .or_else(|| self.work_first(stm))
                    .or_else(|| self.map_first(stm))
                    .or_else(|| self.each_alone(stm))
            }
            _ => None,
        }
    }

    /// The operator, if its lambda ends in a branch that chooses rows, with a map in place of that.
    fn with_chosen_elements(&mut self, cx: &Context, stm: &Stm, lambda: &Lambda) -> Option<Stm> {
        let bound = bound_inside(stm);
        let is_outside =
            |atom: Atom| cx.is_outside(atom) && atom.var().is_none_or(|var| !bound.contains(&var));
        let mut chosen = lambda.clone();
        self.choose_by_elements(&mut chosen, &is_outside);
        let mut stm = (chosen.body.stms.len() > lambda.body.stms.len()).then(|| stm.clone())?;
        if let Exp::Op(Operator::Fused { lambda, .. }) = &mut stm.exp {
            *lambda = chosen;
        }
        Some(stm)
    }

    /// The operators of a fused one that has nothing else to do, one by one.
    pub fn each_alone(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }) = &stm.exp else {
            return None;
        };
        if lambda.params.len() != inputs.len() {
            return None;
        }
        let input = |atom: &Atom| {
            lambda.params.iter().position(|param| Atom::Var(*param) == *atom).map(|at| inputs[at])
        };
        let is_inside = |atom: &Atom| {
            let mut bound = lambda.body.stms.iter().flat_map(|stm| &stm.vars);
            bound.any(|var| Atom::Var(*var) == *atom)
        };
        if lambda.body.result.iter().any(is_inside) {
            return None;
        }
        let mut vars = stm.vars.clone();
        let mut list = Vec::with_capacity(scans.len() + reductions.len());
        let mut columns = Vec::with_capacity(lambda.body.result.len());
        for atom in &lambda.body.result {
            columns.push(match input(atom) {
                Some(input) => input,
                // The same for all elements.
                None => {
                    let row = match atom {
                        Atom::Var(var) => self.names.ty(*var).clone(),
                        Atom::Const(scalar) => Type::scalar(scalar.prim()),
                    };
                    let all = self.names.fresh("same", row.array_of(Dim::Size(*width)));
                    list.push(Stm { vars: vec![all], exp: Exp::replicate(*width, *atom), ..stm.clone() });
                    all
                }
            });
        }
        for (number, op) in scans.iter().chain(reductions).enumerate() {
            let own: Vec<Var> = columns.drain(..op.neutral.len()).collect();
            let exp = match number < scans.len() {
                true => Exp::scan(*width, op.clone(), own),
                false => Exp::reduce(*width, op.clone(), own),
            };
            list.push(Stm { vars: vars.drain(..op.neutral.len()).collect(), exp, ..stm.clone() });
        }
        // What is kept are the inputs.
        for (var, column) in vars.into_iter().zip(columns) {
            list.push(Stm { vars: vec![var], exp: Exp::copy(column), ..stm.clone() });
        }
        Some(list)
    }

    /// Reductions of rows that a lambda makes of the inputs, or of these: each by a map over columns. Its elements are computed where they are
    /// combined, if all that the lambda does for a row is a map.
    fn reduced_columns(
        &mut self,
        cx: &Context,
        stm: &Stm,
        width: Atom,
        inputs: &[Var],
        lambda: Option<&Lambda>,
        reductions: &[Reduction],
    ) -> Option<Vec<Stm>> {
        let columns = reductions.iter().map(|op| op.neutral.len()).sum::<usize>();
        if columns != stm.vars.len() || inputs.iter().any(|input| self.names.ty(*input).has_irregular_rows())
        {
            return None;
        }
        let rowwise: Vec<Rowwise> =
            reductions.iter().map(|op| self.rowwise_operator(cx, op)).collect::<Option<_>>()?;
        if rowwise.iter().any(|each| each.width != rowwise[0].width) {
            return None;
        }
        let row = match lambda {
            Some(lambda) => Some(self.row_of(lambda, rowwise[0].width)?),
            None => None,
        };
        let mut list = Vec::new();
        let mut outer = Outer { lambda: Lambda::new(Vec::new(), Body::default()), inputs: Vec::new() };
        let ops: Vec<Reduction> = reductions
            .iter()
            .zip(&rowwise)
            .map(|(op, rowwise)| self.on_elements(op, rowwise, &mut outer))
            .collect();
        let (taken, inner) = match (lambda, row) {
            (Some(lambda), Some(row)) => {
                self.element_of_column(stm, inputs, lambda, &row, &mut outer, &mut list)
            }
            _ => {
                let transposed: Vec<Var> = inputs
                    .iter()
                    .map(|input| self.transposed_input(stm, *input, &mut outer, &mut list))
                    .collect();
                (transposed, None)
            }
        };
        let element = |this: &mut Self, var: &Var| {
            let ty = this.names.ty(*var).row().unwrap_or(Type::bool());
            this.names.fresh(&this.names.name(*var), ty)
        };
        let vars: Vec<Var> = stm.vars.iter().map(|var| element(self, var)).collect();
        outer.lambda.body.result = vars.iter().map(|var| (*var).into()).collect();
        let exp = match inner {
            None => Exp::reduce(width, ops.into_iter().next()?, taken),
            Some(lambda) => {
                Exp::Op(Operator::Fused { width, inputs: taken, lambda, scans: Vec::new(), reductions: ops })
            }
        };
        outer.lambda.body.stms.push(Stm::new(vars, exp, stm.span));
        let map = Exp::map(rowwise[0].width, outer.inputs, outer.lambda);
        list.push(Stm { exp: map, ..stm.clone() });
        Some(list)
    }

    /// What a lambda does for each element of the row that it yields, of this width: scalars and views for the row, and then a map.
    fn row_of<'a>(&self, lambda: &'a Lambda, width: Atom) -> Option<Row<'a>> {
        let is_cheap = |stm: &Stm| stm.exp.is_scalar_or_view();
        let (map, before) = match lambda.body.stms.split_last() {
            Some((
                Stm { vars, exp: Exp::Op(Operator::Map { width: own, inputs, lambda: map }), .. },
                before,
            )) if *own == width => {
                let plain =
                    param_groups(&self.names.vars, inputs, &map.params).iter().all(|group| group.len() == 1);
                (plain.then_some(Mapped { vars, inputs, lambda: map })?.into(), before)
            }
            _ => (None, &lambda.body.stms[..]),
        };
        let map: Option<Mapped> = map;
        let is_row = |atom: &Atom| atom.var().is_some_and(|var| self.names.ty(var).is_array());
        (before.len() <= LITTLE && before.iter().all(is_cheap) && lambda.body.result.iter().all(is_row))
            .then_some(Row { before, map })
    }

    /// A lambda that yields the elements of a column, and what it takes.
    fn element_of_column(
        &mut self,
        stm: &Stm,
        inputs: &[Var],
        lambda: &Lambda,
        row: &Row,
        outer: &mut Outer,
        list: &mut Vec<Stm>,
    ) -> (Vec<Var>, Option<Lambda>) {
        let mut inner = Lambda::new(Vec::new(), Body::default());
        let mut taken: Vec<Var> = Vec::new();
        let mut subst = Subst::default();
        let bound = |var: Var| row.before.iter().any(|stm| stm.vars.contains(&var));
        let mut number: Option<Var> = None;
        // The element of an array whose length is that of the rows.
        let mut element = |this: &mut Self, array: Var| -> Var {
            if let Some(at) = lambda.params.iter().position(|param| *param == array) {
                let transposed = this.transposed_input(stm, inputs[at], outer, list);
                let param = this.names.row_params(transposed)[0];
                taken.push(transposed);
                inner.params.push(param);
                return param;
            }
            let param = this.names.row_params(array)[0];
            if !bound(array) {
                outer.take(array, param);
                return param;
            }
            let number = *number.get_or_insert_with(|| {
                let dim = this.names.ty(array).dims()[0];
                let all = this.names.fresh("columns", Type::array(Prim::I64, vec![dim]));
                list.push(Stm {
                    vars: vec![all],
                    exp: Exp::iota(dim.atom().unwrap_or(Atom::i64(0))),
                    ..stm.clone()
                });
                let number = this.names.fresh("column", Type::i64());
                outer.take(all, number);
                number
            });
            let exp = Exp::index(array, vec![DimIndex::Fix(number.into())]);
            inner.body.stms.push(Stm::new(vec![param], exp, stm.span));
            param
        };
        let mut of_map: Vec<Stm> = Vec::new();
        if let Some(map) = &row.map {
            for (input, param) in map.inputs.iter().zip(&map.lambda.params) {
                let own = element(self, *input);
                subst.set(*param, own);
            }
            of_map.extend(map.lambda.body.stms.iter().cloned());
        }
        let mut result = Vec::with_capacity(lambda.body.result.len());
        for atom in &lambda.body.result {
            let mapped = row.map.as_ref().and_then(|map| {
                let at = map.vars.iter().position(|var| Atom::Var(*var) == *atom)?;
                Some(map.lambda.body.result[at])
            });
            result.push(match (mapped, atom.var()) {
                (Some(value), _) => value,
                (None, Some(array)) => element(self, array).into(),
                (None, None) => *atom,
            });
        }
        // What the lambda takes of the inputs besides.
        let after = std::mem::take(&mut inner.body.stms);
        inner.body.stms = row.before.iter().cloned().chain(after).chain(of_map).collect();
        inner.body.result = result;
        let mut used = Vec::new();
        inner.body.stms.iter().for_each(|stm| in_stm(&self.names.vars, stm, &mut used));
        for (input, param) in inputs.iter().zip(&lambda.params).filter(|(_, param)| used.contains(param)) {
            taken.push(*input);
            inner.params.push(*param);
        }
        subst.body_and_types(&mut self.names.vars, &mut inner.body);
        (taken, Some(self.names.copy_lambda(&inner)))
    }

    /// A row of the map is a column of this input.
    fn transposed_input(&mut self, stm: &Stm, input: Var, outer: &mut Outer, list: &mut Vec<Stm>) -> Var {
        let ty = self.names.ty(input).clone();
        let mut dims = ty.dims().to_vec();
        dims.swap(0, 1);
        let transposed = self.names.fresh(&self.names.name(input), ty.with_dims(dims.clone()));
        list.push(Stm { vars: vec![transposed], exp: Exp::rearrange(input, vec![1, 0]), ..stm.clone() });
        let column = self.names.fresh(&self.names.name(input), ty.with_dims(dims[1..].to_vec()));
        outer.take(transposed, column);
        column
    }

    /// An operator on rows as one on elements. What it takes besides these, and its neutral elements, the map over columns takes.
    fn on_elements(&mut self, op: &Reduction, rowwise: &Rowwise, outer: &mut Outer) -> Reduction {
        let mut neutral = Vec::new();
        for atom in &op.neutral {
            neutral.push(match atom.var().map(|var| (var, self.replicated.get(&var).copied())) {
                Some((_, Some(value))) => value,
                Some((array, None)) => {
                    let param = self.names.row_params(array)[0];
                    outer.take(array, param);
                    param.into()
                }
                None => *atom,
            });
        }
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
                    let own = element(self, input);
                    outer.take(*input, own);
                    subst.set(*param, own);
                }
            }
        }
        let mut body = rowwise.lambda.body.clone();
        subst.body_and_types(&mut self.names.vars, &mut body);
        Reduction { lambda: Lambda::new(params, body), neutral, commutative: op.commutative }
    }

    fn scanned_columns(
        &mut self,
        cx: &Context,
        stm: &Stm,
        width: Atom,
        op: &Reduction,
        inputs: &[Var],
    ) -> Option<Vec<Stm>> {
        let rowwise = self.rowwise(cx, op, inputs)?;
        let mut list = Vec::new();
        let mut outer = Outer { lambda: Lambda::new(Vec::new(), Body::default()), inputs: Vec::new() };
        let op = self.on_elements(op, &rowwise, &mut outer);
        let columns: Vec<Var> =
            inputs.iter().map(|input| self.transposed_input(stm, *input, &mut outer, &mut list)).collect();
        let vars: Vec<Var> = columns
            .iter()
            .map(|column| {
                let ty = self.names.ty(*column).clone();
                self.names.fresh(&self.names.name(stm.vars[0]), ty)
            })
            .collect();
        outer.lambda.body.result = vars.iter().map(|var| (*var).into()).collect();
        outer.lambda.body.stms.push(Stm::new(vars, Exp::scan(width, op, columns), stm.span));
        let transposed: Vec<Var> = stm
            .vars
            .iter()
            .map(|var| {
                let ty = self.names.ty(*var).clone();
                let mut dims = ty.dims().to_vec();
                dims.swap(0, 1);
                self.names.fresh(&self.names.name(*var), ty.with_dims(dims))
            })
            .collect();
        let map = Exp::map(rowwise.width, outer.inputs, outer.lambda);
        list.push(Stm { vars: transposed.clone(), exp: map, ..stm.clone() });
        for (var, transposed) in stm.vars.iter().zip(transposed) {
            list.push(Stm { vars: vec![*var], exp: Exp::rearrange(transposed, vec![1, 0]), ..stm.clone() });
        }
        Some(list)
    }

    /// Whether the operator combines rows by a map, alone or beside others.
    pub fn reduces_rows(&self, cx: &Context, stm: &Stm) -> bool {
        if self.has_components(cx, stm) {
            return true;
        }
        match &stm.exp {
            Exp::Op(Operator::Reduce { op, inputs, .. } | Operator::Scan { op, inputs, .. }) => {
                self.rowwise(cx, op, inputs).is_some()
            }
            Exp::Op(Operator::Fused { scans, reductions, .. }) => {
                scans.iter().chain(reductions).any(|op| self.rowwise_operator(cx, op).is_some())
            }
            _ => false,
        }
    }

    fn rowwise<'a>(&self, cx: &Context, op: &'a Reduction, inputs: &[Var]) -> Option<Rowwise<'a>> {
        let regular = |input: &Var| {
            let dims = self.names.ty(*input).dims();
            dims.len() > 1 && dims[1] != Dim::Irregular && dims.get(2) != Some(&Dim::Irregular)
        };
        self.rowwise_operator(cx, op).filter(|_| inputs.iter().all(regular))
    }

    /// The operator as a map of the rows, all of which it takes, and yields.
    fn rowwise_operator<'a>(&self, cx: &Context, op: &'a Reduction) -> Option<Rowwise<'a>> {
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
        // A thread that has short rows keeps them in registers; outside of all threads they are columns as well.
        let narrow = cx.depth() > 0 && super::worth::is_narrow(*width);
        (fits && outside && !narrow).then_some(Rowwise { width: *width, inputs, lambda })
    }
}

fn bound_inside_op(op: &Reduction) -> std::collections::HashSet<Var> {
    op.lambda.body.stms.iter().flat_map(|stm| bound_inside(stm).into_iter().chain(stm.vars.clone())).collect()
}
