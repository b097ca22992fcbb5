//! Operators that combine more than a group of threads can share: each thread combines a part, and then what the parts have.
//!
//! ```text
//! let s, .. = reduce n (xs, ..) neutral (e, ..) op         // so many columns that a tile of them has no room
//! ```
//! becomes
//! ```text
//! let ss, .. = map chunks (numbers) \(t: i64) { .. reduce size (part of xs, ..) op .. }
//! let _, last, .. = loop (c: i64 = chunks, ps: [c]f64 = ss, ..) while 1 < c { .. 16 of these in each thread .. }
//! let s: f64 = index last [0]
//! ```
//! and a scan what its chunks are in all, what is before each of them, and then a scan of each chunk, to which that is added. What several
//! operators combine at once is stored first, and each of them has a kernel of its own.
//!
//! Needs: nest, distributed and fused. Keeps: results, and the work up to a constant. Refuses: operators on rows, which `columns` has
//! dealt with. Cost: linear; a scan has its operator three times.

use super::calls::called_outside;
use super::chunks::{divided_up, in_row};
use crate::imp_gen::Combined;
use crate::nest::memory::signatures;
use crate::nest::subst::{Names, Subst};
use crate::schedule::emit::Emit;
use norn_base::Span;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Operator, Param, Prim,
    Prog, Reduction, Scalar, Stm, Type, Var,
};

/// So many values are combined by a thread where chunks have been combined.
const FEW: i64 = 16;
/// More chunks than these one thread should not go through, to find out what is before each.
const CHUNKS: i64 = 2048;

pub fn wide(prog: &mut Prog) {
    let signatures = signatures(prog);
    let outside = called_outside(prog);
    for (fun, _) in prog.funs.iter_mut().zip(outside).filter(|(_, outside)| *outside) {
        let names = Names::of(&signatures, fun);
        let mut pass = Wide { names, changed: false };
        pass.body(&mut fun.body);
        fun.vars = pass.names.vars;
        if pass.changed {
            normalise_fun(fun);
        }
    }
}

struct Wide {
    names: Names,
    changed: bool,
}

/// An operator of scalars with what it goes through.
struct Combining {
    width: Atom,
    op: Reduction,
    inputs: Vec<Var>,
    certs: Vec<Var>,
    span: Span,
}

/// One of the parts that a thread has: its number, how many elements it has, and these of each input.
struct Chunk {
    number: Var,
    size: Var,
    parts: Vec<Var>,
}

/// What a thread yields of its part, by these statements.
type OfChunk<'a> = dyn FnMut(&mut Wide, Chunk, &mut Vec<Stm>) -> Vec<Atom> + 'a;

impl Wide {
    /// A body around all maps.
    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            if stm.exp.op().is_none() {
                stm.for_each_part_mut(&mut |part| {
                    if let PartMut::Body(body) = part {
                        self.body(body);
                    }
                });
            }
            self.statement(stm, &mut body.stms);
        }
    }

    fn fits(&self, scans: &[Reduction], reductions: &[Reduction]) -> bool {
        let is_scalar = |var: &Var| self.names.ty(*var).is_scalar();
        let bytes = |op: &Reduction| {
            let params = &op.lambda.params[..op.neutral.len()];
            params.iter().map(|var| self.names.ty(*var).elem_bytes()).sum()
        };
        let all = || scans.iter().chain(reductions);
        all().any(|op| !op.lambda.params.iter().all(is_scalar))
            || Combined::of(scans, reductions, bytes).fits()
    }

    fn statement(&mut self, stm: Stm, out: &mut Vec<Stm>) {
        let Stm { vars, certs, span, .. } = stm.clone();
        match stm.exp {
            Exp::Op(Operator::Reduce { width, op, inputs }) if !self.fits(&[], std::slice::from_ref(&op)) => {
                self.changed = true;
                self.reduce(vars, Combining { width, op, inputs, certs, span }, out);
            }
            Exp::Op(Operator::Scan { width, op, inputs }) if !self.fits(std::slice::from_ref(&op), &[]) => {
                self.changed = true;
                self.scan(vars, Combining { width, op, inputs, certs, span }, out);
            }
            Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions })
                if !self.fits(&scans, &reductions) =>
            {
                self.changed = true;
                let mut columns = Vec::new();
                for result in &lambda.body.result {
                    let (name, ty) = match result {
                        Atom::Var(var) => (self.names.name(*var), self.names.ty(*var).clone()),
                        Atom::Const(scalar) => ("column".into(), Type::scalar(scalar.prim())),
                    };
                    columns.push(self.names.fresh(&name, ty.array_of(Dim::Size(width))));
                }
                let combined: usize = scans.iter().chain(&reductions).map(|op| op.neutral.len()).sum();
                columns.truncate(combined);
                columns.extend(&vars[combined..]);
                let map = Exp::map(width, inputs, lambda);
                out.push(Stm { certs: certs.clone(), ..Stm::new(columns.clone(), map, span) });
                let (mut vars, mut columns) = (vars.into_iter(), columns.into_iter());
                for (number, op) in scans.iter().chain(&reductions).enumerate() {
                    let count = op.neutral.len();
                    let own: Vec<Var> = vars.by_ref().take(count).collect();
                    let inputs: Vec<Var> = columns.by_ref().take(count).collect();
                    let exp = match number < scans.len() {
                        true => Exp::scan(width, op.clone(), inputs),
                        false => Exp::reduce(width, op.clone(), inputs),
                    };
                    self.statement(Stm { certs: certs.clone(), ..Stm::new(own, exp, span) }, out);
                }
            }
            exp => out.push(Stm { exp, ..stm }),
        }
    }

    /// The operator again, with variables of its own.
    fn again(&mut self, op: &Reduction) -> Reduction {
        let lambda = self.names.copy_lambda(&op.lambda);
        Reduction { lambda, neutral: op.neutral.clone(), commutative: op.commutative }
    }

    fn arrays_of(&mut self, like: &[Var], dim: Atom) -> Vec<Var> {
        let fresh = |var: &Var| {
            let ty = self.names.ty(*var).array_of(Dim::Size(dim));
            let name = self.names.name(*var);
            self.names.fresh(&name, ty)
        };
        like.iter().map(fresh).collect()
    }

    /// A map over chunks of so many elements each.
    fn chunked(
        &mut self,
        of: &Combining,
        [each, chunks]: [Atom; 2],
        yields: Vec<Var>,
        body: &mut OfChunk,
        out: &mut Vec<Stm>,
    ) {
        let numbers = self.names.fresh("numbers", Type::array(Prim::I64, vec![Dim::Size(chunks)]));
        out.push(Stm::new(vec![numbers], Exp::iota(chunks), of.span));
        let number = self.names.fresh("number", Type::i64());
        let mut stms = Vec::new();
        let mut emit = Emit::new(&mut self.names.vars, &mut stms, of.span);
        let start = emit.bin(BinOp::Mul, "start", number.into(), each);
        let left = emit.bin(BinOp::Sub, "left", of.width, start);
        let count = emit.bin(BinOp::Min, "count", left, each);
        let size = self.names.fresh("size", Type::i64());
        stms.push(Stm::new(vec![size], Exp::atom(count), of.span));
        let mut parts = Vec::new();
        for input in &of.inputs {
            let ty = self.names.ty(*input).clone();
            let name = self.names.name(*input);
            let part = self.names.fresh(&name, ty.with_dims(vec![Dim::size(size)]));
            let slice = vec![DimIndex::Slice { start, count: size.into(), stride: Atom::i64(1) }];
            stms.push(Stm::new(vec![part], Exp::index(*input, slice), of.span));
            parts.push(part);
        }
        let result = body(self, Chunk { number, size, parts }, &mut stms);
        let lambda = Lambda::new(vec![number], Body { stms, result });
        let map = Exp::map(chunks, vec![numbers], lambda);
        out.push(Stm { certs: of.certs.clone(), ..Stm::new(yields, map, of.span) });
    }

    /// What each chunk is in all.
    fn totals(&mut self, of: &Combining, sizes: [Atom; 2], out: &mut Vec<Stm>) -> Vec<Var> {
        let params = of.op.lambda.params[..of.op.neutral.len()].to_vec();
        let totals = self.arrays_of(&params, sizes[1]);
        let mut body = |this: &mut Self, Chunk { number: _, size, parts }: Chunk, stms: &mut Vec<Stm>| {
            let sums = this.names.like(&params);
            let op = this.again(&of.op);
            stms.push(Stm::new(sums.clone(), Exp::reduce(size.into(), op, parts), of.span));
            sums.into_iter().map(Atom::Var).collect()
        };
        self.chunked(of, sizes, totals.clone(), &mut body, out);
        totals
    }

    fn reduce(&mut self, vars: Vec<Var>, of: Combining, out: &mut Vec<Stm>) {
        let sizes = self.sizes(&of, None, out);
        let totals = self.totals(&of, sizes, out);
        let count = self.names.fresh("count", Type::i64());
        let parts = self.arrays_of(&vars, count.into());
        let more = self.names.fresh("more", Type::bool());
        let test = Exp::bin(BinOp::Lt, Prim::I64, Atom::i64(1), count.into());
        let cond = Body { stms: vec![Stm::new(vec![more], test, of.span)], result: vec![more.into()] };
        let mut body = Body::default();
        let mut emit = Emit::new(&mut self.names.vars, &mut body.stms, of.span);
        let fewer = divided_up(&mut emit, "fewer", count.into(), Atom::i64(FEW));
        let inside = Combining {
            width: count.into(),
            op: self.again(&of.op),
            inputs: parts.clone(),
            certs: Vec::new(),
            span: of.span,
        };
        let next = self.totals(&inside, [Atom::i64(FEW), fewer], &mut body.stms);
        body.result = std::iter::once(fewer).chain(next.iter().map(|var| Atom::Var(*var))).collect();
        let first = std::iter::once(sizes[1]).chain(totals.iter().map(|var| Atom::Var(*var)));
        let params = std::iter::once(count).chain(parts).map(|var| Param { var, unique: false });
        let last = self.names.fresh("count", Type::i64());
        let lasts = self.arrays_of(&vars, last.into());
        let params = params.zip(first).collect();
        let exp = Exp::Control(ControlExp::Loop { params, form: LoopForm::While(cond), body });
        let bound = std::iter::once(last).chain(lasts.iter().copied()).collect();
        out.push(Stm::new(bound, exp, of.span));
        for (var, array) in vars.into_iter().zip(lasts) {
            out.push(Stm::new(vec![var], Exp::index(array, vec![DimIndex::Fix(Atom::i64(0))]), of.span));
        }
    }

    fn scan(&mut self, vars: Vec<Var>, of: Combining, out: &mut Vec<Stm>) {
        let sizes = self.sizes(&of, Some(CHUNKS), out);
        let [each, chunks] = sizes;
        let totals = self.totals(&of, sizes, out);
        let befores = self.before_each(&of, &totals, chunks, out);
        let columns = of.op.lambda.params[..of.op.neutral.len()].to_vec();
        let row = |this: &Self, var: &Var| {
            let ty = this.names.ty(*var);
            ty.with_dims(vec![Dim::Size(each)])
        };
        let rows: Vec<Type> = vars.iter().map(|var| row(self, var)).collect();
        let matrices: Vec<Var> =
            rows.iter().map(|row| self.names.fresh("rows", row.array_of(Dim::Size(chunks)))).collect();
        let mut body = |this: &mut Self, Chunk { number, size, parts }: Chunk, stms: &mut Vec<Stm>| {
            let carries = this.names.like(&columns);
            for (carry, before) in carries.iter().zip(&befores) {
                let at = vec![DimIndex::Fix(number.into())];
                stms.push(Stm::new(vec![*carry], Exp::index(*before, at), of.span));
            }
            let scanned = this.arrays_of(&columns, size.into());
            let op = this.again(&of.op);
            stms.push(Stm::new(scanned.clone(), Exp::scan(size.into(), op, parts), of.span));
            let mut add = this.again(&of.op).lambda;
            let left: Vec<Var> = add.params.drain(..carries.len()).collect();
            let subst = Subst::of(&left, carries.into_iter().map(Atom::Var));
            subst.body_and_types(&mut this.names.vars, &mut add.body);
            let added = this.arrays_of(&columns, size.into());
            stms.push(Stm::new(added.clone(), Exp::map(size.into(), scanned, add), of.span));
            added
                .into_iter()
                .zip(&rows)
                .map(|(part, row)| in_row(&mut this.names, part, row, size.into(), of.span, stms).into())
                .collect()
        };
        self.chunked(&of, sizes, matrices.clone(), &mut body, out);
        for (var, matrix) in vars.into_iter().zip(matrices) {
            let mut emit = Emit::new(&mut self.names.vars, out, of.span);
            let total = emit.bin(BinOp::Mul, "total", chunks, each);
            let ty = self.names.ty(var).with_dims(vec![Dim::Size(total)]);
            let joined = self.names.fresh("joined", ty);
            out.push(Stm::new(vec![joined], Exp::reshape(matrix, 2, vec![total]), of.span));
            let slice = DimIndex::Slice { start: Atom::i64(0), count: of.width, stride: Atom::i64(1) };
            out.push(Stm::new(vec![var], Exp::index(joined, vec![slice]), of.span));
        }
    }

    /// What is before each chunk: one thread goes through them.
    fn before_each(&mut self, of: &Combining, totals: &[Var], chunks: Atom, out: &mut Vec<Stm>) -> Vec<Var> {
        let (span, one) = (of.span, Atom::i64(1));
        let op = self.again(&of.op);
        let columns = op.lambda.params[..op.neutral.len()].to_vec();
        let mut body = Body::default();
        let mut firsts = Vec::new();
        for column in &columns {
            let Some(prim) = self.names.ty(*column).prim() else { panic!("wide: a column of no numbers") };
            let blank = self.arrays_of(&[*column], chunks)[0];
            let zero = Atom::Const(Scalar::zero(prim));
            body.stms.push(Stm::new(vec![blank], Exp::replicate(chunks, zero), span));
            firsts.push(Atom::Var(blank));
        }
        let sofar = self.names.like(&columns);
        let stored = self.arrays_of(&columns, chunks);
        let number = self.names.fresh("number", Type::i64());
        let mut turn = Body::default();
        let (mut next, mut given) = (Vec::new(), Vec::new());
        for ((array, total), own) in stored.iter().zip(totals).zip(&sofar) {
            let at = vec![DimIndex::Fix(number.into())];
            let value = self.names.like(&[*own])[0];
            turn.stms.push(Stm::new(vec![value], Exp::index(*total, at.clone()), span));
            given.push(Atom::Var(value));
            let update = Exp::Array(ArrayExp::Update { array: *array, slice: at, value: (*own).into() });
            let updated = self.names.like(&[*array])[0];
            turn.stms.push(Stm::new(vec![updated], update, span));
            next.push(Atom::Var(updated));
        }
        let mut lambda = op.lambda;
        let subst = Subst::of(&lambda.params, sofar.iter().map(|var| Atom::Var(*var)).chain(given));
        subst.body_and_types(&mut self.names.vars, &mut lambda.body);
        turn.stms.append(&mut lambda.body.stms);
        turn.result = lambda.body.result.into_iter().chain(next).collect();
        let scalars = sofar.iter().map(|var| Param { var: *var, unique: false }).zip(op.neutral);
        let arrays = stored.iter().map(|var| Param { var: *var, unique: true }).zip(firsts);
        let params = scalars.chain(arrays).collect();
        let form = LoopForm::For(number, chunks);
        let exp = Exp::Control(ControlExp::Loop { params, form, body: turn });
        let unused = self.names.like(&columns);
        let yielded = self.arrays_of(&columns, chunks);
        body.stms.push(Stm::new(unused.into_iter().chain(yielded.iter().copied()).collect(), exp, span));
        body.result = yielded.iter().map(|var| Atom::Var(*var)).collect();
        let only = self.names.fresh("only", Type::array(Prim::I64, vec![Dim::Size(one)]));
        out.push(Stm::new(vec![only], Exp::iota(one), span));
        let at = self.names.fresh("at", Type::i64());
        let rows = self.arrays_of(&yielded, one);
        let map = Exp::map(one, vec![only], Lambda::new(vec![at], body));
        out.push(Stm::new(rows.clone(), map, span));
        let befores = self.arrays_of(&columns, chunks);
        for (before, row) in befores.iter().zip(rows) {
            out.push(Stm::new(vec![*before], Exp::index(row, vec![DimIndex::Fix(Atom::i64(0))]), span));
        }
        befores
    }

    /// How many elements a chunk has, and how many chunks there are: as many as run at once, at most so many.
    fn sizes(&mut self, of: &Combining, most: Option<i64>, out: &mut Vec<Stm>) -> [Atom; 2] {
        let mut emit = Emit::new(&mut self.names.vars, out, of.span);
        let mut chunks = emit.workers();
        if let Some(most) = most {
            chunks = emit.bin(BinOp::Min, "chunks", chunks, Atom::i64(most));
        }
        let each = divided_up(&mut emit, "each", of.width, chunks);
        let each = emit.bin(BinOp::Max, "each", each, Atom::i64(1));
        let chunks = divided_up(&mut emit, "chunks", of.width, each);
        [each, emit.bin(BinOp::Max, "chunks", chunks, Atom::i64(1))]
    }
}
