//! Streams and accumulators.

use crate::lower::Lower;
use crate::mono::Mono;
use crate::rep::Rep;
use crate::value::Value;
use norn_base::{Prim, Span, Symbol};
use norn_ir::nest::{ArrayExp, Atom, Exp, Lambda, Operator, Reduction, StreamForm, Type, Var};
use std::rc::Rc;

impl Lower<'_> {
    /// The parameters of a stream's lambda that are a chunk of the array.
    fn chunk(&mut self, xs: &Value) -> (Var, Vec<Var>, Value) {
        let k = self.b.new_var("k", Type::i64());
        let mut dims = self.dims(xs);
        dims[0] = k.into();
        let types = self.types_of_sizes(&xs.rep, &dims);
        let vars: Vec<Var> = types.into_iter().map(|t| self.b.new_var("chunk", t)).collect();
        let value = Value { rep: xs.rep.clone(), cols: vars.iter().map(|v| Atom::Var(*v)).collect() };
        (k, vars, value)
    }

    /// The arrays that a chunk yields, as parts of arrays of the whole width.
    fn chunk_out(
        &mut self,
        r: Value,
        ret: &Mono,
        k: Var,
        width: Atom,
        span: Span,
    ) -> (Rep, Vec<Atom>, Vec<Atom>) {
        let site = self.site.clone();
        let Rep::Array(_, elem) = &r.rep else { panic!("lower: a chunk yields {:?}", r.rep) };
        let elem = self.element(elem, &site, &mut 300);
        let rep = self.irregular_as(&Rep::Array(false, Rc::new(elem)), ret);
        let r = self.coerce(r, &rep, span);
        let found = self.dims(&r);
        self.same_size(k.into(), found[0], span);
        let typed = self.row_sizes(Some(ret), &rep);
        let mut dims = vec![width];
        for (found, typed) in found.iter().zip(typed).skip(1) {
            let visible = found.var().is_none_or(|v| self.b.is_visible(v, 1));
            dims.push(if visible { *found } else { typed.unwrap_or(*found) });
        }
        (rep, dims, r.cols)
    }

    pub fn stream_map(&mut self, f: Value, xs: Value, any_order: bool, ret: &Mono, span: Span) -> Value {
        let (width, _) = self.array_of(&xs);
        self.b.begin_body();
        let (k, chunk, value) = self.chunk(&xs);
        let r = self.inline(&f, vec![Value::i64(k.into()), value], Some(ret), span);
        let (rep, dims, cols) = self.chunk_out(r, ret, k, width, span);
        let body = self.b.end_body(cols);
        let params = std::iter::once(k).chain(chunk).collect();
        let types = self.types_of_sizes(&rep, &dims);
        self.check_sizes_at_least_zero(&dims[1..], &self.dims(&xs), span);
        let exp = Exp::Op(Operator::Stream {
            width,
            form: StreamForm::Map { any_order },
            inputs: self.array_vars(&xs.cols),
            lambda: Lambda { params, body },
        });
        let vars = self.b.emit("mapped", types, exp, span);
        Value { rep, cols: vars.into_iter().map(Atom::Var).collect() }
    }

    /// The accumulator and the arrays that a chunk yields, of a type `(c, [n]b)`.
    fn stream_types(ret: &Mono) -> (Option<Mono>, Mono) {
        let part = |i| ret.field(Symbol::tuple_field(i)).cloned();
        (part(0), part(1).unwrap_or(Mono::Prim(Prim::Bool)))
    }

    pub fn stream_red(
        &mut self,
        op: Value,
        f: Value,
        xs: Value,
        any_order: bool,
        ret: &Mono,
        span: Span,
    ) -> Value {
        let (width, _) = self.array_of(&xs);
        let (acc_type, array_type) = Self::stream_types(ret);
        self.b.begin_body();
        let (k, chunk, value) = self.chunk(&xs);
        let r = self.inline(&f, vec![Value::i64(k.into()), value], Some(ret), span);
        let (acc, arrays) = (self.tuple_part(&r, 0), self.tuple_part(&r, 1));
        let site = self.site.clone();
        let acc_rep = self.dynamic(&acc.rep, &site, &mut 400);
        let acc = self.coerce(acc, &acc_rep, span);
        let (rep, dims, cols) = self.chunk_out(arrays, &array_type, k, width, span);
        let found = self.dims(&acc);
        let typed = self.row_sizes(acc_type.as_ref(), &acc_rep);
        let acc_dims: Vec<Atom> = found
            .iter()
            .zip(typed)
            .map(|(f, t)| if f.var().is_none_or(|v| self.b.is_visible(v, 1)) { *f } else { t.unwrap_or(*f) })
            .collect();
        let result = acc.cols.into_iter().chain(cols).collect();
        let body = self.b.end_body(result);
        let acc_types = self.types_of_sizes(&acc_rep, &acc_dims);
        let op = self.operator_on(&op, &acc_rep, &acc_types, acc_type.as_ref(), span);
        let params = std::iter::once(k).chain(chunk).collect();
        let mut types = acc_types;
        let accs = types.len();
        types.extend(self.types_of_sizes(&rep, &dims));
        self.check_sizes_at_least_zero(&dims[1..], &self.dims(&xs), span);
        let exp = Exp::Op(Operator::Stream {
            width,
            form: StreamForm::Reduce { any_order, op },
            inputs: self.array_vars(&xs.cols),
            lambda: Lambda { params, body },
        });
        let vars = self.b.emit("streamed", types, exp, span);
        let atoms: Vec<Atom> = vars.into_iter().map(Atom::Var).collect();
        let acc = Value { rep: acc_rep, cols: atoms[..accs].to_vec() };
        Value::tuple(vec![acc, Value { rep, cols: atoms[accs..].to_vec() }])
    }

    fn operator_on(&mut self, op: &Value, rep: &Rep, types: &[Type], m: Option<&Mono>, span: Span) -> Lambda {
        self.b.begin_body();
        let mut params = Vec::new();
        let mut values = Vec::new();
        for name in ["x", "y"] {
            let vars: Vec<Var> = types.iter().map(|t| self.b.new_var(name, t.clone())).collect();
            values.push(Value { rep: rep.clone(), cols: vars.iter().map(|v| Atom::Var(*v)).collect() });
            params.extend(vars);
        }
        let r = self.inline(op, values, m, span);
        let r = self.coerce(r, rep, span);
        Lambda { params, body: self.b.end_body(r.cols) }
    }

    pub fn stream_seq(&mut self, f: Value, init: Value, xs: Value, ret: &Mono, span: Span) -> Value {
        let (width, _) = self.array_of(&xs);
        let (acc_type, array_type) = Self::stream_types(ret);
        let site = self.site.clone();
        let acc_rep = self.dynamic(&init.rep, &site, &mut 400);
        let init = self.coerce(init, &acc_rep, span);
        let acc_dims = self.dims(&init);
        self.b.begin_body();
        let (k, chunk, value) = self.chunk(&xs);
        let acc_types = self.types_of_sizes(&acc_rep, &acc_dims);
        let acc_vars: Vec<Var> = acc_types.iter().map(|t| self.b.new_var("acc", t.clone())).collect();
        let acc = Value { rep: acc_rep.clone(), cols: acc_vars.iter().map(|v| Atom::Var(*v)).collect() };
        debug_assert!(acc_type.is_some());
        let r = self.inline(&f, vec![Value::i64(k.into()), acc, value], Some(ret), span);
        let (acc, arrays) = (self.tuple_part(&r, 0), self.tuple_part(&r, 1));
        let acc = self.coerce(acc, &acc_rep, span);
        let (rep, dims, cols) = self.chunk_out(arrays, &array_type, k, width, span);
        let body = self.b.end_body(acc.cols.into_iter().chain(cols).collect());
        let params = std::iter::once(k).chain(acc_vars).chain(chunk).collect();
        let mut types = acc_types;
        let accs = types.len();
        types.extend(self.types_of_sizes(&rep, &dims));
        self.check_sizes_at_least_zero(&dims[1..], &self.dims(&xs), span);
        let exp = Exp::Op(Operator::Stream {
            width,
            form: StreamForm::Seq { init: init.cols },
            inputs: self.array_vars(&xs.cols),
            lambda: Lambda { params, body },
        });
        let vars = self.b.emit("streamed", types, exp, span);
        let atoms: Vec<Atom> = vars.into_iter().map(Atom::Var).collect();
        let acc = Value { rep: acc_rep, cols: atoms[..accs].to_vec() };
        Value::tuple(vec![acc, Value { rep, cols: atoms[accs..].to_vec() }])
    }

    pub fn acc_write(&mut self, acc: Value, index: Atom, v: Value, span: Span) -> Value {
        let Atom::Var(var) = acc.cols[0] else { panic!("lower: no accumulator") };
        let Rep::Acc(array) = &acc.rep else { panic!("lower: no accumulator: {:?}", acc.rep) };
        let Rep::Array(_, elem) = &**array else { panic!("lower: an accumulator of no array") };
        let v = self.coerce(v, &elem.open(), span);
        let ty = self.b.ty(var).clone();
        let exp = Exp::Array(ArrayExp::AccWrite { acc: var, index, values: v.cols });
        let new = self.b.emit1("acc", ty, exp, span);
        Value { rep: acc.rep, cols: vec![new.into()] }
    }

    pub fn acc_stream(
        &mut self,
        dest: Value,
        op: Option<(Value, Value)>,
        f: Value,
        xs: Value,
        span: Span,
    ) -> Value {
        let (width, _) = self.array_of(&xs);
        let op = op.map(|(op, ne)| {
            let lambda = self.operator_lambda(&op, &ne, span);
            Reduction { lambda, neutral: ne.cols, commutative: true }
        });
        let inputs = self.array_vars(&xs.cols);
        let (_, elem) = self.array_of(&xs);
        self.b.begin_body();
        let rep = Rep::Acc(Rc::new(dest.rep.clone()));
        let dest_dims = self.dims(&dest);
        let ty = self.types_of_sizes(&rep, &dest_dims).remove(0);
        let acc = self.b.new_var("acc", ty);
        let (rows, row) = self.row_params(&xs, &elem);
        let acc_value = Value { rep, cols: vec![acc.into()] };
        let r = self.inline(&f, vec![acc_value, row], None, span);
        let params = std::iter::once(acc).chain(rows).collect();
        let lambda = Lambda { params, body: self.b.end_body(r.cols) };
        let types: Vec<Type> = dest.cols.iter().map(|c| self.b.atom_ty(*c)).collect();
        let exp =
            Exp::Op(Operator::AccStream { width, dests: self.array_vars(&dest.cols), op, inputs, lambda });
        let vars = self.b.emit("updated", types, exp, span);
        Value { rep: dest.rep, cols: vars.into_iter().map(Atom::Var).collect() }
    }
}
