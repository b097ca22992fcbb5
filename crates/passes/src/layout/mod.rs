//! In which order arrays of rows lie, where a thread makes each row.
//!
//! Before:
//! ```text
//! let r: [n][4]f32 = loop (x: [n][4]f32 = xs) for i: i64 < steps {
//!   let y: [n][4]f32 = grid map n (iota) \(i: i64) { .. x[i + 1, k] .. in row }
//!   in y
//! }
//! ```
//! After:
//! ```text
//! let xs.t: [4][n]f32 = rearrange xs (1, 0)
//! let r.t: [4][n]f32 = loop (x.t: [4][n]f32 = xs.t) for i: i64 < steps {
//!   let x: [n][4]f32 = rearrange x.t (1, 0)
//!   let y.made: [n][4]f32 = grid map n (iota) \(i: i64) { .. x[i + 1, k] .. in row }
//!   let y.t: [4][n]f32 = rearrange y.made (1, 0)
//!   in y.t
//! }
//! let r: [n][4]f32 = rearrange r.t (1, 0)
//! ```
//!
//! Neighbouring threads make neighbouring rows, element by element: what they write at the same time is contiguous if the array is stored transposed. As
//! long as nobody needs it row-major, it stays so: from kernel to kernel, through branches, and from step to step of a loop. `imp_gen` makes what is
//! rearranged at once in that order, and views cost nothing. What control flow joins is row-major of its type, so the types change there.
//!
//! Needs: nest, placed. Gives: the same. Keeps: results. Refuses: arrays that are overwritten, or that functions take or yield. Method: which arrays
//! control flow makes one (`classes`), which of the two orders those who make and read them like better, by how they index them (`votes`), and the
//! change (`transpose`). Cost: linear.

mod classes;
pub(crate) mod interchange;
mod kernels;
mod transpose;
mod views;
mod votes;

use crate::imp_gen::device_kernels;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::{Prog, Var};
use rustc_hash::FxHashMap;

/// The arrays that are to be stored transposed, each with the number of its leading dimensions that come last then.
pub type Transposed = FxHashMap<Var, usize>;

pub fn layout(prog: &mut Prog) {
    for fun in &mut prog.funs {
        let Some((with_kernels, kernels)) = device_kernels(fun) else { continue };
        let classes = classes::classes(&with_kernels, &kernels);
        if classes.is_empty() {
            continue;
        }
        let transposed = votes::transposed(&with_kernels, &kernels, &classes);
        if !transposed.is_empty() {
            transpose::transpose(fun, &classes, &transposed);
            normalise_fun(fun);
        }
    }
}
