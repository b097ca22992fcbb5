//! Rows of different lengths that the branches of a map yield, each for its own elements: where they are merged, every element is
//! looked up in the part that it comes from.
//!
//! ```text
//! let r = map n (cs, xss, ts) \(c, xs, t) {             // inverse[i]: where element i is among those of the first part, then of the second
//!   if c { in xs } else { .. in ys }             ==>    let lengths = map n (inverse) \j { if j < k { length of xss[own[j]] } else { of yss[j - k] } }
//! }                                                     let all = map total .. { row and place in the row, and as above for the element there }
//!                                                       let r = segment lengths all
//! ```
//!
//! A branch that yields a row that is there already, such as `xs`, makes nothing. So neither rows nor their lengths are written to
//! parts first, then joined, then moved to where they belong.

use super::Distributor;
use super::context::{Context, Home};
use super::kernel::Demand;
use crate::nest::mentions;
use crate::nest::subst::Subst;
use norn_ir::nest::{ArrayExp, Atom, BinOp, Body, Dim, DimIndex, Elem, Exp, Lambda, Prim, Stm, Type, Var};
use std::collections::HashSet;

/// So many statements lead at most to a row that is there already: every element does them.
const LITTLE: usize = 8;

/// What a part of the elements yields.
#[derive(Clone)]
pub enum PartResult {
    /// An array with a row, or a scalar, for each.
    Array(Var),
    Row(Box<RowThere>),
}

/// A row of an array that is there already, for each element of a part.
#[derive(Clone)]
pub struct RowThere {
    /// The numbers of the part's elements, and a variable for one of these.
    numbers: Var,
    number: Var,
    /// What leads from there to the row.
    stms: Vec<Stm>,
    length: Atom,
    row: Var,
}

impl PartResult {
    pub fn array(&self) -> Var {
        match self {
            PartResult::Array(array) => *array,
            PartResult::Row(_) => panic!("distribute: a row that is no array"),
        }
    }
}

/// Whether the type is that of rows of different lengths, of scalars.
pub fn has_plain_rows(ty: &Type) -> bool {
    matches!(ty, Type::Value(Elem::Prim(_), dims) if matches!(dims[..], [Dim::Size(_), Dim::Irregular]))
}

impl Distributor<'_, '_> {
    /// How each element of a part finds its row, if the demanded value is a row that exists already, and stays as it is.
    pub fn row_there(&self, part: &Context, demand: &Demand) -> Option<Box<RowThere>> {
        let row = demand.value.var()?;
        let [level] = &part.levels[..] else { return None };
        let [group] = &level.groups[..] else { return None };
        let [number] = group.params[..] else { return None };
        if !has_plain_rows(&demand.ty) || !matches!(part.home(row), Some(Home::Again { .. })) {
            return None;
        }
        let [Dim::Size(length)] = *self.names.ty(row).dims() else { return None };
        let roots = [row].into_iter().chain(length.var()).collect();
        let slice = part.slice(&self.names.vars, roots, &HashSet::new());
        let stms: Vec<Stm> = slice.again.values().map(|stm| (**stm).clone()).collect();
        let mut used = Vec::new();
        stms.iter().for_each(|stm| mentions::in_stm(&self.names.vars, stm, &mut used));
        let stays = |var: &Var| !self.names.ty(*var).is_array() || !self.names.memory.is_taken(*var);
        let is_little = stms.len() <= LITTLE && stms.iter().all(|stm| stm.exp.is_scalar_or_view());
        let is_found = slice.loads.is_empty() && slice.waiting.is_empty();
        (is_little && is_found && used.iter().all(stays)).then(|| {
            let stms = stms.into_iter().map(|stm| Stm { certs: Vec::new(), ..stm }).collect();
            Box::new(RowThere { numbers: group.input, number, stms, length, row })
        })
    }

    /// The rows that parts yield, one for each of so many elements. `inverse` says where an element is among those of the parts, one after the other.
    pub fn picked_rows(
        &mut self,
        count: Atom,
        inverse: Var,
        parts: &[PartResult],
        name: &str,
        prim: Prim,
    ) -> Var {
        let i64s = |size: Atom| Type::array(Prim::I64, vec![Dim::Size(size)]);
        let number = self.names.fresh("t", Type::i64());
        let body = self.row_picked(number, parts, Prim::I64, None);
        let exp = Exp::map(count, vec![inverse], Lambda::new(vec![number], body));
        let lengths = self.emit("lengths", i64s(count), exp);
        let (ends, total) = self.picked_ends(lengths, parts);
        let (places, rows) = self.row_numbers(ends, total);

        let [place, row, number] = ["place", "row", "t"].map(|name| self.names.fresh(name, Type::i64()));
        let mut stms = Vec::new();
        let mut entry = |this: &mut Self, name: &str, array: Var| {
            let var = this.names.fresh(name, Type::i64());
            let exp = Exp::index(array, vec![DimIndex::Fix(row.into())]);
            stms.push(this.stm(vec![var], exp, this.span));
            var
        };
        let (end, length) = (entry(self, "end", ends), entry(self, "length", lengths));
        stms.push(self.stm(vec![number], Exp::index(inverse, vec![DimIndex::Fix(row.into())]), self.span));
        let mut less = |this: &mut Self, name: &str, x: Var, y: Var| {
            let var = this.names.fresh(name, Type::i64());
            let exp = Exp::bin(BinOp::Sub, Prim::I64, x.into(), y.into());
            stms.push(this.stm(vec![var], exp, this.span));
            var
        };
        let start = less(self, "start", end, length);
        let within = less(self, "within", place, start);
        let picked = self.row_picked(number, parts, prim, Some(within));
        stms.extend(picked.stms);
        let lambda = Lambda::new(vec![place, row], Body { stms, result: picked.result });
        let ty = Type::array(prim, vec![Dim::size(total)]);
        let all = self.emit(name, ty, Exp::map(total.into(), vec![places, rows], lambda));
        let ty = Type::array(prim, vec![Dim::Size(count), Dim::Irregular]);
        self.emit(name, ty, Exp::segment(lengths, all))
    }

    /// Where rows of these lengths end, and how many elements there are in all: if parts have arrays, as many as are in these.
    fn picked_ends(&mut self, lengths: Var, parts: &[PartResult]) -> (Var, Var) {
        let array = |part: &PartResult| match part {
            PartResult::Array(array) => Some(*array),
            PartResult::Row(_) => None,
        };
        let Some(arrays) = parts.iter().map(array).collect::<Option<Vec<Var>>>() else {
            return self.ends(lengths);
        };
        let ends = self.emit("ends", self.names.ty(lengths).clone(), Exp::Array(ArrayExp::Ends(lengths)));
        let mut sum: Option<Var> = None;
        for array in arrays {
            let total = self.names.fresh("total", Type::i64());
            let ty = self.names.ty(array).row().unwrap_or(Type::bool()).with_dims(vec![Dim::size(total)]);
            let all = self.names.fresh("all", ty);
            self.out.push(self.stm(vec![total, all], Exp::Array(ArrayExp::JoinRows(array)), self.span));
            sum = Some(match sum {
                Some(sum) => {
                    let exp = Exp::bin(BinOp::Add, Prim::I64, sum.into(), total.into());
                    self.emit("total", Type::i64(), exp)
                }
                None => total,
            });
        }
        (ends, sum.unwrap_or_else(|| panic!("distribute: a branch without parts")))
    }

    /// A body that yields, of the row with this number, the element there, or else its length.
    fn row_picked(&mut self, number: Var, parts: &[PartResult], prim: Prim, within: Option<Var>) -> Body {
        let Some((first, others)) = parts.split_first() else { return Body::default() };
        let mut stms = Vec::new();
        let (length, row) = match first {
            PartResult::Array(array) => {
                let vars = self.names.row_params(*array);
                let exp = Exp::index(*array, vec![DimIndex::Fix(number.into())]);
                stms.push(self.stm(vars.clone(), exp, self.span));
                (vars[0].into(), vars[1])
            }
            PartResult::Row(there) => {
                let own = self.names.fresh("t", Type::i64());
                let exp = Exp::index(there.numbers, vec![DimIndex::Fix(number.into())]);
                stms.push(self.stm(vec![own], exp, self.span));
                let mut subst = Subst::default();
                subst.set(there.number, own);
                for stm in &there.stms {
                    stms.push(self.names.copy_stm(&mut subst, stm));
                }
                (subst.atom(there.length), subst.var(there.row))
            }
        };
        let result = match within {
            Some(within) => {
                let found = self.names.fresh("found", Type::scalar(prim));
                let exp = Exp::index(row, vec![DimIndex::Fix(within.into())]);
                stms.push(self.stm(vec![found], exp, self.span));
                found.into()
            }
            None => length,
        };
        let own = Body { stms, result: vec![result] };
        if others.is_empty() {
            return own;
        }
        let size = self.size_of(first);
        let [inside, later] =
            [("inside", Type::bool()), ("later", Type::i64())].map(|(name, ty)| self.names.fresh(name, ty));
        let test = self.stm(vec![inside], Exp::bin(BinOp::Lt, Prim::I64, number.into(), size), self.span);
        let mut els = self.row_picked(later, others, prim, within);
        let minus = Exp::bin(BinOp::Sub, Prim::I64, number.into(), size);
        els.stms.insert(0, self.stm(vec![later], minus, self.span));
        let picked = self.names.fresh("picked", Type::scalar(prim));
        let choice = self.stm(vec![picked], Exp::if_(inside.into(), own, els), self.span);
        Body { stms: vec![test, choice], result: vec![picked.into()] }
    }

    /// How many elements a part has.
    fn size_of(&self, part: &PartResult) -> Atom {
        let array = match part {
            PartResult::Array(array) => *array,
            PartResult::Row(there) => there.numbers,
        };
        self.names.ty(array).dims()[0].atom().unwrap_or(Atom::i64(0))
    }
}
