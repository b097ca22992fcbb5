//! Loop interchange on a processor: maps over columns whose results are transposed go through rows instead.
//!
//! ```text
//! let columns: [m][n]f32 = rearrange xss (1, 0)
//! let a: [m][n]f32 = map m (columns) \column { map n (is) \i { .. in y } }
//! let zss: [n][m]f32 = rearrange a (1, 0)
//! ```
//! becomes
//! ```text
//! let columns: [m][n]f32 = rearrange xss (1, 0)
//! let zss: [n][m]f32 = map n (range) \i { map m (range.2) \j { let column = index columns [j]  .. in y } }
//! ```
//!
//! Now neighbouring iterations of the inner loop read and write neighbours in memory, and vectors need no gathers. For a device, `layout` decides this.
//!
//! - Needs: optimised nest, before `schedule`. Gives: the same maps in the other order.
//! - Refuses: results that something else uses, maps with more than scalars and views between them, and maps whose inner loop already reads mostly
//!   neighbours. That is counted by accesses: which of both loops moves the index of the dimension that is contiguous.

use crate::layout::interchange::{Level, interchanged, is_interchangeable, levels};
use crate::nest::dce::dce;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{ArrayExp, Atom, Body, DimIndex, Exp, Fun, Prog, Stm, Var, VarInfo};
use rustc_hash::FxHashMap;

/// So many statements may be done again for every element.
const AGAIN: usize = 8;

pub fn loop_order(prog: &mut Prog) {
    let mut changed = false;
    for fun in &mut prog.funs {
        let mut facts = Facts::default();
        facts.note(&fun.body);
        changed |= facts.reorder(fun);
    }
    if changed {
        normalise(prog);
        dce(prog);
    }
}

/// What is known about the variables of a function.
#[derive(Default)]
struct Facts {
    uses: FxHashMap<Var, usize>,
    /// Views, with the dimension of theirs that is contiguous.
    rearranged: FxHashMap<Var, usize>,
}

impl Facts {
    fn note(&mut self, body: &Body) {
        for stm in &body.stms {
            if let Exp::Array(ArrayExp::Rearrange { array: _, perm }) = &stm.exp
                && let Some(contiguous) = perm.iter().position(|dim| *dim + 1 == perm.len())
            {
                self.rearranged.insert(stm.vars[0], contiguous);
            }
            stm.for_each_part(&mut |part| match part {
                Part::Atom(Atom::Var(var)) | Part::Var(var) => *self.uses.entry(*var).or_default() += 1,
                Part::Body(body) => self.note(body),
                Part::Lambda(lambda) => self.note(&lambda.body),
                Part::Atom(Atom::Const(_)) | Part::Binder(_) => {}
            });
        }
        for var in body.result.iter().filter_map(|atom| atom.var()) {
            *self.uses.entry(var).or_default() += 1;
        }
    }

    fn reorder(&self, fun: &mut Fun) -> bool {
        let mut body = std::mem::take(&mut fun.body);
        let changed = self.reorder_in(&mut fun.vars, &mut body);
        fun.body = body;
        changed
    }

    fn reorder_in(&self, vars: &mut Vec<VarInfo>, body: &mut Body) -> bool {
        let mut changed = false;
        for at in 0..body.stms.len() {
            if let Some(transposed) = self.transposed(vars, &body.stms, at) {
                let (ranges, maps) = interchanged(vars, body.stms[at].clone(), 1, transposed.clone());
                body.stms.retain(|stm| !transposed.contains(&stm.vars[0]));
                body.stms.splice(at..=at, ranges.into_iter().chain([maps]));
                self.reorder_in(vars, body);
                return true;
            }
        }
        for stm in &mut body.stms {
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => changed |= self.reorder_in(vars, body),
                PartMut::Lambda(lambda) => changed |= self.reorder_in(vars, &mut lambda.body),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
        }
        changed
    }

    /// If this statement is maps in maps that should go through rows: what their transposed results are.
    fn transposed(&self, vars: &[VarInfo], stms: &[Stm], at: usize) -> Option<Vec<Var>> {
        let stm = &stms[at];
        let is_matrix = |var: &Var| vars[var.0 as usize].ty.rank() == 2;
        if stm.vars.is_empty() || !stm.vars.iter().all(is_matrix) || !is_interchangeable(vars, stm) {
            return None;
        }
        let transposed = |var: &Var| {
            let other = stms[at..].iter().find(|other| match &other.exp {
                Exp::Array(ArrayExp::Rearrange { array, perm }) => array == var && perm[..] == [1, 0],
                _ => false,
            })?;
            (self.uses.get(var) == Some(&1)).then_some(other.vars[0])
        };
        let transposed = stm.vars.iter().map(transposed).collect::<Option<Vec<_>>>()?;
        let (levels, body) = levels(&stm.exp, 2)?;
        let is_cheap = |level: &Level| {
            level.before.len() <= AGAIN && level.before.iter().all(|stm| stm.exp.is_scalar_or_view())
        };
        let mut votes = Votes::of(&self.rearranged, vars, &levels);
        levels.iter().for_each(|level| votes.statements(&level.before));
        votes.statements(&body.stms);
        (levels.iter().all(is_cheap) && votes.for_columns > votes.for_rows).then_some(transposed)
    }
}

/// Which loop an index moves with.
#[derive(Clone, Copy, Default)]
struct Moves {
    outer: bool,
    inner: bool,
}

/// What the accesses of a nest of two maps say: how many would be side by side in the outer loop, and how many are in the inner one.
struct Votes<'a> {
    rearranged: &'a FxHashMap<Var, usize>,
    vars: &'a [VarInfo],
    moves: FxHashMap<Var, Moves>,
    /// Of rows: the array, and what it is indexed by so far.
    rows: FxHashMap<Var, (Var, Vec<Moves>)>,
    for_columns: usize,
    for_rows: usize,
}

impl<'a> Votes<'a> {
    fn of(rearranged: &'a FxHashMap<Var, usize>, vars: &'a [VarInfo], levels: &[Level]) -> Votes<'a> {
        let (moves, rows) = Default::default();
        let mut votes = Votes { rearranged, vars, moves, rows, for_columns: 0, for_rows: 0 };
        for (number, level) in levels.iter().enumerate() {
            let by = Moves { outer: number == 0, inner: number == 1 };
            for (input, param) in level.inputs.iter().zip(&level.params) {
                votes.read(*param, *input, vec![by]);
            }
        }
        votes
    }

    /// A variable is this element or row of an array.
    fn read(&mut self, var: Var, array: Var, by: Vec<Moves>) {
        let (array, mut indices) = self.rows.get(&array).cloned().unwrap_or((array, Vec::new()));
        indices.extend(by);
        let all = indices.iter().fold(Moves::default(), |all, by| Moves {
            outer: all.outer || by.outer,
            inner: all.inner || by.inner,
        });
        self.moves.insert(var, all);
        let rank = self.vars[array.0 as usize].ty.rank();
        if indices.len() < rank {
            self.rows.insert(var, (array, indices));
            return;
        }
        let contiguous = indices[self.rearranged.get(&array).copied().unwrap_or(rank - 1)];
        // What both loops move alike says nothing, and what only one of them moves at all has to be read in any order.
        if all.outer && all.inner {
            self.for_columns += usize::from(contiguous.outer && !contiguous.inner);
            self.for_rows += usize::from(contiguous.inner && !contiguous.outer);
        }
    }

    fn statements(&mut self, stms: &[Stm]) {
        for stm in stms {
            if let Exp::Array(ArrayExp::Index { array, slice }) = &stm.exp
                && let [var] = stm.vars[..]
                && let Some(by) = slice.iter().map(|dim| self.fixed(dim)).collect::<Option<Vec<_>>>()
            {
                self.read(var, *array, by);
                continue;
            }
            let mut all = Moves::default();
            stm.for_each_part(&mut |part| match part {
                Part::Atom(Atom::Var(var)) | Part::Var(var) => {
                    let by = self.moves.get(var).copied().unwrap_or_default();
                    all = Moves { outer: all.outer || by.outer, inner: all.inner || by.inner };
                }
                Part::Body(body) => self.statements(&body.stms),
                Part::Lambda(lambda) => self.statements(&lambda.body.stms),
                Part::Atom(Atom::Const(_)) | Part::Binder(_) => {}
            });
            stm.vars.iter().for_each(|var| {
                self.moves.insert(*var, all);
            });
        }
    }

    fn fixed(&self, dim: &DimIndex) -> Option<Moves> {
        match dim {
            DimIndex::Fix(Atom::Var(var)) => Some(self.moves.get(var).copied().unwrap_or_default()),
            DimIndex::Fix(Atom::Const(_)) => Some(Moves::default()),
            DimIndex::Slice { .. } => None,
        }
    }
}
