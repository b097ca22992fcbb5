//! Operators other than maps, as something that has a log.
//!
//! | traced | becomes |
//! |---|---|
//! | the lambda of a filter, partition, scatter or histogram | a map with that lambda, then the same operator of what it yields |
//! | the operator of a reduction or scan | a loop, in the order of the interpreter |
//! | a stream | its lambda, with all of the input as one chunk |

use super::body::{Out, Rewrite};
use crate::nest::inputs::param_groups;
use norn_ir::nest::{
    Atom, Body, Dim, DimIndex, Exp, Lambda, LoopForm, Param, Reduction, Stm, StreamForm, Type, Var,
};

impl Rewrite<'_, '_> {
    pub fn other_operator(&mut self, stm: Stm, out: &mut Out) {
        let Stm { vars, certs, exp, attrs, span } = stm;
        let exp = match exp {
            Exp::Filter { width, inputs, lambda } => {
                let (inputs, lambda) = self.chosen(width, inputs, lambda, &vars, out);
                Exp::Filter { width, inputs, lambda }
            }
            Exp::Partition { width, inputs, lambda } => {
                let (inputs, lambda) = self.chosen(width, inputs, lambda, &vars, out);
                Exp::Partition { width, inputs, lambda }
            }
            Exp::Scatter { width, dests, inputs, lambda } => {
                let (inputs, lambda) = self.written(width, &dests, inputs, lambda, out);
                Exp::Scatter { width, dests, inputs, lambda }
            }
            Exp::Hist { width, dests, op, inputs, lambda } => {
                let (inputs, lambda) = self.written(width, &dests, inputs, lambda, out);
                Exp::Hist { width, dests, op, inputs, lambda }
            }
            Exp::Reduce { width, op, inputs } => {
                let exp = self.fold(width, op, &inputs, &[], out);
                return self.statement(Stm { vars, certs, exp, attrs, span }, out);
            }
            Exp::Scan { width, op, inputs } => {
                // What is folded in the end is the last row already.
                let accs = &op.lambda.params[..op.neutral.len()];
                let types: Vec<Type> = accs.iter().map(|acc| self.ty(*acc).clone()).collect();
                let last = types.into_iter().map(|ty| self.new_var("last", ty));
                let all = last.collect::<Vec<Var>>().into_iter().chain(vars.iter().copied()).collect();
                let exp = self.fold(width, op, &inputs, &vars, out);
                return self.statement(Stm { vars: all, certs, exp, attrs, span }, out);
            }
            Exp::Stream { width, form, inputs, lambda } => {
                return self.one_chunk(vars, width, form, &inputs, lambda, out);
            }
            exp => panic!("traces: {exp:?} cannot have traces as data"),
        };
        out.stms.push(Stm { vars, certs, exp, attrs, span });
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
        let map = self.stm(arrays.clone(), Exp::Map { width, inputs, lambda });
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
            let row = group[group.len() - 1];
            let exp = Exp::Index { array: *input, slice: vec![DimIndex::Fix(index.into())] };
            if self.ty(row).is_array() {
                let ty = self.ty(row).clone();
                let view = self.new_var("row", ty);
                let vars = group[..group.len() - 1].iter().copied().chain([view]).collect();
                self.push(&mut stms, vars, exp);
                self.push(&mut stms, vec![row], Exp::Copy(view));
            } else {
                self.push(&mut stms, group.to_vec(), exp);
            }
        }
        stms.append(&mut body.stms);
        let mut result = Vec::new();
        for (acc, atom) in accs.iter().zip(&body.result) {
            result.push(match atom.var().filter(|_| self.ty(*acc).is_array()) {
                Some(var) => {
                    let ty = self.ty(var).clone();
                    self.emit(&mut stms, "next", ty, Exp::Copy(var)).into()
                }
                None => *atom,
            });
        }
        for ((array, value), neutral) in scanned.iter().zip(&body.result).zip(&neutral) {
            let ty = self.ty(*array).clone();
            let exp = Exp::Replicate { count: width, value: *neutral };
            let blank = self.emit(&mut out.stms, "blank", ty.clone(), exp);
            let param = self.new_var("scanned", ty.clone());
            loop_params.push((Param::unique(param), blank.into()));
            let exp = Exp::Update { array: param, slice: vec![DimIndex::Fix(index.into())], value: *value };
            result.push(self.emit(&mut stms, "scanned", ty, exp).into());
        }
        Exp::Loop { params: loop_params, form: LoopForm::For(index, width), body: Body { stms, result } }
    }

    /// A parameter of a loop that begins with this value, or if it is an array with a copy of it.
    fn own(&mut self, var: Var, initial: Atom, stms: &mut Vec<Stm>) -> (Param, Atom) {
        match initial.var().filter(|_| self.ty(var).is_array()) {
            Some(array) => {
                let ty = self.ty(array).clone();
                (Param::unique(var), self.emit(stms, "initial", ty, Exp::Copy(array)).into())
            }
            None => (Param::plain(var), initial),
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
            // The chunk may be overwritten.
            let exp = match arg.var().filter(|_| self.ty(*param).is_array()) {
                Some(array) => Exp::Copy(array),
                None => Exp::Atom(arg),
            };
            self.push(&mut out.stms, vec![*param], exp);
        }
        lambda.body.stms.into_iter().for_each(|stm| self.statement(stm, out));
        for (var, result) in vars.into_iter().zip(lambda.body.result) {
            self.push(&mut out.stms, vec![var], Exp::Atom(result));
        }
    }
}
