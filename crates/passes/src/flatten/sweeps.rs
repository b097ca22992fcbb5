//! Scans of rows by any operator, in memory, as Blelloch's up-sweep and down-sweep: sums of pairs, of pairs of these, and so on, and back with the prefixes.
//!
//! ```text
//! let s: [n][m]f32 = scan n (xss) neutral (none) \(a, b) { .. }
//!
//! if n <= 1 { map n (xss) \(b) { .. none combined with b .. } } else {
//!   let sums = copy xss, whose first n / 2 rows are the sums of pairs of xss
//!   let levels, begin, k, sums = loop .. while k > 1 { .. the sums of pairs of sums[begin:k] stand behind these .. }
//!   let scanned = loop (.. scanned = sums[begin:k]) while levels > 1 { .. the scan of a level, of its rows and the scan of the sums of its pairs .. }
//!   .. and the same once more for xss ..
//! }
//! ```
//!
//! Let `xs` be the rows of a level, and `t` the scan of the sums of its pairs. Then the scan of `xs` has `t[i]` at place `2i + 1`, `xs[0]` at 0, and
//! `t[i - 1]` combined with `xs[2i]` at `2i`. The maps are distributed like all others, so that the work is linear and the number of launches logarithmic
//! (Blelloch, Prefix sums and their applications). Refuses what `pairs` refuses.

use super::Distributor;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Operator, Param,
    Reduction, Stm, Type, Var,
};

/// A scan in the making.
struct Sweep<'a> {
    stm: &'a Stm,
    op: Reduction,
    /// The types of what is combined.
    rows: Vec<Type>,
}

impl Distributor<'_, '_> {
    /// Statements outside of all maps that do the same.
    pub fn by_sweeps(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Exp::Op(Operator::Scan { width, op, inputs }) = &stm.exp else { return None };
        if !self.combines_rows(op) || inputs.iter().any(|input| self.names.ty(*input).has_irregular_rows()) {
            return None;
        }
        let rows = stm.vars.iter().map(|var| self.names.ty(*var).row()).collect::<Option<Vec<Type>>>()?;
        let sweep = Sweep { stm, op: op.clone(), rows };
        let (width, inputs) = (*width, inputs.clone());
        let mut then = Body::default();
        // What fails for a single row has to fail.
        let nones = self.arrays(&sweep, "none", width);
        for (var, neutral) in nones.iter().zip(&sweep.op.neutral) {
            then.stms.push(sweep.place(vec![*var], Exp::replicate(width, *neutral)));
        }
        let alone = self.combined_rows(&sweep, &mut then.stms, width, [nones, inputs.clone()].concat());
        then.result = atoms(&alone);
        let mut els = Body::default();
        let result = self.swept(&sweep, width, &inputs, &mut els.stms);
        els.result = atoms(&result);
        let mut list = Vec::new();
        let short = self.scalars(&mut list, |emit| emit.at_most("short", width, Atom::i64(1)));
        list.push(sweep.place(stm.vars.clone(), Exp::if_(short, then, els)));
        Some(list)
    }

    fn swept(&mut self, sweep: &Sweep, width: Atom, inputs: &[Var], stms: &mut Vec<Stm>) -> Vec<Var> {
        let (zero, one) = (Atom::i64(0), Atom::i64(1));
        // The sums of pairs, one level behind the other.
        let room = self.arrays(sweep, "sums", width);
        for (var, input) in room.iter().zip(inputs) {
            stms.push(sweep.place(vec![*var], Exp::copy(*input)));
        }
        let pairs = self.scalars(stms, |emit| emit.bin(BinOp::Quot, "pairs", width, Atom::i64(2)));
        let first = self.sums_of_pairs(sweep, stms, inputs, zero, pairs);
        let sums = self.written(sweep, stms, &room, slice(zero, pairs, 1), &first);

        let [level, begin, k] = ["level", "begin", "k"].map(|name| self.names.fresh(name, Type::i64()));
        let own = self.arrays(sweep, "sums", width);
        let mut cond = Body::default();
        let goes_on = self.scalars(&mut cond.stms, |emit| emit.at_most("goes_on", Atom::i64(2), k.into()));
        cond.result.push(goes_on);
        let mut body = Body::default();
        let (next, behind, half) = self.scalars(&mut body.stms, |emit| {
            let next = emit.bin(BinOp::Add, "level", level.into(), one);
            let behind = emit.bin(BinOp::Add, "begin", begin.into(), k.into());
            (next, behind, emit.bin(BinOp::Quot, "pairs", k.into(), Atom::i64(2)))
        });
        let combined = self.sums_of_pairs(sweep, &mut body.stms, &own, begin.into(), half);
        let after = self.written(sweep, &mut body.stms, &own, slice(behind, half, 1), &combined);
        body.result = [next, behind, half].into_iter().chain(atoms(&after)).collect();
        let plain = [level, begin, k].map(Param::plain).into_iter();
        let params = plain.chain(own.iter().map(|var| Param { var: *var, unique: true }));
        let inits = [one, zero, pairs].into_iter().chain(atoms(&sums));
        let params = params.zip(inits).collect();
        let [levels, top, left] = ["levels", "top", "left"].map(|name| self.names.fresh(name, Type::i64()));
        let sums = self.arrays(sweep, "sums", width);
        let vars = [levels, top, left].into_iter().chain(sums.iter().copied()).collect();
        let exp = ControlExp::Loop { params, form: LoopForm::While(cond), body };
        stms.push(sweep.place(vars, Exp::Control(exp)));

        // And back.
        let highest = self.parts(sweep, stms, &sums, slice(top.into(), left.into(), 1), left.into());
        let [level, begin, k] = ["level", "begin", "k"].map(|name| self.names.fresh(name, Type::i64()));
        let own = self.arrays(sweep, "scanned", k.into());
        let mut cond = Body::default();
        let goes_on =
            self.scalars(&mut cond.stms, |emit| emit.at_most("goes_on", Atom::i64(2), level.into()));
        cond.result.push(goes_on);
        let mut body = Body::default();
        let (below, count, start) = self.scalars(&mut body.stms, |emit| {
            let below = emit.bin(BinOp::Sub, "level", level.into(), one);
            let count = emit.bin(BinOp::Ashr, "count", width, below);
            (below, count, emit.bin(BinOp::Sub, "begin", begin.into(), count))
        });
        let rows = self.parts(sweep, &mut body.stms, &sums, slice(start, count, 1), count);
        let scanned = self.scanned_level(sweep, &mut body.stms, &rows, count, &own);
        body.result = [below, start, count].into_iter().chain(atoms(&scanned)).collect();
        let params = [level, begin, k].into_iter().chain(own.iter().copied()).map(Param::plain);
        let inits = [levels, top, left].into_iter().chain(highest);
        let params = params.zip(inits.map(Atom::Var)).collect();
        let [last, start, count] = ["level", "begin", "k"].map(|name| self.names.fresh(name, Type::i64()));
        let scanned = self.arrays(sweep, "scanned", count.into());
        let vars = [last, start, count].into_iter().chain(scanned.iter().copied()).collect();
        let exp = ControlExp::Loop { params, form: LoopForm::While(cond), body };
        stms.push(sweep.place(vars, Exp::Control(exp)));
        self.scanned_level(sweep, stms, inputs, width, &scanned)
    }

    /// The sums of so many pairs that begin here.
    fn sums_of_pairs(
        &mut self,
        sweep: &Sweep,
        stms: &mut Vec<Stm>,
        arrays: &[Var],
        begin: Atom,
        pairs: Atom,
    ) -> Vec<Var> {
        let second = self.scalars(stms, |emit| emit.bin(BinOp::Add, "second", begin, Atom::i64(1)));
        let evens = self.parts(sweep, stms, arrays, slice(begin, pairs, 2), pairs);
        let odds = self.parts(sweep, stms, arrays, slice(second, pairs, 2), pairs);
        self.combined_rows(sweep, stms, pairs, [evens, odds].concat())
    }

    /// The scan of so many rows, more than one, given that of the sums of their pairs.
    fn scanned_level(
        &mut self,
        sweep: &Sweep,
        stms: &mut Vec<Stm>,
        rows: &[Var],
        count: Atom,
        of_pairs: &[Var],
    ) -> Vec<Var> {
        let (pairs, others) = self.scalars(stms, |emit| {
            let pairs = emit.bin(BinOp::Quot, "pairs", count, Atom::i64(2));
            let last = emit.bin(BinOp::Sub, "last", count, Atom::i64(1));
            (pairs, emit.bin(BinOp::Quot, "others", last, Atom::i64(2)))
        });
        let before = self.parts(sweep, stms, of_pairs, slice(Atom::i64(0), others, 1), others);
        let evens = self.parts(sweep, stms, rows, slice(Atom::i64(2), others, 2), others);
        let combined = self.combined_rows(sweep, stms, others, [before, evens].concat());
        let scanned = self.arrays(sweep, "scanned", count);
        for (var, row) in scanned.iter().zip(rows) {
            stms.push(sweep.place(vec![*var], Exp::copy(*row)));
        }
        let odds = self.parts(sweep, stms, of_pairs, slice(Atom::i64(0), pairs, 1), pairs);
        let scanned = self.written(sweep, stms, &scanned, slice(Atom::i64(1), pairs, 2), &odds);
        self.written(sweep, stms, &scanned, slice(Atom::i64(2), others, 2), &combined)
    }

    fn combined_rows(
        &mut self,
        sweep: &Sweep,
        stms: &mut Vec<Stm>,
        count: Atom,
        inputs: Vec<Var>,
    ) -> Vec<Var> {
        let vars = self.arrays(sweep, "combined", count);
        let lambda: Lambda = self.names.copy_lambda(&sweep.op.lambda);
        stms.push(sweep.place(vars.clone(), Exp::map(count, inputs, lambda)));
        vars
    }

    fn arrays(&mut self, sweep: &Sweep, name: &str, count: Atom) -> Vec<Var> {
        sweep.rows.iter().map(|row| self.names.fresh(name, row.clone().array_of(Dim::Size(count)))).collect()
    }

    /// Views of so many rows.
    fn parts(
        &mut self,
        sweep: &Sweep,
        stms: &mut Vec<Stm>,
        arrays: &[Var],
        slice: DimIndex,
        count: Atom,
    ) -> Vec<Var> {
        let vars = self.arrays(sweep, "part", count);
        for (var, array) in vars.iter().zip(arrays) {
            stms.push(sweep.place(vec![*var], Exp::index(*array, vec![slice.clone()])));
        }
        vars
    }

    /// The arrays with these rows in a part of them.
    fn written(
        &mut self,
        sweep: &Sweep,
        stms: &mut Vec<Stm>,
        arrays: &[Var],
        slice: DimIndex,
        rows: &[Var],
    ) -> Vec<Var> {
        let vars = self.names.like(arrays);
        for ((var, array), rows) in vars.iter().zip(arrays).zip(rows) {
            let update =
                ArrayExp::Update { array: *array, slice: vec![slice.clone()], value: (*rows).into() };
            stms.push(sweep.place(vec![*var], Exp::Array(update)));
        }
        vars
    }
}

impl Sweep<'_> {
    fn place(&self, vars: Vec<Var>, exp: Exp) -> Stm {
        Stm { vars, exp, ..self.stm.clone() }
    }
}

fn slice(start: Atom, count: Atom, stride: i64) -> DimIndex {
    DimIndex::Slice { start, count, stride: Atom::i64(stride) }
}

fn atoms(vars: &[Var]) -> Vec<Atom> {
    vars.iter().map(|var| Atom::Var(*var)).collect()
}
