//! Numbers that come from the device and that only kernels need are not read by the host.
//!
//! Before:
//! ```text
//! let r: [n]f32, s: f32 = loop (x: [n]f32 = xs, mean: f32 = 0f32) for i: i64 < steps {
//!   let total: f32 = reduce n (x) ..
//!   let pivot: f32 = index x [i]                    // the host waits for all kernels before, and reads
//!   let next: f32 = div.f32 total size
//!   let y: [n]f32 = map n (x) \(a: f32) { .. a .. pivot .. mean .. }
//!   in y, next
//! }
//! ```
//! After:
//! ```text
//! let start: [1]f32 = array (0f32)
//! let r: [n]f32, last: [1]f32 = loop (x: [n]f32 = xs, means: [1]f32 = start) for i: i64 < steps {
//!   let total: f32 = reduce n (x) ..                // stays on the device (`place::sides`)
//!   let y: [n]f32 = map n (x) \(a: f32) {
//!     let pivot: f32 = index x [i]                  // each thread reads it
//!     let mean: f32 = index means [0]
//!     .. a .. pivot .. mean ..
//!   }
//!   let nexts: [1]f32 = map 1 .. { let next: f32 = div.f32 total size in next }
//!   in y, nexts
//! }
//! let s: f32 = index last [0]
//! ```
//!
//! Reading takes as long as several kernels, and nothing can be launched meanwhile. So a loop whose steps need no answer of the device
//! runs ahead of it.
//!
//! Needs: nest, distributed. Gives: the same. Keeps: results and failures. Refuses: what the host needs for anything else
//! (`plan`): sizes, conditions, arguments and results of functions; elements of arrays that are overwritten before the last kernel
//! that needs them. Method: which scalars come from the device, which of these stay there (`plan`); kernels check these, and read and write where these say
//! (`indexed`); scalars that loops hand on become arrays of one element
//! (`carry`); the statements go into the lambdas that need them (`into`), for each thread computes a few numbers faster than the host asks for one.
//! What the host does read, it reads as late as it can (`late`), and for a condition only where the rest of it leaves it open (`conditional`).
//! Cost: linear, times the depth of loops.

mod carry;
mod conditional;
mod indexed;
mod into;
mod late;
mod plan;

use crate::nest::memory::signatures;
use crate::nest::subst::Names;
use crate::place::able::Able;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::{FunId, Prog};
use plan::Plan;

pub fn sink(prog: &mut Prog) {
    let able = Able::new(prog);
    let signatures = signatures(prog);
    for (number, fun) in prog.funs.iter_mut().enumerate() {
        if !able.runs_at_host(FunId(number as u32)) {
            continue;
        }
        let mut names = Names::of(&signatures, fun);
        let plan = Plan::of(&names, &able, &signatures, &fun.body);
        if !plan.is_empty() {
            let indexes = indexed::indexed(&mut names, &plan, &mut fun.body);
            let plan = if indexes { Plan::of(&names, &able, &signatures, &fun.body) } else { plan };
            let carries = carry::carry(&mut names, &plan, &mut fun.body);
            let plan = if carries { Plan::of(&names, &able, &signatures, &fun.body) } else { plan };
            into::sink(&mut names, &plan, &able, &mut fun.body);
        }
        late::read_late(&names, &able, &signatures, &mut fun.body);
        conditional::read_if_open(&names, &signatures, &mut fun.body);
        fun.vars = names.vars;
        normalise_fun(fun);
    }
}
