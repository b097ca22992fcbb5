//! Reductions of those points of a nest that lie on one side of a diagonal are done for all points.
//!
//! ```text
//! map n (is, xss) \(i, xs) {                                   map n (is, xss) \(i, xs) {
//!   map n (js, yss) \(j, ys) {                                   map n (js, yss) \(j, ys) {
//!     let below = le.i64 j i                                       let below = le.i64 j i
//!     let r = if below { let s = fused m (xs, ys) .. in s }  ==>   let s = fused m (xs, ys) ..
//!             else { in 0 }                                        let r = if below { in s } else { in 0 }
//!     in r                                                         in r
//! ```
//!
//! Triangles of products (attention with a causal mask, covariances) and all but a diagonal are examples. A branch with an operator inside would be parted: the points for which it is taken are
//! found, and each gathers rows of its own, so that nothing is read once for many. A nest that ends in a reduction is read in tiles. That is worth
//! doing half of the points for nothing.
//!
//! So it is done where about half of the points, or more, take the branch: its condition compares indices that both differ from point to point, or says that
//! two are not equal; or it compares an index with the counter of a loop that has as many iterations as there are points, as in a factorisation column by
//! column, where it is half of the points over all iterations. Refuses: branches that both reduce; conditions on data, or on how an index compares with what is the same for all points, since few may hold; and whatever can fail or read
//! outside of an array if the condition does not hold. Needs: nest. Gives: the same. Keeps: results and failures. Cost: linear.

use norn_ir::nest::normalise::normalise;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Operator, Prim, Prog,
    ScalarExp, Stm, UnOp, Var, VarInfo,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// In all functions; whether there was such a branch.
pub fn masked(prog: &mut Prog) -> bool {
    let mut changed = false;
    for fun in &mut prog.funs {
        let mut masks = Masks::new(&fun.vars);
        masks.body(&mut fun.body);
        changed |= masks.changed;
    }
    if changed {
        normalise(prog);
    }
    changed
}

struct Masks<'a> {
    vars: &'a [VarInfo],
    /// Of ranges from 0 on, how many numbers they have.
    ranges: FxHashMap<Var, Atom>,
    /// Of the elements of such ranges, and of counters of loops, below what they are.
    extents: FxHashMap<Var, Atom>,
    counters: FxHashSet<Var>,
    /// What the lambdas around bind, and how the numbers among it are computed.
    inside: FxHashSet<Var>,
    computed: FxHashMap<Var, ScalarExp>,
    /// How many lambdas are around.
    depth: usize,
    changed: bool,
}

impl<'a> Masks<'a> {
    fn new(vars: &'a [VarInfo]) -> Masks<'a> {
        Masks {
            vars,
            ranges: FxHashMap::default(),
            extents: FxHashMap::default(),
            counters: FxHashSet::default(),
            inside: FxHashSet::default(),
            computed: FxHashMap::default(),
            depth: 0,
            changed: false,
        }
    }

    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            self.note(&stm);
            let counts = stm.exp.op().map(|op| op.inputs().to_vec()).unwrap_or_default();
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.body(body),
                PartMut::Lambda(lambda) => self.lambda(lambda, &counts),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
            if self.depth > 0 {
                self.taken_out(&mut stm, &mut body.stms);
            }
            body.stms.push(stm);
        }
    }

    fn note(&mut self, stm: &Stm) {
        if let Exp::Array(ArrayExp::Range { prim: Prim::I64, count, start, step }) = &stm.exp
            && (*start, *step) == (Atom::i64(0), Atom::i64(1))
        {
            self.ranges.insert(stm.vars[0], *count);
        }
        if let Exp::Control(ControlExp::Loop { form: LoopForm::For(counter, count), .. }) = &stm.exp {
            self.extents.insert(*counter, *count);
            self.counters.insert(*counter);
        }
        if self.depth > 0 {
            self.inside.extend(&stm.vars);
            if let Exp::Scalar(exp) = &stm.exp {
                self.computed.insert(stm.vars[0], exp.clone());
            }
        }
    }

    fn lambda(&mut self, lambda: &mut Lambda, inputs: &[Var]) {
        self.inside.extend(&lambda.params);
        // Rows of different lengths come with their lengths.
        if lambda.params.len() == inputs.len() {
            let counted = inputs.iter().zip(&lambda.params);
            let counted = counted.filter_map(|(input, param)| Some((*param, *self.ranges.get(input)?)));
            self.extents.extend(counted);
        }
        self.depth += 1;
        self.body(&mut lambda.body);
        self.depth -= 1;
    }

    /// The reductions of a branch stand before it.
    fn taken_out(&mut self, stm: &mut Stm, before: &mut Vec<Stm>) {
        let is_scalar = |var: &Var| self.vars[var.0 as usize].ty.is_scalar();
        if !stm.vars.iter().all(is_scalar) {
            return;
        }
        let Exp::Control(ControlExp::If { cond: Atom::Var(cond), then, els }) = &mut stm.exp else { return };
        let last_of = |branch: &Body| branch.stms.iter().rposition(|stm| stm.exp.op().is_some());
        let (branch, last, holds) = match (last_of(then), last_of(els)) {
            (Some(last), None) => (then, last, true),
            (None, Some(last)) => (els, last, false),
            (Some(_), Some(_)) | (None, None) => return,
        };
        if self.is_often(*cond, holds) && branch.stms[..=last].iter().all(|stm| self.is_safe(stm)) {
            before.extend(branch.stms.drain(..=last));
            self.changed = true;
        }
    }

    /// Whether the condition holds, or does not, for about half of the points or more.
    fn is_often(&self, cond: Var, holds: bool) -> bool {
        let often = |atom: &Atom, holds| atom.var().is_some_and(|var| self.is_often(var, holds));
        match self.computed.get(&cond) {
            Some(ScalarExp::Un(UnOp::Not, _, x)) => often(x, !holds),
            Some(ScalarExp::Bin(BinOp::And | BinOp::Or, Prim::Bool, x, y)) => {
                often(x, holds) && often(y, holds)
            }
            Some(ScalarExp::Bin(BinOp::Lt | BinOp::Le, Prim::I64, x, y)) => {
                self.differs(*x) && self.differs(*y) || self.is_passed(*x, *y) || self.is_passed(*y, *x)
            }
            Some(ScalarExp::Bin(BinOp::Eq, Prim::I64, x, y)) => {
                !holds && (self.differs(*x) && self.is_index(*y) || self.is_index(*x) && self.differs(*y))
            }
            _ => false,
        }
    }

    /// Whether a counter goes past the index of each point.
    fn is_passed(&self, index: Atom, counter: Atom) -> bool {
        let (Some(index), Some(counter)) = (index.var(), counter.var()) else { return false };
        self.inside.contains(&index)
            && !self.counters.contains(&index)
            && self.counters.contains(&counter)
            && self.extents.contains_key(&index)
            && self.extents.get(&index) == self.extents.get(&counter)
    }

    /// Whether it is computed of indices, and differs from point to point.
    fn differs(&self, atom: Atom) -> bool {
        atom.var().is_some_and(|var| self.inside.contains(&var)) && self.is_index(atom)
    }

    /// Whether it is computed of indices, and of numbers that are the same for all points.
    fn is_index(&self, atom: Atom) -> bool {
        let Atom::Var(var) = atom else { return true };
        if !self.inside.contains(&var) || self.extents.contains_key(&var) {
            return true;
        }
        match self.computed.get(&var) {
            Some(ScalarExp::Bin(BinOp::Add | BinOp::Sub, Prim::I64, x, y)) => {
                self.is_index(*x) && self.is_index(*y)
            }
            _ => false,
        }
    }

    /// Whether it may be done for all points: it only computes, reads elements that are there, and reduces to numbers.
    fn is_safe(&self, stm: &Stm) -> bool {
        let all_safe = |body: &Body| body.stms.iter().all(|stm| self.is_safe(stm));
        let is_scalar = |var: &Var| self.vars[var.0 as usize].ty.is_scalar();
        match &stm.exp {
            Exp::Scalar(ScalarExp::Bin(op, prim, _, by)) => match op {
                BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem | BinOp::Pow if prim.is_int() => {
                    by.var().is_none() && *by != Atom::int(*prim, 0)
                }
                _ => true,
            },
            Exp::Scalar(exp) => !matches!(exp, ScalarExp::Workers | ScalarExp::Tunable(_)),
            Exp::Array(ArrayExp::Index { array, slice }) => self.is_there(*array, slice),
            Exp::Array(ArrayExp::Rearrange { .. }) => true,
            Exp::Control(ControlExp::If { then, els, .. }) => all_safe(then) && all_safe(els),
            Exp::Op(Operator::Reduce { width, op, .. }) => {
                self.is_same_for_all(*width) && stm.vars.iter().all(is_scalar) && all_safe(&op.lambda.body)
            }
            Exp::Op(Operator::Fused { width, scans, reductions, lambda, .. }) => {
                self.is_same_for_all(*width)
                    && scans.is_empty()
                    && stm.vars.iter().all(is_scalar)
                    && all_safe(&lambda.body)
                    && reductions.iter().all(|op| all_safe(&op.lambda.body))
            }
            _ => false,
        }
    }

    fn is_same_for_all(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| !self.inside.contains(&var))
    }

    /// Whether all of a part of an array is there, whatever the condition: indices are below the sizes of the dimensions because of the ranges that they
    /// come from.
    fn is_there(&self, array: Var, slice: &[DimIndex]) -> bool {
        let dims = self.vars[array.0 as usize].ty.dims();
        slice.iter().zip(dims).all(|(at, dim)| match (at, dim) {
            (DimIndex::Fix(Atom::Var(at)), Dim::Size(size)) => self.extents.get(at) == Some(size),
            (DimIndex::Slice { start, count, stride }, Dim::Size(size)) => {
                (*start, *count, *stride) == (Atom::i64(0), *size, Atom::i64(1))
            }
            (DimIndex::Fix(_) | DimIndex::Slice { .. }, Dim::Size(_) | Dim::Irregular | Dim::Result(_)) => {
                false
            }
        })
    }
}
