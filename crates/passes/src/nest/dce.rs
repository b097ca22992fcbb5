//! Remove what nothing needs: statements, results, parameters, inputs, functions, constants, data.
//!
//! Before:
//! ```text
//! fun f (n: i64, xs: [n]i32, y: i32) -> *[n]i32 {
//!   let a: [n]i32, b: [n]i32 = map n (xs, xs) \(x: i32, z: i32) {
//!     let u: i32 = add.i32 x y
//!     let v: i32 = mul.i32 z y
//!     in u, v
//!   }
//!   in a
//! }
//! ```
//! After:
//! ```text
//! fun f (n: i64, xs: [n]i32, y: i32) -> *[n]i32 {
//!   let a: [n]i32 = map n (xs) \(x: i32) {
//!     let u: i32 = add.i32 x y
//!     in u
//!   }
//!   in a
//! }
//! ```
//!
//! Needs: a valid program. Gives: every statement that is left may fail, or something needs it.
//! Keeps: the failures, and the signatures of entry points and constants. A program without entry
//! points keeps all its functions as they are, since it is a part of one.
//! Refuses: to take scans and reductions apart; their results depend on each other.
//! Method: marking through the whole program at once. Nodes are variables, statements, functions and their
//! results; what a node needs is marked with it. The roots are the entry points; checks, and calls that may
//! fail, are needed by their function. A parameter that is needed makes the arguments of all calls that are
//! there needed, so parameters of recursive functions and of loops that only lead to themselves go away.
//! Cost: linear in the size of the program.

mod mark;
mod sweep;

use super::effects::effects;
use norn_ir::nest::Prog;
use norn_ir::nest::normalise::normalise;

pub fn dce(prog: &mut Prog) {
    let effects = effects(prog);
    let marks = mark::mark(prog, &effects);
    sweep::sweep(prog, &marks);
    normalise(prog);
}
