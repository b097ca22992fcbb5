//! Automatic differentiation, as a transformation of nest: it writes the functions that lowering asked to be derivatives of others.
//!
//! ```text
//! fun f (x: f64) -> f64 {                 fun f_forward (x: f64, x': f64) -> f64, f64 {
//!   let y: f64 = sin.f64 x                  let y: f64 = sin.f64 x
//!   in y                                    let c: f64 = cos.f64 x
//! }                                         let y': f64 = mul.f64 c x'
//!                                           in y, y'
//!                                         }
//! ```
//!
//! It comes right behind lowering, so that all backends see ordinary nest, and derivatives are fused and flattened like anything else. Functions that call derivatives
//! are differentiated after these have been written, which gives higher derivatives. What a function calls becomes a derivative, too: one for each set of active parameters.
//!
//! **Forwards** (`forward`), each statement is followed by one that computes how its results change (their *tangents*): dual numbers. An operator computes both in one
//! traversal.
//!
//! **In reverse** (`reverse`), the statements run once (the forward sweep), and then once more in the opposite order (the return sweep), where each adds to the *adjoints* of its operands: how
//! much they matter. The return sweep needs values of the forward sweep. Those of a scope are still there, and those of the bodies inside of it are computed once more on return, so
//! that only loops need a tape: of what they carry. This is the method of Schenck, Rønning, Henriksen and Oancea, "AD for an Array Language with Nested Parallelism" (SC 2022). The rules of `reduce`,
//! `scan` and `hist` come from Bruun, Larsen, Hinnerskov and Oancea, "Reverse-Mode AD of Multi-Reduce and Scan in Futhark" (IFL 2023).
//!
//! Needs: a program as lowering leaves it, without regions, fused operators and tasks. Gives: a body to each function that has been asked for. Keeps: everything else.
//! Refuses, with a diagnostic at the place: cells with active floats, and what the rules of a direction do not know.

#![forbid(unsafe_code)]

mod activity;
mod forward;
mod partials;
mod parts;
mod reverse;
mod writer;

use norn_base::{Diagnostic, Diagnostics, Span, codes};
use norn_ir::nest::calls::callees;
use norn_ir::nest::derivative::{Custom, Derivative, Derivatives, Mode, Numbers};
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::{Body, Fun, FunId, Prog};
use rustc_hash::FxHashMap;

/// Writes all derivatives that are asked for.
pub fn differentiate(prog: &mut Prog, derivatives: Derivatives) -> Result<(), Diagnostics> {
    let Derivatives { asked, customs } = derivatives;
    let mut work = Work {
        functions: parts::Known::new(prog),
        prog,
        customs,
        known: FxHashMap::default(),
        states: FxHashMap::default(),
        diagnostics: Diagnostics::default(),
    };
    for derivative in asked {
        let Derivative { fun, of, mode, numbers, active } = derivative;
        let key = Key { of, mode, numbers, active };
        work.known.insert(key.clone(), fun);
        work.states.insert(fun, State::Asked(key));
    }
    for at in 0..work.prog.funs.len() {
        work.write(FunId(at as u32));
    }
    if work.diagnostics.has_errors() {
        work.diagnostics.sort();
        return Err(work.diagnostics);
    }
    Ok(())
}

/// What determines a derivative.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    of: FunId,
    mode: Mode,
    numbers: Numbers,
    active: Vec<usize>,
}

/// How far a derivative is.
enum State {
    Asked(Key),
    /// Its signature is there, its body is being written.
    Started,
}

struct Work<'a> {
    prog: &'a mut Prog,
    customs: Vec<Custom>,
    known: FxHashMap<Key, FunId>,
    /// Looked up only, never enumerated.
    states: FxHashMap<FunId, State>,
    functions: parts::Known,
    diagnostics: Diagnostics,
}

impl Work<'_> {
    /// The derivative of a function that is called. It has its signature.
    fn derivative(&mut self, of: FunId, mode: Mode, numbers: Numbers, active: Vec<usize>) -> FunId {
        let key = Key { of, mode, numbers, active };
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let fun = FunId(self.prog.funs.len() as u32);
        self.prog.funs.push(Fun::nothing());
        self.known.insert(key.clone(), fun);
        self.states.insert(fun, State::Asked(key));
        self.write(fun);
        fun
    }

    fn write(&mut self, fun: FunId) {
        if let Some(State::Asked(_)) = self.states.get(&fun) {
            let Some(State::Asked(key)) = self.states.insert(fun, State::Started) else { return };
            self.write_asked(key.of, &mut Vec::new());
            let of = self.prog.funs[key.of.0 as usize].clone();
            if of.body.result.len() != of.ret.len() {
                let message = "A function is differentiated inside of itself.";
                self.unsupported(of.span, message);
                return;
            }
            self.prog.funs[fun.0 as usize] = Fun { body: Body::default(), ..signature(self, &of, &key) };
            let mut written = match key.mode {
                Mode::Forward => forward::forward(self, &of, key.numbers, &key.active),
                Mode::Reverse => {
                    let of = parts::with_parts_in_place(self, of);
                    reverse::reverse(self, &of, key.numbers, &key.active)
                }
            };
            normalise_fun(&mut written);
            self.prog.funs[fun.0 as usize] = written;
        }
    }

    /// All derivatives that a function uses are to be written before it is differentiated itself.
    fn write_asked(&mut self, fun: FunId, seen: &mut Vec<FunId>) {
        if seen.contains(&fun) {
            return;
        }
        seen.push(fun);
        self.write(fun);
        let body = std::mem::take(&mut self.prog.funs[fun.0 as usize].body);
        let callees = callees(self.prog, &body);
        self.prog.funs[fun.0 as usize].body = body;
        callees.into_iter().for_each(|callee| self.write_asked(FunId(callee as u32), seen));
    }

    fn unsupported(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(codes::NOT_SUPPORTED, span, message));
    }
}

/// The parameters and results of a derivative, for calls of it while it is being written.
fn signature(work: &mut Work, of: &Fun, key: &Key) -> Fun {
    match key.mode {
        Mode::Forward => forward::signature(work, of, key.numbers, &key.active),
        Mode::Reverse => reverse::signature(of, key.numbers, &key.active),
    }
}
