//! Where the bits of floats are, of all elements of a histogram: by how many bits whole numbers are shifted at least and at most.
//!
//! The threads of a group raise both ends in shared memory by atomic maxima, then the group raises those of all groups. The host reads the result.

use super::Hist;
use super::limbs::{Float, Parts};
use crate::imp_gen::device::kernels::array_inside;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, DeviceStmt, Elem, Exp, GroupExp, GroupStmt, Prim, Scalar, Stmt, Var as ImpVar};

const WORD: Elem = Elem::Prim(Prim::I32);
/// More than numbers are shifted. Both ends are found as the largest of numbers, which are 0 at first.
const MOST: i64 = 1 << 12;

/// How much less than `MOST` the lowest is, and how much more than -1 the highest.
struct Ends {
    low: Exp,
    high: Exp,
}

impl Gen<'_> {
    /// The lowest and the highest; the lowest is negative if some elements are no numbers.
    pub(super) fn span_of_elements(&mut self, hist: &Hist, float: Float, grid: &Grid) -> (Exp, Exp) {
        let two = Exp::i64(2);
        let ends = self.new_array_named("ends", Prim::I32, std::slice::from_ref(&two), "hist");
        let (elem, ptr) = (WORD, ends.data.ptr.clone());
        self.code.push(Stmt::Device(DeviceStmt::Clear { elem, ptr, count: two }));
        let mut extra = hist.reprs();
        extra.push(Repr::Array(ends.clone()));
        let elements = self.elements_of(hist);
        let groups = self.groups_for(&elements, super::shared::SHARE, Some(Exp::DeviceGroups));
        self.launch_groups("hist", &grid.captured, &extra, groups, &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let hist = hist.inside(&mut given);
            let ends = array_inside(given.next().expect("imp_gen: a kernel was handed too little"));
            let shared = this.shared_array(arrays, "ends", Prim::I32, 2);
            this.each_in_group(&Exp::i64(2), &mut |this, end| {
                this.code.store(WORD, shared, end, Scalar::I32(0));
            });
            this.barrier();
            this.raise_span_of_thread(&hist, float, shared);
            this.barrier();
            this.raise_span_of_group(&ends, shared);
        });
        let [low, high] = ["low", "high"].map(|name| self.code.bind(name, Scalar::I32(0)));
        let (ptr, index) = (ends.data.ptr, Exp::i64(0));
        self.code.push(Stmt::Device(DeviceStmt::Read { vars: vec![low, high], elem: WORD, ptr, index }));
        let [low, high] = [low, high].map(|end| Exp::Var(end).convert(Prim::I32, Prim::I64));
        // Where there are nothing but zeros, both are what there is at first.
        let low = Exp::i64(MOST).sub(low);
        let high = self.code.atom("high", high.sub(1).max(0));
        (self.code.atom("low", low.min(high.clone())), high)
    }

    // # In kernels

    fn raise_span_of_thread(&mut self, hist: &Hist, float: Float, shared: ImpVar) {
        let (low, high) = (self.code.bind("low", 0), self.code.bind("high", 0));
        self.each_cell(hist, &mut |this, cell| {
            for value in this.values_at(hist.values, &cell.position) {
                let Parts { is_special, number, shift, .. } = this.parts_of_float(float, value);
                this.code.open();
                let below = Exp::select(is_special, Exp::i64(MOST + 1), Exp::i64(MOST).sub(shift.clone()));
                this.code.set(low, Exp::Var(low).max(below));
                this.code.set(high, Exp::Var(high).max(shift.add(1)));
                let found = this.code.close();
                this.code.when(number.eq(0).not(), found);
            }
        });
        let ends = Ends { low: low.into(), high: high.into() };
        self.raise_span(ends, Exp::Var(shared));
    }

    fn raise_span_of_group(&mut self, ends: &Array, shared: ImpVar) {
        self.code.open();
        let end = |at: i64| Exp::load(WORD, shared, Exp::i64(at)).convert(Prim::I32, Prim::I64);
        self.raise_span(Ends { low: end(0), high: end(1) }, ends.data.ptr.clone());
        let raise = self.code.close();
        self.code.when(Exp::Group(GroupExp::Thread).eq(0), raise);
    }

    fn raise_span(&mut self, ends: Ends, ptr: Exp) {
        for (at, end) in [ends.low, ends.high].into_iter().enumerate() {
            let (op, prim, index) = (BinOp::Max, Prim::I32, Exp::i64(at as i64));
            let value = end.convert(Prim::I64, prim);
            let ptr = ptr.clone();
            self.code.push(Stmt::Group(GroupStmt::Atomic { op, prim, ptr, index, value, old: None }));
        }
    }
}
