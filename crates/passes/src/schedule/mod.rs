//! Decide what runs in parallel on a device with a few powerful threads: from nest to flat.
//!
//! Before:
//! ```text
//! let sums: [n]f32 = map n (xss) \(xs: [m]f32) {
//!   let s: f32 = reduce m (xs) neutral (0f32) \(x: f32, y: f32) { .. }
//!   in s
//! }
//! ```
//! After:
//! ```text
//! let work: i64 = mul.i64 n m  ..
//! let outer: bool = ..                 // there are many rows, or each sum is little work
//! let sums: [n]f32 = if outer {
//!   let sums.2: [n]f32 = grid work map n (xss) \(xs: [m]f32) {
//!     let s: f32 = reduce m (xs) neutral (0f32) ..
//!     in s
//!   }
//!   in sums.2
//! } else {
//!   let sums.3: [n]f32 = grid work map n (xss) \(xs.2: [m]f32) {
//!     let s.2: f32 = grid work.2 reduce m (xs.2) neutral (0f32) ..
//!     in s.2
//!   }
//!   in sums.3
//! }
//! ```
//!
//! Needs: nest, optimised. Gives: flat. Keeps: results and failures.
//! Refuses: operators that are little work whatever the sizes, and those marked `sequential`. Lambdas of reductions stay sequential.
//!
//! Method: from the outside in. Where little of the program is running (`Saturation::Open`) an operator is put into a grid; what is inside it
//! - stays sequential if there is nothing in it worth more;
//! - is as much work for each element: two versions, and a test. With many elements, or only small operators in it, the inside
//!   stays sequential; else it is scheduled as well, and the device has pieces of both levels to choose from;
//! - varies: it is scheduled as well, but runs in parallel only where that is much, also compared with what there is in all
//!   (`Saturation::Tested`). Pieces are balanced by the elements of irregular rows.
//!
//! In a recursive function the same operator is large at first and small in the end, so it is tested there too. Wherever all
//! is sequential, functions are called in a version that is sequential throughout.
//!
//! Cost: linear. Of each statement there are at most `VERSIONS` + 1 copies in a function, and one sequential function.

pub mod amount;
mod clones;
mod copy;
pub mod emit;
mod plan;
pub mod price;
pub mod work;

use amount::Factor;
use clones::Clones;
use copy::{copy_body, rebind};
use emit::Emit;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::{Atom, BinOp, Body, ControlExp, Exp, Fun, Grid, LoopForm, Prog, Stm, Var, VarInfo};
use plan::{How, Saturation, Test, plan};
use work::{FunWork, Work, work};

/// Less work than this is never worth a grid.
const SMALL: u64 = 1 << 12;
/// At least as much work as this is worth a grid inside another.
const LARGE: u64 = 1 << 15;
/// With so many elements for each worker, no other parallelism is needed.
const ENOUGH: u64 = 8;
/// Inside a grid, what is less than such a part of what a worker has to do need not be split.
const SHARES: i64 = 4;
/// How often on the way from a function to a statement inside there may be a choice between versions.
const VERSIONS: u32 = 2;

pub fn schedule(prog: &mut Prog) {
    schedule_where(prog, |_| true);
}

/// Only these functions; the others stay as they are.
pub fn schedule_where(prog: &mut Prog, is_selected: impl Fn(&Fun) -> bool) {
    let table = work(prog);
    let mut clones = Clones::new(&table);
    let mut funs = Vec::with_capacity(prog.funs.len());
    for (fun, work) in prog.funs.iter().zip(&table) {
        if !is_selected(fun) {
            funs.push(fun.clone());
            continue;
        }
        let saturation =
            if work.recursive { Saturation::tested(VERSIONS) } else { Saturation::Open(VERSIONS) };
        funs.push(schedule_fun(fun.clone(), work, saturation, &mut clones));
    }
    while let Some(original) = clones.next() {
        let index = original.0 as usize;
        let mut fun =
            schedule_fun(prog.funs[index].clone(), &table[index], Saturation::Sequential, &mut clones);
        fun.name.push_str("_sequential");
        funs.push(fun);
    }
    prog.funs = funs;
}

fn schedule_fun(mut fun: Fun, work: &FunWork, saturation: Saturation, clones: &mut Clones) -> Fun {
    let vars = std::mem::take(&mut fun.vars);
    let mut scheduler = Scheduler { vars, work, clones };
    fun.body = scheduler.body(std::mem::take(&mut fun.body), saturation);
    fun.vars = scheduler.vars;
    normalise_fun(&mut fun);
    fun
}

struct Scheduler<'a> {
    vars: Vec<VarInfo>,
    work: &'a FunWork,
    clones: &'a mut Clones,
}

impl Scheduler<'_> {
    fn body(&mut self, body: Body, saturation: Saturation) -> Body {
        let mut stms = Vec::with_capacity(body.stms.len());
        for stm in body.stms {
            match self.work.of(&stm) {
                Some(work) if saturation != Saturation::Sequential => {
                    self.operator(stm, work, saturation, &mut stms)
                }
                Some(_) | None => stms.push(self.inside(stm, saturation)),
            }
        }
        Body { stms, result: body.result }
    }

    fn operator(&mut self, stm: Stm, work: &Work, saturation: Saturation, out: &mut Vec<Stm>) {
        let plan = plan(&stm, work, saturation);
        let mut emit = Emit::new(&mut self.vars, out, stm.span);
        let total = if plan.then.grid || plan.els.grid { emit.amount(&work.total) } else { Atom::i64(0) };
        let cond = match plan.test {
            None => return self.version(stm, work, &plan.then, total, out),
            Some(Test::Much(limit)) => emit.at_most("much", limit, total),
            Some(Test::OuterIsEnough { width, grain }) => {
                let wide = width.map(|width| {
                    let workers = emit.workers();
                    let enough = emit.bin(BinOp::Mul, "enough", workers, Atom::i64(ENOUGH as i64));
                    emit.at_most("wide", enough, width)
                });
                let little = grain.map(|grain| {
                    let grain = emit.amount(&grain);
                    emit.at_most("little", grain, Atom::i64(LARGE as i64 - 1))
                });
                match (wide, little) {
                    (Some(wide), Some(little)) => emit.or("outer", wide, little),
                    (Some(test), None) | (None, Some(test)) => test,
                    (None, None) => Atom::bool(false),
                }
            }
        };
        let (vars, certs, attrs, span) = (stm.vars.clone(), stm.certs.clone(), stm.attrs.clone(), stm.span);
        let then = self.branch(stm.clone(), work, &plan.then, total);
        let then = copy_body(&mut self.vars, then);
        let els = self.branch(stm, work, &plan.els, total);
        out.push(Stm { certs, attrs, ..Stm::new(vars, Exp::if_(cond, then, els), span) });
    }

    /// A version that binds its own variables.
    fn branch(&mut self, mut stm: Stm, work: &Work, how: &How, total: Atom) -> Body {
        rebind(&mut self.vars, &mut stm);
        let result = stm.vars.iter().map(|var| (*var).into()).collect();
        let mut stms = Vec::new();
        self.version(stm, work, how, total, &mut stms);
        Body { stms, result }
    }

    fn version(&mut self, stm: Stm, work: &Work, how: &How, total: Atom, out: &mut Vec<Stm>) {
        if !how.grid {
            return out.push(self.inside(stm, how.inside));
        }
        let inside = match how.inside {
            // Many rows balance each other, however large they are.
            Saturation::Tested(versions, limit) => {
                let mut emit = Emit::new(&mut self.vars, out, stm.span);
                let workers = emit.workers();
                let shares = emit.bin(BinOp::Mul, "shares", workers, Atom::i64(SHARES));
                let share = emit.bin(BinOp::Quot, "share", total, shares);
                Saturation::Tested(versions, emit.bin(BinOp::Max, "limit", limit, share))
            }
            saturation @ (Saturation::Sequential | Saturation::Open(_)) => saturation,
        };
        let balance = balance(&stm.exp, work);
        let stm = self.inside(stm, inside);
        out.push(Stm { grid: Some(Grid { work: total, balance }), ..stm });
    }

    /// The bodies of a statement are scheduled; of an operator, those that are not reductions.
    fn inside(&mut self, mut stm: Stm, saturation: Saturation) -> Stm {
        // Scheduled already.
        if stm.grid.is_some() {
            return stm;
        }
        match &mut stm.exp {
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                self.replace(then, saturation);
                self.replace(els, saturation);
            }
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                cases.iter_mut().for_each(|(_, body)| self.replace(body, saturation));
                self.replace(default, saturation);
            }
            Exp::Control(ControlExp::Loop { params: _, form, body }) => {
                match form {
                    LoopForm::For(..) => {}
                    LoopForm::While(cond) => self.replace(cond, saturation),
                }
                self.replace(body, saturation);
            }
            Exp::Control(ControlExp::Call { fun, args: _ }) if saturation == Saturation::Sequential => {
                *fun = self.clones.of(*fun)
            }
            Exp::Op(op) => op.for_each_lambda_mut(&mut |lambda, combines| {
                self.replace(&mut lambda.body, if combines { Saturation::Sequential } else { saturation });
            }),
            Exp::Control(ControlExp::Call { .. } | ControlExp::Const(_) | ControlExp::Check(_))
            | Exp::Scalar(_)
            | Exp::Array(_)
            | Exp::Cell(_) => {}
        }
        stm
    }

    fn replace(&mut self, body: &mut Body, saturation: Saturation) {
        *body = self.body(std::mem::take(body), saturation);
    }
}

/// An input whose elements the work depends on.
fn balance(exp: &Exp, work: &Work) -> Option<Var> {
    let operator = exp.op().filter(|operator| !operator.is_ordered())?;
    work.total.factors().find_map(|factor| match factor {
        Factor::Rows(var, _) if operator.inputs().contains(&var) => Some(var),
        Factor::Rows(..) | Factor::Size(_) => None,
    })
}
