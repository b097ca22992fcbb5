//! Building and rearranging arrays: elements that are known, views of views, copies that nobody needs.
//!
//! ```text
//! index (replicate n x) [i]              x
//! index (range n start step) [i]         start + i * step
//! index (index xs [a:n:s]) [i]           index xs [a + i * s]
//! rearrange (rearrange xss (1, 0)) (1, 0)    xss
//! concat (xs[a:n], xs[a + n:m])          copy xs[a:n + m]
//! ```
//!
//! Rematerialisation: an element of a map is computed again where it is used if the lambda is a few scalar operations (`mapped_element`): often
//! the map then has no use left.
//!
//! A copy goes if nobody could tell: neither is overwritten later, the original is not used afterwards and may be overwritten
//! (`takes_over`), or it is overwritten only after the last use of the copy (`spares`). `memory` knows which arrays alias; an index
//! that was checked keeps relying on its check.

use super::{Outcome, Simplifier};
use crate::nest::fuse::work::work;
use crate::nest::subst::Subst;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Dim, DimIndex, Exp, Lambda, Prim, Scalar, ScalarExp, Stm, Type, Var, VarInfo,
};

/// Longer arrays are not written down.
const MOST_ROWS: usize = 64;

impl Simplifier<'_> {
    /// The array of which these are slices, each of which begins where the one before ends, and where the first begins.
    fn neighbouring_slices(&self, arrays: &[Var]) -> Option<(Var, Atom)> {
        let slice = |array: &Var| match self.def((*array).into())? {
            Exp::Array(ArrayExp::Index { array: base, slice, .. }) => match slice[..] {
                [DimIndex::Slice { start, count, stride }] if stride == Atom::i64(1) => {
                    Some((*base, start, count))
                }
                _ => None,
            },
            _ => None,
        };
        let slices: Vec<(Var, Atom, Atom)> = arrays.iter().map(slice).collect::<Option<_>>()?;
        let (base, first, _) = *slices.first()?;
        let follows =
            |pair: &[(Var, Atom, Atom)]| pair[1].0 == base && self.is_sum_of(pair[1].1, pair[0].1, pair[0].2);
        let is_left_alone = !self.memory.is_taken(base) && !self.ty(base).dims().contains(&Dim::Irregular);
        (is_left_alone && slices.windows(2).all(follows)).then_some((base, first))
    }

    pub(super) fn array(&mut self, mut stm: Stm) -> Outcome {
        match &stm.exp {
            Exp::Array(ArrayExp::Copy(array)) => {
                let array = *array;
                let copy = stm.vars[0];
                if self.replace_shared(copy, array)
                    || self.takes_over(copy, array)
                    || self.spares(copy, array)
                {
                    return Outcome::Gone;
                }
            }
            Exp::Array(ArrayExp::Concat { arrays, size: _ }) if arrays.len() == 1 => {
                let array = arrays[0];
                if self.agree(stm.vars[0], array) {
                    self.changed = true;
                    stm.exp = Exp::copy(array);
                    return self.array(stm);
                }
            }
            Exp::Array(ArrayExp::Concat { arrays, size }) => {
                if let Some((base, start)) = self.neighbouring_slices(arrays) {
                    let (size, relied) =
                        (*size, arrays.iter().flat_map(|array| self.relied(*array)).collect::<Vec<_>>());
                    stm.certs.extend(relied);
                    let slice = vec![DimIndex::Slice { start, count: size, stride: Atom::i64(1) }];
                    let ty = self.ty(stm.vars[0]).clone();
                    let whole = self.emit("whole", ty, Exp::index(base, slice), &stm);
                    self.memory.share(whole, base);
                    self.changed = true;
                    stm.exp = Exp::copy(whole);
                    return Outcome::Keep(stm);
                }
                let parts = |array: &Var| match self.def((*array).into()) {
                    Some(Exp::Array(ArrayExp::Concat { arrays: inner, size: _ }))
                        if !inner.iter().any(|part| self.memory.is_taken(*part)) =>
                    {
                        inner.clone()
                    }
                    _ => vec![*array],
                };
                let all: Vec<Var> = arrays.iter().flat_map(parts).collect();
                if let Some(rows) = self.rows_of_literals(&all) {
                    stm.certs.extend(all.iter().flat_map(|array| self.relied(*array)).collect::<Vec<_>>());
                    stm.exp = Exp::array(rows);
                    self.changed = true;
                    return self.array(stm);
                }
                if all.len() != arrays.len() {
                    let relied: Vec<Var> = arrays.iter().flat_map(|array| self.relied(*array)).collect();
                    let size = *size;
                    stm.certs.extend(relied);
                    stm.exp = Exp::Array(ArrayExp::Concat { arrays: all, size });
                    self.changed = true;
                    return self.array(stm);
                }
            }
            Exp::Array(ArrayExp::Coerce { array, dims }) => {
                let array = *array;
                let resolved = |dim: &Dim| dim.atom().map(|atom| self.subst.atom(atom));
                let found = self.ty(array).dims();
                let same = found.len() == dims.len()
                    && found
                        .iter()
                        .zip(dims)
                        .all(|(a, b)| a == b || resolved(a).is_some() && resolved(a) == resolved(b));
                if same {
                    return self.replace(stm.vars[0], array.into());
                }
            }
            Exp::Array(ArrayExp::Reshape { array, old, new }) => {
                let (array, old) = (*array, *old);
                if self.ty(array).rank() == self.ty(stm.vars[0]).rank() && self.has_dims(array, new) {
                    return self.replace(stm.vars[0], array.into());
                }
                if let Some(Exp::Array(ArrayExp::Reshape { array: base, old: base_old, new: between })) =
                    self.def(array.into())
                {
                    // What only one of the two changes, both together do.
                    let (base, base_old) = (*base, *base_old + old.saturating_sub(between.len()));
                    let kept = between.iter().skip(old).copied();
                    let new: Vec<Atom> = new.iter().copied().chain(kept).collect();
                    let relies = self.relied(array);
                    stm.certs.extend(relies);
                    stm.exp = Exp::reshape(base, base_old, new);
                    self.changed = true;
                    return self.array(stm);
                }
            }
            Exp::Array(ArrayExp::Rearrange { array, perm }) => {
                let array = *array;
                if perm.iter().enumerate().all(|(i, p)| i == *p) {
                    return self.replace(stm.vars[0], array.into());
                }
                if let Some(Exp::Array(ArrayExp::Rearrange { array: base, perm: inner })) =
                    self.def(array.into())
                {
                    let rank = perm.len().max(inner.len());
                    let at = |perm: &[usize], i: usize| perm.get(i).copied().unwrap_or(i);
                    let perm = (0..rank).map(|i| at(inner, at(perm, i))).collect();
                    let base = *base;
                    // Between the two, no `?` may lie among what moves.
                    if !self.ty(base).dims().contains(&Dim::Irregular) {
                        stm.certs.extend(self.relied(array));
                        stm.exp = Exp::rearrange(base, perm);
                        self.changed = true;
                        return self.array(stm);
                    }
                }
            }
            Exp::Array(ArrayExp::Index { array, slice }) => {
                let (array, slice) = (*array, slice.clone());
                return self.index(stm, array, &slice);
            }
            Exp::Array(ArrayExp::Segment { lengths, array }) => {
                if let (
                    Some(Exp::Array(ArrayExp::Lengths(rows))),
                    Some(Exp::Array(ArrayExp::JoinRows(joined))),
                ) = (self.def((*lengths).into()), self.def((*array).into()))
                    && rows == joined
                    && self.agree(stm.vars[0], *rows)
                {
                    let rows = *rows;
                    return self.replace(stm.vars[0], rows.into());
                }
            }
            Exp::Array(ArrayExp::Lengths(array)) => {
                if let Some(Exp::Array(ArrayExp::Segment { lengths, array: _ })) = self.def((*array).into()) {
                    let lengths = *lengths;
                    if self.memory.share(stm.vars[0], lengths) {
                        return self.replace(stm.vars[0], lengths.into());
                    }
                }
            }
            _ => {}
        }
        Outcome::Keep(stm)
    }

    /// What arrays that are written down consist of, if all are.
    fn rows_of_literals(&self, arrays: &[Var]) -> Option<Vec<Atom>> {
        let mut all = Vec::new();
        for array in arrays {
            let Exp::Array(ArrayExp::ArrayLit(rows)) = self.def((*array).into())? else { return None };
            all.extend(rows);
        }
        let is_taken = |row: &Atom| row.var().is_some_and(|var| self.memory.is_taken(var));
        (all.len() <= MOST_ROWS && !all.iter().any(is_taken)).then_some(all)
    }

    /// An array that is copied and not used afterwards need not be copied, if it may be overwritten here.
    fn takes_over(&mut self, copy: Var, array: Var) -> bool {
        let own = self.known[array.0 as usize].own_of == Some(self.owner);
        let last = own && self.agree(copy, array) && self.memory.ends_before(array, copy);
        if last {
            self.memory.join(copy, array);
            self.replace(copy, array.into());
        }
        last
    }

    /// An array that is copied, but changed only when nobody reads the copy any more, need not be copied.
    fn spares(&mut self, copy: Var, array: Var) -> bool {
        let spares = self.spared.contains(&copy) && self.agree(copy, array);
        if spares {
            self.memory.join(copy, array);
            self.replace(copy, array.into());
        }
        spares
    }

    /// The checks that the definition of a variable relies on.
    pub(super) fn relied(&self, var: Var) -> Vec<Var> {
        self.known[var.0 as usize].def.as_ref().map_or(Vec::new(), |(_, certs)| certs.clone())
    }

    /// Whether the first dimensions of an array are these sizes, by name.
    fn has_dims(&self, array: Var, sizes: &[Atom]) -> bool {
        let dims = self.ty(array).dims();
        let named = |(dim, size): (&Dim, &Atom)| dim.atom().map(|atom| self.subst.atom(atom)) == Some(*size);
        sizes.len() <= dims.len() && dims.iter().zip(sizes).all(named)
    }

    fn index(&mut self, mut stm: Stm, array: Var, slice: &[DimIndex]) -> Outcome {
        if self.is_whole(array, slice) && stm.vars.len() == 1 && self.agree(stm.vars[0], array) {
            return self.replace(stm.vars[0], array.into());
        }
        if let Some(Exp::Array(ArrayExp::Index { array: base, slice: outer })) = self.def(array.into()) {
            let (base, outer) = (*base, outer.clone());
            let fixed = outer.iter().all(|dim| matches!(dim, DimIndex::Fix(_)));
            if fixed || !self.ty(base).dims().contains(&Dim::Irregular) {
                stm.certs.extend(self.relied(array));
                let joined = self.composed(&outer, slice, &stm);
                stm.exp = Exp::index(base, joined.clone());
                self.changed = true;
                return self.index(stm, base, &joined);
            }
        }
        if let ([DimIndex::Fix(index)], Some(map)) = (slice, self.known[array.0 as usize].mapped.clone()) {
            let (inputs, lambda, result) = &*map;
            let element = self.mapped_element(inputs, lambda, *result, *index, &stm);
            return self.replace(stm.vars[0], element);
        }
        if let Some((base, moved)) = self.index_of_base(&stm, array, slice) {
            stm.certs.extend(self.relied(array));
            stm.exp = Exp::index(base, moved.clone());
            self.changed = true;
            return self.index(stm, base, &moved);
        }
        let Some((DimIndex::Fix(first), rest)) = slice.split_first() else { return Outcome::Keep(stm) };
        let var = *stm.vars.last().unwrap_or(&array);
        match self.def(array.into()) {
            Some(Exp::Array(ArrayExp::Range { prim, count: _, start, step })) if rest.is_empty() => {
                let (prim, start, step) = (*prim, *start, *step);
                let element = self.element(prim, start, step, *first, &stm);
                self.replace(var, element)
            }
            Some(Exp::Array(ArrayExp::Replicate { count: _, value })) if stm.vars.len() == 1 => {
                let value = *value;
                self.index_row(stm, value, rest)
            }
            Some(Exp::Array(ArrayExp::ArrayLit(rows))) if stm.vars.len() == 1 => {
                let row = match first {
                    Atom::Const(Scalar::I64(i)) => usize::try_from(*i).ok().and_then(|i| rows.get(i)),
                    Atom::Const(_) | Atom::Var(_) => None,
                };
                match row.copied() {
                    Some(row) => self.index_row(stm, row, rest),
                    None => Outcome::Keep(stm),
                }
            }
            _ => Outcome::Keep(stm),
        }
    }

    /// Where a part of a rearranged array is in the array that was rearranged, if the dimensions that remain stand in the same order there. At
    /// least one does not remain: a view is as good as another.
    fn index_of_base(&self, stm: &Stm, array: Var, slice: &[DimIndex]) -> Option<(Var, Vec<DimIndex>)> {
        let Exp::Array(ArrayExp::Rearrange { array: base, perm }) = self.def(array.into())? else {
            return None;
        };
        let is_fixed = |dim: &DimIndex| matches!(dim, DimIndex::Fix(_));
        if stm.vars.len() != 1 || !slice.iter().any(is_fixed) {
            return None;
        }
        // What is not mentioned is taken whole.
        let mut all = slice.to_vec();
        for dim in self.ty(array).dims().iter().take(perm.len()).skip(slice.len()) {
            all.push(DimIndex::whole(self.subst.atom(dim.atom()?)));
        }
        let mut moved = all.clone();
        for (i, p) in perm.iter().enumerate() {
            moved[*p] = all[i].clone();
        }
        let left: Vec<usize> = (0..perm.len()).filter(|i| !is_fixed(&all[*i])).map(|i| perm[i]).collect();
        left.is_sorted().then_some((*base, moved))
    }

    /// Whether a lambda is a few operations on scalars, of arrays that nobody overwrites.
    pub(super) fn is_little(&self, inputs: &[Var], lambda: &Lambda) -> bool {
        let few = lambda.body.stms.len() <= 3
            && lambda.body.stms.iter().all(|stm| {
                matches!(
                    stm.exp,
                    Exp::Scalar(ScalarExp::Un(..) | ScalarExp::Bin(..) | ScalarExp::Convert { .. })
                ) && stm.certs.is_empty()
            });
        few && inputs.len() <= 2
            && inputs.iter().all(|input| self.ty(*input).rank() == 1 && !self.memory.is_taken(*input))
            && work(&self.vars, lambda).is_some_and(|work| work <= 6)
    }

    /// The element of a map's result.
    fn mapped_element(
        &mut self,
        inputs: &[Var],
        lambda: &Lambda,
        result: usize,
        index: Atom,
        stm: &Stm,
    ) -> Atom {
        let mut subst = Subst::default();
        for (input, param) in inputs.iter().zip(&lambda.params) {
            let exp = Exp::index(*input, vec![DimIndex::Fix(index)]);
            let element = self.copied(*param, exp, stm);
            subst.set(*param, element);
        }
        for inner in &lambda.body.stms {
            let mut exp = inner.exp.clone();
            subst.operands(&mut exp);
            let value = self.copied(inner.vars[0], exp, stm);
            subst.set(inner.vars[0], value);
        }
        subst.atom(lambda.body.result[result])
    }

    /// The expression, simplified, under a new name like that of the variable.
    fn copied(&mut self, var: Var, exp: Exp, like: &Stm) -> Atom {
        let VarInfo { name, ty, .. } = self.vars[var.0 as usize].clone();
        let copy = self.new_var(&name, ty);
        let certs = like.certs.clone();
        self.emit_simplified(Stm { certs, ..Stm::new(vec![copy], exp, like.span) });
        self.subst.atom(copy.into())
    }

    /// A part of a part.
    fn composed(&mut self, outer: &[DimIndex], inner: &[DimIndex], stm: &Stm) -> Vec<DimIndex> {
        let mut rest = inner.iter();
        let mut joined = Vec::with_capacity(outer.len() + inner.len());
        for part in outer {
            let DimIndex::Slice { start, stride, .. } = part else {
                joined.push(part.clone());
                continue;
            };
            let mut at = |index: Atom| self.element(Prim::I64, *start, *stride, index, stm);
            joined.push(match rest.next() {
                None => part.clone(),
                Some(DimIndex::Fix(index)) => DimIndex::Fix(at(*index)),
                Some(DimIndex::Slice { start, count, stride: steps }) => {
                    let start = at(*start);
                    let steps = Exp::bin(BinOp::Mul, Prim::I64, *steps, *stride);
                    let stride = self.small("x", steps, Prim::I64, stm);
                    DimIndex::Slice { start, count: *count, stride }
                }
            });
        }
        joined.extend(rest.cloned());
        joined
    }

    /// A part of a row that is known by itself. What was a part of one array becomes a part of another.
    fn index_row(&mut self, mut stm: Stm, row: Atom, rest: &[DimIndex]) -> Outcome {
        let var = stm.vars[0];
        match row {
            Atom::Const(_) => self.replace(var, row),
            Atom::Var(row) if rest.is_empty() => {
                if self.ty(var).same_pattern(self.ty(row)) && self.replace_shared(var, row) {
                    return Outcome::Gone;
                }
                Outcome::Keep(stm)
            }
            Atom::Var(row) => {
                if !self.ty(row).dims().contains(&Dim::Irregular)
                    && (self.ty(var).is_scalar() && !self.memory.is_taken(row) || self.memory.share(var, row))
                {
                    stm.exp = Exp::index(row, rest.to_vec());
                    self.changed = true;
                    return self.index(stm, row, rest);
                }
                Outcome::Keep(stm)
            }
        }
    }

    /// All of every dimension that the slice mentions.
    fn is_whole(&self, array: Var, slice: &[DimIndex]) -> bool {
        let dims = self.ty(array).dims();
        slice.iter().zip(dims).all(|(part, dim)| match part {
            DimIndex::Fix(_) => false,
            DimIndex::Slice { start, count, stride } => {
                let size = dim.atom().map(|atom| self.subst.atom(atom));
                *start == Atom::i64(0) && *stride == Atom::i64(1) && size == Some(*count)
            }
        })
    }

    /// `start + index * step` in the type of a range.
    fn element(&mut self, prim: Prim, start: Atom, step: Atom, index: Atom, stm: &Stm) -> Atom {
        let steps = self.small("i", Exp::convert(Prim::I64, prim, index), prim, stm);
        let offset = self.small("x", Exp::bin(BinOp::Mul, prim, steps, step), prim, stm);
        self.small("x", Exp::bin(BinOp::Add, prim, start, offset), prim, stm)
    }

    /// A scalar operation, simplified.
    fn small(&mut self, name: &str, exp: Exp, prim: Prim, like: &Stm) -> Atom {
        let var = self.emit(name, Type::scalar(prim), exp, like);
        let Some(stm) = self.out.pop() else { return var.into() };
        match self.scalar(stm) {
            Outcome::Keep(stm) => self.push(stm),
            Outcome::Gone => {}
        }
        self.subst.atom(var.into())
    }
}
