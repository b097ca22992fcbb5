//! Code for a host and its device.
//!
//! ```text
//! let ys: [n]f32 = grid map n (xs) \(x: f32) { .. }      a group kernel, one thread for each element, and its launch
//! let y: f32 = index ys [i]                              one element is read, when the device has come that far
//! let zs: [m]f32 = ys[a:b]                               the remote pointer `ys + a`, and nothing else
//! let k: i64 = call f_cpu (n, ys)                        `ys` is copied to the host's memory before
//! ```
//!
//! In a host function every array is on the device, so no array needs a tag that says where it is. Arrays that a kernel borrows
//! outlive it: inside, all blocks of the host are one block that always exists.
//!
//! - `kernels` makes group kernels and launches them, `arrays` does with whole arrays what a host asks for;
//! - `nest` is maps in maps, `elements` those whose threads have nothing to do with each other, `uneven` maps that make rows of
//!   different lengths, `groups` those whose elements are done by groups of threads;
//! - `layouts` chooses the layout of rows that threads traverse (`walks`), so that accesses coalesce, and `transpose` makes it;
//! - `segments` is segmented reductions, `tile` matrix products in tiles, `jam` unroll-and-jam of rows in a thread, `staged` reductions
//!   over what all threads read;
//! - `sweep` is reductions, `scan`, `choose`, `hist` and `sort` are the other operators, `lookback` sums over tiles, `room` what memory groups share;
//! - `transfer` calls functions of the processor.

mod arrays;
mod choose;
mod elements;
pub mod groups;
mod hist;
mod irregular;
mod jam;
mod kernels;
mod layouts;
mod lookback;
mod nest;
pub mod ordered_hist;
pub mod room;
mod scan;
mod segments;
mod sort;
mod staged;
mod sweep;
mod tile;
mod tile_loop;
mod transfer;
mod transpose;
mod uneven;
mod walks;

use super::operators::choose::Choose;
use super::operators::elementwise::primitive_columns;
use super::operators::hist::Hist;
use super::operators::launch::Grid;
use super::operators::sort::Sort;
use super::operators::sweep::Sweep;
use super::state::Gen;
use norn_ir::nest::{Operator, Var};
use std::slice::from_ref;

/// How many threads a group has.
pub const GROUP: i64 = 256;

impl Gen<'_> {
    /// An operator on the device. `place` puts nothing else into grids.
    pub fn device_operator(&mut self, vars: &[Var], op: &Operator, grid: &Grid) {
        let sweep = match op {
            Operator::Map { width, inputs, lambda }
                if vars.iter().any(|var| self.ty(*var).has_irregular_rows()) =>
            {
                return self.device_uneven_map(vars, *width, inputs, lambda, grid);
            }
            Operator::Map { width, inputs, lambda }
                if lambda.body.stms.iter().any(|stm| stm.grid.is_some()) =>
            {
                return self.device_groups(vars, *width, inputs, lambda, grid);
            }
            Operator::Map { width, inputs, lambda } => {
                let nest = self.nest(*width, inputs, lambda);
                if !self.device_rows(vars, &nest, grid) {
                    self.device_nest(vars, &nest, grid);
                }
                return;
            }
            Operator::Reduce { width, op, inputs } => {
                let (scans, reductions) = (&[][..], from_ref(op));
                Sweep { name: "reduce", width: *width, inputs, lambda: None, scans, reductions, vars }
            }
            Operator::Fused { width, inputs, lambda, scans, reductions } => {
                let lambda = Some(lambda);
                Sweep { name: "fused", width: *width, inputs, lambda, scans, reductions, vars }
            }
            Operator::Scan { width, op, inputs } => {
                let (scans, reductions) = (from_ref(op), &[][..]);
                Sweep { name: "scan", width: *width, inputs, lambda: None, scans, reductions, vars }
            }
            Operator::Filter { width, inputs, lambda } => {
                let choose = Choose { name: "filter", width: *width, inputs, lambda, keep_rest: false, vars };
                return self.device_choose(&choose, grid);
            }
            Operator::Partition { width, inputs, lambda } => {
                let choose =
                    Choose { name: "partition", width: *width, inputs, lambda, keep_rest: true, vars };
                return self.device_choose(&choose, grid);
            }
            Operator::Sort { width, keys, wanted } => {
                let sort = Sort { width: *width, keys: *keys, wanted: *wanted, vars };
                return self.device_sort(&sort);
            }
            Operator::Scatter { width, dests, inputs, lambda } => {
                let hist = Hist { name: "scatter", width: *width, dests, op: None, inputs, lambda, vars };
                return self.device_hist(&hist, grid);
            }
            Operator::Hist { width, dests, op, inputs, lambda } => {
                let hist = Hist { name: "hist", width: *width, dests, op: Some(op), inputs, lambda, vars };
                let any_order = primitive_columns(&op.lambda)
                    .is_some_and(|columns| columns.iter().all(|(_, prim)| prim.is_int() && prim.size() >= 4));
                return match any_order {
                    true => self.device_hist(&hist, grid),
                    false => self.device_ordered_hist(&hist, grid),
                };
            }
            _ => panic!("imp_gen: a grid of what the device cannot do in {}", self.fun.name),
        };
        self.device_sweep(&sweep, grid);
    }
}
