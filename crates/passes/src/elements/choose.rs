//! Segmented filters and partitions: one filter over all elements, and the sums of what each row keeps.

use super::Elements;
use super::nest::Nest;
use super::operators::NestResult;
use super::rows::{FlatDims, i64s};
use norn_ir::nest::{Atom, BinOp, Body, Dim, Exp, Lambda, Operator, Prim, Stm, Type, Var};

/// The results of a test for all elements of all rows.
struct Tested {
    /// Whether it holds, and what the lambda yields besides.
    columns: Vec<Var>,
    /// For how many it holds up to each, in all rows.
    upto: Var,
    /// For how many it holds in each row.
    counts: Var,
}

impl Elements {
    /// What is kept of each row, and how many that are.
    pub fn filtered(
        &mut self,
        nest: &Nest,
        width: Atom,
        inputs: &[Var],
        lambda: &Lambda,
    ) -> Option<Vec<NestResult>> {
        let joined = self.joined_levels(nest, width);
        let Tested { columns, upto: _, counts } = self.tested(nest, &joined, inputs, lambda)?;
        let total = self.names.ty(columns[0]).dims()[0].atom()?;
        let params: Vec<Var> = columns.iter().map(|column| self.names.row_params(*column)[0]).collect();
        let result = params.iter().map(|param| (*param).into()).collect();
        let kept = self.names.fresh("kept", Type::i64());
        let mut vars = vec![kept];
        for column in &columns[1..] {
            let (name, ty) = (self.names.name(*column), self.names.ty(*column).clone());
            vars.push(self.names.fresh(&name, ty.with_dims(vec![Dim::size(kept)])));
        }
        let lambda = Lambda::new(params, Body { stms: Vec::new(), result });
        self.bind(vars.clone(), Exp::filter(total, columns, lambda));
        let rows = vars.split_off(1).into_iter().map(|array| NestResult::Rows { lengths: counts, array });
        Some([NestResult::PerRow(counts)].into_iter().chain(rows).collect())
    }

    fn tested(&mut self, nest: &Nest, joined: &FlatDims, inputs: &[Var], lambda: &Lambda) -> Option<Tested> {
        let scalar = |atom: &Atom| atom.var().is_none_or(|var| self.names.ty(var).is_scalar());
        if !lambda.body.result.iter().all(scalar) {
            return None;
        }
        let columns = self.columns(nest, joined, inputs, Some(lambda));
        let total = self.names.ty(columns[0]).dims()[0].atom()?;
        let sums = Exp::Op(Operator::Fused {
            width: total,
            inputs: vec![columns[0]],
            lambda: self.one_if_it_holds(),
            scans: vec![self.names.sum(self.span)],
            reductions: Vec::new(),
        });
        let upto = self.emit("upto", i64s(total), sums);
        let counts = self.counts_of_rows(nest, joined, upto);
        Some(Tested { columns, upto, counts })
    }

    /// Of each row, how much the sums of all elements grow in it.
    fn counts_of_rows(&mut self, nest: &Nest, joined: &FlatDims, upto: Var) -> Var {
        let rows = self.emit("rows", i64s(nest.width), Exp::iota(nest.width));
        let row = self.names.fresh("row", Type::i64());
        let mut stms = Vec::new();
        let (start, end) = match joined {
            FlatDims::Even(width) => {
                let start = self.again(&mut stms, "start", BinOp::Mul, row.into(), *width);
                (start, self.again(&mut stms, "end", BinOp::Add, start.into(), *width))
            }
            FlatDims::Uneven(rows) => {
                (self.start_of(&mut stms, rows, row), self.entry(&mut stms, "end", rows.ends, row))
            }
        };
        let [from, to] = [start, end].map(|place| self.sum_before(&mut stms, upto, place));
        let count = self.again(&mut stms, "count", BinOp::Sub, to.into(), from.into());
        let lambda = Lambda::new(vec![row], Body { stms, result: vec![count.into()] });
        self.emit("counts", i64s(nest.width), Exp::map(nest.width, vec![rows], lambda))
    }

    /// The sum of all elements before a place.
    fn sum_before(&mut self, stms: &mut Vec<Stm>, upto: Var, place: Var) -> Var {
        let [some, sum] =
            [("some", Type::bool()), ("sum", Type::i64())].map(|(name, ty)| self.names.fresh(name, ty));
        stms.push(self.stm(vec![some], Exp::bin(BinOp::Lt, Prim::I64, Atom::i64(0), place.into())));
        let mut then = Body::default();
        let last = self.again(&mut then.stms, "last", BinOp::Sub, place.into(), Atom::i64(1));
        let found = self.entry(&mut then.stms, "sum", upto, last);
        then.result.push(found.into());
        let els = Body { stms: Vec::new(), result: vec![Atom::i64(0)] };
        stms.push(self.stm(vec![sum], Exp::if_(some.into(), then, els)));
        sum
    }

    fn one_if_it_holds(&mut self) -> Lambda {
        let holds = self.names.fresh("holds", Type::bool());
        let one = self.names.fresh("one", Type::i64());
        let convert = Exp::convert(Prim::Bool, Prim::I64, holds.into());
        let stm = self.stm(vec![one], convert);
        Lambda::new(vec![holds], Body { stms: vec![stm], result: vec![one.into()] })
    }

    /// The elements of each row, those for which the lambda holds first.
    pub fn parted(
        &mut self,
        nest: &Nest,
        width: Atom,
        inputs: &[Var],
        lambda: &Lambda,
    ) -> Option<Vec<NestResult>> {
        let joined = self.joined_levels(nest, width);
        let Tested { columns, upto, counts } = self.tested(nest, &joined, inputs, lambda)?;
        let total = self.names.ty(columns[0]).dims()[0].atom()?;
        let counted = self.rows(counts);
        let (inputs, lambda) = self.new_places(&joined, (counts, counted.ends), upto, &columns);
        let mut dests = Vec::with_capacity(columns.len() - 1);
        let mut arrays = Vec::with_capacity(columns.len() - 1);
        for column in &columns[1..] {
            let (name, ty) = (self.names.name(*column), self.names.ty(*column).clone());
            let zero = Exp::replicate(total, Atom::int(ty.row()?.prim()?, 0));
            dests.push(self.emit(&name, ty.clone(), zero));
            arrays.push(self.names.fresh(&name, ty));
        }
        self.bind(arrays.clone(), Exp::Op(Operator::Scatter { width: total, dests, inputs, lambda }));
        let rows = arrays.into_iter().map(|array| NestResult::rows(&joined, array));
        Some([NestResult::PerRow(counts)].into_iter().chain(rows).collect())
    }

    /// Of each element of rows that are parted, where it goes, and its columns, the first of which says whether it holds. `held` are the ends of
    /// the parts in front, if those were all.
    fn new_places(
        &mut self,
        joined: &FlatDims,
        (counts, held): (Var, Var),
        upto: Var,
        columns: &[Var],
    ) -> (Vec<Var>, Lambda) {
        let total = self.names.ty(upto).dims()[0].atom().unwrap_or(Atom::i64(0));
        let range = Exp::iota(total);
        let places = self.emit("places", i64s(total), range);
        let mut inputs = vec![places, upto];
        inputs.extend(columns);
        let mut params: Vec<Var> = inputs.iter().map(|array| self.names.row_params(*array)[0]).collect();
        let [place, before, it] = [params[0], params[1], params[2]];
        let values: Vec<Var> = params[3..].to_vec();
        let mut stms = Vec::new();
        let (row, start) = match joined {
            FlatDims::Even(width) => {
                let row = self.again(&mut stms, "row", BinOp::Quot, place.into(), *width);
                (row, self.again(&mut stms, "start", BinOp::Mul, row.into(), *width))
            }
            FlatDims::Uneven(rows) => self.own_row(rows, &mut inputs, &mut params, &mut stms),
        };
        let all_held = self.entry(&mut stms, "held", held, row);
        let count = self.entry(&mut stms, "count", counts, row);
        let earlier = self.again(&mut stms, "earlier", BinOp::Sub, all_held.into(), count.into());
        // For how many of the row it holds, up to this one and with it.
        let own = self.again(&mut stms, "own", BinOp::Sub, before.into(), earlier.into());
        let mut then = Body::default();
        let first = self.again(&mut then.stms, "first", BinOp::Add, start.into(), own.into());
        let first = self.again(&mut then.stms, "first", BinOp::Sub, first.into(), Atom::i64(1));
        then.result.push(first.into());
        let mut els = Body::default();
        let others = self.again(&mut els.stms, "others", BinOp::Sub, place.into(), own.into());
        let last = self.again(&mut els.stms, "last", BinOp::Add, others.into(), count.into());
        els.result.push(last.into());
        let to = self.names.fresh("to", Type::i64());
        stms.push(self.stm(vec![to], Exp::if_(it.into(), then, els)));
        let result = [to].iter().chain(&values).map(|var| Atom::Var(*var)).collect();
        (inputs, Lambda::new(params, Body { stms, result }))
    }
}
