//! The dimensions of arrays: inside other arrays, under other names, regular or not.

use crate::lower::Lower;
use crate::mono::{Mono, MonoSize};
use crate::rep::Rep;
use crate::value::Value;
use norn_base::Span;
use norn_ir::nest::{Atom, Check, Exp};
use std::rc::Rc;

impl Lower<'_> {
    /// For each dimension of a value, whether it stays one inside an array.
    pub fn regular_row_dims(&self, row: &Rep) -> Vec<bool> {
        let count = self.dim_count(row);
        let marks: Vec<Atom> = (0..count).map(|i| Atom::i64(i as i64)).collect();
        let kept = self.dims_inside(row, &marks);
        marks.iter().map(|m| kept.contains(m)).collect()
    }

    /// Of the dimensions of a row, those that are dimensions of an array of such rows.
    pub fn dims_inside(&self, row: &Rep, dims: &[Atom]) -> Vec<Atom> {
        let mut out = Vec::new();
        let mut dims = dims.iter().copied();
        self.dims_inside_at(row, 0, &mut dims, &mut out);
        out
    }

    fn dims_inside_at(
        &self,
        r: &Rep,
        depth: usize,
        dims: &mut dyn Iterator<Item = Atom>,
        out: &mut Vec<Atom>,
    ) {
        use crate::value::Layout;
        match r {
            Rep::Prim(_) | Rep::Data(_) => {}
            Rep::Record(fields) => fields.iter().for_each(|(_, r)| self.dims_inside_at(r, depth, dims, out)),
            Rep::Sum(sum) => sum.slots.iter().for_each(|r| self.dims_inside_at(r, depth, dims, out)),
            Rep::Array(irregular, elem) => {
                let had = if depth == 0 || !irregular { dims.next() } else { None };
                if !irregular && let Some(a) = had {
                    out.push(a);
                }
                self.dims_inside_at(elem, depth + 1, dims, out);
            }
            Rep::Acc(elem) => self.dims_inside_at(elem, depth, dims, out),
            Rep::Fn(f) => f.parts().for_each(|r| self.dims_inside_at(r, depth, dims, out)),
            Rep::Dyn(c) => match self.layout(*c) {
                Layout::Cell(_) => {}
                Layout::Inline(shape) => {
                    shape.slots.iter().for_each(|r| self.dims_inside_at(r, depth, dims, out));
                }
            },
        }
    }

    /// Rows of a regular array have the sizes of its first row.
    pub fn check_row_size(&mut self, row: &Rep, expected: &[Atom], v: &Value, span: Span) {
        let found = self.dims(v);
        let regular = self.regular_row_dims(row);
        for ((e, f), regular) in expected.iter().zip(found).zip(regular) {
            if regular && *e != f {
                self.check(Check::Size { expected: *e, found: f }, span);
            }
        }
    }

    /// The same value, its dimensions known by these names.
    pub fn with_dims(&mut self, v: &Value, dims: &[Atom], span: Span) -> Value {
        if self.dims(v) == dims {
            return v.clone();
        }
        let types = self.types_of_sizes(&v.rep, dims);
        let cols = v
            .cols
            .iter()
            .zip(types)
            .map(|(col, ty)| match *col {
                Atom::Var(array) if *self.b.ty(array) != ty && ty.is_array() => {
                    let name = self.b.name(array).to_string();
                    let exp = Exp::coerce(array, ty.dims().to_vec());
                    Atom::Var(self.b.emit1(&name, ty, exp, span))
                }
                col => col,
            })
            .collect();
        Value { rep: v.rep.clone(), cols }
    }

    /// Rows that a type says have one size, where the value does not know it: compared and made regular.
    pub fn regular_as(&mut self, v: Value, m: &Mono, span: Span) -> Value {
        match (&v.rep, m) {
            (Rep::Record(_), Mono::Record(_)) => {
                let fields = self.fields(&v);
                if fields.is_empty() {
                    return v;
                }
                let new = fields
                    .into_iter()
                    .map(|(f, v)| match m.field(f) {
                        Some(m) => (f, self.regular_as(v, m, span)),
                        None => (f, v),
                    })
                    .collect();
                Value::record(new)
            }
            (Rep::Array(..), Mono::Array(..)) => {
                let mut sizes = self.dims(&v).into_iter();
                let mut dims = Vec::new();
                let rep = regular_rep(&v.rep, Some(m), 0, &mut sizes, &mut dims);
                if rep == v.rep {
                    return v;
                }
                let types = self.types_of_sizes(&rep, &dims);
                let mut cols = Vec::new();
                for (col, ty) in v.cols.iter().zip(types) {
                    let Atom::Var(array) = *col else { continue };
                    let dims = ty.dims().to_vec();
                    self.check(Check::Shape { array, dims: dims.clone() }, span);
                    let name = self.b.name(array).to_string();
                    cols.push(Atom::Var(self.b.emit1(&name, ty, Exp::coerce(array, dims), span)));
                }
                Value { rep, cols }
            }
            _ => v,
        }
    }
}

/// A representation with dimensions regular where the type knows their size.
fn regular_rep(
    r: &Rep,
    m: Option<&Mono>,
    depth: usize,
    sizes: &mut dyn Iterator<Item = Atom>,
    dims: &mut Vec<Atom>,
) -> Rep {
    match r {
        Rep::Array(irregular, elem) => {
            let had = if depth == 0 || !irregular { sizes.next() } else { None };
            let (known, row) = match m {
                Some(Mono::Array(s, row)) => (Some(*s), Some(&**row)),
                _ => (None, None),
            };
            let now = match (had, known) {
                (Some(a), _) => {
                    dims.push(a);
                    *irregular
                }
                (None, Some(MonoSize::Atom(a))) => {
                    dims.push(a);
                    false
                }
                (None, _) => true,
            };
            Rep::Array(now, Rc::new(regular_rep(elem, row, depth + 1, sizes, dims)))
        }
        Rep::Record(fields) => Rep::Record(
            fields
                .iter()
                .map(|(f, r)| (*f, regular_rep(r, m.and_then(|m| m.field(*f)), depth, sizes, dims)))
                .collect(),
        ),
        // Of payloads that do not matter no size is known.
        Rep::Sum(sum) => Rep::Sum(sum.map(&mut |r| regular_rep(r, None, depth, sizes, dims))),
        Rep::Fn(f) => Rep::Fn(Rc::new(f.map(&mut |r| regular_rep(r, None, depth, sizes, dims)))),
        Rep::Prim(_) | Rep::Data(_) | Rep::Dyn(_) | Rep::Acc(_) => r.clone(),
    }
}
