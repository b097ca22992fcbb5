//! Coalescing by transposition: the layout in which the threads of a map read and write their rows.
//!
//! ```text
//! map n (xss) \xs { loop s = 0 for j < m do s * a + xs[j] }
//! ```
//!
//! All threads read element `j` of their row at the same time. In a row-major array these are `m` apart, and memory delivers
//! many times what is used. So `xss` is transposed into a copy first, in which element `j` of neighbouring rows is contiguous
//! (`transpose`), and the kernel reads the copy through other strides. Rows that threads write are
//! written in such a layout, and transposed back afterwards. `walks` decides which inputs profit; whether there are enough rows, and whether they are
//! long enough, is tested at run time. Neighbours may also read the rows of one of several matrices, which they choose by any index:
//! then all matrices are transposed, if there are many times as many threads as rows. After Futhark (PLDI 2017, section 5.2).
//!
//! The code is the same whether or not a copy is made: strides are variables, and a copy that is not needed is launched with no groups.
//!
//! Where the result is transposed at once, which `layout` does if nobody needs it row-major, the kernel writes it transposed and no copy is made.

use super::kernel::Kernel;
use super::transpose::Transpose;
use super::walks::{Walked, walked};
use crate::imp_gen::owners::uses_of_stm;
use crate::imp_gen::repr::{Array, Lead, Repr, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Exp, Stmt};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{self, ArrayExp, Body, Fun, Var, VarInfo};
use rustc_hash::FxHashMap;

/// So many rows are worth a copy.
const MANY: i64 = 4096;
/// And so many bytes in each: what threads read of shorter ones is still in the cache when they need the rest. Rows of 128 and of
/// 1024 bytes, read once, took 1.7 times as long with a copy.
const LONG_TO_READ: i64 = 1 << 14;
/// The same for rows that are read again and again: those of 1024 bytes took half the time with a copy, such of 64 took a tenth more.
const LONG_TO_READ_AGAIN: i64 = 512;
const LONG_TO_MAKE: i64 = 16;

/// Rows that threads read which share the matrix that these are of: so many neighbours, so that it pays to transpose all matrices.
const NEIGHBOURS: i64 = 32;
/// And so many threads for each row.
const OFTEN: i64 = 4;

/// Whose rows the threads of a map walk through.
enum RowOwner {
    /// Each has a row of its own, behind so many dimensions. So many bytes are long.
    Own { outer: usize, long: i64 },
    /// Neighbours have rows of one matrix, which any indices choose, so many dimensions before those of the threads. There are so many threads.
    Shared { before: usize, outer: usize, threads: Exp },
}

/// An array that is stored transposed, element `i` of all rows side by side, if `condition` holds; and the matrix (or matrices) that it is then.
struct Transposed {
    array: Array,
    matrix: Array,
    condition: Exp,
}

/// Neighbours of the first dimension are to become neighbours in memory.
const TRANSPOSE: Transpose = Transpose { down: 0, across: 1 };
const TRANSPOSE_BACK: Transpose = Transpose { down: 1, across: 0 };

impl Gen<'_> {
    /// Launch a kernel with inputs and results in the layout that suits its threads.
    pub fn in_layouts(
        &mut self,
        map: &Kernel,
        widths: &[Exp],
        outs: &[Array],
        launch: &mut dyn FnMut(&mut Self, &[Array]),
    ) {
        self.scoped(&mut |this| {
            let mut replaced: Vec<(Var, Repr)> = Vec::new();
            for Walked { array: var, shared, outer, again } in this.walked_inputs(map) {
                let array = this.array(var);
                let long = if again { LONG_TO_READ_AGAIN } else { LONG_TO_READ };
                let rows = if shared > 0 {
                    RowOwner::Shared { before: shared, outer, threads: Exp::product(widths.iter().cloned()) }
                } else {
                    RowOwner::Own { outer, long }
                };
                let Some(transposed) = this.transposed(&array, rows) else { continue };
                let from = row_major_matrix(&array, &transposed.matrix);
                this.launch_transpose(&transposed.matrix, &from, TRANSPOSE, &transposed.condition);
                replaced.extend(this.env.insert(var, Repr::Array(transposed.array)).map(|old| (var, old)));
            }
            let transposed: Vec<Option<Transposed>> = outs
                .iter()
                .map(|out| this.transposed(out, RowOwner::Own { outer: widths.len(), long: LONG_TO_MAKE }))
                .collect();
            let made: Vec<Array> = outs
                .iter()
                .zip(&transposed)
                .map(|(out, transposed)| {
                    transposed.as_ref().map_or(out, |transposed| &transposed.array).clone()
                })
                .collect();
            launch(this, &made);
            for (out, transposed) in outs.iter().zip(&transposed) {
                if let Some(Transposed { matrix, condition, .. }) = transposed {
                    let to = row_major_matrix(out, matrix);
                    this.launch_transpose(&to, matrix, TRANSPOSE_BACK, condition);
                }
            }
            this.env.extend(replaced);
        });
    }

    /// An array for a result that is stored transposed, if it is transposed right after the kernel.
    pub fn new_transposed(&mut self, var: Var, points: usize, sizes: &[Exp]) -> Option<Array> {
        let is_transposed = points < sizes.len() && self.transposed_at_once.get(&var) == Some(&points);
        if !is_transposed || self.places.contains_key(&var) {
            return None;
        }
        let prim = prim_of(self.ty(var).elem()?);
        let transposed: Vec<Exp> = sizes[points..].iter().chain(&sizes[..points]).cloned().collect();
        let array = self.new_array(var, prim, &transposed, "map");
        let (row, threads) = array.lead.split_at(sizes.len() - points);
        let lead = threads.iter().chain(row).cloned().collect();
        self.made_transposed.insert(var, array.lead.clone());
        Some(Array { lead, row_major_from: sizes.len(), ..array })
    }

    /// Arrays around a kernel of which each thread walks through rows.
    fn walked_inputs(&self, map: &Kernel) -> Vec<Walked> {
        let mut found = walked(map);
        found.retain(|walked| matches!(self.env.get(&walked.array), Some(Repr::Array(_))));
        found
    }

    /// Memory in which the dimensions of the threads, as one, come last. None if the array is not one that this can be done with.
    fn transposed(&mut self, array: &Array, rows: RowOwner) -> Option<Transposed> {
        let (before, outer) = match &rows {
            RowOwner::Own { outer, .. } => (0, *outer),
            RowOwner::Shared { before, outer, .. } => (*before, *outer),
        };
        let can_be = array.is_regular() && array.counted.is_none() && array.is_row_major();
        if !can_be || array.lead.len() <= before + outer {
            return None;
        }
        let sizes: Vec<Exp> = array.lead.iter().map(|lead| lead.size.clone()).collect();
        let (shared, own) = sizes.split_at(before);
        let (threads, row) = own.split_at(outer);
        let count = self.code.atom("rows", Exp::product(threads.iter().cloned()));
        let length = self.code.atom("row", Exp::product(row.iter().cloned()));
        let matrices = (before > 0).then(|| self.code.atom("matrices", Exp::product(shared.iter().cloned())));
        let are_long = |bytes: i64| Exp::i64((bytes / array.prim.size() as i64).max(4)).le(length.clone());
        let condition = match rows {
            RowOwner::Own { long, .. } => Exp::i64(MANY).le(count.clone()).and(are_long(long)),
            RowOwner::Shared { threads, .. } => {
                let all = matrices.iter().cloned().fold(count.clone(), Exp::mul);
                let often = all.mul(OFTEN).le(threads.clone());
                Exp::i64(MANY)
                    .le(threads)
                    .and(Exp::i64(NEIGHBOURS).le(count.clone()))
                    .and(often)
                    .and(are_long(LONG_TO_READ_AGAIN))
            }
        };
        let condition = self.code.atom("transposed", condition);
        if condition.as_bool() == Some(false) {
            return None;
        }
        let room = self.code.atom("room", Exp::select(condition.clone(), length.clone(), Exp::i64(0)));
        let all: Vec<Exp> = matrices.iter().cloned().chain([room, count.clone()]).collect();
        let memory = self.new_array_named("transposed", array.prim, &all, "map");
        let mut lead = vec![
            Lead { size: count.clone(), stride: Exp::i64(1) },
            Lead { size: length.clone(), stride: count.clone() },
        ];
        if let Some(matrices) = matrices {
            let stride = self.code.atom("stride", count.clone().mul(length.clone()));
            lead.push(Lead { size: matrices, stride });
        }
        let matrix = Array { row_major_from: lead.len(), lead, ..memory };
        let mut transposed_row = self.row_major_lead(row);
        transposed_row.iter_mut().for_each(|lead| lead.stride = lead.stride.clone().mul(count.clone()));
        // Matrices are as large as they were.
        let mut lead = array.lead[..before].to_vec();
        lead.extend(self.row_major_lead(threads));
        lead.extend(transposed_row);
        let ptr = self.code.new_var("transposed", self.code.ty(&matrix.data.ptr));
        let set = |value: &Exp| vec![Stmt::Set(ptr, value.clone())];
        self.code.if_(condition.clone(), set(&matrix.data.ptr), set(&array.data.ptr));
        let mut transposed = array.clone().borrowed();
        for (own, lead) in transposed.lead.iter_mut().zip(lead).skip(before) {
            let stride = Exp::select(condition.clone(), lead.stride, own.stride.clone());
            own.stride = self.code.atom("stride", stride);
        }
        transposed.data.ptr = ptr.into();
        transposed.row_major_from = transposed.lead.len();
        Some(Transposed { array: transposed, matrix, condition })
    }
}

/// The arrays that kernels make and that are only used to be transposed, each with the number of its leading dimensions that come last then.
pub fn transposed_at_once(fun: &Fun) -> FxHashMap<Var, usize> {
    let mut found = FxHashMap::default();
    in_body(&fun.vars, &fun.body, &mut found);
    found
}

fn in_body(vars: &[VarInfo], body: &Body, found: &mut FxHashMap<Var, usize>) {
    let made = body.stms.iter().filter(|stm| stm.grid.is_some()).flat_map(|stm| stm.vars.iter().copied());
    let mut uses: FxHashMap<Var, usize> = made.map(|var| (var, 0)).collect();
    let mut count = |var: Var| {
        if let Some(uses) = uses.get_mut(&var) {
            *uses += 1;
        }
    };
    body.stms.iter().for_each(|stm| uses_of_stm(stm, &mut count));
    body.result.iter().filter_map(|atom| atom.var()).for_each(count);
    for stm in &body.stms {
        if let nest::Exp::Array(ArrayExp::Rearrange { array, perm }) = &stm.exp
            && uses.get(array) == Some(&1)
            && perm.len() == vars[array.0 as usize].ty.rank()
            && let Some(points) = perm.iter().position(|dim| *dim == 0)
            && perm.iter().enumerate().all(|(to, from)| *from == (to + perm.len() - points) % perm.len())
        {
            found.insert(*array, perm.len() - points);
        }
        if stm.grid.is_none() {
            stm.exp.for_each_part(&mut |part| match part {
                Part::Body(body) => in_body(vars, body, found),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) | Part::Lambda(_) => {}
            });
        }
    }
}

/// A row-major array under the sizes of the matrix, or the matrices, of its transposed copy.
fn row_major_matrix(array: &Array, transposed: &Array) -> Array {
    let mut lead = transposed.lead.clone();
    (lead[0].stride, lead[1].stride) = (lead[1].size.clone(), Exp::i64(1));
    Array { lead, ..array.clone().borrowed() }
}
