//! Calls of lifted functions in parts: each device goes down its own part of a recursion, alone.
//!
//! ```text
//! let ys: [n][?]i32 = call quicksort_lifted (n, ks, xs)
//!
//! let many: bool = le.i64 4i64 n
//! let even: bool = if many { .. } else { in false }               no row has much more elements than the share of a device
//! let ys: [n][?]i32 = if even {
//!   let lengths: [n]i64, total: i64, all: [total]i32 = task n (ks, xs) do \(from: i64, count: i64, ks.2: [count]i64, xs.2: [count][?]i32) {
//!     let ys.2: [count][?]i32 = call quicksort_lifted_in_parts (count, ks.2, xs.2)
//!     ..
//!   } rows kept 1
//!   let ys.3: [n][?]i32 = segment lengths all
//!   in ys.3
//! } else {
//!   let ys.4: [n][?]i32 = call quicksort_lifted (n, ks, xs)
//!   in ys.4
//! }
//! ```
//!
//! A lifted function makes each row of its results of the rows with the same number (`flatten/lift`). So a call can be cut between any rows, and what parts call is a copy of the function, and of all that it calls, without tasks. With few rows, as
//! on the first levels of a recursion, or where one has most of the elements, parts would differ too much: there the function with tasks is called, whose operators are shared. On a lower
//! level, its own call has many rows, and is cut.
//!
//! Not cut are functions that use the processor, constants or cells, which are in one place; and those that combine floats, since how rows are combined depends on how many there are.

use super::making::TaskBuilder;
use super::rows::{TaskRows, has_sums_of_floats};
use super::{Fission, has_cells, kernel};
use crate::tuning::ROWS_OF_CALLS;
use norn_base::Span;
use norn_ir::nest::grids::{HOST, IN_PARTS, IN_PARTS_NAME, LIFTED};
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, Exp, Fun, FunId, Lambda, Operator, Prim, Prog, Scalar, Stm,
    Type, Var,
};
use std::collections::{BTreeSet, HashMap};

/// The functions whose calls can be cut.
pub struct Lifted {
    of: HashMap<FunId, InParts>,
    /// Calls with fewer rows are not cut.
    least: i64,
}

struct InParts {
    /// What parts call instead.
    copy: FunId,
    /// Which parameters have a row for each row of the results.
    rows: Vec<bool>,
}

impl Lifted {
    /// Adds what parts call.
    pub fn of(prog: &mut Prog, least: i64) -> Lifted {
        let mut called = BTreeSet::new();
        for fun in prog.funs.iter().filter(|fun| is(fun, HOST)) {
            calls_of_host(&fun.body, &mut |fun| _ = called.insert(fun));
        }
        let mut needed = BTreeSet::new();
        called.retain(|fun| {
            let reached = reached(prog, *fun);
            let is_cut = rows(&prog.funs[fun.0 as usize]).is_some()
                && reached.iter().all(|fun| can_be_in_parts(prog, *fun));
            if is_cut {
                needed.extend(reached);
            }
            is_cut
        });
        let first = prog.funs.len();
        let copies: HashMap<FunId, FunId> =
            needed.iter().zip(first..).map(|(fun, copy)| (*fun, FunId(copy as u32))).collect();
        for fun in &needed {
            let mut copy = prog.funs[fun.0 as usize].clone();
            copy.name.push_str(IN_PARTS_NAME);
            copy.attrs.push(IN_PARTS.to_string());
            call_instead(&mut copy.body, &copies);
            prog.funs.push(copy);
        }
        let in_parts =
            |fun: FunId| Some((fun, InParts { copy: copies[&fun], rows: rows(&prog.funs[fun.0 as usize])? }));
        Lifted { of: called.into_iter().filter_map(in_parts).collect(), least }
    }

    /// What a part calls with its rows, and which arguments are rows.
    pub fn in_parts(&self, fun: FunId) -> Option<(FunId, &[bool])> {
        self.of.get(&fun).map(|InParts { copy, rows }| (*copy, &rows[..]))
    }
}

impl Fission {
    /// A call in parts, if it has many rows, or as it was; after the statements that are added here.
    pub fn call(&mut self, stm: &Stm, out: &mut Vec<Stm>) -> Option<Stm> {
        let Exp::Control(ControlExp::Call { fun, args }) = &stm.exp else { return None };
        let (_, are_rows) = self.lifted.in_parts(*fun)?;
        let count = Atom::Var(args[0].var()?);
        let rows = TaskRows::new(count);
        let is_taken = |(arg, is_rows): (&Atom, &bool)| is_rows.then_some(arg.var());
        let taken: Option<Vec<Var>> = args.iter().zip(are_rows).filter_map(is_taken).collect();
        let taken = taken?;
        if !taken.iter().chain(&stm.vars).all(|var| rows.is_rows(self.names.ty(*var))) {
            return None;
        }
        let irregular = taken.iter().copied().find(|var| self.names.ty(*var).has_irregular_rows());
        let mut many = self.names.fresh("many", Type::bool());
        let exp = Exp::bin(BinOp::Le, Prim::I64, Atom::i64(self.lifted.least), count);
        out.push(Stm::new(vec![many], exp, stm.span));
        if let Some(array) = irregular {
            let then = self.are_even(array, count, stm.span);
            let els = Body { stms: Vec::new(), result: vec![Atom::Const(Scalar::Bool(false))] };
            let even = self.names.fresh("even", Type::bool());
            out.push(Stm::new(vec![even], Exp::if_(many.into(), then, els), stm.span));
            many = even;
        }
        let [then, els] = [true, false].map(|is_cut| {
            let vars = self.names.like(&stm.vars);
            let result = vars.iter().map(|var| (*var).into()).collect();
            let mut stms = vec![Stm { vars, certs: Vec::new(), ..stm.clone() }];
            if is_cut {
                let members = std::mem::take(&mut stms);
                let mut making =
                    TaskBuilder::new(&mut self.names, &self.remade, &self.lifted, count, &members);
                making.member(0);
                members[0].vars.iter().for_each(|var| making.rows(*var));
                making.finish(&mut stms);
            }
            Body { stms, result }
        });
        Some(Stm { exp: Exp::if_(many.into(), then, els), attrs: Vec::new(), ..stm.clone() })
    }
}

impl Fission {
    /// Whether no row has more elements than the share of a device, and a quarter more.
    fn are_even(&mut self, array: Var, count: Atom, span: Span) -> Body {
        let Fission { names, lifted, .. } = self;
        let mut stms = Vec::new();
        let lengths = names.fresh("lengths", Type::array(Prim::I64, vec![Dim::Size(count)]));
        stms.push(Stm::new(vec![lengths], Exp::Array(ArrayExp::Lengths(array)), span));
        let ops = [BinOp::Max, BinOp::Add];
        let reductions = ops.map(|op| names.reduction(op, Prim::I64, Atom::i64(0), span)).to_vec();
        let length = names.fresh("length", Type::i64());
        let body = Body { stms: Vec::new(), result: vec![length.into(); 2] };
        let (lambda, scans) = (Lambda::new(vec![length], body), Vec::new());
        let exp = Operator::Fused { width: count, inputs: vec![lengths], lambda, scans, reductions };
        let [longest, total] = ["longest", "total"].map(|name| names.fresh(name, Type::i64()));
        stms.push(Stm { grid: kernel(), ..Stm::new(vec![longest, total], Exp::Op(exp), span) });
        let mut bin = |name: &str, op: BinOp, x: Atom, y: Atom| {
            let var = names.fresh(name, Type::i64());
            stms.push(Stm::new(vec![var], Exp::bin(op, Prim::I64, x, y), span));
            var
        };
        let devices = lifted.least / ROWS_OF_CALLS;
        let share = bin("share", BinOp::Quot, total.into(), Atom::i64(devices.max(1)));
        let quarter = bin("quarter", BinOp::Lshr, share.into(), Atom::i64(2));
        let share = bin("share", BinOp::Add, share.into(), quarter.into());
        let even = names.fresh("even", Type::bool());
        let exp = Exp::bin(BinOp::Le, Prim::I64, longest.into(), share.into());
        stms.push(Stm::new(vec![even], exp, span));
        Body { stms, result: vec![even.into()] }
    }
}

/// Which parameters of a lifted function have a row for each row of its results; nothing if it is none, or its results are not all like that.
fn rows(fun: &Fun) -> Option<Vec<bool>> {
    let ty = |var: Var| &fun.vars[var.0 as usize].ty;
    let count = fun.params.first().map(|param| param.var).filter(|var| *ty(*var) == Type::i64())?;
    let has_rows = |ty: &Type| ty.dims().first() == Some(&Dim::size(count));
    let overwrites = fun.params.iter().any(|param| param.unique);
    (is(fun, LIFTED) && !overwrites && fun.ret.iter().all(|ret| has_rows(&ret.ty)))
        .then(|| fun.params.iter().map(|param| has_rows(ty(param.var))).collect())
}

fn is(fun: &Fun, attr: &str) -> bool {
    fun.attrs.iter().any(|given| given == attr)
}

/// All functions that the host calls from here, with this one.
fn reached(prog: &Prog, fun: FunId) -> Vec<FunId> {
    let mut all = vec![fun];
    let mut at = 0;
    while let Some(fun) = all.get(at).copied() {
        calls_of_host(&prog.funs[fun.0 as usize].body, &mut |callee| {
            if !all.contains(&callee) {
                all.push(callee);
            }
        });
        at += 1;
    }
    all
}

/// Calls but those of kernels.
fn calls_of_host(body: &Body, visit: &mut dyn FnMut(FunId)) {
    for stm in &body.stms {
        if let Exp::Control(ControlExp::Call { fun, args: _ }) = &stm.exp {
            visit(*fun);
        }
        stm.for_each_part(&mut |part| {
            if let Part::Body(body) = part {
                calls_of_host(body, visit);
            }
        });
    }
}

fn call_instead(body: &mut Body, copies: &HashMap<FunId, FunId>) {
    for stm in &mut body.stms {
        if let Exp::Control(ControlExp::Call { fun, args: _ }) = &mut stm.exp {
            *fun = copies[fun];
        }
        stm.for_each_part_mut(&mut |part| {
            if let PartMut::Body(body) = part {
                call_instead(body, copies);
            }
        });
    }
}

/// Whether parts can call it: all that it does is done by the device of the part, in the same way however many rows that has.
fn can_be_in_parts(prog: &Prog, fun: FunId) -> bool {
    let fun = &prog.funs[fun.0 as usize];
    is(fun, HOST)
        && !fun.vars.iter().any(|info| has_cells(&info.ty))
        && !uses_constants(&fun.body)
        && !has_sums_of_floats(&fun.vars, &fun.body)
}

fn uses_constants(body: &Body) -> bool {
    body.stms.iter().any(|stm| {
        let mut uses = matches!(stm.exp, Exp::Control(ControlExp::Const(_)));
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => uses |= uses_constants(body),
            Part::Lambda(lambda) => uses |= uses_constants(&lambda.body),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        uses
    })
}
