//! Packing: what all rows load of a panel, next to each other in memory.
//!
//! In a matrix the rows of a panel are far apart: often on a page each, and at places that a cache cannot keep at the same
//! time. Where many rows of the result use the panel it is copied first:
//! ```text
//! start = &b[first]; stride = m
//! if packs {
//!   for k { copy(&scratch[k*width], &start[k*stride], last - first) }
//!   start = scratch; stride = width
//! }
//! for i { for j in first .. last { for k reduce { sum += a[i*p + k] * start[k*stride + (j - first)] } } }
//! ```
//! The loops are the same in both cases, so that it can be decided when sizes are known.
//!
//! - Needs: loads that are the same for all rows and contiguous along the columns (`jam`). No row writes what another reads, so
//!   it does not matter when they are done.
//! - Refuses: loads whose places do not follow each other in one step along the sum, or depend on memory.

use super::plan::Planner;
use super::product::{Product, rebuilt};
use super::shape::{Shape, shapes};
use super::tree::{VarSet, read};
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::walk::PartMut;
use norn_ir::imp::{Block, Elem, Exp, LoopForm, SiteId, Stmt, Type, Var};

/// From how many rows on it pays.
const ROWS: i64 = 16;
/// What is spread over fewer bytes stays in the fastest cache as it is.
const SPREAD_BYTES: i64 = 1 << 15;

/// A load that can be packed.
pub struct Strided {
    load: Exp,
    elem: Elem,
    /// The pointer to what is loaded, in terms of the column, the number of the summand, and what rows leave alone.
    place: Exp,
    /// How many elements it is from one summand to the next.
    stride: Exp,
}

/// The loads whose places are one step apart along the sum.
pub fn strided(planner: &Planner<'_>, product: &Product<'_>, loads: &[Exp]) -> Vec<Strided> {
    let sum = product.sum;
    let accumulators: VarSet = match sum.form {
        LoopForm::Plain | LoopForm::Independent => VarSet::new(),
        LoopForm::Reduce(accumulators) => accumulators.iter().map(|acc| acc.var).collect(),
    };
    let along = read(sum.block, &accumulators);
    let along = along.and_then(|body| shapes(planner.vars, sum.var, &accumulators, &body, None));
    let strided = |load: &Exp| {
        let Exp::Load { elem, ptr, index } = load else { return None };
        let Shape::Steps(stride) = along.as_ref()?.place(ptr, index)? else { return None };
        let stride = product.meaning(&stride).filter(|stride| product.is_fixed(stride))?;
        let place = Exp::offset(*elem, product.meaning(ptr)?, product.meaning(index)?);
        Some(Strided { load: load.clone(), elem: *elem, place, stride })
    };
    loads.iter().filter_map(strided).collect()
}

/// A load that is packed where that is worth it.
pub struct Pack {
    load: Strided,
    trips: Var,
    width: Var,
    /// Whether it is worth it.
    packs: Var,
    scratch: Var,
}

impl Pack {
    /// Before the loop over panels, for so many rows, sums of `trips`, and `width` columns in a panel.
    pub fn begin(
        code: &mut CodeBuilder,
        mut load: Strided,
        rows: Exp,
        [trips, width]: [Var; 2],
        site: SiteId,
    ) -> Pack {
        load.stride = code.atom("stride", load.stride);
        let distance = load.stride.clone().max(Exp::i64(0).sub(load.stride.clone()));
        let spread = Exp::Var(trips).mul(distance);
        let worth = rows.ge(ROWS).and(spread.ge(SPREAD_BYTES / load.elem.bytes()));
        let packs = code.bind("packs", worth);
        let scratch = code.bind("scratch", Exp::null_block());
        let bytes = Exp::bytes(load.elem, Exp::Var(trips).mul(width));
        code.when(packs, vec![Stmt::Alloc { block: scratch, bytes, site }]);
        Pack { load, trips, width, packs, scratch }
    }

    /// For the panel of these columns, whose rows load from here then.
    pub fn fill(
        &self,
        code: &mut CodeBuilder,
        product: &Product<'_>,
        [first, last]: [Var; 2],
        row: &mut Block,
    ) {
        let Strided { load, elem, place, stride } = &self.load;
        let (column, summand, from) = (product.columns.var, product.sum.var, product.sum.from);
        let corner = rebuilt(place, &mut |var| match var {
            var if var == column => Some(first.into()),
            var if var == summand => Some(from.clone()),
            var => Some(var.into()),
        });
        let start = code.bind("start", corner.expect("vectorise: nothing is refused"));
        let stride = code.bind("stride", stride.clone());
        let number = code.new_var("number", Type::I64);
        code.open();
        let scratch = code.bind("scratch", Exp::data(*elem, self.scratch));
        code.open();
        let to = Exp::offset(*elem, scratch, Exp::Var(number).mul(self.width));
        let far = Exp::offset(*elem, start, Exp::Var(number).mul(stride));
        code.copy(*elem, to, far, Exp::Var(last).sub(first));
        let copies = code.close();
        code.for_(number, 0, self.trips, LoopForm::Plain, copies);
        code.set(start, scratch);
        code.set(stride, self.width);
        let packing = code.close();
        code.when(self.packs, packing);
        let down = Exp::Var(summand).sub(from.clone()).mul(stride);
        let there = Exp::load(*elem, start, down.add(Exp::Var(column).sub(first)));
        replace(row, load, &there);
    }

    /// After the loop over panels.
    pub fn end(&self, code: &mut CodeBuilder) {
        code.release(self.scratch);
    }
}

/// In a block, another expression in the place of this one.
fn replace(block: &mut Block, old: &Exp, new: &Exp) {
    fn replace_in(exp: &mut Exp, old: &Exp, new: &Exp) {
        match exp == old {
            true => *exp = new.clone(),
            false => exp.for_each_child_mut(&mut |child| replace_in(child, old, new)),
        }
    }
    for stmt in block {
        stmt.for_each_part_mut(&mut |part| match part {
            PartMut::Exp(exp) => replace_in(exp, old, new),
            PartMut::Block(block) => replace(block, old, new),
            PartMut::Assigned(_) | PartMut::Accumulator(_) => {}
        });
    }
}
