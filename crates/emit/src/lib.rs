//! imp as text for the compilers of platforms: C for the CPU, for now.
//!
//! There is one printer. What a dialect of C does its own way is behind `dialect::Dialect`; the primitives of the
//! device are in header files of their own (rts/cpu), of which those that a program needs are pasted in front of it, so
//! that the text compiles alone. The same program always becomes the same text, on every machine: what depends
//! on the machine is left to the preprocessor of its compiler.
//!
//! A function becomes `static int f_NAME(norn_worker *w, arguments.., results by pointer..)`, a kernel a `norn_kernel`
//! that finds its arguments in a struct; both return how they ended (rts/cpu/abi.h). Expressions are printed as they
//! stand: they have no effects, and C computes them in any order.
//!
//! The text has to be compiled with `-fwrapv -fno-strict-aliasing -fno-math-errno -fno-trapping-math` (integers wrap
//! around, cells hold values of all types, mathematical functions set no errno and raise no signals) and linked with
//! `-lm`. Warnings are of no interest (`-w`).

mod code;
mod dialect;
mod exp;
mod mask;
mod mask_exp;
mod names;
mod program;
mod scalar;
mod scope;
mod stmt;
mod vector;
mod vector_exp;

use norn_ir::imp::Prog;

/// A program in C for the CPU. It exports what rts/cpu/abi.h says: `norn_entry_0`, .. in the order of the entry points, and
/// `norn_globals`. The program obeys the rules of imp.
pub fn emit_c(prog: &Prog) -> String {
    program::emit(prog, &dialect::C)
}
