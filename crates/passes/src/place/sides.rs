//! What grids reduce to and the host does not need stays on the device: the host does not wait for it.
//!
//! ```text
//! let total: f32 = grid 0i64 reduce n (xs) ..                let total: f32 @device = grid 0i64 reduce n (xs) ..
//! let ys: [n]f32 = grid 0i64 map n (xs) \(x: f32) {     ==>  let ys: [n]f32 = grid 0i64 map n (xs) \(x: f32) {
//!   let y: f32 = div.f32 x total                               let y: f32 = div.f32 x total
//! ```

use norn_ir::nest::grids::needs::{host_needs, reduced_by};
use norn_ir::nest::{Fun, Side, Stm};
use std::collections::HashSet;

/// In a function of the host whose grids are known.
pub fn keep_on_device(fun: &mut Fun) {
    let is_kernel = |stm: &Stm| stm.grid.is_some();
    let mut reduced = Vec::new();
    reduced_by(&fun.body, &is_kernel, &mut reduced);
    reduced.retain(|var| fun.vars[var.0 as usize].ty.is_scalar());
    if reduced.is_empty() {
        return;
    }
    let mut needed = HashSet::new();
    host_needs(&fun.vars, &fun.body, &is_kernel, &mut |var| _ = needed.insert(var));
    for var in reduced.into_iter().filter(|var| !needed.contains(var)) {
        fun.vars[var.0 as usize].side = Some(Side::Device);
    }
}
