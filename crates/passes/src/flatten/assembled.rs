//! Rows that a map assembles of columns are read from the columns.
//!
//! ```text
//! let s: [n][2]i64 = map n (a, b) \(x, y) { array (x, y) }           let last: i64 = index a [n1]
//! let last: i64 = index s [n1, 0]                             ==>    let t: [m]f32 = scatter n (dest) from (ds, a, b) \(d, x, y) {
//! let t: [m]f32 = scatter n (dest) from (ds, s) \(d, row) {            let zero: bool = eq.i64 d 0
//!   let p: i64 = index row [d]                                         let p: i64 = if zero { in x } else { in y }
//!   ..                                                                 ..
//! ```
//!
//! Scans of small rows are scans of their columns (`scalars/combined`), so a radix sort that counts digits in an array of four numbers has four columns then. Assembled, they would be
//! written once more, transposed, and read again, where a thread that reads all elements of its row, side by side with those of its neighbours, and chooses one, does with less.
//!
//! Needs: nest. Gives: the same; the map stays for dce. Refuses: arrays of rows that are used as a whole, or in operators that ask for more than elements; columns that are
//! overwritten. Cost: linear in the statements behind each such map.

use crate::nest::memory::signatures;
use crate::nest::mentions::{in_lambda, in_stm};
use crate::nest::subst::Names;
use norn_base::Span;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    Applied, ArrayExp, Atom, BinOp, Body, ControlExp, DimIndex, Exp, Lambda, Operator, Prim, Prog, Scalar,
    ScalarExp, Stm, Type, Var,
};

/// Rows of more elements than these are not chosen from.
const FEW: usize = 16;

/// In all functions; whether there was something.
pub fn assembled(prog: &mut Prog) -> bool {
    let signatures = signatures(prog);
    let mut changed = false;
    for fun in &mut prog.funs {
        let mut names = Names::of(&signatures, fun);
        changed |= assembled_in(&mut names, &mut fun.body);
        fun.vars = names.vars;
    }
    if changed {
        normalise(prog);
    }
    changed
}

fn assembled_in(names: &mut Names, body: &mut Body) -> bool {
    let mut changed = false;
    for stm in &mut body.stms {
        if let Exp::Control(_) = &stm.exp {
            stm.for_each_part_mut(&mut |part| {
                if let PartMut::Body(body) = part {
                    changed |= assembled_in(names, body);
                }
            });
        }
    }
    let mut at = 0;
    while at < body.stms.len() {
        at += 1;
        let Some(rows) = rows_of(names, &body.stms[at - 1]) else { continue };
        let is_result = body.result.contains(&Atom::Var(rows.array));
        let behind = &body.stms[at..];
        let is_used = behind.iter().any(|stm| mentions(names, stm, rows.array));
        if !is_result && is_used && behind.iter().all(|stm| is_readable(names, stm, rows.array)) {
            rows.read_by(names, &mut body.stms, at);
            changed = true;
        }
    }
    changed
}

/// An array, and for each element of a row the column that it is in, or the element itself.
struct AssembledRows {
    array: Var,
    elements: Vec<Atom>,
}

/// What a map does that only assembles rows.
fn rows_of(names: &Names, stm: &Stm) -> Option<AssembledRows> {
    let Exp::Op(Operator::Map { inputs, lambda, .. }) = &stm.exp else { return None };
    let ([array], [row]) = (&stm.vars[..], &lambda.body.stms[..]) else { return None };
    let Exp::Array(ArrayExp::ArrayLit(atoms)) = &row.exp else { return None };
    let is_plain = stm.grid.is_none() && stm.attrs.is_empty() && inputs.len() == lambda.params.len();
    let is_row = lambda.body.result[..] == [Atom::Var(row.vars[0])];
    if !is_plain || !is_row || atoms.is_empty() || atoms.len() > FEW || names.memory.is_taken(*array) {
        return None;
    }
    let element = |atom: &Atom| match atom {
        Atom::Const(_) => Some(*atom),
        Atom::Var(var) => {
            let at = lambda.params.iter().position(|param| param == var)?;
            let is_column = names.ty(*var).is_scalar() && !names.memory.is_taken(inputs[at]);
            is_column.then(|| inputs[at].into())
        }
    };
    Some(AssembledRows { array: *array, elements: atoms.iter().map(element).collect::<Option<_>>()? })
}

fn mentions(names: &Names, stm: &Stm, var: Var) -> bool {
    let mut found = Vec::new();
    in_stm(&names.vars, stm, &mut found);
    found.contains(&var)
}

/// Whether a statement does without the rows, if it has the columns.
fn is_readable(names: &Names, stm: &Stm, array: Var) -> bool {
    if !mentions(names, stm, array) {
        return true;
    }
    match &stm.exp {
        Exp::Array(ArrayExp::Index { slice, .. }) => {
            matches!(slice[..], [DimIndex::Fix(_)] | [DimIndex::Fix(_), DimIndex::Fix(Atom::Const(_))])
        }
        Exp::Control(_) => {
            let mut is = true;
            stm.for_each_part(&mut |part| match part {
                Part::Atom(atom) => is &= *atom != Atom::Var(array),
                Part::Var(var) => is &= *var != array,
                Part::Binder(_) => {}
                Part::Body(body) => {
                    is &= !body.result.contains(&Atom::Var(array))
                        && body.stms.iter().all(|stm| is_readable(names, stm, array));
                }
                Part::Lambda(_) => is = false,
            });
            is
        }
        Exp::Op(op) => {
            let Some(Applied { inputs, lambda, .. }) = op.applied() else { return false };
            let mut inside = Vec::new();
            in_lambda(&names.vars, lambda, &mut inside);
            let mut rows = inputs.iter().zip(&lambda.params).filter(|(input, _)| **input == array);
            inputs.len() == lambda.params.len()
                && inputs.contains(&array)
                && !inside.contains(&array)
                && rows.all(|(_, row)| is_only_indexed(&lambda.body, *row))
        }
        Exp::Scalar(_) | Exp::Array(_) | Exp::Cell(_) => false,
    }
}

/// Whether only elements of the row are used.
fn is_only_indexed(body: &Body, row: Var) -> bool {
    let is_it = |atom: &Atom| *atom == Atom::Var(row);
    !body.result.iter().any(is_it)
        && body.stms.iter().all(|stm| {
            if index_of(stm, row).is_some() {
                return true;
            }
            let mut only = true;
            stm.for_each_part(&mut |part| match part {
                Part::Atom(atom) => only &= !is_it(atom),
                Part::Var(var) => only &= *var != row,
                Part::Binder(_) => {}
                Part::Body(body) => only &= is_only_indexed(body, row),
                Part::Lambda(lambda) => only &= is_only_indexed(&lambda.body, row),
            });
            only
        })
}

/// The index, if the statement reads an element of the row.
fn index_of(stm: &Stm, row: Var) -> Option<Atom> {
    match &stm.exp {
        Exp::Array(ArrayExp::Index { array, slice }) if *array == row => match slice[..] {
            [DimIndex::Fix(at)] if at != Atom::Var(row) => Some(at),
            _ => None,
        },
        _ => None,
    }
}

impl AssembledRows {
    /// All statements from this one on, and those in them.
    fn read_by(&self, names: &mut Names, stms: &mut Vec<Stm>, first: usize) {
        for mut stm in stms.split_off(first) {
            match &mut stm.exp {
                Exp::Array(ArrayExp::Index { array, slice }) if *array == self.array => {
                    let DimIndex::Fix(at) = slice[0] else {
                        unreachable!("flatten: a part of rows is readable")
                    };
                    stm.exp = match slice.get(1) {
                        Some(DimIndex::Fix(number)) => match element_at(&self.elements, *number) {
                            Some(element) => read(element, at),
                            None => unreachable!("flatten: an element at any index is readable"),
                        },
                        Some(DimIndex::Slice { .. }) | None => self.row_at(names, at, &stm, stms),
                    };
                }
                Exp::Op(op) => {
                    if let Some(Applied { inputs, lambda, .. }) = op.applied_mut()
                        && inputs.contains(&self.array)
                    {
                        self.columns_for(names, inputs, lambda);
                    }
                }
                Exp::Control(_) => stm.for_each_part_mut(&mut |part| {
                    if let PartMut::Body(body) = part {
                        self.read_by(names, &mut body.stms, 0);
                    }
                }),
                Exp::Scalar(_) | Exp::Array(_) | Exp::Cell(_) => {}
            }
            stms.push(stm);
        }
    }

    /// A whole row, of elements that are read before.
    fn row_at(&self, names: &mut Names, at: Atom, like: &Stm, out: &mut Vec<Stm>) -> Exp {
        let ty = names.ty(like.vars[0]).row().unwrap_or(Type::bool());
        let mut elements = Vec::with_capacity(self.elements.len());
        for element in &self.elements {
            let own = names.fresh("element", ty.clone());
            out.push(Stm { vars: vec![own], exp: read(*element, at), ..like.clone() });
            elements.push(own.into());
        }
        Exp::Array(ArrayExp::ArrayLit(elements))
    }

    /// The operator takes the columns.
    fn columns_for(&self, names: &mut Names, inputs: &mut Vec<Var>, lambda: &mut Lambda) {
        let before = std::mem::take(inputs).into_iter().zip(std::mem::take(&mut lambda.params));
        for (input, param) in before.collect::<Vec<_>>() {
            if input != self.array {
                inputs.push(input);
                lambda.params.push(param);
                continue;
            }
            let mut row = Vec::with_capacity(self.elements.len());
            for element in &self.elements {
                row.push(match element {
                    Atom::Const(_) => *element,
                    Atom::Var(column) => {
                        let own = names.row_params(*column)[0];
                        inputs.push(*column);
                        lambda.params.push(own);
                        own.into()
                    }
                });
            }
            choose_in(names, &mut lambda.body, param, &row);
        }
    }
}

/// An element of a row with this number.
fn read(element: Atom, at: Atom) -> Exp {
    match element {
        Atom::Var(column) => Exp::Array(ArrayExp::Index { array: column, slice: vec![DimIndex::Fix(at)] }),
        Atom::Const(_) => Exp::Scalar(ScalarExp::Atom(element)),
    }
}

/// The element at an index that is known. One that is out of bounds is behind a check that fails.
fn element_at(elements: &[Atom], at: Atom) -> Option<Atom> {
    let Atom::Const(Scalar::I64(number)) = at else { return None };
    elements.get(number.max(0) as usize).or(elements.last()).copied()
}

/// Elements of the row are chosen from these.
fn choose_in(names: &mut Names, body: &mut Body, row: Var, elements: &[Atom]) {
    for mut stm in std::mem::take(&mut body.stms) {
        if let Some(at) = index_of(&stm, row) {
            stm.exp = match element_at(elements, at) {
                Some(element) => Exp::Scalar(ScalarExp::Atom(element)),
                None => {
                    let ty = names.ty(stm.vars[0]).clone();
                    chosen(names, at, 0, elements, &ty, stm.span, &mut body.stms)
                }
            };
        } else {
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => choose_in(names, body, row, elements),
                PartMut::Lambda(lambda) => choose_in(names, &mut lambda.body, row, elements),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
        }
        body.stms.push(stm);
    }
}

/// The element at an index that is checked, of those from `first` on.
fn chosen(
    names: &mut Names,
    at: Atom,
    first: usize,
    elements: &[Atom],
    ty: &Type,
    span: Span,
    out: &mut Vec<Stm>,
) -> Exp {
    if first + 1 >= elements.len() {
        return Exp::Scalar(ScalarExp::Atom(elements[elements.len() - 1]));
    }
    let is_this = names.fresh("is_this", Type::bool());
    let compare = Exp::bin(BinOp::Eq, Prim::I64, at, Atom::i64(first as i64));
    out.push(Stm::new(vec![is_this], compare, span));
    let mut stms = Vec::new();
    let other = chosen(names, at, first + 1, elements, ty, span, &mut stms);
    let element = names.fresh("element", ty.clone());
    stms.push(Stm::new(vec![element], other, span));
    Exp::Control(ControlExp::If {
        cond: is_this.into(),
        then: Body { stms: Vec::new(), result: vec![elements[first]] },
        els: Body { stms, result: vec![element.into()] },
    })
}
