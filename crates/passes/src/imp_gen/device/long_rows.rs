//! Segmented reductions of long rows of like lengths: groups go along rows.
//!
//! ```text
//! grid (i < n | j < m) { let x: f32 = index xss [i, j]  in x } reduce op (x)
//! ```
//!
//! Each row is cut into as many parts as the device needs to be busy, and each group has one. Its threads go
//! along the part side by side, so that accesses coalesce and nothing has to look for the ends of rows; then they combine in shared memory. If
//! rows have several parts, one more launch combines these, with a group for each row.
//!
//! Rows whose lengths the points compute, such as products of a signal with itself, shifted by more and more, are alike if they have at least half of the elements that they would have if all were as
//! long as the longest can be.
//!
//! Refuses operators that need the order of elements, since a thread takes elements that are not neighbours, and shorter rows: `segments` serves those.

use super::GROUP;
use super::kernel::{Kernel, reduction_of};
use super::kernels::{arrays_inside, scalar_inside};
use crate::imp_gen::operators::accs::AccHome;
use crate::imp_gen::operators::elementwise::any_order;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Exp, GroupArray, GroupExp};

/// A thread goes through so many elements at least.
const SHARE: i64 = 8;
/// How many times the groups that run at once there are groups, so that none is left alone for long at the end.
const WAVES: i64 = 2;

impl Gen<'_> {
    /// Whether rows are long enough, if this can be done for a kernel at all.
    pub fn has_long_rows(&self, kernel: &Kernel) -> Option<Exp> {
        let length = kernel.through[0].size()?;
        any_order(reduction_of(kernel).0).then(|| Exp::i64(GROUP * SHARE).le(self.scalar(length)))
    }

    /// Whether so many rows with so many elements in all, of which none is longer, are long and alike, if this can be done at all.
    pub fn are_long_and_alike(
        &self,
        kernel: &Kernel,
        count: &Exp,
        total: &Exp,
        longest: &Exp,
    ) -> Option<Exp> {
        let long = count.clone().mul(GROUP * SHARE).le(total.clone());
        let alike = count.clone().mul(longest.clone()).le(total.clone().mul(2));
        any_order(reduction_of(kernel).0).then(|| Exp::i64(0).lt(count.clone()).and(long).and(alike))
    }

    /// A kernel that reduces, with these numbers of points, and so many in all. The rows have at most this length, or each has one of its own.
    #[allow(clippy::too_many_arguments)]
    pub fn reduce_long_rows(
        &mut self,
        kernel: &Kernel,
        widths: &[Exp],
        count: &Exp,
        length: Exp,
        own_lengths: Option<&Array>,
        outs: &[Array],
        grid: &Grid,
    ) {
        let (op, _) = reduction_of(kernel);
        let most = length.clone().quot(GROUP * SHARE);
        let parts_needed = Exp::DeviceGroups.mul(WAVES).quot(self.of_task(count).max(1));
        let parts = self.code.atom("parts", parts_needed.min(most).max(1));
        let groups = self.code.atom("groups", count.clone().mul(parts.clone()));
        let partials = self.new_partials(&op.lambda, &groups);
        let arrays = [outs.to_vec(), partials];
        let mut extra: Vec<Repr> = arrays.iter().flatten().cloned().map(Repr::Array).collect();
        extra.extend(widths.iter().cloned().map(Repr::Scalar));
        extra.push(Repr::Scalar(parts.clone()));
        let several = |parts: &Exp| Exp::i64(1).lt(parts.clone());

        let mut of_parts = extra.clone();
        of_parts.push(own_lengths.map_or(Repr::Scalar(length), |lengths| Repr::Array(lengths.clone())));
        self.launch_groups("reduce", &grid.captured, &of_parts, groups, &mut |this, shared, given| {
            let mut given = given.into_iter();
            let [outs, partials] = &arrays_inside(&arrays, &mut given)[..] else { unreachable!() };
            let widths: Vec<Repr> = given.by_ref().take(widths.len()).collect();
            let parts = scalar_inside(given.next());
            let length = given.next();
            let group = Exp::Group(GroupExp::Group);
            let row = this.code.atom("row", group.clone().quot(parts.clone()));
            let length = match length {
                Some(Repr::Array(lengths)) => {
                    let at = this.element_index(&lengths, std::slice::from_ref(&row));
                    let own = this.element(&lengths, at);
                    this.code.atom("length", own)
                }
                length => scalar_inside(length),
            };
            let part = this.code.atom("part", group.clone().sub(row.clone().mul(parts.clone())));
            let share = length.clone().add(parts.clone()).sub(1).quot(parts.clone());
            let share = this.code.atom("share", share);
            let from = this.code.atom("from", part.mul(share.clone()));
            let to = this.code.atom("to", from.clone().add(share).min(length));
            let indices = this.indices_of(row, &widths);
            let accs = this.neutral_accs(op, AccHome::Buffers(None));
            let first = from.add(Exp::Group(GroupExp::Thread));
            this.each_by("j", first, GROUP, &to, &mut |this, j| {
                let mut at = indices.clone();
                at.push(j);
                this.guarded(&mut |this| {
                    this.at_element(kernel, &at, &[], &mut |this| {
                        let values: Vec<Repr> =
                            kernel.body.result.iter().map(|atom| this.value(*atom)).collect();
                        this.combine(&op.lambda, &accs, &values, &[]);
                    });
                });
            });
            let room = this.room_to_combine(shared, &op.lambda);
            let combined = this.combined_in_group(&room, &op.lambda, &accs);
            this.in_first_thread(&mut |this| {
                this.code.open();
                let values: Vec<Repr> = combined.iter().cloned().map(Repr::Scalar).collect();
                this.store_partial(partials, &group, &values);
                let to_partials = this.code.close();
                this.code.open();
                this.guarded(&mut |this| this.finish_point(kernel, &indices, &combined, outs));
                let to_outs = this.code.close();
                this.code.if_(several(&parts), to_partials, to_outs);
            });
        });

        self.code.open();
        self.launch_groups("reduce", &grid.captured, &extra, count.clone(), &mut |this, shared, given| {
            let mut given = given.into_iter();
            let [outs, partials] = &arrays_inside(&arrays, &mut given)[..] else { unreachable!() };
            let widths: Vec<Repr> = given.by_ref().take(widths.len()).collect();
            let parts = scalar_inside(given.next());
            this.combine_parts_of_row(shared, kernel, partials, &parts, &widths, outs);
        });
        let again = self.code.close();
        self.code.when(several(&parts), again);
    }

    /// In a kernel with a group for each row: what the parts of the row yielded.
    fn combine_parts_of_row(
        &mut self,
        shared: &mut Vec<GroupArray>,
        kernel: &Kernel,
        partials: &[Array],
        parts: &Exp,
        widths: &[Repr],
        outs: &[Array],
    ) {
        let (op, _) = reduction_of(kernel);
        let row = Exp::Group(GroupExp::Group);
        let from = self.code.atom("from", row.clone().mul(parts.clone()));
        let to = self.code.atom("to", from.clone().add(parts.clone()));
        let accs = self.neutral_accs(op, AccHome::Buffers(None));
        self.each_by("i", from.add(Exp::Group(GroupExp::Thread)), GROUP, &to, &mut |this, i| {
            this.guarded(&mut |this| {
                let values = this.partial_at(partials, &i);
                this.scoped(&mut |this| this.combine(&op.lambda, &accs, &values, &[]));
            });
        });
        let room = self.room_to_combine(shared, &op.lambda);
        let combined = self.combined_in_group(&room, &op.lambda, &accs);
        self.in_first_thread(&mut |this| {
            let indices = this.indices_of(row.clone(), widths);
            this.guarded(&mut |this| this.finish_point(kernel, &indices, &combined, outs));
        });
    }
}
