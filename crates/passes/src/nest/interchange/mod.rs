//! A loop of maps becomes a map of loops, if each iteration computes an element from what the one before made of it.
//!
//! Before:
//! ```text
//! let ys: [n]f32 = loop (x: [n]f32 = xs) for i: i64 < k {
//!   let t: f32 = index ts [i]
//!   let y: [n]f32 = map n (x) \(a: f32) {
//!     let b: f32 = mul.f32 a t
//!     in b
//!   }
//!   in y
//! }
//! ```
//! After:
//! ```text
//! let ys: [n]f32 = map n (xs) \(start: f32) {
//!   let y: f32 = loop (x: f32 = start) for i: i64 < k {
//!     let t: f32 = index ts [i]
//!     let a: f32 = x
//!     let b: f32 = mul.f32 a t
//!     in b
//!   }
//!   in y
//! }
//! ```
//!
//! The array, which each iteration read and wrote, is gone: its element is in a register. On a device there is one kernel instead of one for each
//! iteration. This is loop interchange, stated on index spaces and dependences (`elementwise`): all arrays that the loop hands on have one
//! outermost dimension, the loop's *width*, which no iteration changes; all that iterations compute of these arrays are maps over that width; and element `e` of
//! what they make depends on elements `e` alone, and on what is *uniform*: the same for all elements. Uniform work is done for each element, so that it must be a few operations on
//! scalars. Branches and loops in the loop are taken apart in the same way, and the loop may be a `while` whose condition is uniform.
//!
//! Elements that are rows are interchanged once more, until they are scalars or small enough for registers; if that fails, all stays as it was. So
//! no operator is left in a map that would then have to run the loop for each of few rows.
//!
//! On a processor, arrays that iterations read beside those that they hand on had better be read in the order of the loop, row by row: there, such loops stay
//! (`Reads`). On a device, neighbours read neighbours in either order.
//!
//! Needs: a valid, simplified program, not yet fused: fusion then takes the map together with what makes its inputs and uses its results.
//! Gives: no such loop.
//! Keeps: results and failures: what may fail and is uniform is also checked where there are no elements.
//! Refuses: loops that show what they do; uniform results of the loop that depend on arrays and are used; rows of different lengths.
//! Method: one walk over the loop, which makes the body of the map on the way.
//! Cost: linear in the size of the program times the depth of rows in rows.

mod elementwise;
mod uniform;

use super::memory::signatures;
use super::mentions::mentioned;
use super::subst::Names;
use elementwise::{Elementwise, Taken};
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Dim, Exp, Lambda, Operator, Prim, Prog, Showing, Stm, Type, Var,
};
use rustc_hash::FxHashSet;

/// So many scalars are in registers.
const IN_REGISTERS: i64 = 16;

/// Which arrays iterations may read at places that depend on the element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// Only those that they hand on.
    OwnElements,
    Any,
}

/// Where it is better on all machines.
pub fn interchange(prog: &mut Prog) {
    run(prog, Reads::OwnElements);
}

/// Also where it is better on a device. Whether anything changed.
pub fn interchange_for_device(prog: &mut Prog) -> bool {
    run(prog, Reads::Any)
}

fn run(prog: &mut Prog, reads: Reads) -> bool {
    let (signatures, showing) = (signatures(prog), Showing::of(prog));
    let mut changed = false;
    for fun in &mut prog.funs {
        if !fun.body.stms.iter().any(holds_loop) {
            continue;
        }
        let mentioned = mentioned(fun);
        let iotas = FxHashSet::default();
        let (names, vars) = (Names::of(&signatures, fun), mentioned.len());
        let mut walk = Interchange { names, showing: &showing, reads, mentioned, iotas, changed: false };
        walk.body(&mut fun.body);
        changed |= walk.changed;
        fun.vars = walk.names.vars;
        if !walk.changed {
            fun.vars.truncate(vars);
        }
    }
    if changed {
        normalise(prog);
    }
    changed
}

fn holds_loop(stm: &Stm) -> bool {
    let mut found = matches!(stm.exp, Exp::Control(ControlExp::Loop { .. }));
    stm.for_each_part(&mut |part| match part {
        Part::Body(body) => found = found || body.stms.iter().any(holds_loop),
        Part::Lambda(lambda) => found = found || lambda.body.stms.iter().any(holds_loop),
        Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
    found
}

struct Interchange<'a> {
    names: Names,
    showing: &'a Showing,
    reads: Reads,
    /// Whether each variable of the function was mentioned when the pass began.
    mentioned: Vec<bool>,
    /// Arrays that are 0, 1, 2, ..
    iotas: FxHashSet<Var>,
    changed: bool,
}

impl Interchange<'_> {
    /// Loops inside first: what has become a map can be part of a loop around.
    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.body(body),
                PartMut::Lambda(lambda) => self.body(&mut lambda.body),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
            if is_iota(&stm) {
                self.iotas.insert(stm.vars[0]);
            }
            match self.interchanged(&stm) {
                Some(instead) => {
                    self.changed = true;
                    body.stms.extend(instead);
                }
                None => body.stms.push(stm),
            }
        }
    }

    /// The map of loops, and what goes with it.
    fn interchanged(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Exp::Control(ControlExp::Loop { params, .. }) = &stm.exp else { return None };
        if stm.is_opaque() || self.showing.exp(&stm.exp) {
            return None;
        }
        let first = params.iter().find(|(param, _)| self.names.ty(param.var).is_array())?;
        let width = self.names.ty(first.0.var).dims()[0].atom()?;
        let walk = Elementwise::new(&mut self.names, &self.iotas, width, stm);
        let taken = walk.outermost(stm)?;
        if self.reads == Reads::OwnElements && taken.reads_elsewhere {
            return None;
        }
        let mut out = self.uniform_part(stm, width, &taken.arrays)?;
        let thread = self.down_to_scalars(&taken)?;
        let Taken { mut inputs, results, position, .. } = taken;
        if let Some(position) = position {
            let ty = Type::array(Prim::I64, vec![Dim::Size(width)]);
            let numbers = self.names.fresh("r", ty);
            out.push(Stm::new(vec![numbers], Exp::iota(width), stm.span));
            inputs.push((numbers, position));
        }
        let arrays = stm.vars.iter().filter(|var| self.names.ty(**var).is_array()).copied();
        let (inputs, lambda_params) = inputs.into_iter().unzip();
        let lambda = Lambda::new(lambda_params, Body { stms: thread, result: results });
        let map = Exp::map(width, inputs, lambda);
        let (certs, attrs) = (stm.certs.clone(), stm.attrs.clone());
        out.push(Stm { certs, attrs, ..Stm::new(arrays.collect(), map, stm.span) });
        Some(out)
    }

    /// The statements of a thread, in which the loop has no operators left.
    fn down_to_scalars(&mut self, taken: &Taken) -> Option<Vec<Stm>> {
        let (inner, first) = taken.stms.split_last().expect("a loop was taken apart");
        let Exp::Control(ControlExp::Loop { params, .. }) = &inner.exp else {
            panic!("interchange: what was taken apart is no loop");
        };
        let is_small = |ty: &Type| elements(ty).is_some_and(|count| count <= IN_REGISTERS);
        let mut thread = first.to_vec();
        if params.iter().all(|(param, _)| is_small(self.names.ty(param.var))) && is_of_a_thread(inner) {
            thread.push(inner.clone());
        } else {
            thread.extend(self.interchanged(inner)?);
        }
        Some(thread)
    }
}

/// How many scalars a value is, where that is known.
fn elements(ty: &Type) -> Option<i64> {
    let dim = |dim: &Dim| Some(dim.atom()?.constant()?.bits() as i64);
    ty.dims().iter().try_fold(1i64, |product, size| product.checked_mul(dim(size)?))
}

/// Whether it has no operators but over a few elements, and calls nothing.
fn is_of_a_thread(stm: &Stm) -> bool {
    let few = |width: Atom| width.constant().is_some_and(|width| (width.bits() as i64) <= IN_REGISTERS);
    let own = match &stm.exp {
        Exp::Op(
            Operator::Map { width, .. } | Operator::Reduce { width, .. } | Operator::Scan { width, .. },
        ) => few(*width),
        Exp::Op(_) | Exp::Control(ControlExp::Call { .. }) | Exp::Cell(_) => false,
        _ => true,
    };
    let mut inside = own;
    stm.for_each_part(&mut |part| match part {
        Part::Body(body) => inside = inside && body.stms.iter().all(is_of_a_thread),
        Part::Lambda(lambda) => inside = inside && lambda.body.stms.iter().all(is_of_a_thread),
        Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
    inside
}

fn is_iota(stm: &Stm) -> bool {
    matches!(&stm.exp, Exp::Array(ArrayExp::Range { prim: Prim::I64, start, step, .. })
        if (*start, *step) == (Atom::i64(0), Atom::i64(1)))
}
