//! Maps on the way back, and how adjoints leave lambdas.
//!
//! ```text
//! ys = map n (xs) \x -> f x a        xs_adj, as = map n (xs, ys_adj) \x y_adj -> { forward sweep of f; return sweep; in x_adj, a_adj }
//!                                    a_adj = reduce n (as) (+)
//! ```
//!
//! What a lambda takes from outside has an adjoint in each application. Scalars and whole arrays are added up by a reduction. Entries of arrays become many entries: for each application its
//! own, from which a histogram is made where the array was bound. Structure makes some of them cheaper:
//!
//! - an entry at a place that is the same in all applications is a reduction of its values;
//! - an entry at the index of the application (an input that is 0, 1, ..) is one entry with a whole dimension: the array of the values. The same holds a constant away from it (`shifts`).
//!
//! So the adjoints of the factors of a matrix product, written with indices, are reductions again.

use super::Reverse;
use super::adjoint::{At, Entry};
use super::shifts::Line;
use norn_ir::nest::{ArrayExp, Atom, BinOp, Dim, Exp, Lambda, Operator, Prim, Stm, Type, Var};
use norn_ir::skeleton::build::OpenBody;

/// How an entry of one application becomes one of all.
enum Crossing {
    /// All at the same place.
    Sum,
    /// At its own index, in this dimension.
    Own(usize),
    /// In this dimension, at its own index and a constant.
    Shifted(usize, Line),
    /// Anywhere.
    Many,
    /// Each has many, and as many as this if all have as many.
    ManyEach(Option<Atom>),
}

/// Where one entry is in all applications.
pub(super) enum Reach {
    Same,
    Own(usize),
    Shifted(usize, Line),
}

/// What leaves a lambda besides its own results: for a variable its whole adjoint, or an entry.
struct Leaving {
    var: Var,
    entry: Option<(Entry, Crossing)>,
}

impl Reverse<'_, '_> {
    pub(super) fn map(&mut self, stm: &Stm, width: Atom, inputs: &[Var], lambda: &Lambda) {
        let mut weights = Vec::new();
        for (at, var) in stm.vars.iter().enumerate() {
            if let Some(weight) = self.take(*var)
                && let Atom::Var(array) = weight.value
            {
                weights.push((at, array));
            }
        }
        let (places, arrays): (Vec<usize>, Vec<Var>) = weights.into_iter().unzip();
        self.lambda_back(width, inputs, lambda, &arrays, |_, result, rows| {
            places.iter().zip(rows).map(|(at, row)| (result[*at], *row)).collect()
        });
    }

    /// The return sweep of a lambda over old arrays. From what the lambda yields, and from the rows of more arrays, `weigh` makes adjoints of old atoms, after the forward sweep.
    pub(super) fn lambda_back(
        &mut self,
        width: Atom,
        inputs: &[Var],
        lambda: &Lambda,
        more: &[Var],
        weigh: impl FnOnce(&mut Self, &[Atom], &[Atom]) -> Vec<(Atom, Atom)>,
    ) {
        let width = self.w.atom(width);
        let mut arrays = self.w.vars(inputs);
        arrays.extend(more);
        let mut wanted = Vec::new();
        let found = self.map_back(width, &arrays, |r, rows| {
            let mut params = lambda.params.iter();
            let mut rows = rows.iter();
            let mut of_inputs = Vec::new();
            for input in inputs {
                let Some(row) = rows.next() else { continue };
                if r.w.old_ty(*input).has_irregular_rows()
                    && let Some(length) = params.next()
                {
                    let size = r.w.b.atom_ty(*row).dims()[0].atom().unwrap_or(Atom::i64(0));
                    r.bind_to(*length, size);
                }
                if let Some(param) = params.next() {
                    r.bind_to(*param, *row);
                    of_inputs.push((*input, *param));
                }
            }
            r.forward_sweep(&lambda.body);
            let rows: Vec<Atom> = rows.copied().collect();
            for (atom, weight) in weigh(r, &lambda.body.result, &rows) {
                r.add(atom, weight, false);
            }
            r.return_sweep(&lambda.body);
            let mut result = Vec::new();
            for (input, param) in of_inputs {
                let adjoint = r.take(param);
                if let Some(adjoint) = adjoint.filter(|_| r.is_active(input)) {
                    wanted.push(input);
                    result.push(adjoint.value);
                }
            }
            result
        });
        for (input, adjoint) in wanted.into_iter().zip(found) {
            let ty = self.w.ty_of(input);
            let adjoint = if *self.w.b.ty(adjoint) == ty {
                adjoint
            } else {
                self.w.emit("adjoint", ty.clone(), Exp::coerce(adjoint, ty.dims().to_vec()))
            };
            self.add(input.into(), adjoint.into(), true);
        }
    }

    /// A map over new arrays whose lambda has return sweeps. Yields the arrays of its results; adjoints of what is outside are added to those.
    pub(super) fn map_back(
        &mut self,
        width: Atom,
        arrays: &[Var],
        body: impl FnOnce(&mut Self, &[Atom]) -> Vec<Atom>,
    ) -> Vec<Var> {
        let outer = std::mem::take(&mut self.adjoints);
        self.level += 1;
        self.w.b.begin_body();
        let mut params = Vec::new();
        let mut rows = Vec::new();
        let mut own = Vec::new();
        for array in arrays {
            let ty = self.w.b.ty(*array).clone();
            let (all, row) = self.w.row_params(&ty, "row");
            params.extend(all);
            rows.push(Atom::Var(row));
            if self.iotas.contains(array) {
                self.indices.insert(row);
                own.push(row);
            }
        }
        let mut result = body(self, &rows);
        let mut types: Vec<Type> = result.iter().map(|atom| self.type_outside(width, *atom)).collect();
        let count = result.len();
        let mut leaving = Vec::new();
        for (var, adjoint) in std::mem::take(&mut self.adjoints) {
            let ty = self.w.ty_of(var);
            if let Some(dense) = adjoint.dense {
                if ty.dims().contains(&Dim::Irregular) {
                    self.unsupported("an operator whose lambda uses an array with rows of different lengths");
                    continue;
                }
                result.push(dense.value);
                types.push(ty.array_of(Dim::size(width)));
                leaving.push(Leaving { var, entry: None });
            }
            let mut entries = Vec::new();
            for mut entry in adjoint.entries {
                self.name_outside(&mut entry);
                entries.extend(self.by_choices(&ty, entry, width, &own));
            }
            for entry in entries {
                let crossing = self.crossing(&ty, &entry, width, &own);
                let inner = match crossing {
                    Crossing::Sum | Crossing::Own(_) | Crossing::Shifted(..) | Crossing::Many => None,
                    Crossing::ManyEach(count) => Some(count.map_or(Dim::Irregular, Dim::Size)),
                };
                let in_all = |ty: Type| {
                    let ty = inner.map_or(ty.clone(), |inner| ty.array_of(inner));
                    ty.array_of(Dim::size(width))
                };
                if let Crossing::Many | Crossing::ManyEach(_) = crossing {
                    for place in entry.places() {
                        result.push(place);
                        types.push(in_all(Type::i64()));
                    }
                }
                result.push(entry.value);
                types.push(in_all(ty.with_dims(self.dims_of_entry(&ty, &entry.at))));
                leaving.push(Leaving { var, entry: Some((entry, crossing)) });
            }
        }
        let lambda = Lambda::new(params, self.w.b.end_body(result));
        self.level -= 1;
        self.adjoints = outer;
        if types.is_empty() {
            return Vec::new();
        }
        let vars: Vec<Var> = types.into_iter().map(|ty| self.w.b.new_var("adjoints", ty)).collect();
        self.w.bind_new(vars.clone(), Exp::map(width, arrays.to_vec(), lambda));
        let mut found = vars[count..].iter().copied();
        for Leaving { var, entry } in leaving {
            match entry {
                None => {
                    if let Some(all) = found.next() {
                        let sum = self.w.sum_rows(all);
                        self.add(var.into(), sum, true);
                    }
                }
                Some((entry, crossing)) => self.cross(var, entry, &crossing, width, &mut found),
            }
        }
        vars[..count].to_vec()
    }

    /// The type of an array of results, whose sizes may be known only inside.
    fn type_outside(&self, width: Atom, atom: Atom) -> Type {
        let ty = self.w.b.atom_ty(atom);
        let dims = ty.dims().iter().map(|dim| match dim {
            Dim::Size(size) if !self.is_outside(*size) => Dim::Irregular,
            Dim::Size(_) | Dim::Irregular | Dim::Result(_) => *dim,
        });
        ty.with_dims(std::iter::once(Dim::size(width)).chain(dims).collect())
    }

    /// Whether it is known outside of the innermost body.
    pub(super) fn is_outside(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| self.w.b.is_visible(var, 1))
    }

    /// The places of one entry, by names that are known outside of the innermost body, if they are known there.
    pub(super) fn name_outside(&mut self, entry: &mut Entry) {
        if entry.count.is_some() {
            return;
        }
        for at in &mut entry.at {
            if let At::Place(place) = at
                && let Some(same) = self.place_outside(*place, 1)
            {
                *place = same;
            }
        }
    }

    fn crossing(&self, ty: &Type, entry: &Entry, width: Atom, own: &[Var]) -> Crossing {
        if let Some(count) = entry.count {
            return Crossing::ManyEach(Some(count).filter(|count| self.is_outside(*count)));
        }
        match self.reach(ty, entry, width, own) {
            None => Crossing::Many,
            Some(Reach::Same) => Crossing::Sum,
            Some(Reach::Own(at)) => Crossing::Own(at),
            Some(Reach::Shifted(at, line)) => Crossing::Shifted(at, line),
        }
    }

    /// Where an entry is in each application, of which these are indices; nothing if it may be anywhere.
    pub(super) fn reach(&self, ty: &Type, entry: &Entry, width: Atom, own: &[Var]) -> Option<Reach> {
        let mut found = Reach::Same;
        for (at, part) in entry.at.iter().enumerate() {
            let At::Place(place) = part else { continue };
            if self.is_outside(*place) {
                continue;
            }
            let line = self.line(place.var()?);
            let dim = ty.dims()[at];
            found = match found {
                Reach::Same if !own.contains(&line.base) => return None,
                Reach::Same if line.is_index() && self.has_size(dim, width) => Reach::Own(at),
                Reach::Same if self.can_shift(&line, dim, width) => Reach::Shifted(at, line),
                Reach::Same | Reach::Own(_) | Reach::Shifted(..) => return None,
            };
        }
        Some(found)
    }

    fn cross(
        &mut self,
        var: Var,
        entry: Entry,
        crossing: &Crossing,
        width: Atom,
        found: &mut dyn Iterator<Item = Var>,
    ) {
        match crossing {
            Crossing::Sum => {
                let Some(values) = found.next() else { return };
                let value = self.w.sum_rows(values);
                self.add_entry(var, Entry { value, ..entry });
            }
            Crossing::Own(own) => {
                let Some(values) = found.next() else { return };
                self.add_own(var, entry, *own, values);
            }
            Crossing::Shifted(own, line) => {
                let Some(values) = found.next() else { return };
                self.add_shifted(var, entry, *own, line, values);
            }
            Crossing::Many => {
                let entry = many(&entry, width, found);
                entry.into_iter().for_each(|entry| self.add_entry(var, entry));
            }
            Crossing::ManyEach(count) => {
                let mut all = Vec::new();
                for _ in 0..=entry.places().len() {
                    all.extend(found.next());
                }
                let (count, all) = self.joined(width, *count, &all);
                let entry = many(&entry, count, &mut all.into_iter());
                entry.into_iter().for_each(|entry| self.add_entry(var, entry));
            }
        }
    }

    /// The entry whose values, one for each index of a dimension, are these.
    pub(super) fn add_own(&mut self, var: Var, entry: Entry, own: usize, values: Var) {
        let mut at = entry.at;
        // Among the dimensions of the value, that of the index belongs behind the whole ones before it.
        let before = at[..own].iter().filter(|at| **at == At::Whole).count();
        at[own] = At::Whole;
        let value = if before == 0 {
            values
        } else {
            let perm: Vec<usize> = (1..=before).chain([0]).collect();
            self.rearranged(values, &perm)
        };
        let ty = self.w.ty_of(var);
        let value = self.by_names_of(value, &ty.with_dims(self.dims_of_entry(&ty, &at)));
        if at.iter().all(|at| *at == At::Whole) {
            self.add(var.into(), value.into(), before == 0);
        } else {
            self.add_entry(var, Entry { at, value: value.into(), count: None, may_miss: entry.may_miss });
        }
    }

    /// Rows one after the other, and how many elements there are.
    pub(super) fn joined(&mut self, width: Atom, count: Option<Atom>, arrays: &[Var]) -> (Atom, Vec<Var>) {
        match count {
            Some(count) => {
                let total = self.far_outside(&[width, count], |r| r.w.i64(BinOp::Mul, width, count));
                let flat = arrays.iter().map(|array| {
                    let ty = self.w.b.ty(*array).clone();
                    let dims = std::iter::once(Dim::size(total)).chain(ty.dims()[2..].iter().copied());
                    self.w.emit("flat", ty.with_dims(dims.collect()), Exp::reshape(*array, 2, vec![total]))
                });
                let flat = flat.collect();
                (total, flat)
            }
            None => {
                let mut total = None;
                let mut flat = Vec::new();
                for array in arrays {
                    let ty = self.w.b.ty(*array).clone();
                    let size = self.w.b.new_var("total", Type::i64());
                    let inner = ty.dims()[2..].iter().copied();
                    let dims = std::iter::once(Dim::size(size)).chain(inner.clone()).collect();
                    let rows = self.w.b.new_var("flat", ty.with_dims(dims));
                    self.w.bind_new(vec![size, rows], Exp::Array(ArrayExp::JoinRows(*array)));
                    let total = *total.get_or_insert(size);
                    let dims: Vec<Dim> = std::iter::once(Dim::size(total)).chain(inner).collect();
                    flat.push(if total == size {
                        rows
                    } else {
                        self.w.emit("flat", ty.with_dims(dims.clone()), Exp::coerce(rows, dims))
                    });
                }
                (total.map_or(Atom::i64(0), Atom::Var), flat)
            }
        }
    }

    /// A number that is computed of these as far outside as they are known, so that arrays with this size are regular there.
    pub(super) fn far_outside(&mut self, of: &[Atom], f: impl FnOnce(&mut Self) -> Atom) -> Atom {
        let mut open: Vec<OpenBody<Operator>> = Vec::new();
        while self.w.b.depth() > 1 && of.iter().all(|atom| self.is_outside(*atom)) {
            open.push(self.w.b.suspend());
        }
        let number = f(self);
        open.into_iter().rev().for_each(|body| self.w.b.resume(body));
        number
    }

    /// An array with this for each index; the index is new.
    pub(super) fn generate(
        &mut self,
        name: &str,
        count: Atom,
        element: impl FnOnce(&mut Self, Atom) -> Atom,
    ) -> Var {
        let all = self.w.iota(count);
        self.w.b.begin_body();
        let at = self.w.b.new_var("i", Type::i64());
        let value = element(self, at.into());
        let ty = self.type_outside(count, value);
        let lambda = Lambda::new(vec![at], self.w.b.end_body(vec![value]));
        self.w.emit(name, ty, Exp::map(count, vec![all], lambda))
    }

    /// An array of zeros with the form of another.
    pub(super) fn zeros_for(&mut self, array: Var) -> Var {
        let zeros = self.w.zeros_like(array.into());
        zeros.var().unwrap_or(array)
    }

    pub(super) fn places_type(count: Atom) -> Type {
        Type::array(Prim::I64, vec![Dim::size(count)])
    }
}

/// Many entries: their places and values are the next of these.
pub fn many(entry: &Entry, count: Atom, found: &mut dyn Iterator<Item = Var>) -> Option<Entry> {
    let mut at = Vec::new();
    for part in &entry.at {
        at.push(match part {
            At::Whole => At::Whole,
            At::Place(_) => At::Place(found.next()?.into()),
        });
    }
    Some(Entry { at, value: found.next()?.into(), count: Some(count), may_miss: entry.may_miss })
}
