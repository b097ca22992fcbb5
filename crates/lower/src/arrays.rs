//! Built-in operations on arrays that take no function, and the way to those that do.
//!
//! The library calls `intrinsics.replicate`, `intrinsics.concat` and so on; `array_builtin` finds the operation by its name. A value
//! of the source is several columns, so most operations are done for each column:
//!
//! ```text
//! concat xs ys    where xs, ys: [](i64, f32)
//!
//! let a: [k]i64 = concat (xs.0, ys.0)
//! let b: [k]f32 = concat (xs.1, ys.1)
//! ```
//!
//! Two things need care. Rows of sums, functions and irregular arrays may differ in representation between the operands, so both
//! are first brought to one (`same_elements`). And sizes that the checker has proven equal may have two names here, so they are
//! compared at run time (`same_size`). Results are new arrays wherever the type in the library has a `*`.

use crate::lower::Lower;
use crate::mono::{Mono, MonoSize};
use crate::rep::Rep;
use crate::value::Value;
use norn_base::{Prim, Span};
use norn_ir::nest::{ArrayExp, Atom, BinOp, Check, Dim, Exp, Type, Var};
use std::rc::Rc;

impl Lower<'_> {
    pub fn array_builtin(&mut self, name: &str, ret: &Mono, args: &mut Vec<Value>, span: Span) -> Value {
        let mut next = || if args.is_empty() { Value::unit() } else { args.remove(0) };
        match name {
            "replicate" => {
                let (n, x) = (next(), next());
                self.replicate(n.atom(), x, span)
            }
            "copy" | "manifest" => {
                let x = next();
                self.copy(x, span)
            }
            "concat" => {
                let (xs, ys) = (next(), next());
                self.concat(xs, ys, span)
            }
            "transpose" => {
                let xs = next();
                self.transpose(xs, span)
            }
            "flatten" => {
                let xs = next();
                self.flatten(xs, span)
            }
            "unflatten" => {
                let (n, m, xs) = (next(), next(), next());
                self.unflatten(n.atom(), m.atom(), xs, span)
            }
            "zip" => {
                let (xs, ys) = (next(), next());
                let both = self.zip(xs, ys, span);
                self.copy(both, span)
            }
            "unzip" => {
                let xs = next();
                let xs = self.copy(xs, span);
                let parts =
                    (0..2).map(|i| self.array_field(&xs, norn_base::Symbol::tuple_field(i))).collect();
                Value::tuple(parts)
            }
            "map" => {
                let (f, xs) = (next(), next());
                self.map(f, xs, ret, span)
            }
            "reduce" | "reduce_comm" => {
                let (op, ne, xs) = (next(), next(), next());
                self.reduce(op, ne, xs, name == "reduce_comm", span)
            }
            "scan" => {
                let (op, ne, xs) = (next(), next(), next());
                self.scan(op, ne, xs, span)
            }
            "filter" => {
                let (p, xs) = (next(), next());
                self.filter(p, xs, span)
            }
            "partition" => {
                let (p, xs) = (next(), next());
                self.partition(p, xs, span)
            }
            "sort" => {
                let xs = next();
                self.sort(xs, span)
            }
            "sort_by_key" => {
                let (f, xs) = (next(), next());
                self.sort_by_key(f, xs, span)
            }
            "scatter" | "scatter_2d" | "scatter_3d" => {
                let (dest, is, vs) = (next(), next(), next());
                self.scatter(dest, is, vs, span)
            }
            "hist_1d" | "hist_2d" | "hist_3d" => {
                let (dest, op, ne, is, vs) = (next(), next(), next(), next(), next());
                self.hist(dest, op, ne, is, vs, span)
            }
            "flatmap" => {
                let (f, xs) = (next(), next());
                self.flatmap(f, xs, span)
            }
            "stream_map" | "stream_map_per" => {
                let (f, xs) = (next(), next());
                self.stream_map(f, xs, name == "stream_map_per", ret, span)
            }
            "stream_red" | "stream_red_per" => {
                let (op, f, xs) = (next(), next(), next());
                self.stream_red(op, f, xs, name == "stream_red_per", ret, span)
            }
            "stream_seq" => {
                let (f, init, xs) = (next(), next(), next());
                self.stream_seq(f, init, xs, ret, span)
            }
            "lengths" => {
                let xs = next();
                self.lengths(&xs, span)
            }
            "flatten_irregular" => {
                let xs = next();
                self.join_rows(xs, span)
            }
            "segment" => {
                let (lens, xs) = (next(), next());
                self.segment(&lens, xs, span)
            }
            "acc_write" => {
                let (acc, i, v) = (next(), next(), next());
                self.acc_write(acc, i.atom(), v, span)
            }
            "scatter_stream" => {
                let (dest, f, xs) = (next(), next(), next());
                self.acc_stream(dest, None, f, xs, span)
            }
            "hist_stream" => {
                let (dest, op, ne, f, xs) = (next(), next(), next(), next(), next());
                self.acc_stream(dest, Some((op, ne)), f, xs, span)
            }
            "flat_index_2d" | "flat_index_3d" | "flat_index_4d" => {
                let (xs, offset) = (next(), next());
                let rest: Vec<Atom> = args.iter().map(Value::atom).collect();
                self.flat_index(xs, offset.atom(), &rest, span)
            }
            "flat_update_2d" | "flat_update_3d" | "flat_update_4d" => {
                let (xs, offset) = (next(), next());
                let vs = args.pop().unwrap_or_else(Value::unit);
                let strides: Vec<Atom> = args.iter().map(Value::atom).collect();
                self.flat_update(xs, offset.atom(), &strides, vs, span)
            }
            "with_vjp" => {
                let (f, reverse, x) = (next(), next(), next());
                self.custom_derivative(f, reverse, x, ret, span)
            }
            "jvp2" | "vjp2" | "jmp2" | "mjp2" => {
                let args = [next(), next(), next()];
                self.derivative(name, args, ret, span)
            }
            _ => {
                self.unsupported(span, format!("The built-in function `{name}` is not yet supported."));
                self.blank_of_mono(ret, span)
            }
        }
    }

    fn blank_of_mono(&mut self, m: &Mono, span: Span) -> Value {
        let site = self.site.clone();
        let rep = self.rep_of(m, &site, &mut 2000).open();
        self.blank(&rep, Some(m), span)
    }

    pub fn replicate(&mut self, count: Atom, x: Value, span: Span) -> Value {
        self.check(Check::NonNegative(count), span);
        let site = self.site.clone();
        let elem = self.element(&x.rep, &site, &mut 0);
        // All copies have the lengths of the one, whatever other elements may have.
        let alike = elem.open();
        let x = self.coerce(x, &alike, span);
        let mut dims = vec![count];
        dims.extend(self.dims_inside(&alike, &self.dims(&x)));
        let rep = Rep::Array(false, Rc::new(alike));
        let types = self.types_of_sizes(&rep, &dims);
        let mut cols = Vec::with_capacity(x.cols.len());
        for (col, ty) in x.cols.iter().zip(types) {
            // What a function captures has a size here, and none among others.
            let plain = self.b.atom_ty(*col).array_of(Dim::Size(count));
            let copies = self.b.emit1("copies", plain, Exp::replicate(count, *col), span);
            cols.push(self.with_type(copies.into(), ty, span));
        }
        self.coerce(Value { rep, cols }, &Rep::Array(false, Rc::new(elem)), span)
    }

    /// Two arrays with elements of one kind.
    pub fn same_elements(&mut self, xs: Value, ys: Value, span: Span) -> (Value, Value) {
        let site = self.site.clone();
        let rep = self.join(&xs.rep, &ys.rep, &site, &mut 0);
        (self.coerce(xs, &rep, span), self.coerce(ys, &rep, span))
    }

    pub fn concat(&mut self, xs: Value, ys: Value, span: Span) -> Value {
        let (xs, ys) = self.same_elements(xs, ys, span);
        let (xd, yd) = (self.dims(&xs), self.dims(&ys));
        for (expected, found) in xd[1..].iter().zip(&yd[1..]) {
            self.same_size(*expected, *found, span);
        }
        let size = self.bin_i64(BinOp::Add, xd[0], yd[0], span);
        let mut dims = xd;
        dims[0] = size;
        let types = self.types_of_sizes(&xs.rep, &dims);
        let mut cols = Vec::new();
        for ((x, y), ty) in xs.cols.iter().zip(&ys.cols).zip(types) {
            let arrays = self.array_vars(&[*x, *y]);
            cols.push(Atom::Var(self.b.emit1(
                "both",
                ty,
                Exp::Array(ArrayExp::Concat { arrays, size }),
                span,
            )));
        }
        Value { rep: xs.rep, cols }
    }

    /// Sizes that the program says are equal: a check unless that is plain to see.
    pub fn same_size(&mut self, expected: Atom, found: Atom, span: Span) {
        if expected != found {
            self.check(Check::Size { expected, found }, span);
        }
    }

    fn transpose(&mut self, xs: Value, span: Span) -> Value {
        let Rep::Array(_, row) = &xs.rep else { panic!("lower: transpose of {:?}", xs.rep) };
        let Rep::Array(inner, elem) = &**row else { panic!("lower: transpose of {:?}", xs.rep) };
        if *inner {
            self.unsupported(span, "Only an array whose rows have one size can be transposed.");
            return xs;
        }
        let rep = Rep::Array(false, Rc::new(Rep::Array(false, elem.clone())));
        let mut dims = self.dims(&xs);
        dims.swap(0, 1);
        self.rearranged(xs, rep, &dims, span, |array| Exp::rearrange(array, vec![1, 0]))
    }

    fn flatten(&mut self, xs: Value, span: Span) -> Value {
        let Rep::Array(_, row) = &xs.rep else { panic!("lower: flatten of {:?}", xs.rep) };
        if matches!(**row, Rep::Array(true, _)) {
            return self.join_rows(xs, span);
        }
        let rep = Rep::Array(false, row_elem(row));
        let dims = self.dims(&xs);
        let n = self.bin_i64(BinOp::Mul, dims[0], dims[1], span);
        let mut new = vec![n];
        new.extend(&dims[2..]);
        self.rearranged(xs, rep, &new, span, |array| Exp::reshape(array, 2, vec![n]))
    }

    fn unflatten(&mut self, n: Atom, m: Atom, xs: Value, span: Span) -> Value {
        let (size, elem) = self.array_of(&xs);
        let expected = self.bin_i64(BinOp::Mul, n, m, span);
        self.same_size(expected, size, span);
        self.check(Check::NonNegative(n), span);
        let rep = Rep::array(Rep::array(elem));
        let mut new = vec![n, m];
        new.extend(&self.dims(&xs)[1..]);
        self.rearranged(xs, rep, &new, span, |array| Exp::reshape(array, 1, vec![n, m]))
    }

    fn rearranged(
        &mut self,
        v: Value,
        rep: Rep,
        dims: &[Atom],
        span: Span,
        exp: impl Fn(Var) -> Exp,
    ) -> Value {
        let types = self.types_of_sizes(&rep, dims);
        let vars = self.array_vars(&v.cols);
        let cols = vars
            .into_iter()
            .zip(types)
            .map(|(x, ty)| {
                let name = self.b.name(x).to_string();
                Atom::Var(self.b.emit1(&name, ty, exp(x), span))
            })
            .collect();
        Value { rep, cols }
    }

    fn zip(&mut self, xs: Value, ys: Value, span: Span) -> Value {
        let ((n, x), (m, y)) = (self.array_of(&xs), self.array_of(&ys));
        self.same_size(n, m, span);
        let ys = self.with_outer_dim(ys, n, span);
        let rep = Rep::array(Rep::tuple([x, y]));
        Value { rep, cols: xs.cols.into_iter().chain(ys.cols).collect() }
    }

    /// An array whose length is known by another name.
    pub fn with_outer_dim(&mut self, v: Value, n: Atom, span: Span) -> Value {
        let mut dims = self.dims(&v);
        dims[0] = n;
        self.with_dims(&v, &dims, span)
    }

    // # Irregular arrays

    pub fn lengths(&mut self, xs: &Value, span: Span) -> Value {
        let rep = Rep::array(Rep::i64());
        let dims = self.dims(xs);
        let ty = Type::array(Prim::I64, vec![Dim::Size(dims[0])]);
        let exp = match &xs.rep {
            Rep::Array(_, row) if matches!(**row, Rep::Array(true, _)) => {
                Exp::Array(ArrayExp::Lengths(self.array_vars(&xs.cols[..1])[0]))
            }
            _ => Exp::replicate(dims[0], dims[1]),
        };
        let v = self.b.emit1("lengths", ty, exp, span);
        Value { rep, cols: vec![v.into()] }
    }

    pub fn join_rows(&mut self, xs: Value, span: Span) -> Value {
        let Rep::Array(_, row) = xs.rep.clone() else { panic!("lower: rows of {:?}", xs.rep) };
        if !matches!(*row, Rep::Array(true, _)) {
            return self.flatten(xs, span);
        }
        let rep = Rep::Array(false, row_elem(&row));
        let inner = self.dims(&xs)[1..].to_vec();
        let mut cols = Vec::new();
        let mut size = None;
        for x in self.array_vars(&xs.cols) {
            let m = self.b.new_var("m", Type::i64());
            // All columns have rows of the same lengths.
            let known: Atom = *size.get_or_insert(m.into());
            let mut dims = vec![known];
            dims.extend(&inner);
            let ty = self.types_of_sizes(&rep, &dims)[cols.len()].clone();
            let v = self.b.new_var("joined", ty);
            self.b.bind(vec![m, v], Exp::Array(ArrayExp::JoinRows(x)), span);
            cols.push(Atom::Var(v));
        }
        Value { rep, cols }
    }

    fn segment(&mut self, lens: &Value, xs: Value, span: Span) -> Value {
        let (total, elem) = self.array_of(&xs);
        let lengths = self.array_vars(&lens.cols)[0];
        let n = self.dims(lens)[0];
        self.check(Check::Segments { lengths, total }, span);
        let rep = Rep::array(Rep::Array(true, Rc::new(elem)));
        let mut dims = vec![n];
        dims.extend(&self.dims(&xs)[1..]);
        self.rearranged(xs, rep, &dims, span, |array| Exp::segment(lengths, array))
    }

    // # Flat memory

    fn flat_index(&mut self, xs: Value, offset: Atom, rest: &[Atom], span: Span) -> Value {
        let pairs: Vec<(Atom, Atom)> = rest.chunks(2).map(|c| (c[0], c[1])).collect();
        let (length, elem) = self.array_of(&xs);
        for (n, _) in &pairs {
            self.check(Check::NonNegative(*n), span);
        }
        self.check(Check::Flat { offset, dims: pairs.clone(), length }, span);
        let mut rep = elem;
        for _ in &pairs {
            rep = Rep::array(rep);
        }
        let mut dims: Vec<Atom> = pairs.iter().map(|(n, _)| *n).collect();
        dims.extend(&self.dims(&xs)[1..]);
        self.rearranged(xs, rep, &dims, span, |array| {
            Exp::Array(ArrayExp::FlatIndex { array, offset, dims: pairs.clone() })
        })
    }

    fn flat_update(&mut self, xs: Value, offset: Atom, strides: &[Atom], vs: Value, span: Span) -> Value {
        let (length, _) = self.array_of(&xs);
        let sizes = self.dims(&vs);
        let dims = sizes.iter().copied().zip(strides.iter().copied()).collect();
        self.check(Check::Flat { offset, dims, length }, span);
        let mut cols = Vec::new();
        for (array, value) in self.array_vars(&xs.cols).into_iter().zip(self.array_vars(&vs.cols)) {
            let ty = self.b.ty(array).clone();
            let exp = Exp::Array(ArrayExp::FlatUpdate { array, offset, strides: strides.to_vec(), value });
            cols.push(Atom::Var(self.b.emit1("updated", ty, exp, span)));
        }
        Value { rep: xs.rep, cols }
    }

    /// The sizes of a row as a type has them, where it does.
    pub fn row_sizes(&self, m: Option<&Mono>, rep: &Rep) -> Vec<Option<Atom>> {
        self.known_dims(m, rep)
            .into_iter()
            .map(|s| match s {
                MonoSize::Atom(a) => Some(a),
                MonoSize::Hole(_) | MonoSize::Irregular | MonoSize::Unknown => None,
            })
            .collect()
    }
}

fn row_elem(row: &Rep) -> Rc<Rep> {
    match row {
        Rep::Array(_, elem) => elem.clone(),
        _ => panic!("lower: {row:?} is no row"),
    }
}
