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
//! - `map` is maps whose threads have nothing to do with each other, `accesses` what threads read, `uneven` maps that make rows of
//!   different lengths, `groups` those whose elements are done by groups of threads, `abreast` several points in a thread that have work in common;
//! - `point_order` chooses which point neighbouring threads differ in, `layouts` the layout of rows that threads traverse (`walks`), so that accesses coalesce, and `transpose` makes it;
//! - `segments` is segmented reductions, `columns` those of columns, `tile` matrix products in tiles, `jam` unroll-and-jam of rows in a thread, `staged` reductions
//!   over what all threads read;
//! - `kernel` is kernels of flat, whose lines are `reduce`, `scan`, `filter`, `scatter` and `hist`; `from_nest` and `points` make them, for now; `sort` sorts,
//!   `lookback` is sums over tiles, `room` what memory groups share;
//! - `cells` makes values of recursive types with arrays in them, `transfer` calls functions of the processor.

mod abreast;
mod accesses;
mod aligned;
mod appended;
mod arrays;
mod cells;
mod columns;
mod effort;
mod empty_rows;
pub mod filter;
pub mod from_nest;
pub mod groups;
pub mod hist;
mod irregular;
mod jam;
pub mod kernel;
mod kernels;
pub mod layouts;
mod long_rows;
mod lookback;
pub mod map;
mod parts;
mod pieces;
mod point_order;
mod points;
mod reach;
mod reduce;
pub mod room;
mod scan;
mod scan_columns;
mod scatter;
mod segments;
mod sort;
mod staged;
mod tile;
mod tile_loop;
mod tile_results;
mod transfer;
mod transpose;
mod uneven;
mod walks;

use super::operators::launch::Grid;
use super::operators::sort::Sort;
use super::state::Gen;
use norn_ir::nest::{Operator, Var};

/// How many threads a group has.
pub const GROUP: i64 = 256;

impl Gen<'_> {
    /// An operator on the device. `place` puts nothing else into grids.
    pub fn device_operator(&mut self, vars: &[Var], op: &Operator, grid: &Grid) {
        if let Some(form) = self.kernels.get(&std::ptr::from_ref(op)) {
            return self.in_pieces(op, grid, &mut |this| this.device_form(vars, form, grid));
        }
        match op {
            Operator::Sort { width, keys, yields } => {
                self.device_sort(&Sort { width: *width, keys: *keys, yields: *yields, vars });
            }
            _ => panic!("imp_gen: a grid of what the device cannot do in {}", self.fun.name),
        }
    }
}
