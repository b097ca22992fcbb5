//! How often the values of digits occur, and where they begin when keys are sorted by that digit.

use super::super::GROUP;
use super::super::kernels::{array_inside, scalar_inside};
use super::{I64, lent_array, pointer_inside, segment_length};
use crate::imp_gen::operators::sort::KeyKind;
use crate::imp_gen::operators::sort::rank::{DIGIT_BITS, DIGIT_VALUES, digit, rank};
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, DeviceStmt, Elem, Exp, GroupExp, GroupStmt, LoopForm, Prim, Scalar, Stmt};

const I32: Elem = Elem::Prim(Prim::I32);
/// So many keys at least a thread should count.
const SHARE: i64 = 16;

impl Gen<'_> {
    /// For each digit where its values begin; and as much memory again.
    pub(super) fn digit_starts(&mut self, kind: KeyKind, source: &Exp, width: &Exp, segments: &Exp) -> Array {
        let values = kind.digits() * DIGIT_VALUES;
        let total = self.code.atom("total", segments.clone().mul(values));
        let counts = self.new_array_named("counts", Prim::I32, std::slice::from_ref(&total), "sort");
        let clear = DeviceStmt::Clear { elem: I32, ptr: counts.data.ptr.clone(), count: total };
        self.code.push(Stmt::Device(clear));
        self.each(0, segments.clone(), LoopForm::Plain, &mut |this, segment| {
            let first = this.code.bind("first", segment.clone().mul(segment_length(kind)));
            let count = width.clone().sub(first).min(segment_length(kind));
            let count: Exp = this.code.bind("count", count).into();
            let row = this.code.atom("row", segment.mul(values));
            let keys = Exp::offset(kind.key_elem(), source.clone(), first);
            let keys = this.code.bind("keys", keys);
            let extra = [
                lent_array(kind.bits(), &keys.into(), &count),
                Repr::Scalar(count.clone()),
                Repr::Scalar(row),
                Repr::Array(counts.clone()),
            ];
            let groups = this.groups_for(&count, SHARE, Some(Exp::DeviceGroups));
            this.launch_groups("sort", &[], &extra, groups, &mut |this, arrays, given| {
                let mut given = given.into_iter();
                let keys = pointer_inside(given.next());
                let (count, row) = (scalar_inside(given.next()), scalar_inside(given.next()));
                let counts = array_inside(given.next().expect("imp_gen: a kernel lacks counts"));
                let own = this.shared_array(arrays, "own", Prim::I32, values);
                let thread = Exp::Group(GroupExp::Thread);
                this.each(0, kind.digits(), LoopForm::Plain, &mut |this, d| {
                    this.code.store(I32, own, d.mul(GROUP).add(thread.clone()), Scalar::I32(0));
                });
                this.barrier();
                this.each_apart(&count, &mut |this, i| {
                    let key = this.code.bind("key", Exp::load(kind.key_elem(), keys.clone(), i));
                    let own_rank = this.code.bind("rank", rank(kind.prim, key.into()));
                    for d in 0..kind.digits() {
                        let value = digit(kind.prim, own_rank.into(), &Exp::i64(d * DIGIT_BITS));
                        let index = value.add(d * DIGIT_VALUES);
                        this.add_word(own.into(), index, Scalar::I32(1).into());
                    }
                });
                this.barrier();
                this.each(0, kind.digits(), LoopForm::Plain, &mut |this, d| {
                    let at: Exp = this.code.bind("at", d.mul(GROUP).add(thread.clone())).into();
                    let value = this.code.bind("count", Exp::load(I32, own, at.clone()));
                    this.add_word(counts.data.ptr.clone(), row.clone().add(at), value.into());
                });
            });
        });
        self.sums_of_counts(kind, segments, counts)
    }

    pub(super) fn add_word(&mut self, ptr: Exp, index: Exp, value: Exp) {
        let (op, prim) = (BinOp::Add, Prim::I32);
        self.code.push(Stmt::Group(GroupStmt::Atomic { op, prim, ptr, index, value, old: None }));
    }

    /// One group for each digit.
    fn sums_of_counts(&mut self, kind: KeyKind, segments: &Exp, counts: Array) -> Array {
        let values = kind.digits() * DIGIT_VALUES;
        let starts = self.new_array_named("starts", Prim::I64, &[Exp::i64(2 * values)], "sort");
        let extra = [Repr::Scalar(segments.clone()), Repr::Array(counts), Repr::Array(starts.clone())];
        let groups = Exp::i64(kind.digits());
        self.launch_groups("sort", &[], &extra, groups, &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let segments = scalar_inside(given.next());
            let counts = array_inside(given.next().expect("imp_gen: a kernel lacks counts"));
            let starts = array_inside(given.next().expect("imp_gen: a kernel lacks starts"));
            let thread = Exp::Group(GroupExp::Thread);
            let at = Exp::Group(GroupExp::Group).mul(GROUP).add(thread.clone());
            let at: Exp = this.code.bind("at", at).into();
            let sum = this.code.bind("sum", Exp::i64(0));
            this.each(0, segments, LoopForm::Plain, &mut |this, segment| {
                let index = segment.mul(values).add(at.clone());
                let count = Exp::load(I32, counts.data.ptr.clone(), index).convert(Prim::I32, Prim::I64);
                this.code.set(sum, Exp::Var(sum).add(count));
            });
            let sums = this.sum_group(arrays, Prim::I64, sum);
            let before = this.code.bind("before", Exp::load(I64, sums, thread).sub(sum));
            this.store(&starts, &[at], before.into());
        });
        starts
    }
}
