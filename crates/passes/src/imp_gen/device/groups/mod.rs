//! Maps whose elements are done by groups of threads: what is made of an element stays in memory that is the group's.
//!
//! ```text
//! grid map n (xss) \(xs: [m]f32) {
//!   let ys: [m]f32 = loop (zs = xs) for i < k {       all threads go through the loop together
//!     let s: f32 = grid reduce m (zs) ..              all of them, and then each has the sum
//!     let ts: [m]f32 = grid map m (zs) \z { .. s .. } in the pool, each thread some elements; and all wait for each other
//!     in ts
//!   }
//!   in ys
//! }
//! ```
//!
//! Outside of operators all threads of a group do the same with the same values, so they agree about every branch. Code is made as for one
//! thread, but for what is here: memory comes from a pool (`pool`), loops have two places for each array that they hand on (`control`),
//! whatever writes arrays is done by elements (`arrays`, `operators`). Which statements may stand in such a map, `flatten/groups` says.

mod arrays;
mod control;
mod hist;
mod operators;
mod pool;
mod rows;
mod sweep;

use super::GROUP;
use super::kernel::{Kernel, tunable};
use super::kernels::{array_inside, scalar_inside};
use crate::imp_gen::operators::accs::lent;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::{Gen, Where};
use crate::imp_gen::views::At;
pub use hist::shared_by_hist;
use norn_ir::flat::Tunable;
use norn_ir::imp::{Elem, Exp, GroupExp, GroupStmt, Prim, Stmt, Type};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Atom, Body, ControlExp, Exp as NestExp, LoopForm, Var};
pub use operators::inner_map;
pub use pool::Pool;
use std::slice::from_ref;

/// So many threads are in a group if operators have few elements.
pub const FEW_THREADS: i64 = 64;
/// What marks a map whose groups are such.
pub const FEW: &str = "few_threads";
/// Where memory of groups is on the device, it is kept for so many groups for each that can run at once.
const SCRATCH: i64 = 4;

/// Whether threads go together through a loop that ends when something holds.
fn has_while(body: &Body) -> bool {
    body.stms.iter().any(|stm| {
        let mut found =
            matches!(stm.exp, NestExp::Control(ControlExp::Loop { form: LoopForm::While(_), .. }));
        stm.for_each_part(&mut |part| {
            if let Part::Body(body) = part {
                found = found || has_while(body);
            }
        });
        found
    })
}

impl Gen<'_> {
    pub fn device_groups(&mut self, vars: &[Var], kernel: &Kernel, grid: &Grid) {
        let widths: Vec<Exp> = kernel.points.iter().map(|point| self.extent(point.extent)).collect();
        let width = self.code.atom("rows", Exp::product(widths.iter().cloned()));
        let outs = self.nest_outs(vars, &widths);
        let bytes = self.code.new_i64("pool_bytes");
        let scratch = self.code.new_var("scratch", Type::Remote(Elem::Prim(Prim::U8)));
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.extend(widths.iter().cloned().map(Repr::Scalar));
        extra.extend([width.clone(), bytes.into(), scratch.into()].map(Repr::Scalar));
        let mut sizes = Vec::new();
        self.group_size = tunable(kernel, Tunable::Group);
        let made = self.group_kernel("rows", &grid.captured, &extra, &mut |this, arrays, mut given| {
            let [scratch, bytes, width] = [(); 3].map(|()| scalar_inside(given.pop()));
            let widths = given.split_off(given.len() - kernel.points.len());
            let widths: Vec<Exp> = widths.into_iter().map(|width| scalar_inside(Some(width))).collect();
            let outs: Vec<Array> = given.into_iter().map(array_inside).collect();
            this.pool = Some(Pool::new(&mut this.code));
            this.code.open();
            if has_while(&kernel.body) {
                this.expect_failures(arrays);
            }
            this.at = Where::Group;
            this.each_by_groups("row", Exp::i64(1), &width, &mut |this, row| {
                this.empty_pool();
                let indices = this.indices_of_sizes(row, &widths);
                this.group_row(kernel, &outs, &indices);
                // The next row is made in the same memory.
                this.barrier();
            });
            this.at = Where::Thread;
            let body = this.code.close();
            let pool = this.pool.take().expect("imp_gen: a group without a pool");
            if !pool.sizes.is_empty() {
                this.code.push(Stmt::Group(GroupStmt::Pool { var: pool.base, scratch, bytes }));
            }
            this.code.append(body);
            arrays.extend(pool.arrays);
            sizes = pool.sizes;
        });
        self.group_size = GROUP;
        // What the kernel asks for, it asks for in its own variables.
        for size in &mut sizes {
            size.for_each_var_mut(&mut |var| *var = made.outside[var]);
        }
        let none = sizes.is_empty();
        let needed = self.code.atom("needed", Exp::sum(sizes));
        self.code.set(bytes, needed.clone());
        let groups = self.code.atom("groups", width.min(1 << 30));
        let has_pool = Exp::i64(0).lt(Exp::DevicePool);
        let groups = match none {
            true => groups,
            false => {
                let most = groups.clone().min(Exp::DeviceGroups.mul(SCRATCH));
                self.code.atom("groups", Exp::select(has_pool.clone(), groups, most))
            }
        };
        let kept = if none { Exp::i64(0) } else { Exp::select(has_pool, 0, groups.clone().mul(needed)) };
        let kept = self.code.atom("kept", kept);
        let site = self.operator_site("scratch");
        let memory = self.new_part("scratch", Prim::U8, from_ref(&kept), site);
        self.code.set(scratch, memory.ptr);
        self.launch_kernel("rows", made, groups);
        self.bind_outs(vars, outs);
    }

    fn group_row(&mut self, kernel: &Kernel, outs: &[Array], indices: &[Exp]) {
        for (point, index) in kernel.points.iter().zip(indices) {
            self.env.insert(point.var, Repr::Scalar(index.clone()));
        }
        let at: Vec<At> = indices.iter().cloned().map(At::Fix).collect();
        let mut targets: Vec<(Atom, Option<Array>)> = Vec::with_capacity(outs.len());
        for (out, result) in outs.iter().zip(&kernel.body.result) {
            let place = (out.rank() > at.len()).then(|| self.part_of(out, &at).pop());
            targets.push((*result, place.flatten().map(|place| lent(&array_inside(place)))));
        }
        self.run_body(&kernel.body, &targets, &mut |this| {
            for (out, (result, place)) in outs.iter().zip(&targets) {
                match place {
                    Some(place) => this.deliver(*result, place),
                    None => {
                        let value = this.scalar(*result);
                        this.by_one_thread(&mut |this| this.store(out, indices, value.clone()));
                    }
                }
            }
        });
    }

    /// What each thread does for itself.
    pub fn by_threads(&mut self, make: &mut dyn FnMut(&mut Self)) {
        let outer = std::mem::replace(&mut self.at, Where::Thread);
        make(self);
        self.at = outer;
    }

    /// What the first thread does for all.
    fn by_one_thread(&mut self, make: &mut dyn FnMut(&mut Self)) {
        self.code.open();
        self.by_threads(make);
        let block = self.code.close();
        self.code.when(Exp::Group(GroupExp::Thread).eq(0), block);
    }

    /// What is done for each of so many elements by one thread or other. Then all have what was written.
    fn by_elements(&mut self, count: &Exp, make: &mut dyn FnMut(&mut Self, Exp)) {
        self.by_threads(&mut |this| {
            this.each_in_group(count, &mut |this, i| this.guarded(&mut |this| make(this, i.clone())));
        });
        self.meet();
    }

    pub fn bind_outs(&mut self, vars: &[Var], outs: Vec<Array>) {
        for (var, out) in vars.iter().zip(outs) {
            self.bind(*var, Repr::Array(out));
        }
    }
}
