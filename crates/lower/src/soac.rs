//! Parallel operators: their lambdas, and the arrays that these yield.
//!
//! An operator over an array of records or sums is one operator of nest over several columns. Its lambda takes an element
//! of each column and yields the columns of its result. The question that most of this file is about: which dimensions of
//! the result are regular? A row's size that is known before the operator runs, or that the type names, makes a regular
//! dimension; any other varies from element to element, and the dimension becomes `?` (`rows_out`).
//!
//! A reduction or scan whose operator changes the sizes of its values (`reduce (++) []`) becomes a loop, since the state
//! has a new type in each step (decision 9 in ARCHITECTURE.md).

use crate::lower::Lower;
use crate::mono::Mono;
use crate::rep::Rep;
use crate::value::Value;
use norn_base::{Prim, Span, Symbol};
use norn_ir::nest::{
    Atom, BinOp, Check, ControlExp, Dim, Exp, Lambda, LoopForm, Operator, Param, Reduction, Scalar, Sorted,
    Type, Var,
};
use std::rc::Rc;

impl Lower<'_> {
    /// What the open body of a lambda yields for each element: how the elements are represented in
    /// an array, the sizes of that array's inner dimensions, and the results of the body.
    ///
    /// A size that is known outside makes a regular dimension; so does one of which the type says
    /// what it is. Any other varies from row to row.
    fn rows_out(&mut self, r: Value, row: Option<&Mono>, span: Span) -> (Rep, Vec<Atom>, Vec<Atom>) {
        let site = self.site.clone();
        let mut elem = self.element(&r.rep, &site, &mut 0);
        if let Some(m) = row {
            elem = self.irregular_as(&elem, m);
        }
        let r = self.coerce(r, &elem, span);
        let dims = self.dims(&r);
        let typed = self.row_sizes(row, &elem);
        let outside: Vec<Option<Atom>> = dims
            .iter()
            .zip(typed)
            .map(|(found, typed)| match found {
                Atom::Var(v) if !self.b.is_visible(*v, 1) => {
                    typed.filter(|t| t.var().is_none_or(|v| self.b.is_visible(v, 1)))
                }
                Atom::Const(_) | Atom::Var(_) => Some(*found),
            })
            .collect();
        let mut flags = outside.iter().map(Option::is_none);
        let regular = irregular_where(&elem, 0, self, &mut flags);
        let r = self.coerce(r, &regular, span);
        let known: Vec<Atom> = outside.iter().map(|a| a.unwrap_or(Atom::i64(0))).collect();
        // Which of them are dimensions of the whole array.
        let inner = self.dims_inside_of(&elem, &regular, &known);
        (regular, inner, r.cols)
    }

    fn dims_inside_of(&self, from: &Rep, to: &Rep, dims: &[Atom]) -> Vec<Atom> {
        // The two have the same dimensions at the top; inside an array `to` may have fewer.
        let top = self.dims_between(from, to, dims);
        self.dims_inside(to, &top)
    }

    /// The dimensions that `to` has at the top, given those of `from`, which is more regular.
    fn dims_between(&self, from: &Rep, to: &Rep, dims: &[Atom]) -> Vec<Atom> {
        if from == to {
            return dims.to_vec();
        }
        self.kept_dims(from, to, dims)
    }

    /// The lambda of an operator over the elements of an array.
    fn element_lambda(&mut self, xs: &Value, f: impl FnOnce(&mut Self, Value) -> Vec<Atom>) -> Lambda {
        let (_, elem) = self.array_of(xs);
        self.b.begin_body();
        let (params, row) = self.row_params(xs, &elem);
        let result = f(self, row);
        Lambda { params, body: self.b.end_body(result) }
    }

    pub fn map(&mut self, f: Value, xs: Value, ret: &Mono, span: Span) -> Value {
        let row_type = ret.row().cloned();
        self.mapped(xs, row_type.as_ref(), span, |l, row| l.inline(&f, vec![row], row_type.as_ref(), span))
    }

    /// The array of what `f` makes of each element; the type of its rows, if it is known.
    pub fn mapped(
        &mut self,
        xs: Value,
        row_type: Option<&Mono>,
        span: Span,
        f: impl FnOnce(&mut Self, Value) -> Value,
    ) -> Value {
        let (width, _) = self.array_of(&xs);
        let inputs = self.array_vars(&xs.cols);
        let mut out = None;
        let lambda = self.element_lambda(&xs, |l, row| {
            let r = f(l, row);
            let (elem, inner, cols) = l.rows_out(r, row_type, span);
            out = Some((elem, inner));
            cols
        });
        let (elem, inner) = out.unwrap_or((Rep::unit(), Vec::new()));
        let rep = Rep::Array(false, Rc::new(elem));
        let dims: Vec<Atom> = std::iter::once(width).chain(inner).collect();
        self.check_sizes_at_least_zero(&dims[1..], &self.dims(&xs), span);
        let types = self.types_of_sizes(&rep, &dims);
        let vars = self.b.emit("mapped", types, Exp::map(width, inputs, lambda), span);
        Value { rep, cols: vars.into_iter().map(Atom::Var).collect() }
    }

    /// No size of an array is negative, even if it has no rows that would tell: these are checked, but for those
    /// that are known to be sizes.
    pub fn check_sizes_at_least_zero(&mut self, sizes: &[Atom], known: &[Atom], span: Span) {
        let mut known = known.to_vec();
        for size in sizes {
            if size.var().is_some() && !known.contains(size) {
                self.check(Check::NonNegative(*size), span);
                known.push(*size);
            }
        }
    }

    /// The neutral element and the array of a reduction, in one representation.
    fn operands(&mut self, ne: Value, xs: Value, span: Span) -> (Value, Value) {
        let (_, elem) = self.array_of(&xs);
        let site = self.site.clone();
        let joined = self.join(&ne.rep, &elem, &site, &mut 0);
        // A function that the operator makes is another one each time.
        let joined = self.dynamic(&joined, &site, &mut 700);
        let whole = Rep::Array(false, Rc::new(joined.clone()));
        (self.coerce(ne, &joined, span), self.coerce(xs, &whole, span))
    }

    /// The lambda of an operator on two values like `ne`.
    pub fn operator_lambda(&mut self, op: &Value, ne: &Value, span: Span) -> Lambda {
        self.b.begin_body();
        let dims = self.dims(ne);
        let types = self.types_of_sizes(&ne.rep, &dims);
        let mut params = Vec::new();
        let mut values = Vec::new();
        for name in ["x", "y"] {
            let vars: Vec<Var> = types.iter().map(|t| self.b.new_var(name, t.clone())).collect();
            values.push(Value { rep: ne.rep.clone(), cols: vars.iter().map(|v| Atom::Var(*v)).collect() });
            params.extend(vars);
        }
        let m = self.mono_of_value(ne);
        let r = self.inline(op, values, Some(&m), span);
        let r = self.coerce(r, &ne.rep, span);
        let found = self.dims(&r);
        for (expected, found) in dims.iter().zip(&found) {
            self.same_size(*expected, *found, span);
        }
        let r = self.with_dims(&r, &dims, span);
        Lambda { params, body: self.b.end_body(r.cols) }
    }

    pub fn reduce(&mut self, op: Value, ne: Value, xs: Value, commutative: bool, span: Span) -> Value {
        let (ne, xs) = self.operands(ne, xs, span);
        let (width, elem) = self.array_of(&xs);
        if has_varying_rows(&elem) {
            return self.fold(op, ne, xs, span);
        }
        let lambda = self.operator_lambda(&op, &ne, span);
        let types: Vec<Type> = ne.cols.iter().map(|c| self.b.atom_ty(*c)).collect();
        let op = Reduction { lambda, neutral: ne.cols.clone(), commutative };
        let inputs = self.array_vars(&xs.cols);
        let vars = self.b.emit("reduced", types, Exp::reduce(width, op, inputs), span);
        Value { rep: ne.rep, cols: vars.into_iter().map(Atom::Var).collect() }
    }

    pub fn scan(&mut self, op: Value, ne: Value, xs: Value, span: Span) -> Value {
        let (ne, xs) = self.operands(ne, xs, span);
        let (width, elem) = self.array_of(&xs);
        if has_varying_rows(&elem) {
            return self.growing_scan(op, ne, xs, span);
        }
        let lambda = self.operator_lambda(&op, &ne, span);
        let types: Vec<Type> = xs.cols.iter().map(|c| self.b.atom_ty(*c)).collect();
        let op = Reduction { lambda, neutral: ne.cols, commutative: false };
        let inputs = self.array_vars(&xs.cols);
        let vars = self.b.emit("scanned", types, Exp::scan(width, op, inputs), span);
        Value { rep: xs.rep, cols: vars.into_iter().map(Atom::Var).collect() }
    }

    /// A reduction whose values change their sizes: one element after the other.
    fn fold(&mut self, op: Value, ne: Value, xs: Value, span: Span) -> Value {
        let (width, _) = self.array_of(&xs);
        self.loop_over(ne, width, span, |l, i, acc| {
            let x = l.element_unchecked(xs, i, span);
            let m = l.mono_of_value(&acc);
            l.inline(&op, vec![acc, x], Some(&m), span)
        })
    }

    /// A scan whose values change their sizes: each step adds a row to the result.
    fn growing_scan(&mut self, op: Value, ne: Value, xs: Value, span: Span) -> Value {
        let (width, _) = self.array_of(&xs);
        let none = self.blank(&xs.rep, None, span);
        let rep = xs.rep.clone();
        let state = self.loop_over(Value::tuple(vec![ne, none]), width, span, |l, i, state| {
            let (acc, rows) = (l.tuple_part(&state, 0), l.tuple_part(&state, 1));
            let x = l.element_unchecked(xs, i, span);
            let m = l.mono_of_value(&acc);
            let acc = l.inline(&op, vec![acc, x], Some(&m), span);
            let row = l.replicate(Atom::i64(1), acc.clone(), span);
            let row = l.coerce(row, &rep, span);
            let rows = l.concat(rows, row, span);
            Value::tuple(vec![acc, rows])
        });
        let rows = self.tuple_part(&state, 1);
        self.with_outer_dim(rows, width, span)
    }

    /// A loop that counts, with a state whose sizes may all change.
    fn loop_over(
        &mut self,
        init: Value,
        width: Atom,
        span: Span,
        step: impl FnOnce(&mut Self, Atom, Value) -> Value,
    ) -> Value {
        let rep = init.rep.clone();
        self.b.begin_body();
        let mut params = Vec::new();
        let mut dims = Vec::new();
        for d in self.dims(&init) {
            let n = self.b.new_var("n", Type::i64());
            params.push((Param::plain(n), d));
            dims.push(Atom::Var(n));
        }
        let mut cols = Vec::new();
        for (ty, init) in self.types_of_sizes(&rep, &dims).into_iter().zip(&init.cols) {
            let v = self.b.new_var("acc", ty);
            params.push((Param::plain(v), *init));
            cols.push(Atom::Var(v));
        }
        let i = self.b.new_var("i", Type::i64());
        let next = step(self, i.into(), Value { rep: rep.clone(), cols });
        let next = self.coerce(next, &rep, span);
        let result = self.dims(&next).into_iter().chain(next.cols).collect();
        let body = self.b.end_body(result);
        let mut vars: Vec<Var> = dims.iter().map(|_| self.b.new_var("n", Type::i64())).collect();
        let sizes: Vec<Atom> = vars.iter().map(|v| Atom::Var(*v)).collect();
        let types = self.types_of_sizes(&rep, &sizes);
        let cols: Vec<Var> = types.into_iter().map(|t| self.b.new_var("folded", t)).collect();
        vars.extend(&cols);
        self.b.bind(
            vars,
            Exp::Control(ControlExp::Loop { params, form: LoopForm::For(i, width), body }),
            span,
        );
        Value { rep, cols: cols.into_iter().map(Atom::Var).collect() }
    }

    /// Whether an element is kept, then the element.
    fn choice(&mut self, p: &Value, xs: &Value, span: Span) -> Lambda {
        self.element_lambda(xs, |l, row| {
            let kept = row.cols.clone();
            let mut result = l.inline(p, vec![row], Some(&Mono::Prim(Prim::Bool)), span).cols;
            result.extend(kept);
            result
        })
    }

    pub fn filter(&mut self, p: Value, xs: Value, span: Span) -> Value {
        let (width, _) = self.array_of(&xs);
        let inputs = self.array_vars(&xs.cols);
        let lambda = self.choice(&p, &xs, span);
        let k = self.b.new_var("k", Type::i64());
        let mut dims = self.dims(&xs);
        dims[0] = k.into();
        let types = self.types_of_sizes(&xs.rep, &dims);
        let cols: Vec<Var> = types.into_iter().map(|t| self.b.new_var("kept", t)).collect();
        let mut vars = vec![k];
        vars.extend(&cols);
        self.b.bind(vars, Exp::filter(width, inputs, lambda), span);
        Value { rep: xs.rep, cols: cols.into_iter().map(Atom::Var).collect() }
    }

    pub fn partition(&mut self, p: Value, xs: Value, span: Span) -> Value {
        use crate::exp::Slice;
        let (width, _) = self.array_of(&xs);
        let inputs = self.array_vars(&xs.cols);
        let lambda = self.choice(&p, &xs, span);
        let k = self.b.new_var("k", Type::i64());
        let types: Vec<Type> = xs.cols.iter().map(|c| self.b.atom_ty(*c)).collect();
        let cols: Vec<Var> = types.into_iter().map(|t| self.b.new_var("parted", t)).collect();
        let mut vars = vec![k];
        vars.extend(&cols);
        self.b.bind(vars, Exp::Op(Operator::Partition { width, inputs, lambda }), span);
        let whole = Value { rep: xs.rep, cols: cols.into_iter().map(Atom::Var).collect() };
        self.unchecked += 1;
        let end = Some(Value::i64(k.into()));
        let first = Slice::Range { start: None, end: end.clone(), stride: None };
        let first = self.index(whole.clone(), &[first], span);
        let second = Slice::Range { start: end, end: None, stride: None };
        let second = self.index(whole, &[second], span);
        self.unchecked -= 1;
        Value::tuple(vec![first, second])
    }

    pub fn sort(&mut self, xs: Value, span: Span) -> Value {
        let (width, _) = self.array_of(&xs);
        let keys = self.array_vars(&xs.cols)[0];
        let types = vec![self.b.atom_ty(keys.into())];
        let vars =
            self.b.emit("sorted", types, Exp::Op(Operator::Sort { width, keys, yields: Sorted::Keys }), span);
        Value { rep: xs.rep, cols: vars.into_iter().map(Atom::Var).collect() }
    }

    /// The keys are sorted, and elements taken from the places that theirs had.
    pub fn sort_by_key(&mut self, f: Value, xs: Value, span: Span) -> Value {
        let (width, _) = self.array_of(&xs);
        let keys = self.mapped(xs.clone(), None, span, |l, row| l.inline(&f, vec![row], None, span));
        let keys = self.array_vars(&keys.cols)[0];
        let ty = Type::array(Prim::I64, vec![Dim::Size(width)]);
        let places =
            self.b.emit1("places", ty, Exp::Op(Operator::Sort { width, keys, yields: Sorted::Places }), span);
        let places = Value { rep: Rep::array(Rep::i64()), cols: vec![places.into()] };
        let row = self.mono_of_value(&xs).row().cloned();
        self.mapped(places, row.as_ref(), span, |l, place| l.element_unchecked(xs, place.atom(), span))
    }

    /// What a scatter or a histogram takes: the columns of its indices, one for each dimension, and those of its
    /// values. The lambda yields them as they are.
    fn written(&mut self, is: &Value, vs: &Value) -> (Vec<Var>, Lambda) {
        let inputs = self.array_vars(&[&is.cols[..], &vs.cols].concat());
        let (_, index) = self.array_of(is);
        let (_, value) = self.array_of(vs);
        self.b.begin_body();
        let (mut params, index) = self.row_params(is, &index);
        let (more, value) = self.row_params(vs, &value);
        params.extend(more);
        let body = self.b.end_body([index.cols, value.cols].concat());
        (inputs, Lambda { params, body })
    }

    pub fn scatter(&mut self, dest: Value, is: Value, vs: Value, span: Span) -> Value {
        let rank = is.cols.len();
        let (dest, vs) = self.same_inner(dest, vs, rank, span);
        let (width, _) = self.array_of(&vs);
        self.same_size(self.dims(&is)[0], width, span);
        self.check_inner_sizes(&dest, &vs, rank, span);
        let types: Vec<Type> = dest.cols.iter().map(|c| self.b.atom_ty(*c)).collect();
        let (inputs, lambda) = self.written(&is, &vs);
        let exp = Exp::Op(Operator::Scatter { width, dests: self.array_vars(&dest.cols), inputs, lambda });
        let vars = self.b.emit("scattered", types, exp, span);
        Value { rep: dest.rep, cols: vars.into_iter().map(Atom::Var).collect() }
    }

    /// Rows that go into an array have the sizes of its rows.
    fn check_inner_sizes(&mut self, dest: &Value, vs: &Value, rank: usize, span: Span) {
        let (dest, vs) = (self.dims(dest), self.dims(vs));
        for (expected, found) in dest[rank..].iter().zip(&vs[1..]) {
            self.same_size(*expected, *found, span);
        }
    }

    /// An array of some rank and one of its elements, with elements of one kind.
    fn same_inner(&mut self, dest: Value, vs: Value, rank: usize, span: Span) -> (Value, Value) {
        let mut inner = dest.rep.clone();
        for _ in 0..rank {
            let Rep::Array(_, elem) = &inner else { panic!("lower: scatter into {:?}", dest.rep) };
            inner = (**elem).clone();
        }
        let (_, elem) = self.array_of(&vs);
        if inner == elem {
            return (dest, vs);
        }
        let site = self.site.clone();
        let joined = self.join(&inner, &elem, &site, &mut 0);
        let mut whole = joined.clone();
        for _ in 0..rank {
            whole = Rep::array(whole);
        }
        (self.coerce(dest, &whole, span), self.coerce(vs, &Rep::array(joined), span))
    }

    pub fn hist(&mut self, dest: Value, op: Value, ne: Value, is: Value, vs: Value, span: Span) -> Value {
        let rank = is.cols.len();
        let (dest, vs) = self.same_inner(dest, vs, rank, span);
        let (ne, vs) = self.operands(ne, vs, span);
        let (dest, vs) = self.same_inner(dest, vs, rank, span);
        let (width, _) = self.array_of(&vs);
        self.same_size(self.dims(&is)[0], width, span);
        self.check_inner_sizes(&dest, &vs, rank, span);
        let combine = self.operator_lambda(&op, &ne, span);
        let op = Reduction { lambda: combine, neutral: ne.cols, commutative: true };
        let types: Vec<Type> = dest.cols.iter().map(|c| self.b.atom_ty(*c)).collect();
        let (inputs, lambda) = self.written(&is, &vs);
        let exp = Exp::Op(Operator::Hist { width, dests: self.array_vars(&dest.cols), op, inputs, lambda });
        let vars = self.b.emit("bins", types, exp, span);
        Value { rep: dest.rep, cols: vars.into_iter().map(Atom::Var).collect() }
    }

    pub fn flatmap(&mut self, f: Value, xs: Value, span: Span) -> Value {
        let (n, _) = self.array_of(&xs);
        let inputs = self.array_vars(&xs.cols);
        let mut out = None;
        let lambda = self.element_lambda(&xs, |l, row| {
            let r = l.inline(&f, vec![row], None, span);
            let Rep::Record(fields) = &r.rep else { panic!("lower: flatmap of {:?}", r.rep) };
            // The first part is a row whose length varies.
            let mut fields = fields.to_vec();
            if let Rep::Array(_, elem) = &fields[0].1 {
                fields[0].1 = Rep::Array(true, elem.clone());
            }
            let r = Value { rep: Rep::Record(fields.into()), cols: r.cols };
            let (elem, inner, cols) = l.rows_out(r, None, span);
            out = Some((elem, inner));
            cols
        });
        let (elem, inner) = out.unwrap_or((Rep::unit(), Vec::new()));
        let rep = Rep::Array(false, Rc::new(elem));
        let dims: Vec<Atom> = std::iter::once(n).chain(inner).collect();
        self.check_sizes_at_least_zero(&dims[1..], &self.dims(&xs), span);
        let types = self.types_of_sizes(&rep, &dims);
        let vars = self.b.emit("rows", types, Exp::map(n, inputs, lambda), span);
        let both = Value { rep, cols: vars.into_iter().map(Atom::Var).collect() };
        let rows = self.array_field(&both, Symbol::tuple_field(0));
        let second = self.array_field(&both, Symbol::tuple_field(1));
        let lengths = self.array_builtin("lengths", &Mono::Prim(Prim::I64), &mut vec![rows.clone()], span);
        let data = self.join_rows(rows, span);
        let m = self.dims(&data)[0];
        let offsets = self.offsets(&lengths, n, span);
        let flags = self.starts(&offsets, &lengths, n, m, span);
        Value::tuple(vec![lengths, flags, offsets, data, second])
    }

    /// Where rows of these lengths begin, one after the other.
    fn offsets(&mut self, lengths: &Value, n: Atom, span: Span) -> Value {
        let add = Value {
            rep: self
                .builtin_value(
                    Symbol::new("+"),
                    vec![Mono::Prim(Prim::I64), Mono::Prim(Prim::I64), Mono::Prim(Prim::I64)],
                )
                .rep,
            cols: Vec::new(),
        };
        let ends = self.scan(add, Value::i64(Atom::i64(0)), lengths.clone(), span);
        self.b.begin_body();
        let end = self.b.new_var("end", Type::i64());
        let length = self.b.new_var("length", Type::i64());
        let start = self.bin_i64(BinOp::Sub, end.into(), length.into(), span);
        let body = self.b.end_body(vec![start]);
        let inputs = self.array_vars(&[ends.cols[0], lengths.cols[0]]);
        let lambda = Lambda { params: vec![end, length], body };
        let ty = Type::array(Prim::I64, vec![Dim::Size(n)]);
        let v = self.b.emit1("offsets", ty, Exp::map(n, inputs, lambda), span);
        Value { rep: Rep::array(Rep::i64()), cols: vec![v.into()] }
    }

    /// For each of `m` elements, whether a row begins there.
    fn starts(&mut self, offsets: &Value, lengths: &Value, n: Atom, m: Atom, span: Span) -> Value {
        let flags = Type::array(Prim::Bool, vec![Dim::Size(m)]);
        let none = Exp::replicate(m, Atom::Const(Scalar::Bool(false)));
        let none = self.b.emit1("flags", flags.clone(), none, span);
        debug_assert_eq!(lengths.cols.len(), 1);
        let inputs = self.array_vars(&offsets.cols);
        let lambda = self.element_lambda(offsets, |_, offset| vec![offset.cols[0], Atom::bool(true)]);
        let exp = Exp::Op(Operator::Scatter { width: n, dests: vec![none], inputs, lambda });
        let v = self.b.emit1("flags", flags, exp, span);
        Value { rep: Rep::array(Rep::bool()), cols: vec![v.into()] }
    }
}

/// Whether elements of an array of these have lengths of their own.
fn has_varying_rows(r: &Rep) -> bool {
    match r {
        Rep::Array(irregular, elem) => *irregular || has_varying_rows(elem),
        Rep::Record(fields) => fields.iter().any(|(_, r)| has_varying_rows(r)),
        Rep::Sum(sum) => sum.slots.iter().any(has_varying_rows),
        Rep::Fn(f) => f.parts().any(has_varying_rows),
        Rep::Prim(_) | Rep::Data(_) | Rep::Dyn(_) | Rep::Acc(_) => false,
    }
}

/// With the dimensions that are marked made irregular; marks are in the order of dimensions.
fn irregular_where(r: &Rep, depth: usize, l: &Lower, marks: &mut dyn Iterator<Item = bool>) -> Rep {
    match r {
        Rep::Prim(_) | Rep::Data(_) => r.clone(),
        Rep::Record(fields) => {
            Rep::Record(fields.iter().map(|(f, r)| (*f, irregular_where(r, depth, l, marks))).collect())
        }
        Rep::Sum(sum) => Rep::Sum(sum.map(&mut |r| irregular_where(r, depth, l, marks))),
        Rep::Array(irregular, elem) => {
            let mut now = *irregular;
            if depth == 0 || !irregular {
                now |= marks.next().unwrap_or(false);
            }
            Rep::Array(now, Rc::new(irregular_where(elem, depth + 1, l, marks)))
        }
        Rep::Fn(f) => Rep::Fn(Rc::new(f.map(&mut |r| irregular_where(r, depth, l, marks)))),
        Rep::Acc(_) | Rep::Dyn(_) => {
            if depth == 0 {
                for _ in 0..l.dim_count(r) {
                    marks.next();
                }
            }
            r.clone()
        }
    }
}
