//! Values during lowering: a representation and the atoms of its columns.
//!
//! ```text
//! {a: i32, b: []i64}      2 columns, 1 dimension:  i32, [n]i64
//! [](i32, bool)           2 columns, 1 dimension:  [n]i32, [n]bool
//! #none | #some ([]i64)   2 columns, 1 dimension:  i8 (the tag), [n]i64
//! ```
//!
//! Every question about columns is answered here, from the `Rep` alone: how many there are (`width`), of which types (`types`), and where the dimensions of a value are
//! among them (`each_dim`). A dimension that several columns share, as those of an array of pairs, counts once, at the first column that has it.
//! All functions go through representations in the same order; two that did not would mix up columns without anybody noticing, so `each_dim` and `known_dims`
//! change together.
//!
//! Dimensions of payloads are a special case. A value has the payload of one constructor only, so a type says nothing about the sizes of the columns for
//! the others (`known_dims`): they are blank, and as long as it suits.

use crate::classes::{ClassId, Shape};
use crate::lower::Lower;
use crate::mono::{Mono, MonoSize};
use crate::rep::{Rep, SumRep};
use norn_base::{Prim, Symbol};
use norn_ir::nest::{Atom, DataId, Dim, Elem, Scalar, Type, tag_prim};
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Value {
    pub rep: Rep,
    pub cols: Vec<Atom>,
}

impl Value {
    pub fn scalar(prim: Prim, atom: Atom) -> Value {
        Value { rep: Rep::Prim(prim), cols: vec![atom] }
    }

    pub fn i64(atom: Atom) -> Value {
        Value::scalar(Prim::I64, atom)
    }

    pub fn bool(atom: Atom) -> Value {
        Value::scalar(Prim::Bool, atom)
    }

    pub fn unit() -> Value {
        Value { rep: Rep::unit(), cols: vec![Atom::bool(false)] }
    }

    pub fn tuple(parts: Vec<Value>) -> Value {
        Value::record(parts.into_iter().enumerate().map(|(i, v)| (Symbol::tuple_field(i), v)).collect())
    }

    pub fn record(mut fields: Vec<(Symbol, Value)>) -> Value {
        if fields.is_empty() {
            return Value::unit();
        }
        fields.sort_by_key(|(f, _)| *f);
        let rep = Rep::Record(fields.iter().map(|(f, v)| (*f, v.rep.clone())).collect());
        Value { rep, cols: fields.into_iter().flat_map(|(_, v)| v.cols).collect() }
    }

    /// The only column, of a scalar.
    pub fn atom(&self) -> Atom {
        debug_assert_eq!(self.cols.len(), 1, "lower: not a scalar: {:?}", self.rep);
        self.cols[0]
    }
}

/// What is inside a value of a class: a tag and what the members share, or a ref to a cell.
pub enum Layout {
    Inline(Rc<Shape>),
    Cell(DataId),
}

/// The tag of one of so many alternatives.
pub fn tag_of(at: usize, alternatives: usize) -> Atom {
    Atom::Const(Scalar::from_int(tag_prim(alternatives), at as i128))
}

impl Lower<'_> {
    pub fn layout(&self, class: ClassId) -> Layout {
        match self.classes.cell(class) {
            Some(data) => Layout::Cell(data),
            None => Layout::Inline(self.classes.shape(class)),
        }
    }

    /// How many columns a value has.
    pub fn width(&self, rep: &Rep) -> usize {
        match rep {
            Rep::Prim(_) | Rep::Data(_) | Rep::Acc(_) => 1,
            Rep::Record(fields) if fields.is_empty() => 1,
            Rep::Record(fields) => fields.iter().map(|(_, r)| self.width(r)).sum(),
            Rep::Sum(sum) => 1 + sum.slots.iter().map(|r| self.width(r)).sum::<usize>(),
            Rep::Array(_, elem) => self.width(elem),
            Rep::Fn(f) => f.holes + f.parts().map(|r| self.width(r)).sum::<usize>(),
            Rep::Dyn(c) => match self.layout(*c) {
                Layout::Cell(_) => 1,
                Layout::Inline(shape) => shape.columns(),
            },
        }
    }

    /// The types of the columns, given the value's dimensions.
    pub fn types(&self, rep: &Rep, dims: &[Dim]) -> Vec<Type> {
        let mut w = TypeWriter { lower: self, dims: dims.iter(), prefix: Vec::new(), out: Vec::new() };
        w.rep(rep);
        debug_assert!(w.dims.next().is_none(), "lower: too many dimensions for {rep:?}");
        w.out
    }

    pub fn types_of_sizes(&self, rep: &Rep, sizes: &[Atom]) -> Vec<Type> {
        let dims: Vec<Dim> = sizes.iter().map(|a| Dim::Size(*a)).collect();
        self.types(rep, &dims)
    }

    /// How many dimensions a value of this kind has.
    pub fn dim_count(&self, rep: &Rep) -> usize {
        let mut count = 0;
        self.each_dim(rep, &mut |_, _| count += 1);
        count
    }

    /// The dimensions of a value, read off the types of its columns.
    pub fn dims(&self, v: &Value) -> Vec<Atom> {
        let mut out = Vec::new();
        self.each_dim(&v.rep, &mut |col, depth| {
            let ty = self.b.atom_ty(v.cols[col]);
            let dim = match &ty {
                Type::Acc(arrays) => arrays[0].dims()[depth],
                Type::Value(..) | Type::Seg { .. } | Type::Region | Type::Cert => ty.dims()[depth],
            };
            match dim {
                Dim::Size(a) => out.push(a),
                Dim::Irregular | Dim::Result(_) => {
                    panic!("lower: dimension {depth} of {:?} is {dim:?} in {ty:?}", v.rep)
                }
            }
        });
        out
    }

    /// Where the dimensions are: a column that has each, and which of that column's it is.
    pub fn dim_places(&self, rep: &Rep) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        self.each_dim(rep, &mut |col, depth| out.push((col, depth)));
        out
    }

    /// Visit dimensions in order: a column that has it, and which of that column's it is.
    fn each_dim(&self, rep: &Rep, f: &mut dyn FnMut(usize, usize)) {
        let mut col = 0;
        self.each_dim_at(rep, 0, &mut col, f);
    }

    fn each_dim_at(&self, rep: &Rep, depth: usize, col: &mut usize, f: &mut dyn FnMut(usize, usize)) {
        match rep {
            Rep::Prim(_) | Rep::Data(_) => *col += 1,
            Rep::Record(fields) if fields.is_empty() => *col += 1,
            Rep::Record(fields) => fields.iter().for_each(|(_, r)| self.each_dim_at(r, depth, col, f)),
            Rep::Sum(sum) => {
                *col += 1;
                sum.slots.iter().for_each(|r| self.each_dim_at(r, depth, col, f));
            }
            Rep::Array(irregular, elem) => {
                if depth == 0 || !irregular {
                    f(*col, depth);
                }
                self.each_dim_at(elem, depth + 1, col, f);
            }
            Rep::Acc(elem) => {
                let at = *col;
                self.each_dim_at(elem, depth, &mut 0, &mut |_, depth| f(at, depth));
                *col += 1;
            }
            Rep::Fn(fun) => {
                *col += fun.holes;
                fun.parts().for_each(|r| self.each_dim_at(r, depth, col, f));
            }
            Rep::Dyn(c) => match self.layout(*c) {
                Layout::Cell(_) => *col += 1,
                Layout::Inline(shape) => {
                    *col += 1;
                    shape.slots.iter().for_each(|r| self.each_dim_at(r, depth, col, f));
                }
            },
        }
    }

    /// What a type says about the dimensions of a value that is represented so. Of payloads it says nothing: which of them is there is
    /// not known.
    pub fn known_dims(&self, mono: Option<&Mono>, rep: &Rep) -> Vec<MonoSize> {
        let mut out = Vec::new();
        self.known_dims_at(mono, rep, 0, &mut out);
        out
    }

    fn known_dims_at(&self, mono: Option<&Mono>, rep: &Rep, depth: usize, out: &mut Vec<MonoSize>) {
        match (rep, mono) {
            (Rep::Prim(_) | Rep::Data(_), _) => {}
            (Rep::Record(fields), _) => {
                for (name, r) in fields.iter() {
                    self.known_dims_at(mono.and_then(|m| m.field(*name)), r, depth, out);
                }
            }
            (Rep::Sum(sum), _) => {
                sum.slots.iter().for_each(|r| self.known_dims_at(None, r, depth, out));
            }
            (Rep::Array(irregular, elem), _) => {
                let (size, row) = match mono {
                    Some(Mono::Array(s, row)) => (*s, Some(&**row)),
                    _ => (MonoSize::Unknown, None),
                };
                if depth == 0 || !irregular {
                    out.push(size);
                }
                self.known_dims_at(row, elem, depth + 1, out);
            }
            (Rep::Acc(elem), Some(Mono::Acc(m))) => self.known_dims_at(Some(m), elem, depth, out),
            (Rep::Acc(elem), _) => self.known_dims_at(None, elem, depth, out),
            (Rep::Fn(f), _) => f.parts().for_each(|r| self.known_dims_at(None, r, depth, out)),
            (Rep::Dyn(c), _) => match self.layout(*c) {
                Layout::Cell(_) => {}
                Layout::Inline(shape) => {
                    shape.slots.iter().for_each(|r| self.known_dims_at(None, r, depth, out));
                }
            },
        }
    }

    /// The parts of a value that is represented as a list of things side by side.
    pub fn parts(&self, reps: &[Rep], cols: &[Atom]) -> Vec<Value> {
        let mut at = 0;
        reps.iter()
            .map(|rep| {
                let width = self.width(rep);
                at += width;
                Value { rep: rep.clone(), cols: cols[at - width..at].to_vec() }
            })
            .collect()
    }

    pub fn fields(&self, v: &Value) -> Vec<(Symbol, Value)> {
        let Rep::Record(fields) = &v.rep else { panic!("lower: fields of {:?}", v.rep) };
        if fields.is_empty() {
            return Vec::new();
        }
        let reps: Vec<Rep> = fields.iter().map(|(_, r)| r.clone()).collect();
        fields.iter().map(|(f, _)| *f).zip(self.parts(&reps, &v.cols)).collect()
    }

    pub fn field(&self, v: &Value, name: Symbol) -> Value {
        let found = self.fields(v).into_iter().find(|(f, _)| *f == name);
        found.unwrap_or_else(|| panic!("lower: no field {name} in {:?}", v.rep)).1
    }

    /// The tag of a sum, and what is in each slot.
    pub fn slots(&self, sum: &SumRep, v: &Value) -> (Atom, Vec<Value>) {
        (v.cols[0], self.parts(&sum.slots, &v.cols[1..]))
    }

    /// The tag of a sum, and the payload of each constructor.
    pub fn variants(&self, v: &Value) -> (Atom, Vec<(Symbol, Vec<Value>)>) {
        let Rep::Sum(sum) = &v.rep else { panic!("lower: variants of {:?}", v.rep) };
        let (tag, slots) = self.slots(sum, v);
        let variant = |(name, places): &(Symbol, Vec<usize>)| {
            (*name, places.iter().map(|slot| slots[*slot].clone()).collect())
        };
        (tag, sum.constrs.iter().map(variant).collect())
    }

    /// A value of fields that belong to an element of an array, by its field.
    pub fn array_field(&self, v: &Value, name: Symbol) -> Value {
        let Rep::Array(irregular, elem) = &v.rep else { panic!("lower: array field of {:?}", v.rep) };
        let inner = Value { rep: (**elem).clone(), cols: v.cols.clone() };
        let field = self.field(&inner, name);
        Value { rep: Rep::Array(*irregular, Rc::new(field.rep)), cols: field.cols }
    }
}

struct TypeWriter<'l, 'a, 'd> {
    lower: &'l Lower<'a>,
    dims: std::slice::Iter<'d, Dim>,
    prefix: Vec<Dim>,
    out: Vec<Type>,
}

impl TypeWriter<'_, '_, '_> {
    fn push(&mut self, elem: Elem) {
        self.out.push(Type::Value(elem, self.prefix.clone()));
    }

    fn rep(&mut self, rep: &Rep) {
        match rep {
            Rep::Prim(p) => self.push(Elem::Prim(*p)),
            Rep::Data(d) => self.push(Elem::Ref(*d, None)),
            Rep::Record(fields) if fields.is_empty() => self.push(Elem::Prim(Prim::Bool)),
            Rep::Record(fields) => fields.iter().for_each(|(_, r)| self.rep(r)),
            Rep::Sum(sum) => {
                self.push(Elem::Prim(tag_prim(sum.constrs.len())));
                sum.slots.iter().for_each(|r| self.rep(r));
            }
            Rep::Array(irregular, elem) => {
                let dim = if self.prefix.is_empty() || !irregular {
                    *self.dims.next().unwrap_or_else(|| panic!("lower: too few dimensions for {rep:?}"))
                } else {
                    Dim::Irregular
                };
                self.prefix.push(dim);
                self.rep(elem);
                self.prefix.pop();
            }
            Rep::Acc(elem) => {
                let outer = std::mem::take(&mut self.out);
                self.rep(elem);
                let arrays = std::mem::replace(&mut self.out, outer);
                self.out.push(Type::Acc(arrays));
            }
            Rep::Fn(f) => {
                for _ in 0..f.holes {
                    self.push(Elem::Prim(Prim::I64));
                }
                f.parts().for_each(|r| self.rep(r));
            }
            Rep::Dyn(c) => match self.lower.layout(*c) {
                Layout::Cell(d) => self.push(Elem::Ref(d, None)),
                Layout::Inline(shape) => {
                    self.push(Elem::Prim(tag_prim(shape.members.len())));
                    shape.slots.iter().for_each(|r| self.rep(r));
                }
            },
        }
    }
}
