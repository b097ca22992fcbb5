//! Where the rows of irregular arrays are: described once, and only if somebody needs it.

use super::Elements;
use norn_ir::nest::{ArrayExp, Atom, Body, Dim, Exp, Operator, Prim, Stm, Type, Var};
use std::collections::HashMap;

/// What is known of irregular arrays at a place.
#[derive(Clone, Default)]
pub struct KnownRows {
    /// Of arrays, the lengths of their rows.
    lengths: HashMap<Var, Var>,
    /// Of arrays, how many elements there are in all rows, and these in one array.
    joined: HashMap<Var, (Atom, Var)>,
    /// Of arrays whose rows are in rows again, the array of all of these.
    reshaped: HashMap<Var, Var>,
    /// Of lengths, their sum, where it is known otherwise.
    totals: HashMap<Var, Atom>,
    /// Of lengths, the description of rows that have these.
    rows: HashMap<Var, Segments>,
    /// Lengths that have been computed, by what computed them.
    pub values: HashMap<Vec<u64>, Var>,
}

/// Rows of different lengths.
#[derive(Clone, Copy)]
pub struct Segments {
    pub lengths: Var,
    pub ends: Var,
    pub total: Atom,
    /// Of each element: the number of its row.
    numbers: Option<Var>,
}

/// How the first two dimensions of an array are one.
#[derive(Clone, Copy)]
pub enum FlatDims {
    /// As many in each row.
    Even(Atom),
    Uneven(Segments),
}

/// The array of which maps in maps, so deep, yield the lengths of rows, and nothing else.
fn lengths_of_input(exp: &Exp) -> Option<(Var, usize)> {
    let Exp::Op(Operator::Map { inputs, lambda, .. }) = exp else { return None };
    let ([input], Body { stms, result }) = (&inputs[..], &lambda.body) else { return None };
    match (&lambda.params[..], &stms[..]) {
        ([length, _], []) if *result == [Atom::Var(*length)] => Some((*input, 1)),
        ([row], [inner]) => {
            let yields = result.iter().map(|atom| atom.var()).eq(inner.vars.iter().map(|var| Some(*var)));
            let (array, depth) = lengths_of_input(&inner.exp)?;
            (yields && array == *row).then_some((*input, depth + 1))
        }
        _ => None,
    }
}

pub fn i64s(size: impl Into<Atom>) -> Type {
    Type::array(Prim::I64, vec![Dim::Size(size.into())])
}

impl Elements {
    /// Records what a statement reveals about irregular arrays.
    pub fn note(&mut self, stm: &Stm) {
        match (&stm.exp, &stm.vars[..]) {
            (Exp::Array(ArrayExp::Segment { lengths, array }), [rows]) => {
                self.note_rows(*rows, *lengths, *array)
            }
            (Exp::Array(ArrayExp::Lengths(array)), [lengths]) if !self.names.memory.is_taken(*lengths) => {
                self.note_lengths(*array, *lengths);
            }
            (Exp::Array(ArrayExp::Reshape { array, old: 1, .. }), [rows])
                if self.names.ty(*array).has_irregular_rows() && !self.names.memory.is_taken(*rows) =>
            {
                self.known.reshaped.insert(*rows, *array);
            }
            (Exp::Array(ArrayExp::JoinRows(array)), [total, all]) => {
                self.note_joined(*array, (*total).into(), *all);
            }
            _ => {}
        }
    }

    fn note_joined(&mut self, array: Var, total: Atom, all: Var) {
        if !self.names.memory.is_taken(array) && !self.names.memory.is_taken(all) {
            self.known.joined.insert(array, (total, all));
        }
        if let Some(lengths) = self.known.lengths.get(&array) {
            self.known.totals.insert(*lengths, total);
        }
    }

    fn note_lengths(&mut self, array: Var, lengths: Var) {
        self.known.lengths.insert(array, lengths);
        if let Some((total, _)) = self.known.joined.get(&array) {
            self.known.totals.insert(lengths, *total);
        }
    }

    fn note_rows(&mut self, rows: Var, lengths: Var, all: Var) {
        let total = self.names.ty(all).dims()[0].atom().unwrap_or(Atom::i64(0));
        self.note_joined(rows, total, all);
        if !self.names.memory.is_taken(lengths) {
            self.known.totals.insert(lengths, total);
            self.note_lengths(rows, lengths);
        }
    }

    /// The sum of lengths, which is known otherwise.
    pub fn know_total(&mut self, lengths: Var, total: Atom) {
        self.known.totals.insert(lengths, total);
    }

    /// Whether the statement, a map or maps in maps, yields the lengths of rows that are known, and has been replaced.
    pub fn known_lengths(&mut self, stm: &Stm) -> bool {
        let [var] = stm.vars[..] else { return false };
        let Some((array, depth)) = lengths_of_input(&stm.exp) else { return false };
        // The map has memory of its own.
        if self.names.memory.is_taken(var) || self.yielded.contains(&var) {
            return false;
        }
        let lengths = |array: &Var| self.known.lengths.get(array).copied();
        let exp = match depth {
            1 => lengths(&array).map(|lengths| Exp::atom(lengths.into())),
            _ => self.known.reshaped.get(&array).and_then(lengths).and_then(|lengths| {
                let dims = self.names.ty(var).dims().iter();
                Some(Exp::reshape(lengths, 1, dims.map(|dim| dim.atom()).collect::<Option<_>>()?))
            }),
        };
        let Some(exp) = exp else { return false };
        self.bind(vec![var], exp);
        true
    }

    /// The rows of these lengths, bound to a variable.
    pub fn segment(&mut self, var: Var, lengths: Var, array: Var) {
        self.bind(vec![var], Exp::segment(lengths, array));
        self.note_rows(var, lengths, array);
    }

    pub fn lengths_of(&mut self, array: Var) -> Var {
        if let Some(lengths) = self.known.lengths.get(&array) {
            return *lengths;
        }
        let rows = self.names.ty(array).dims()[0].atom().unwrap_or(Atom::i64(0));
        let lengths = self.emit("lengths", i64s(rows), Exp::Array(ArrayExp::Lengths(array)));
        self.note_lengths(array, lengths);
        lengths
    }

    /// All rows one after the other: how many elements there are, and these.
    pub fn joined(&mut self, array: Var) -> (Atom, Var) {
        if let Some(joined) = self.known.joined.get(&array) {
            return *joined;
        }
        let ty = self.names.ty(array).clone();
        let total = self.names.fresh("total", Type::i64());
        let dims = [&[Dim::size(total)], &ty.dims()[2..]].concat();
        let name = self.names.name(array);
        let all = self.names.fresh(&name, ty.with_dims(dims));
        self.bind(vec![total, all], Exp::Array(ArrayExp::JoinRows(array)));
        self.note_joined(array, total.into(), all);
        (total.into(), all)
    }

    /// Whether that is known.
    pub fn is_joined(&self, array: Var) -> bool {
        self.known.joined.contains_key(&array)
    }

    /// Binds variables to what is known of it.
    pub fn join_again(&mut self, vars: &[Var], array: Var) {
        let (total, all) = self.joined(array);
        self.bind(vec![vars[0]], Exp::atom(total));
        self.bind(vec![vars[1]], Exp::reshape(all, 1, vec![vars[0].into()]));
    }

    /// The description of rows of these lengths.
    pub fn rows(&mut self, lengths: Var) -> Segments {
        if let Some(rows) = self.known.rows.get(&lengths) {
            return *rows;
        }
        let ends = self.emit("ends", self.names.ty(lengths).clone(), Exp::Array(ArrayExp::Ends(lengths)));
        let total = match self.known.totals.get(&lengths).copied() {
            Some(total) => total,
            None => {
                let total = self.names.fresh("total", Type::i64());
                let stms = self.names.total(total, ends, self.span);
                self.out.extend(stms);
                total.into()
            }
        };
        let rows = Segments { lengths, ends, total, numbers: None };
        self.known.rows.insert(lengths, rows);
        rows
    }

    /// Of each element, the number of its row.
    pub fn numbers(&mut self, rows: &Segments) -> Var {
        if let Some(numbers) = self.known.rows.get(&rows.lengths).and_then(|rows| rows.numbers) {
            return numbers;
        }
        let places = self.emit("places", i64s(rows.total), Exp::iota(rows.total));
        let numbers = self.names.fresh("numbers", i64s(rows.total));
        let stms = self.names.row_numbers(numbers, rows.ends, places, self.span);
        self.out.extend(stms);
        let rows = Segments { numbers: Some(numbers), ..*rows };
        self.known.rows.insert(rows.lengths, rows);
        numbers
    }
}
