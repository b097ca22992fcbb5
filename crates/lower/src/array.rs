//! Arrays: literals, indexing, slices, updates, and their sizes.
//!
//! Every operation is done column by column, but its checks only once: indices and bounds are computed and compared with
//! the sizes first, and the statements for the columns rely on these checks. A slice `a[i:j:s]` may have any bounds and
//! any step that are not zero; how many elements it has is computed so that nothing overflows (`slice_range`).
//!
//! A literal of literals with many elements is one literal and a reshape, so that code grows with the columns and not
//! with the elements (`matrix_literal`).

use crate::classes::Place;
use crate::exp::{Slice, StepValue};
use crate::lower::{Lower, Scope};
use crate::mono::{Mono, MonoSize};
use crate::rep::Rep;
use crate::value::Value;
use norn_base::{Prim, Span};
use norn_check::typed::{Exp as TExp, ExpKind};
use norn_ir::nest::{ArrayExp, Atom, BinOp, Check, Dim, DimIndex, Exp, Scalar, Type, UnOp, Var};
use std::rc::Rc;

/// A dimension of an index, with everything known about it.
struct Index {
    dim: DimIndex,
    /// How many elements a slice has.
    count: Option<Atom>,
}

/// A literal of literals with so many elements is lowered as one.
const LONG: usize = 64;

impl<'a> Lower<'a> {
    pub fn array_literal(&mut self, s: &mut Scope, e: &'a TExp, xs: &'a [TExp]) -> Value {
        let span = e.span;
        let m = self.mono_in(s, &e.ty);
        if let Some((lengths, elements)) = matrix(xs)
            && elements.len() >= LONG
            && is_regular_of_scalars(&m, lengths.len())
        {
            return self.matrix_literal(s, &lengths, &elements, span);
        }
        let mut values = Vec::new();
        for x in xs {
            values.push(self.exp(s, x));
        }
        let place = s.place(e);
        let row_type = m.row().cloned().unwrap_or(Mono::Prim(Prim::Bool));
        let mut rep = match values.first() {
            Some(v) => v.rep.clone(),
            None => self.rep_of(&row_type, &place, &mut 0),
        };
        for v in values.iter().skip(1) {
            rep = self.join(&rep, &v.rep, &place, &mut 0);
        }
        let rep = self.irregular_as(&rep, &row_type);
        let rep = self.element(&rep, &place, &mut 500);
        let whole = Rep::Array(false, Rc::new(rep.clone()));
        if values.is_empty() {
            return self.blank(&whole, Some(&m), span);
        }
        let values: Vec<Value> = values.into_iter().map(|v| self.coerce(v, &rep, span)).collect();
        // The size of rows is that of the first; the checker has seen that the others agree, or
        // that they need not.
        let rows = self.dims(&values[0]);
        for v in &values[1..] {
            for (expected, found) in rows.clone().into_iter().zip(self.dims(v)) {
                let regular = self.regular_row_dims(&rep).contains(&true);
                if regular && expected != found {
                    self.check_row_size(&rep, &rows, v, span);
                    break;
                }
            }
        }
        let mut dims = vec![Atom::i64(values.len() as i64)];
        dims.extend(self.dims_inside(&rep, &rows));
        let types = self.types_of_sizes(&whole, &dims);
        let cols = types
            .into_iter()
            .enumerate()
            .map(|(i, ty)| {
                let atoms = values.iter().map(|v| v.cols[i]).collect();
                Atom::Var(self.b.emit1("array", ty, Exp::array(atoms), span))
            })
            .collect();
        Value { rep: whole, cols }
    }

    /// A long literal of literals is one literal of all elements, as a matrix: as many statements as there are columns.
    fn matrix_literal(
        &mut self,
        s: &mut Scope,
        lengths: &[usize],
        elements: &[&'a TExp],
        span: Span,
    ) -> Value {
        let values: Vec<Value> = elements.iter().map(|x| self.exp(s, x)).collect();
        let elem = values[0].rep.clone();
        let flat = Rep::array(elem.clone());
        let rep = lengths.iter().fold(elem, |row, _| Rep::array(row));
        let dims: Vec<Atom> = lengths.iter().map(|length| Atom::i64(*length as i64)).collect();
        let flat_types = self.types_of_sizes(&flat, &[Atom::i64(values.len() as i64)]);
        let types = self.types_of_sizes(&rep, &dims);
        let mut cols = Vec::with_capacity(types.len());
        for (i, (flat_ty, ty)) in flat_types.into_iter().zip(types).enumerate() {
            let atoms = values.iter().map(|v| v.cols[i]).collect();
            let array = self.b.emit1("array", flat_ty, Exp::array(atoms), span);
            let exp = Exp::reshape(array, 1, dims.clone());
            cols.push(Atom::Var(self.b.emit1("array", ty, exp, span)));
        }
        Value { rep, cols }
    }

    // # Indexing

    /// One element, indices within bounds or checked.
    pub fn element_at(&mut self, v: Value, indices: &[Atom], span: Span) -> Value {
        let dims: Vec<Slice> = indices.iter().map(|i| Slice::Fix(Value::i64(*i))).collect();
        self.index(v, &dims, span)
    }

    pub fn element_unchecked(&mut self, v: Value, i: Atom, span: Span) -> Value {
        self.unchecked += 1;
        let elem = self.element_at(v, &[i], span);
        self.unchecked -= 1;
        elem
    }

    pub fn index(&mut self, v: Value, slices: &[Slice], span: Span) -> Value {
        if slices.is_empty() {
            return v;
        }
        // What lies inside an irregular row can be reached only through the row.
        if slices.len() > 1
            && let (Slice::Fix(_), Rep::Array(_, row)) = (&slices[0], &v.rep)
            && matches!(**row, Rep::Array(true, _))
        {
            let row = self.index(v, &slices[..1], span);
            return self.index(row, &slices[1..], span);
        }
        if slices.len() > 1
            && let (Slice::Range { .. }, Rep::Array(_, row)) = (&slices[0], &v.rep)
            && matches!(**row, Rep::Array(true, _))
        {
            let rows = self.index(v, &slices[..1], span);
            return self.mapped(rows, None, span, |l, row| l.index(row, &slices[1..], span));
        }
        let indices = self.checked_indices(&v, slices, span);
        let dims = self.dims(&v);
        let mut rep = v.rep.clone();
        let mut kept = Vec::new();
        let mut shape: Vec<Atom> = Vec::new();
        for (i, index) in indices.iter().enumerate() {
            let Rep::Array(irregular, elem) = &rep else { panic!("lower: index of {rep:?}") };
            if let Some(count) = index.count {
                kept.push(*irregular && i > 0);
                shape.push(count);
            }
            rep = (**elem).clone();
        }
        let outer_fixed = kept.is_empty();
        for irregular in kept.into_iter().rev() {
            rep = Rep::Array(irregular, Rc::new(rep));
        }
        if outer_fixed {
            rep = rep.open();
        }
        let slice: Vec<DimIndex> = indices.into_iter().map(|i| i.dim).collect();
        shape.extend(dims[slices.len()..].iter().copied());
        self.index_columns(&v, slice, rep, shape, span)
    }

    /// Index every column. The sizes of rows that were irregular come with each.
    fn index_columns(
        &mut self,
        v: &Value,
        slice: Vec<DimIndex>,
        rep: Rep,
        shape: Vec<Atom>,
        span: Span,
    ) -> Value {
        let mut cols = Vec::new();
        let sliced = slice.iter().filter(|d| matches!(d, DimIndex::Slice { .. })).count();
        for col in &v.cols {
            let Atom::Var(array) = *col else { panic!("lower: index of a constant") };
            let Type::Value(elem, dims) = self.b.ty(array).clone() else {
                panic!("lower: index of no array")
            };
            let mut new: Vec<Dim> = shape[..sliced].iter().map(|a| Dim::Size(*a)).collect();
            new.extend(&dims[slice.len()..]);
            let mut vars: Vec<Var> = Vec::new();
            if sliced == 0 && new.first() == Some(&Dim::Irregular) {
                let k = self.b.new_var("k", Type::i64());
                vars.push(k);
                new[0] = Dim::Size(k.into());
            }
            let name = if new.is_empty() { "x" } else { "row" };
            let result = self.b.new_var(name, Type::Value(elem, new));
            vars.push(result);
            self.b.bind(vars, Exp::index(array, slice.clone()), span);
            cols.push(Atom::Var(result));
        }
        Value { rep, cols }
    }

    fn checked_indices(&mut self, v: &Value, slices: &[Slice], span: Span) -> Vec<Index> {
        let dims = self.outer_dims(v, slices.len());
        let mut out = Vec::new();
        for (slice, length) in slices.iter().zip(dims) {
            out.push(match slice {
                Slice::Fix(i) => {
                    let p = i.rep.prim().unwrap_or(Prim::I64);
                    let index = self.convert(p, Prim::I64, i.atom(), span);
                    self.check(Check::Index { index, length }, span);
                    Index { dim: DimIndex::Fix(index), count: None }
                }
                Slice::Range { start, end, stride } => {
                    self.slice_range(length, start.as_ref(), end.as_ref(), stride.as_ref(), span)
                }
            });
        }
        out
    }

    fn outer_dims(&self, v: &Value, count: usize) -> Vec<Atom> {
        let ty = self.b.atom_ty(v.cols[0]);
        ty.dims()[..count]
            .iter()
            .map(|d| match d {
                Dim::Size(a) => *a,
                Dim::Irregular | Dim::Result(_) => panic!("lower: index into irregular rows of {ty:?}"),
            })
            .collect()
    }

    fn slice_range(
        &mut self,
        length: Atom,
        start: Option<&Value>,
        end: Option<&Value>,
        stride: Option<&Value>,
        span: Span,
    ) -> Index {
        let i64_of = |l: &mut Self, v: &Value| {
            let p = v.rep.prim().unwrap_or(Prim::I64);
            l.convert(p, Prim::I64, v.atom(), span)
        };
        let one = Atom::i64(1);
        let step = stride.map_or(one, |v| i64_of(self, v));
        let negative = match step {
            Atom::Const(Scalar::I64(k)) => Atom::bool(k < 0),
            _ => self.bin_i64(BinOp::Lt, step, Atom::i64(0), span),
        };
        let first = match start {
            Some(v) => i64_of(self, v),
            None => match negative {
                Atom::Const(Scalar::Bool(false)) => Atom::i64(0),
                _ => {
                    let last = self.bin_i64(BinOp::Sub, length, one, span);
                    self.choose(negative, last, Atom::i64(0), Prim::I64, span)
                }
            },
        };
        let stop = match end {
            Some(v) => i64_of(self, v),
            None => self.choose(negative, Atom::i64(-1), length, Prim::I64, span),
        };
        let distance = self.bin_i64(BinOp::Sub, stop, first, span);
        let count = if step == one {
            distance
        } else {
            let cond = self.bin_i64(BinOp::Eq, step, Atom::i64(0), span);
            let cond = self.un(UnOp::Not, Prim::Bool, cond, span);
            let text = "that the stride of a slice is not 0".into();
            self.check(Check::Assert { cond, text }, span);
            self.check_slice_bounds(start.map(|_| first), end.map(|_| stop), (first, stop), negative, span);
            self.count_of_steps((first, stop), distance, step, span)
        };
        self.check(Check::Slice { start: first, count, stride: step, length }, span);
        Index { dim: DimIndex::Slice { start: first, count, stride: step }, count: Some(count) }
    }

    /// Checks that the bounds that were given are not negative, except for the -1 at which a backward slice ends. The distance of such bounds does not wrap
    /// around. If the bounds are equal, the slice is empty and may be anywhere.
    fn check_slice_bounds(
        &mut self,
        start: Option<Atom>,
        end: Option<Atom>,
        (first, stop): (Atom, Atom),
        negative: Atom,
        span: Span,
    ) {
        let is_fine = |atom: &Atom| matches!(atom, Atom::Const(Scalar::I64(0..)));
        let mut given = [start, end].into_iter().flatten().filter(|atom| !is_fine(atom)).peekable();
        if given.peek().is_none() {
            return;
        }
        let least = self.choose(negative, Atom::i64(-1), Atom::i64(0), Prim::I64, span);
        let mut cond = Atom::bool(true);
        for bound in given {
            let fine = self.bin_i64(BinOp::Le, least, bound, span);
            cond = self.bin(BinOp::And, Prim::Bool, cond, fine, span);
        }
        let empty = self.bin_i64(BinOp::Eq, first, stop, span);
        let cond = self.bin(BinOp::Or, Prim::Bool, cond, empty, span);
        let text = "that the bounds of a slice are not negative".into();
        self.check(Check::Assert { cond, text }, span);
    }

    /// The distance divided by the step, rounded up.
    fn count_of_steps(
        &mut self,
        (first, stop): (Atom, Atom),
        distance: Atom,
        step: Atom,
        span: Span,
    ) -> Atom {
        match step {
            // Of `xs[::-1]` it is the length of the array, and passes see that.
            Atom::Const(Scalar::I64(-1)) => self.bin_i64(BinOp::Sub, first, stop, span),
            // No array is so long that this sum wraps around, and passes know more about it than about the general case.
            Atom::Const(Scalar::I64(k)) if i32::try_from(k).is_ok() => {
                let sign = self.un(UnOp::Sgn, Prim::I64, step, span);
                let whole = self.bin_i64(BinOp::Add, distance, step, span);
                let padded = self.bin_i64(BinOp::Sub, whole, sign, span);
                self.bin_i64(BinOp::Quot, padded, step, span)
            }
            Atom::Const(_) | Atom::Var(_) => {
                let back = self.bin_i64(BinOp::Sub, Atom::i64(0), distance, span);
                let floor = self.bin_i64(BinOp::Div, back, step, span);
                self.bin_i64(BinOp::Sub, Atom::i64(0), floor, span)
            }
        }
    }

    // # Updates

    /// `v with steps = new`
    pub fn update(&mut self, v: Value, steps: &[StepValue], new: Value, place: &Place, span: Span) -> Value {
        let Some((step, rest)) = steps.split_first() else { return new };
        match step {
            StepValue::Field(name) => {
                let mut fields = self.fields(&v);
                for (f, old) in &mut fields {
                    if f == name {
                        *old = self.update(old.clone(), rest, new.clone(), place, span);
                    }
                }
                Value::record(fields)
            }
            StepValue::Index(dims) => {
                let new = if rest.is_empty() {
                    new
                } else {
                    let old = self.index(v.clone(), dims, span);
                    let old = self.copy(old, span);
                    self.update(old, rest, new, place, span)
                };
                self.update_array(v, dims, new, place, span)
            }
        }
    }

    fn update_array(&mut self, v: Value, slices: &[Slice], new: Value, place: &Place, span: Span) -> Value {
        if slices.len() > 1
            && let (Slice::Fix(_), Rep::Array(_, row)) = (&slices[0], &v.rep)
            && matches!(**row, Rep::Array(true, _))
        {
            let row = self.index(v.clone(), &slices[..1], span);
            let row = self.copy(row, span);
            let row = self.update_array(row, &slices[1..], new, place, span);
            return self.update_array(v, &slices[..1], row, place, span);
        }
        // Functions in the array and in the new part may differ.
        let mut inner = v.rep.clone();
        let mut kept = 0;
        for slice in slices {
            let Rep::Array(_, elem) = &inner else { panic!("lower: update of {inner:?}") };
            kept += usize::from(matches!(slice, Slice::Range { .. }));
            inner = (**elem).clone();
        }
        let mut part = new.rep.clone();
        for _ in 0..kept {
            let Rep::Array(_, elem) = &part else { panic!("lower: update with {part:?}") };
            part = (**elem).clone();
        }
        let elem = self.join(&inner, &part, place, &mut 0);
        let elem = self.element(&elem, place, &mut 500);
        let mut whole = elem.clone();
        let irregular = irregular_dims(&v.rep, slices.len());
        for irregular in irregular.iter().rev() {
            whole = Rep::Array(*irregular, Rc::new(whole));
        }
        let mut part = if kept == 0 { elem.open() } else { elem.clone() };
        for _ in 0..kept {
            part = Rep::Array(false, Rc::new(part));
        }
        let v = self.coerce(v, &whole, span);
        let new = self.coerce(new, &part, span);
        let indices = self.checked_indices(&v, slices, span);
        // Slices are as long as what they are replaced with.
        let counts: Vec<Atom> = indices.iter().filter_map(|i| i.count).collect();
        let new_dims = self.dims(&new);
        for (expected, found) in counts.iter().zip(&new_dims) {
            if expected != found {
                self.check(Check::Size { expected: *expected, found: *found }, span);
            }
        }
        let slice: Vec<DimIndex> = indices.into_iter().map(|i| i.dim).collect();
        if kept == 0 && matches!(elem, Rep::Array(..)) {
            // A row keeps its length.
            let old = self.index_columns(
                &v,
                slice.clone(),
                elem.open(),
                self.dims(&v)[slices.len()..].to_vec(),
                span,
            );
            let old_dims = self.dims(&old);
            for (expected, found) in old_dims.into_iter().zip(self.dims(&new)) {
                if expected != found {
                    self.check(Check::Size { expected, found }, span);
                }
            }
        }
        if kept == 1 && slices.len() == 1 && matches!(elem, Rep::Array(true, _)) {
            let old = self.index_columns(&v, slice.clone(), part.clone(), counts, span);
            let (old, now) = (self.lengths(&old, span), self.lengths(&new, span));
            let now = self.with_dims(&now, &self.dims(&old), span);
            let cond = self.equal(&old, &now, span);
            self.check(Check::Assert { cond, text: "that rows keep their lengths".into() }, span);
        }
        let mut cols = Vec::new();
        for (col, value) in v.cols.iter().zip(new.cols) {
            let Atom::Var(array) = *col else { panic!("lower: update of a constant") };
            let ty = self.b.ty(array).clone();
            let name = self.b.name(array).to_string();
            let exp = Exp::Array(ArrayExp::Update { array, slice: slice.clone(), value });
            cols.push(Atom::Var(self.b.emit1(&name, ty, exp, span)));
        }
        Value { rep: whole, cols }
    }

    pub fn copy(&mut self, v: Value, span: Span) -> Value {
        let mut cols = Vec::new();
        for col in v.cols {
            cols.push(match col {
                Atom::Var(x) if self.b.ty(x).is_array() => {
                    let ty = self.b.ty(x).clone();
                    let name = self.b.name(x).to_string();
                    Atom::Var(self.b.emit1(&name, ty, Exp::copy(x), span))
                }
                col => col,
            });
        }
        Value { rep: v.rep, cols }
    }
}

/// For the outer dimensions, whether they are irregular.
fn irregular_dims(r: &Rep, count: usize) -> Vec<bool> {
    let mut out = Vec::new();
    let mut at = r;
    for _ in 0..count {
        let Rep::Array(irregular, elem) = at else { break };
        out.push(*irregular);
        at = elem;
    }
    out
}

/// The lengths and the elements, row by row, of a literal whose rows are literals of one length, and so on.
fn matrix(xs: &[TExp]) -> Option<(Vec<usize>, Vec<&TExp>)> {
    let mut lengths = vec![xs.len()];
    let mut elements: Vec<&TExp> = xs.iter().collect();
    while let Some(ExpKind::Array(first)) = elements.first().map(|x| &x.kind) {
        let mut inner = Vec::with_capacity(elements.len() * first.len());
        for x in elements {
            match &x.kind {
                ExpKind::Array(row) if row.len() == first.len() => inner.extend(row),
                _ => return None,
            }
        }
        lengths.push(first.len());
        elements = inner;
    }
    (lengths.len() > 1).then_some((lengths, elements))
}

/// Whether arrays of this type have so many dimensions, all regular, and elements that are scalars or records of them.
fn is_regular_of_scalars(m: &Mono, rank: usize) -> bool {
    match m {
        Mono::Array(size, row) if rank > 0 => {
            *size != MonoSize::Irregular && is_regular_of_scalars(row, rank - 1)
        }
        Mono::Prim(_) => rank == 0,
        Mono::Record(fields) => rank == 0 && fields.iter().all(|(_, m)| is_regular_of_scalars(m, 0)),
        Mono::Array(..) | Mono::Sum(_) | Mono::Data(_) | Mono::Fun(..) | Mono::Acc(_) => false,
    }
}
