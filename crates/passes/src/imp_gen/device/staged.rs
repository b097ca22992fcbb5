//! Reductions over arrays that all threads read: tiles of these in shared memory.
//!
//! ```text
//! map n (xs) \x { let s = fused m (ys) f reduce op  in g x s }
//! ```
//!
//! Each thread needs every element of `ys`. A group reads `GROUP` of them into shared memory, each thread one, and then each thread goes
//! through these. Where there are too few elements of `xs` for all threads of the device, and the operator allows any order, several threads
//! have one: each goes through its *part* of every tile, and the parts are combined in their order at the end.

use super::GROUP;
use super::nest::{Nest, array_inside};
use super::sweep::scalar_inside;
use crate::imp_gen::operators::accs::{Accs, Column, Home};
use crate::imp_gen::operators::elementwise::any_order;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::operators::sweep::{Pass, Scanned, Sweep};
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, Var as ImpVar};
use norn_ir::nest::{Body, ControlExp, Exp as NestExp, Lambda, Operator, Stm, Var};
use std::slice::from_ref;

/// How many elements of a tile are done without a loop around them. A part of a tile is a multiple of it.
const AT_ONCE: i64 = 16;
/// How many threads may have one element.
const MOST_PARTS: i64 = 8;
/// A reduction over fewer elements gains nothing.
const FEWEST: i64 = 2 * GROUP;
/// So much shared memory may be used.
const ROOM: i64 = 40 << 10;

/// The bottom of a nest, cut at the reduction.
pub struct Staged<'a> {
    before: Body,
    sweep: Sweep<'a>,
    after: Lambda,
}

impl Gen<'_> {
    /// If the threads of a nest reduce arrays that do not depend on the thread.
    pub fn staged<'a>(&self, nest: &Nest<'a>) -> Option<Staged<'a>> {
        let body = &nest.bottom.body;
        let at = body.stms.iter().position(|stm| reduction(stm).is_some())?;
        let sweep = reduction(&body.stms[at])?;
        let (before, after) = (&body.stms[..at], &body.stms[at + 1..]);
        // Nobody may leave before others have met.
        let safe = |stms: &[Stm]| {
            self.is_little(stms)
                && !stms.iter().any(|stm| matches!(stm.exp, NestExp::Control(ControlExp::Check(_))))
        };
        if !safe(before) || !nest.levels.iter().all(|level| safe(&level.before.stms)) {
            return None;
        }
        let known = |var: &Var| match self.env.get(var) {
            Some(Repr::Scalar(_)) => true,
            Some(Repr::Array(array)) => array.is_regular() && array.rank() == 1,
            Some(Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => false,
        };
        let mut scalars = sweep.reductions.iter().flat_map(|op| &op.lambda.params);
        let outside = sweep.width.var().is_none_or(|width| known(&width)) && sweep.inputs.iter().all(known);
        if !outside || !scalars.all(|param| self.ty(*param).is_scalar()) {
            return None;
        }
        if !sweep.inputs.iter().any(|input| self.array(*input).counted.is_none()) {
            return None;
        }
        let inputs = sweep.inputs.iter().map(|input| self.element_size(*input));
        let sums = sweep.reductions.iter().flat_map(|op| &op.lambda.params[..op.neutral.len()]);
        let bytes = inputs.chain(sums.map(|param| self.element_size(*param))).sum::<i64>() * GROUP;
        (bytes <= ROOM).then(|| Staged {
            before: Body { stms: before.to_vec(), result: Vec::new() },
            sweep,
            after: Lambda {
                params: Vec::new(),
                body: Body { stms: after.to_vec(), result: body.result.clone() },
            },
        })
    }

    fn element_size(&self, var: Var) -> i64 {
        self.ty(var).elem().map_or(0, |elem| prim_of(elem).size() as i64)
    }

    /// Whether there is enough to reduce.
    pub fn is_long(&self, staged: &Staged) -> Exp {
        Exp::i64(FEWEST).le(self.scalar(staged.sweep.width))
    }

    pub fn launch_staged(
        &mut self,
        nest: &Nest,
        staged: &Staged,
        widths: &[Exp],
        outs: &[Array],
        grid: &Grid,
    ) {
        let total = self.code.atom("total", Exp::product(widths.iter().cloned()));
        let parts = self.parts(staged, &total);
        let lanes = self.code.atom("lanes", Exp::i64(GROUP).quot(parts.clone()));
        let groups = total.clone().add(lanes.clone()).sub(1).quot(lanes.clone()).min(1 << 30);
        let groups = self.code.atom("groups", groups);
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.extend(widths.iter().cloned().map(Repr::Scalar));
        extra.extend([total, parts, lanes].map(Repr::Scalar));
        self.launch_groups("map", &grid.captured, &extra, groups, &mut |this, arrays, mut given| {
            let mut last = || scalar_inside(given.pop());
            let (lanes, parts, total) = (last(), last(), last());
            let widths = given.split_off(outs.len());
            let outs: Vec<Array> = given.into_iter().map(array_inside).collect();
            let thread = Exp::Group(GroupExp::Thread);
            let part: Exp = this.code.bind("part", thread.clone().quot(lanes.clone())).into();
            let lane: Exp = this.code.bind("lane", thread.rem(lanes.clone())).into();
            let split = Split { parts, lanes, part, lane };
            let shared = this.staged_arrays(arrays, staged);
            this.each_by_groups("first", split.lanes.clone(), &total, &mut |this, first| {
                let i: Exp = this.code.bind("i", first.add(split.lane.clone())).into();
                // Who has no element does the last one's work, and keeps it for itself.
                let last = this.code.bind("last", i.clone().min(total.clone().sub(1)));
                let own = i.lt(total.clone()).and(split.part.clone().eq(0));
                let indices = this.indices_of(last.into(), &widths);
                this.in_levels(&nest.levels, &indices, &mut |this, rows| {
                    for (param, row) in nest.bottom.params.iter().zip(rows) {
                        this.env.insert(*param, row);
                    }
                    this.begin_body(&staged.before, &[]);
                    this.reduce_staged(staged, &shared, &split);
                    this.code.open();
                    this.guarded(&mut |this| this.bottom_element(&staged.after, Vec::new(), &outs, &indices));
                    let block = this.code.close();
                    this.code.when(own.clone(), block);
                    this.end_body();
                });
            });
        });
    }

    /// How many threads have one element: a power of two.
    fn parts(&mut self, staged: &Staged, total: &Exp) -> Exp {
        if !staged.sweep.reductions.iter().all(any_order) {
            return Exp::i64(1);
        }
        let wanted = self.code.atom("wanted", Exp::DeviceGroups.mul(2 * GROUP));
        let mut parts = Exp::i64(MOST_PARTS);
        let mut fewer = MOST_PARTS / 2;
        while fewer > 0 {
            let enough = wanted.clone().le(total.clone().mul(fewer));
            parts = self.code.bind("parts", Exp::select(enough, Exp::i64(fewer), parts)).into();
            fewer /= 2;
        }
        parts
    }

    fn staged_arrays(&mut self, arrays: &mut Vec<GroupArray>, staged: &Staged) -> SharedArrays {
        let mut tiles = Vec::with_capacity(staged.sweep.inputs.len());
        for input in staged.sweep.inputs {
            let array = self.array(*input);
            let read = array.counted.is_none();
            tiles.push(read.then(|| self.shared_array(arrays, "tile", array.prim, GROUP)));
        }
        let mut sums = Vec::new();
        for op in staged.sweep.reductions {
            let prims: Vec<Prim> = self.prims_of(op);
            sums.push(prims.iter().map(|prim| self.shared_array(arrays, "sums", *prim, GROUP)).collect());
        }
        SharedArrays { tiles, sums }
    }

    /// The reduction, by all threads of a group. There are barriers in this.
    fn reduce_staged(&mut self, staged: &Staged, shared: &SharedArrays, split: &Split) {
        let sweep = &staged.sweep;
        let thread = Exp::Group(GroupExp::Thread);
        let width = self.scalar(sweep.width);
        let accs: Vec<Accs> =
            sweep.reductions.iter().map(|op| self.neutral_accs(op, Home::Buffers(None))).collect();
        let start: Exp = self.code.bind("start", split.part.clone().mul(split.lanes.clone())).into();
        let first = self.code.bind("first", 0);
        self.code.open();
        // Others may still be reading.
        self.barrier();
        let own: Exp = self.code.bind("own", Exp::Var(first).add(thread.clone())).into();
        self.code.open();
        for (input, tile) in sweep.inputs.iter().zip(&shared.tiles) {
            if let Some(tile) = tile {
                let array = self.array(*input);
                let at = self.element_index(&array, from_ref(&own));
                let value = self.element(&array, at);
                self.code.store(Elem::Prim(array.prim), *tile, thread.clone(), value);
            }
        }
        let block = self.code.close();
        self.code.when(own.lt(width.clone()), block);
        self.barrier();
        let left: Exp = self.code.bind("left", width.clone().sub(first)).into();
        self.code.open();
        self.guarded(&mut |this| {
            this.each(0, split.lanes.clone().quot(AT_ONCE), LoopForm::Plain, &mut |this, round| {
                let from: Exp = this.code.bind("from", start.clone().add(round.mul(AT_ONCE))).into();
                this.each(0, AT_ONCE, LoopForm::Plain, &mut |this, k| {
                    let at = this.code.bind("at", from.clone().add(k));
                    this.staged_element(sweep, shared, &accs, first, &at.into());
                });
            });
        });
        let whole = self.code.close();
        self.code.open();
        self.guarded(&mut |this| {
            let to = start.clone().add(split.lanes.clone()).min(left.clone());
            this.each(start.clone(), to, LoopForm::Plain, &mut |this, at| {
                this.staged_element(sweep, shared, &accs, first, &at);
            });
        });
        let partly = self.code.close();
        self.code.if_(Exp::i64(GROUP).le(left), whole, partly);
        self.code.set(first, Exp::Var(first).add(GROUP));
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(first).lt(width), body);

        self.code.open();
        self.combine_parts(sweep, shared, &accs, split);
        let block = self.code.close();
        self.code.when(Exp::i64(1).lt(split.parts.clone()), block);
        let mut vars = sweep.vars;
        for accs in accs {
            let (own, rest) = vars.split_at(accs.columns.len());
            self.bind_accs(own, accs);
            vars = rest;
        }
    }

    /// The element at a place of the tile whose first element is this.
    fn staged_element(
        &mut self,
        sweep: &Sweep,
        shared: &SharedArrays,
        accs: &[Accs],
        first: ImpVar,
        at: &Exp,
    ) {
        let mut rows = Vec::with_capacity(sweep.inputs.len());
        for (input, tile) in sweep.inputs.iter().zip(&shared.tiles) {
            let array = self.array(*input);
            let value = match tile {
                Some(tile) => Exp::load(Elem::Prim(array.prim), *tile, at.clone()),
                None => {
                    let index = self.code.bind("index", Exp::Var(first).add(at.clone()));
                    let index = self.element_index(&array, &[index.into()]);
                    self.element(&array, index)
                }
            };
            rows.push(Repr::Scalar(self.code.bind("element", value).into()));
        }
        let pass = Pass {
            scans: &[],
            scanned: &[],
            into_scanned: Scanned::Nothing,
            reductions: accs,
            outs: Some(&[]),
        };
        self.pass_row(sweep, &pass, at, rows);
    }

    /// What the parts of an element have, combined in their order; who has the first part knows it then.
    fn combine_parts(&mut self, sweep: &Sweep, shared: &SharedArrays, accs: &[Accs], split: &Split) {
        let thread = Exp::Group(GroupExp::Thread);
        for (accs, sums) in accs.iter().zip(&shared.sums) {
            for (column, sums) in accs.columns.iter().zip(sums) {
                let Column::Scalar(var) = column else { panic!("imp_gen: a group that combines arrays") };
                let elem = Elem::Prim(self.local_prim(*sums));
                self.code.store(elem, *sums, thread.clone(), *var);
            }
        }
        self.barrier();
        self.code.open();
        self.guarded(&mut |this| {
            this.each(1, split.parts.clone(), LoopForm::Plain, &mut |this, part| {
                let at = part.mul(split.lanes.clone()).add(split.lane.clone());
                let at = this.code.bind("at", at);
                for ((op, accs), sums) in sweep.reductions.iter().zip(accs).zip(&shared.sums) {
                    let mut values = Vec::with_capacity(sums.len());
                    for sums in sums {
                        let elem = Elem::Prim(this.local_prim(*sums));
                        let value = this.code.bind("other", Exp::load(elem, *sums, at));
                        values.push(Repr::Scalar(value.into()));
                    }
                    this.scoped(&mut |this| this.combine(&op.lambda, accs, &values, &[]));
                }
            });
        });
        let block = self.code.close();
        self.code.when(split.part.clone().eq(0), block);
    }

    fn local_prim(&self, var: ImpVar) -> Prim {
        match self.code.var_ty(var) {
            norn_ir::imp::Type::Local(Elem::Prim(prim)) => prim,
            ty => panic!("imp_gen: a shared array of type {ty:?}"),
        }
    }
}

/// What the threads of a group share: a tile of each input that is in memory, and what each has of each column.
struct SharedArrays {
    tiles: Vec<Option<ImpVar>>,
    sums: Vec<Vec<ImpVar>>,
}

/// How the threads of a group divide its elements: `parts` times `lanes` are all threads.
struct Split {
    parts: Exp,
    lanes: Exp,
    part: Exp,
    lane: Exp,
}

/// The reduction that a statement is, if it yields nothing else.
pub fn reduction(stm: &Stm) -> Option<Sweep<'_>> {
    let sweep = match &stm.exp {
        NestExp::Op(Operator::Reduce { width, op, inputs }) => {
            let (lambda, scans, reductions) = (None, &[][..], from_ref(op));
            Sweep { name: "reduce", width: *width, inputs, lambda, scans, reductions, vars: &stm.vars }
        }
        NestExp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }) if scans.is_empty() => {
            let (lambda, scans) = (Some(lambda), &[][..]);
            Sweep { name: "fused", width: *width, inputs, lambda, scans, reductions, vars: &stm.vars }
        }
        _ => return None,
    };
    (sweep.kept().is_empty() && sweep.combined() == stm.vars.len()).then_some(sweep)
}
