//! Parallel operators over arrays, and the lambdas they take.
//!
//! A generated program must be valid, must not fail, and must have one result whatever the order of evaluation; otherwise a difference
//! would not be a bug. So operators of reductions are chosen from those that are associative and have a neutral element
//! (`reduced`), a lambda yields only scalars and rows whose sizes exist outside of it (`result_types`), and it does not overwrite
//! what it did not make (the `barrier`). `longest` bounds how long the rows of an array can be, and by that the work of a
//! program: nests of maps would soon take minutes.
//!
//! A function here returns `None` if nothing in scope suits it; the generator then tries another statement.

use super::scope::{is_array, prim_of, width};
use super::{Facts, Gen};
use norn_ir::nest::{Atom, Dim, Exp, Lambda, Operator, Prim, Sorted, Type, Var};

impl Gen {
    pub(super) fn parallel_stm(&mut self) -> Option<()> {
        match self.rng.below(11) {
            0..=3 => self.map(),
            4 => self.reduce(),
            5 => self.scan(),
            6 | 7 => self.fused(),
            8 => self.choose(false),
            9 => self.choose(true),
            _ => self.sort(),
        }
    }

    /// Arrays of one length.
    pub(super) fn inputs(&mut self) -> Option<(Atom, Vec<Var>)> {
        let first = self.array()?;
        let n = width(&self.ty(first));
        let mut inputs = vec![first];
        while inputs.len() < 3 && self.one_in(2) {
            inputs.push(self.some(|ty, _| is_array(ty) && width(ty) == n)?);
        }
        Some((n, inputs))
    }

    /// A lambda of elements of these arrays.
    pub(super) fn lambda_over(
        &mut self,
        arrays: &[Var],
        make: impl FnOnce(&mut Gen, &[Var]) -> Vec<Atom>,
    ) -> Lambda {
        let rows: Vec<Type> = arrays.iter().filter_map(|array| self.ty(*array).row()).collect();
        let longest: Vec<u64> = arrays.iter().map(|array| self.facts(*array).longest).collect();
        self.lambda_of(&rows, &longest, make)
    }

    /// A lambda of elements of these types, with lengths in front of rows that vary.
    pub(super) fn lambda_of(
        &mut self,
        rows: &[Type],
        longest: &[u64],
        make: impl FnOnce(&mut Gen, &[Var]) -> Vec<Atom>,
    ) -> Lambda {
        self.b.begin_body();
        let mark = self.scope.len();
        let barrier = std::mem::replace(&mut self.barrier, self.facts.len() as u32);
        let (mut params, mut values) = (Vec::new(), Vec::new());
        for (row, longest) in rows.iter().zip(longest) {
            let mut ty = row.clone();
            if row.dims().first() == Some(&Dim::Irregular) {
                let k = self.size_var("k", *longest);
                params.push(k);
                let mut dims = row.dims().to_vec();
                dims[0] = Dim::size(k);
                ty = row.with_dims(dims);
            }
            let facts = Facts { longest: *longest, frozen: row.is_array(), ..Facts::default() };
            let value = self.var("x", ty, facts);
            params.push(value);
            values.push(value);
        }
        self.scope.extend(&params);
        let results = make(self, &values);
        self.barrier = barrier;
        self.scope.truncate(mark);
        let body = self.b.end_body(results);
        Lambda::new(params, body)
    }

    /// What a lambda may yield: scalars and rows that exist outside, so that their sizes do.
    fn result_types(&mut self, count: usize) -> Vec<Type> {
        let mut types = Vec::new();
        for _ in 0..count {
            let found = if self.one_in(3) { self.some_array() } else { None };
            let ty = match found {
                Some(var) if self.volume(&self.ty(var), self.facts(var).longest) < 60 => self.ty(var),
                Some(_) | None => Type::scalar(self.prim()),
            };
            types.push(ty);
        }
        types
    }

    /// Scalars that a lambda yields are of types of which it has computed something.
    fn settle(&mut self, types: &mut [Type]) {
        for ty in types.iter_mut().filter(|ty| ty.is_scalar()) {
            if let Some(var) = self.some(|ty, _| ty.prim().is_some()) {
                *ty = self.ty(var);
            }
        }
    }

    /// Rows of an array are those of a lambda; here and there of any length.
    fn map(&mut self) -> Option<()> {
        let (n, inputs) = self.inputs()?;
        let max = self.bound(n);
        if !self.affords(max * 4) {
            return None;
        }
        let count = 1 + self.rng.below(2);
        let mut types = self.result_types(count);
        if self.one_in(5) {
            return self.map_to_rows(n, inputs);
        }
        types.push(Type::i64());
        let mut longest = vec![0; types.len()];
        let lambda = self.repeated(max, |cx| {
            cx.lambda_over(&inputs, |cx, _| {
                let mark = cx.scope.len();
                let count = 1 + cx.rng.below(5);
                cx.stms(count);
                let digested = types.len() - 1;
                cx.settle(&mut types[..digested]);
                let mut results: Vec<Atom> = types.iter().map(|ty| cx.value(ty)).collect();
                for (longest, result) in longest.iter_mut().zip(&results) {
                    *longest = result.var().map_or(0, |var| cx.facts(var).longest);
                }
                results[digested] = cx.digest(mark);
                results
            })
        });
        self.rows_of(&types, &longest, n, Exp::map(n, inputs, lambda));
        Some(())
    }

    /// Arrays of these rows.
    fn rows_of(&mut self, rows: &[Type], longest: &[u64], n: Atom, exp: Exp) {
        let make = |cx: &mut Gen, (row, longest): (&Type, &u64)| {
            let facts = Facts { longest: *longest, ..Facts::default() };
            cx.var("ys", row.array_of(Dim::Size(n)), facts)
        };
        let vars: Vec<Var> = rows.iter().zip(longest).map(|pair| make(self, pair)).collect();
        self.bind(&vars, exp);
    }

    /// The lambda makes a row of its own length.
    fn map_to_rows(&mut self, n: Atom, inputs: Vec<Var>) -> Option<()> {
        let max = self.bound(n);
        let mut made: Option<(Type, u64)> = None;
        let lambda = self.repeated(max, |cx| {
            cx.lambda_over(&inputs, |cx, _| {
                let count = 1 + cx.rng.below(3);
                cx.stms(count);
                let found = cx.some(|ty, _| is_array(ty) && ty.rank() == 1);
                let row = found.unwrap_or_else(|| {
                    let ty = cx.array_ty(1);
                    cx.make(&ty)
                });
                let ty = cx.ty(row);
                made = Some((Type::array(prim_of(&ty), vec![Dim::Irregular]), cx.bound(width(&ty))));
                vec![row.into()]
            })
        });
        let (row, longest) = made?;
        self.rows_of(&[row], &[longest], n, Exp::map(n, inputs, lambda));
        Some(())
    }

    /// Arrays that can be reduced: floats become small integers first.
    fn reducible(&mut self) -> Option<(Atom, Vec<Var>)> {
        let (n, mut inputs) = self.inputs()?;
        for input in &mut inputs {
            let ty = self.ty(*input);
            if prim_of(&ty).is_float() && !self.facts(*input).whole {
                *input = self.whole_floats(prim_of(&ty), n);
            }
        }
        let max = self.bound(n);
        let volume: u64 =
            inputs.iter().map(|var| self.volume(&self.ty(*var), self.facts(*var).longest)).sum();
        self.affords(max.saturating_mul(volume)).then_some((n, inputs))
    }

    fn longest(&self, vars: &[Var]) -> u64 {
        vars.iter().map(|var| self.facts(*var).longest).max().unwrap_or(0)
    }

    fn rows(&self, vars: &[Var]) -> Vec<Type> {
        vars.iter().filter_map(|var| self.ty(*var).row()).collect()
    }

    fn reduce(&mut self) -> Option<()> {
        let (n, inputs) = self.reducible()?;
        let rows = self.rows(&inputs);
        let max = self.bound(n);
        let longest = self.longest(&inputs).saturating_mul(max);
        if longest > 40 {
            return None;
        }
        let op = self.repeated(max, |cx| cx.reduction(&rows, longest, false))?;
        let vars = self.reduced(&rows, longest);
        self.bind(&vars, Exp::reduce(n, op, inputs));
        Some(())
    }

    /// Variables for the results of a reduction.
    fn reduced(&mut self, rows: &[Type], longest: u64) -> Vec<Var> {
        let mut vars = Vec::new();
        for row in rows {
            let mut ty = row.clone();
            if row.dims().first() == Some(&Dim::Irregular) {
                let k = self.size_var("k", longest);
                vars.push(k);
                ty = row.with_dims(vec![Dim::size(k)]);
            }
            // Sums are not small any more, and the neutral element may be infinite: they are not whole.
            let facts = Facts { longest, ..Facts::default() };
            vars.push(self.var("red", ty, facts));
        }
        vars
    }

    fn scan(&mut self) -> Option<()> {
        let (n, inputs) = self.reducible()?;
        let rows = self.rows(&inputs);
        let max = self.bound(n);
        let longest = self.longest(&inputs).saturating_mul(max);
        if longest > 20 {
            return None;
        }
        let op = self.repeated(max, |cx| cx.reduction(&rows, longest, false))?;
        let longest = vec![longest; rows.len()];
        self.rows_of(&rows, &longest, n, Exp::scan(n, op, inputs));
        Some(())
    }

    /// Scans, reductions and arrays of what one lambda yields.
    fn fused(&mut self) -> Option<()> {
        let (n, inputs) = self.inputs()?;
        let max = self.bound(n);
        if !self.affords(max * 6) {
            return None;
        }
        // Whole floats are made by the lambda.
        let scalar = |cx: &mut Gen| Type::scalar(cx.prim());
        let groups: Vec<Vec<Type>> = (0..self.rng.below(4))
            .map(|_| (0..1 + self.rng.below(2)).map(|_| scalar(self)).collect())
            .collect();
        let scanned = self.rng.below(groups.len() + 1);
        let mut ops = Vec::new();
        for group in &groups {
            ops.push(self.repeated(max, |cx| cx.reduction(group, 0, false))?);
        }
        let least = usize::from(groups.is_empty());
        let count = least + self.rng.below(2);
        let mut kept = self.result_types(count);
        kept.push(Type::i64());
        let mut longest = vec![0; kept.len()];
        let lambda = self.repeated(max, |cx| {
            cx.lambda_over(&inputs, |cx, _| {
                let mark = cx.scope.len();
                let count = 1 + cx.rng.below(4);
                cx.stms(count);
                let digested = kept.len() - 1;
                cx.settle(&mut kept[..digested]);
                let mut results: Vec<Atom> =
                    groups.iter().flatten().map(|ty| cx.reducible_scalar(prim_of(ty))).collect();
                for (ty, longest) in kept.iter().zip(&mut longest) {
                    let result = cx.value(ty);
                    *longest = result.var().map_or(0, |var| cx.facts(var).longest);
                    results.push(result);
                }
                results.pop();
                results.push(cx.digest(mark));
                results
            })
        });
        let mut vars = Vec::new();
        for (i, ty) in groups.iter().enumerate().flat_map(|(i, group)| group.iter().map(move |ty| (i, ty))) {
            let ty = if i < scanned { ty.array_of(Dim::Size(n)) } else { ty.clone() };
            vars.push(self.var("f", ty, Facts::default()));
        }
        for (row, longest) in kept.iter().zip(longest) {
            let facts = Facts { longest, ..Facts::default() };
            vars.push(self.var("ys", row.array_of(Dim::Size(n)), facts));
        }
        let reductions = ops.split_off(scanned);
        self.bind(&vars, Exp::Op(Operator::Fused { width: n, inputs, lambda, scans: ops, reductions }));
        Some(())
    }

    /// A scalar that may enter a reduction.
    pub(super) fn reducible_scalar(&mut self, prim: Prim) -> Atom {
        if prim.is_float() {
            let value = self.scalar(Prim::I8);
            let facts = Facts { whole: true, ..Facts::default() };
            return self
                .emit_with("w", Type::scalar(prim), facts, Exp::convert(Prim::I8, prim, value))
                .into();
        }
        self.scalar(prim)
    }

    fn sort(&mut self) -> Option<()> {
        let keys = self.some(|ty, _| is_array(ty) && ty.dims().len() == 1)?;
        let n = width(&self.ty(keys));
        if !self.affords(self.bound(n) * 8) {
            return None;
        }
        let yields = match self.rng.below(3) {
            0 => Sorted::Keys,
            1 => Sorted::Places,
            _ => Sorted::Both,
        };
        let mut vars = Vec::new();
        if yields.has_keys() {
            let old = self.facts(keys).clone();
            let facts = Facts { whole: old.whole, ..Facts::default() };
            vars.push(self.var("sorted", self.ty(keys), facts));
        }
        if yields.has_places() {
            let ty = Type::array(Prim::I64, vec![Dim::Size(n)]);
            vars.push(self.var("places", ty, Facts::default()));
        }
        self.bind(&vars, Exp::Op(Operator::Sort { width: n, keys, yields }));
        Some(())
    }

    fn choose(&mut self, keep_rest: bool) -> Option<()> {
        let (n, inputs) = self.inputs()?;
        let max = self.bound(n);
        if !self.affords(max * 3) {
            return None;
        }
        // Some of what is given, and some of what is computed.
        let count = self.rng.below(2);
        let mut types = self.result_types(count);
        let mut longest = vec![0; types.len()];
        let kept: Vec<bool> = inputs.iter().map(|_| !self.one_in(4)).collect();
        let lambda = self.repeated(max, |cx| {
            cx.lambda_over(&inputs, |cx, values| {
                let count = cx.rng.below(3);
                cx.stms(count);
                cx.settle(&mut types);
                let mut rows: Vec<Atom> = values
                    .iter()
                    .zip(&kept)
                    .filter(|(_, kept)| **kept)
                    .map(|(row, _)| (*row).into())
                    .collect();
                for (ty, longest) in types.iter().zip(&mut longest) {
                    let row = cx.value(ty);
                    *longest = row.var().map_or(0, |var| cx.facts(var).longest);
                    rows.push(row);
                }
                let of = values.iter().copied().find(|var| cx.ty(*var).prim().is_some());
                let prim = of.and_then(|var| cx.ty(var).prim());
                let holds = if let (Some(var), Some(prim)) = (of, prim) {
                    let bound = cx.constant(prim);
                    let exp = Exp::bin(norn_ir::nest::BinOp::Le, prim, var.into(), bound);
                    cx.emit("p", Type::bool(), exp).into()
                } else {
                    cx.scalar(Prim::Bool)
                };
                rows.insert(0, holds);
                rows
            })
        });
        let count = self.size_var("count", max);
        let size = if keep_rest { n } else { count.into() };
        let mut vars = vec![count];
        for input in inputs.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(input, _)| *input) {
            let ty = self.ty(input);
            let mut dims = ty.dims().to_vec();
            dims[0] = Dim::Size(size);
            let old = self.facts(input).clone();
            let facts = Facts { longest: old.longest, whole: old.whole, ..Facts::default() };
            vars.push(self.var("chosen", ty.with_dims(dims), facts));
        }
        for (row, longest) in types.iter().zip(longest) {
            let facts = Facts { longest, ..Facts::default() };
            vars.push(self.var("chosen", row.array_of(Dim::Size(size)), facts));
        }
        let exp = if keep_rest {
            Exp::Op(Operator::Partition { width: n, inputs, lambda })
        } else {
            Exp::filter(n, inputs, lambda)
        };
        self.bind(&vars, exp);
        Some(())
    }
}
