//! Operators other than maps, as something that has a log.
//!
//! | traced | becomes |
//! |---|---|
//! | the lambda of a filter, partition, scatter or histogram | a map with that lambda, then the same operator of what it yields |
//! | the operator of a reduction, scan or histogram | a loop, in the order of the interpreter |
//! | a stream | its lambda, with all of the input as one chunk |

use super::body::{Out, Rewrite};
use crate::nest::inputs::param_groups;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Operator, Param, Prim,
    Reduction, ScalarExp, Stm, StreamForm, Type, Var,
};

impl Rewrite<'_, '_> {
    pub fn other_operator(&mut self, stm: Stm, out: &mut Out) {
        let Stm { vars, certs, grid, exp, attrs, span } = stm;
        let exp = match exp {
            Exp::Op(Operator::Filter { width, inputs, lambda }) => {
                let (inputs, lambda) = self.chosen(width, inputs, lambda, &vars, out);
                Exp::Op(Operator::Filter { width, inputs, lambda })
            }
            Exp::Op(Operator::Partition { width, inputs, lambda }) => {
                let (inputs, lambda) = self.chosen(width, inputs, lambda, &vars, out);
                Exp::Op(Operator::Partition { width, inputs, lambda })
            }
            Exp::Op(Operator::Scatter { width, dests, inputs, lambda }) => {
                let (inputs, lambda) = self.written(width, &dests, inputs, lambda, out);
                Exp::Op(Operator::Scatter { width, dests, inputs, lambda })
            }
            Exp::Op(Operator::Hist { width, dests, op, inputs, lambda }) if self.traces(&op.lambda) => {
                let exp = self.combine(width, &dests, op, &inputs, lambda);
                return self.statement(Stm { vars, certs, grid, exp, attrs, span }, out);
            }
            Exp::Op(Operator::Hist { width, dests, op, inputs, lambda }) => {
                let (inputs, lambda) = self.written(width, &dests, inputs, lambda, out);
                Exp::Op(Operator::Hist { width, dests, op, inputs, lambda })
            }
            Exp::Op(Operator::Reduce { width, op, inputs }) => {
                let exp = self.fold(width, op, &inputs, &[], out);
                return self.statement(Stm { vars, certs, grid, exp, attrs, span }, out);
            }
            Exp::Op(Operator::Scan { width, op, inputs }) => {
                // What is folded in the end is the last row already.
                let accs = &op.lambda.params[..op.neutral.len()];
                let types: Vec<Type> = accs.iter().map(|acc| self.ty(*acc).clone()).collect();
                let last = types.into_iter().map(|ty| self.new_var("last", ty));
                let all = last.collect::<Vec<Var>>().into_iter().chain(vars.iter().copied()).collect();
                let exp = self.fold(width, op, &inputs, &vars, out);
                return self.statement(Stm { vars: all, certs, grid, exp, attrs, span }, out);
            }
            Exp::Op(Operator::Stream { width, form, inputs, lambda }) => {
                return self.one_chunk(vars, width, form, &inputs, lambda, out);
            }
            exp => panic!("traces: {exp:?} cannot have traces as data"),
        };
        out.stms.push(Stm { vars, certs, grid, exp, attrs, span });
    }

    /// What a filter or partition with these results chooses from, computed by a map.
    fn chosen(
        &mut self,
        width: Atom,
        inputs: Vec<Var>,
        lambda: Lambda,
        vars: &[Var],
        out: &mut Out,
    ) -> (Vec<Var>, Lambda) {
        let rows = vars[1..].iter().filter_map(|var| self.ty(*var).row());
        let rows = std::iter::once(Type::bool()).chain(rows).collect();
        self.mapped(width, inputs, lambda, rows, out)
    }

    /// What is written to these arrays, and where to, computed by a map.
    fn written(
        &mut self,
        width: Atom,
        dests: &[Var],
        inputs: Vec<Var>,
        lambda: Lambda,
        out: &mut Out,
    ) -> (Vec<Var>, Lambda) {
        let indices = lambda.body.result.len() - dests.len();
        let row = |dest: &Var| {
            let ty = self.ty(*dest);
            ty.with_dims(ty.dims()[indices..].to_vec())
        };
        let rows = std::iter::repeat_n(Type::i64(), indices).chain(dests.iter().map(row)).collect();
        self.mapped(width, inputs, lambda, rows, out)
    }

    /// The results of a lambda, which are rows of these types, as arrays, and a lambda that takes a row of each and yields it.
    fn mapped(
        &mut self,
        width: Atom,
        inputs: Vec<Var>,
        lambda: Lambda,
        rows: Vec<Type>,
        out: &mut Out,
    ) -> (Vec<Var>, Lambda) {
        let mut arrays = Vec::with_capacity(rows.len());
        let (mut params, mut result) = (Vec::new(), Vec::new());
        for row in rows {
            let array = row.array_of(Dim::Size(width));
            let mut dims = row.dims().to_vec();
            if let Some(length) = dims.first_mut().filter(|dim| **dim == Dim::Irregular) {
                let var = self.new_var("k", Type::i64());
                params.push(var);
                *length = Dim::size(var);
            }
            let param = self.new_var("row", row.with_dims(dims));
            params.push(param);
            result.push(param.into());
            arrays.push(self.new_var("rows", array));
        }
        let map = self.stm(arrays.clone(), Exp::Op(Operator::Map { width, inputs, lambda }));
        self.statement(map, out);
        (arrays, Lambda { params, body: Body { stms: Vec::new(), result } })
    }

    /// A loop that folds the rows of the inputs, and writes each result to these arrays, if there are any. Arrays are copied where
    /// they come in and go out, since the operator may overwrite its operands.
    fn fold(&mut self, width: Atom, op: Reduction, inputs: &[Var], scanned: &[Var], out: &mut Out) -> Exp {
        let Reduction { lambda: Lambda { params, mut body }, neutral, commutative: _ } = op;
        let (accs, values) = params.split_at(neutral.len());
        let mut loop_params = Vec::new();
        for (acc, neutral) in accs.iter().zip(&neutral) {
            let (param, initial) = self.own(*acc, *neutral, &mut out.stms);
            loop_params.push((param, initial));
        }
        let index = self.new_var("i", Type::i64());
        let mut stms = Vec::new();
        for (input, group) in inputs.iter().zip(param_groups(self.vars(), inputs, values)) {
            self.own_row(group, *input, &[index.into()], &mut stms);
        }
        stms.append(&mut body.stms);
        let mut result = Vec::new();
        for (acc, atom) in accs.iter().zip(&body.result) {
            result.push(match atom.var().filter(|_| self.ty(*acc).is_array()) {
                Some(var) => {
                    let ty = self.ty(var).clone();
                    self.emit(&mut stms, "next", ty, Exp::Array(ArrayExp::Copy(var))).into()
                }
                None => *atom,
            });
        }
        for ((array, value), neutral) in scanned.iter().zip(&body.result).zip(&neutral) {
            let ty = self.ty(*array).clone();
            let exp = Exp::Array(ArrayExp::Replicate { count: width, value: *neutral });
            let blank = self.emit(&mut out.stms, "blank", ty.clone(), exp);
            let param = self.new_var("scanned", ty.clone());
            loop_params.push((Param::unique(param), blank.into()));
            let exp = Exp::Array(ArrayExp::Update {
                array: param,
                slice: vec![DimIndex::Fix(index.into())],
                value: *value,
            });
            result.push(self.emit(&mut stms, "scanned", ty, exp).into());
        }
        Exp::Control(ControlExp::Loop {
            params: loop_params,
            form: LoopForm::For(index, width),
            body: Body { stms, result },
        })
    }

    /// A loop that combines what the lambda yields with what is in the destinations, if its indices are within bounds.
    fn combine(&mut self, width: Atom, dests: &[Var], op: Reduction, inputs: &[Var], lambda: Lambda) -> Exp {
        let Lambda { params, body: Body { stms: mut combining, result: combined } } = op.lambda;
        let (olds, values) = params.split_at(dests.len());
        let types: Vec<Type> = dests.iter().map(|dest| self.ty(*dest).clone()).collect();
        let accs: Vec<Var> = types.iter().map(|ty| self.new_var("dest", ty.clone())).collect();
        let index = self.new_var("i", Type::i64());
        let mut stms = Vec::new();
        for (input, group) in inputs.iter().zip(param_groups(self.vars(), inputs, &lambda.params)) {
            self.own_row(group, *input, &[index.into()], &mut stms);
        }
        let Body { stms: mut computing, result: yielded } = lambda.body;
        stms.append(&mut computing);
        let (places, rows) = yielded.split_at(yielded.len() - dests.len());
        let mut within = Atom::bool(true);
        for (place, dim) in places.iter().zip(types[0].dims()) {
            let size = dim.atom().unwrap_or_else(|| panic!("traces: the size of a dimension is not known"));
            for (x, y, op) in [(Atom::i64(0), *place, BinOp::Le), (*place, size, BinOp::Lt)] {
                let fits = self.emit(
                    &mut stms,
                    "fits",
                    Type::bool(),
                    Exp::Scalar(ScalarExp::Bin(op, Prim::I64, x, y)),
                );
                let both = Exp::Scalar(ScalarExp::Bin(BinOp::And, Prim::Bool, within, fits.into()));
                within = self.emit(&mut stms, "within", Type::bool(), both).into();
            }
        }
        let mut then = Vec::new();
        for (old, acc) in olds.iter().zip(&accs) {
            self.own_row(&[*old], *acc, places, &mut then);
        }
        for (value, row) in values.iter().zip(rows) {
            let exp = self.own_exp(*value, *row);
            self.push(&mut then, vec![*value], exp);
        }
        then.append(&mut combining);
        let mut updated = Vec::new();
        for ((acc, ty), value) in accs.iter().zip(&types).zip(combined) {
            let slice = places.iter().map(|place| DimIndex::Fix(*place)).collect();
            let exp = Exp::Array(ArrayExp::Update { array: *acc, slice, value });
            updated.push(self.emit(&mut then, "updated", ty.clone(), exp).into());
        }
        let then = Body { stms: then, result: updated };
        let els = Body { stms: Vec::new(), result: accs.iter().map(|acc| Atom::from(*acc)).collect() };
        let next: Vec<Var> = types.into_iter().map(|ty| self.new_var("next", ty)).collect();
        self.push(&mut stms, next.clone(), Exp::Control(ControlExp::If { cond: within, then, els }));
        let body = Body { stms, result: next.into_iter().map(Atom::from).collect() };
        let initial = dests.iter().map(|dest| Atom::from(*dest));
        let params = accs.into_iter().map(Param::unique).zip(initial).collect();
        Exp::Control(ControlExp::Loop { params, form: LoopForm::For(index, width), body })
    }

    /// Binds the row of an array at these indices, with its length if that varies. An array is copied, since it may be overwritten.
    fn own_row(&mut self, group: &[Var], array: Var, indices: &[Atom], stms: &mut Vec<Stm>) {
        let [lengths @ .., row] = group else { return };
        let exp = Exp::Array(ArrayExp::Index {
            array,
            slice: indices.iter().map(|index| DimIndex::Fix(*index)).collect(),
        });
        if !self.ty(*row).is_array() {
            return self.push(stms, group.to_vec(), exp);
        }
        let ty = self.ty(*row).clone();
        let view = self.new_var("row", ty);
        self.push(stms, lengths.iter().copied().chain([view]).collect(), exp);
        self.push(stms, vec![*row], Exp::Array(ArrayExp::Copy(view)));
    }

    /// A parameter of a loop that begins with this value, or if it is an array with a copy of it.
    fn own(&mut self, var: Var, initial: Atom, stms: &mut Vec<Stm>) -> (Param, Atom) {
        match initial.var().filter(|_| self.ty(var).is_array()) {
            Some(array) => {
                let ty = self.ty(array).clone();
                (Param::unique(var), self.emit(stms, "initial", ty, Exp::Array(ArrayExp::Copy(array))).into())
            }
            None => (Param::plain(var), initial),
        }
    }

    /// What a variable that may be overwritten is bound to, to have this value.
    fn own_exp(&self, var: Var, value: Atom) -> Exp {
        match value.var().filter(|_| self.ty(var).is_array()) {
            Some(array) => Exp::Array(ArrayExp::Copy(array)),
            None => Exp::Scalar(ScalarExp::Atom(value)),
        }
    }

    fn one_chunk(
        &mut self,
        vars: Vec<Var>,
        width: Atom,
        form: StreamForm,
        inputs: &[Var],
        lambda: Lambda,
        out: &mut Out,
    ) {
        let init = match form {
            StreamForm::Map { .. } | StreamForm::Reduce { .. } => Vec::new(),
            StreamForm::Seq { init } => init,
        };
        let chunks = inputs.iter().map(|input| Atom::from(*input));
        let args = std::iter::once(width).chain(init).chain(chunks);
        for (param, arg) in lambda.params.iter().zip(args) {
            let exp = self.own_exp(*param, arg);
            self.push(&mut out.stms, vec![*param], exp);
        }
        lambda.body.stms.into_iter().for_each(|stm| self.statement(stm, out));
        for (var, result) in vars.into_iter().zip(lambda.body.result) {
            self.push(&mut out.stms, vec![var], Exp::Scalar(ScalarExp::Atom(result)));
        }
    }
}
