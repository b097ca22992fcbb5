//! Run the parts of tasks, one after the other on one device, or on several.
//!
//! Before:
//! ```text
//! let ys: [n]f32 = task n (xs) do \(from: i64, count: i64, xs.2: [count]f32) { .. in ys.2 } rows
//! ```
//! After:
//! ```text
//! let none: [n]f32 = replicate n 0f32
//! let ys: [n]f32 = loop (all: *[n]f32 = none) for part: i64 < parts {
//!   let from: i64 = mul.i64 part rows
//!   let count: i64 = ..
//!   let xs.2: [count]f32 = index xs [from:count:1i64]
//!   ..
//!   let all.2: [n]f32 = update all [from:count:1i64] ys.2
//!   in all.2
//! }
//! ```
//!
//! Needs: tasks (`fission`). Gives: none. Keeps: results, but for the rounding of floats that reductions and scans combine.
//!
//! With one device this is for tests: what is split wrongly shows in every program. Parts have a fixed number of rows, or more where there
//! would be too many parts. With several, statements with attributes ask for a plan: how many parts there are, which rows each has, and who does what follows. There, parts
//! are run at the same time, and the results of each have a place of their own (`apart`). On one device, each goes on with what the parts before have yielded (`in_turn`).
//!
//! Cost: a loop around each task. Nothing is doubled.

mod alone;
mod apart;
mod blocks;
mod elements;
mod in_turn;
mod parts;
pub mod processor;
mod weights;

use crate::nest::memory::signatures;
use crate::nest::mentions;
use crate::nest::subst::Names;
use crate::place::sides::keep_on_device;
use blocks::{AllBlocks, divided_up};
use norn_base::Span;
use norn_ir::nest::grids::{
    BRING, COUNT, ELEMENTS, FROM, HOST, PART, PARTS, PLAN, PROCESSOR, ROOM, SELECT, UNEVEN,
};
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::task::Task;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, LoopForm, Operator, Prim, Prog, Scalar, Stm, Type, Var,
};
use weights::Weights;

/// How many rows parts have in tests: few, and no power of two.
const ROWS: i64 = 7;
/// How many parts a task has at most.
const MOST_PARTS: i64 = 32;

pub fn cut(prog: &mut Prog) {
    cut_at(prog, ROWS);
}

/// Into parts of so many rows, on one device.
pub fn cut_at(prog: &mut Prog, rows: i64) {
    cut_into(prog, Cuts::Rows(rows));
}

/// As whoever runs the program plans it, on so many devices, of which the processor may be one; into equal parts, if nobody plans. Whether floats are combined in blocks, and so in
/// another order than one device alone does it.
pub fn cut_among(prog: &mut Prog, devices: i64, has_processor: bool) -> bool {
    let has_blocks = cut_into(prog, Cuts::Among { devices, has_processor });
    if has_processor {
        processor::weigh(prog);
    }
    has_blocks
}

#[derive(Clone, Copy)]
enum Cuts {
    Rows(i64),
    Among { devices: i64, has_processor: bool },
}

fn cut_into(prog: &mut Prog, cuts: Cuts) -> bool {
    let signatures = signatures(prog);
    let mut has_blocks = false;
    for fun in prog.funs.iter_mut().filter(|fun| fun.attrs.iter().any(|attr| attr == HOST)) {
        let mut body = std::mem::take(&mut fun.body);
        let mut cut = Cut { names: Names::of(&signatures, fun), cuts, has_blocks: false };
        cut.body(&mut body);
        has_blocks |= cut.has_blocks;
        fun.vars = cut.names.vars;
        fun.body = body;
        keep_on_device(fun);
        normalise_fun(fun);
    }
    has_blocks
}

struct Cut {
    names: Names,
    cuts: Cuts,
    has_blocks: bool,
}

impl Cut {
    fn body(&mut self, body: &mut Body) {
        let mut out = Vec::with_capacity(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            match stm.exp {
                Exp::Op(Operator::Task(task)) => self.task(stm.vars, stm.certs, stm.span, *task, &mut out),
                _ => {
                    stm.for_each_part_mut(&mut |part| {
                        if let PartMut::Body(body) = part {
                            self.body(body);
                        }
                    });
                    out.push(stm);
                }
            }
        }
        body.stms = out;
    }

    fn task(&mut self, vars: Vec<Var>, certs: Vec<Var>, span: Span, task: Task, out: &mut Vec<Stm>) {
        let names = &mut self.names;
        let (plans, devices, has_processor) = match self.cuts {
            Cuts::Rows(_) => (false, 1, false),
            Cuts::Among { devices, has_processor } => (true, devices, has_processor),
        };
        let processor_can =
            has_processor && apart::are_places_known(&task) && processor::obstacle(&task).is_none();
        // The processor rounds in its own way, so that bits depend on cuts anyway, and blocks would only take longer.
        let are_unlike = processor_can || has_processor && devices < 3;
        let blocks = (plans && !are_unlike && blocks::are_needed(names, &task))
            .then(|| AllBlocks::new(names, out, &task, &vars, span));
        self.has_blocks |= blocks.is_some();
        let division =
            Division { processor_can, ..Division::begin(names, out, self.cuts, &task, blocks, span) };
        if processor_can {
            allow_processor(out);
        }
        if processor_can && alone::is_worth_it(names, &task, &vars) {
            let own = names.like(&vars);
            let mut parts = Vec::new();
            in_parts(
                names,
                &mut parts,
                &task,
                &division,
                TaskResults { vars: &own, certs: certs.clone(), span },
            );
            let els = Body { stms: parts, result: own.into_iter().map(Atom::Var).collect() };
            return alone::or(names, out, &task, els, TaskResults { vars: &vars, certs, span });
        }
        in_parts(names, out, &task, &division, TaskResults { vars: &vars, certs, span });
    }
}

/// The statements that do a task in parts.
fn in_parts(names: &mut Names, out: &mut Vec<Stm>, task: &Task, division: &Division, made: TaskResults) {
    let (plans, span) = (division.rows.is_none(), made.span);
    if plans {
        bring(names, out, task, division, span);
    }
    let after = match plans {
        true => apart::task(names, out, task, division, made),
        false => in_turn::task(names, out, task, division, made),
    };
    if plans {
        out.push(directive(names, SELECT, Atom::i64(0), span));
    }
    out.extend(after);
}

/// What a task binds, on which certificates it depends, and where it stands.
struct TaskResults<'a> {
    vars: &'a [Var],
    certs: Vec<Var>,
    span: Span,
}

/// How the rows of a task are cut into parts.
struct Division {
    width: Atom,
    parts: Var,
    /// How many rows each part has but the last; nothing if that is planned.
    rows: Option<Var>,
    /// Where parts may begin, if not anywhere.
    blocks: Option<AllBlocks>,
    /// By what parts are planned, if not by rows.
    weights: Option<Weights>,
    /// Whether the processor can do some.
    processor_can: bool,
}

impl Division {
    fn begin(
        names: &mut Names,
        out: &mut Vec<Stm>,
        cuts: Cuts,
        task: &Task,
        blocks: Option<AllBlocks>,
        span: Span,
    ) -> Division {
        let width = task.width;
        match cuts {
            Cuts::Rows(rows) => {
                let divided = |names: &mut Names, out: &mut Vec<Stm>, name: &str, by: Atom| {
                    let less = bin(names, out, "less", BinOp::Sub, by, Atom::i64(1), span);
                    let more = bin(names, out, "more", BinOp::Add, width, less.into(), span);
                    bin(names, out, name, BinOp::Quot, more.into(), by, span)
                };
                let least = divided(names, out, "least", Atom::i64(MOST_PARTS));
                let rows = bin(names, out, "rows", BinOp::Max, Atom::i64(rows), least.into(), span);
                let parts = divided(names, out, "parts", rows.into());
                Division { width, parts, rows: Some(rows), blocks, weights: None, processor_can: false }
            }
            Cuts::Among { devices, has_processor: _ } => {
                let weights = Weights::of(names, out, task, span);
                let planned = weights.map_or(width, |weights| weights.total.into());
                let elements = match &weights {
                    Some(_) => planned,
                    None => elements::of(names, out, task, span),
                };
                out.push(directive(names, ELEMENTS, elements, span));
                let mut plan_of = directive(names, PLAN, planned, span);
                plan_of.attrs.extend(weights.map(|_| UNEVEN.to_string()));
                out.push(plan_of);
                let parts = bin(names, out, "parts", BinOp::Min, planned, Atom::i64(devices), span);
                plan(out, PARTS);
                Division { width, parts, rows: None, blocks, weights, processor_can: false }
            }
        }
    }

    /// Where this part begins, and how many rows it has.
    fn part(&self, names: &mut Names, stms: &mut Vec<Stm>, part: Var, span: Span) -> (Var, Var) {
        if self.rows.is_none() {
            stms.push(directive(names, PART, part.into(), span));
        }
        self.rows_of(names, stms, part, span)
    }

    /// The same without a choice of who does what follows.
    fn rows_of(&self, names: &mut Names, stms: &mut Vec<Stm>, part: Var, span: Span) -> (Var, Var) {
        let width = self.width;
        match self.rows {
            Some(rows) => {
                let from = bin(names, stms, "from", BinOp::Mul, part.into(), rows.into(), span);
                let rest = bin(names, stms, "rest", BinOp::Sub, width, from.into(), span);
                (from, bin(names, stms, "count", BinOp::Min, rest.into(), rows.into(), span))
            }
            None => {
                let planned = self.weights.map_or(width, |weights| weights.total.into());
                let cut = |names: &mut Names, stms: &mut Vec<Stm>, part: Var| {
                    let scaled = bin(names, stms, "scaled", BinOp::Mul, part.into(), planned, span);
                    bin(names, stms, "from", BinOp::Quot, scaled.into(), self.parts.into(), span)
                };
                let from = cut(names, stms, part);
                plan(stms, FROM);
                let next = bin(names, stms, "next", BinOp::Add, part.into(), Atom::i64(1), span);
                let behind = cut(names, stms, next);
                let count = bin(names, stms, "count", BinOp::Sub, behind.into(), from.into(), span);
                plan(stms, COUNT);
                match (self.blocks, self.weights) {
                    (Some(blocks), _) => self.rounded(names, stms, from, count, blocks.between_cuts(), span),
                    (None, Some(weights)) => weights.rows_within(names, stms, (from, count), span),
                    (None, None) => (from, count),
                }
            }
        }
    }
}

impl Division {
    /// A part begins with the first block that begins in it, and ends where the next part begins.
    fn rounded(
        &self,
        names: &mut Names,
        stms: &mut Vec<Stm>,
        from: Var,
        count: Var,
        rows: Atom,
        span: Span,
    ) -> (Var, Var) {
        let up = |names: &mut Names, stms: &mut Vec<Stm>, at: Var| {
            let blocks = divided_up(names, stms, at.into(), rows, span);
            let whole = bin(names, stms, "whole", BinOp::Mul, blocks.into(), rows, span);
            bin(names, stms, "from", BinOp::Min, whole.into(), self.width, span)
        };
        let behind = bin(names, stms, "behind", BinOp::Add, from.into(), count.into(), span);
        let (from, behind) = (up(names, stms, from), up(names, stms, behind));
        (from, bin(names, stms, "count", BinOp::Sub, behind.into(), from.into(), span))
    }
}

/// Instead of the number that was computed last, the plan may choose another.
fn plan(stms: &mut [Stm], attr: &str) {
    stms.last_mut().into_iter().for_each(|stm| stm.attrs.push(attr.to_string()));
}

/// The plan that was made last may have parts for the processor.
fn allow_processor(out: &mut [Stm]) {
    let is_plan = |stm: &&mut Stm| stm.attrs.iter().any(|attr| attr == PLAN);
    out.iter_mut().rfind(is_plan).into_iter().for_each(|stm| stm.attrs.push(PROCESSOR.to_string()));
}

/// Each device gets what it will read, before one of them is busy: who asks a busy device for what it has would wait.
fn bring(names: &mut Names, out: &mut Vec<Stm>, task: &Task, division: &Division, span: Span) {
    let part = names.fresh("part", Type::i64());
    let mut stms = Vec::new();
    let (from, count) = division.part(names, &mut stms, part, span);
    let brought = |names: &mut Names, array: Var, rows: Option<[Atom; 2]>| {
        let mut ty = names.ty(array).clone();
        let exp = match rows {
            Some([first, size]) => {
                let mut dims = ty.dims().to_vec();
                dims[0] = Dim::Size(size);
                ty = ty.with_dims(dims);
                Exp::index(array, slice(first, size))
            }
            None => Exp::atom(array.into()),
        };
        let var = names.fresh("brought", ty);
        Stm { attrs: vec![BRING.to_string()], ..Stm::new(vec![var], exp, span) }
    };
    for input in &task.inputs {
        stms.push(brought(names, *input, Some([from.into(), count.into()])));
    }
    for window in &task.windows {
        let need = names.copy_lambda(&window.need);
        for (param, arg) in need.params.iter().zip([from, count]) {
            stms.push(Stm::new(vec![*param], Exp::atom(arg.into()), span));
        }
        stms.extend(need.body.stms);
        let rows = [need.body.result[0], need.body.result[1]];
        stms.extend(window.arrays.iter().map(|array| brought(names, *array, Some(rows))));
    }
    let mut whole = Vec::new();
    let totals = task.carries.iter().map(|carry| &carry.total);
    totals.chain([&task.lambda]).for_each(|lambda| mentions::in_lambda(&names.vars, lambda, &mut whole));
    whole.extend(division.weights.iter().flat_map(|weights| [weights.lengths, weights.ends]));
    whole.sort_unstable();
    whole.dedup();
    whole.retain(|var| names.ty(*var).rank() > 0);
    for array in whole {
        stms.push(brought(names, array, None));
    }
    let form = LoopForm::For(part, division.parts.into());
    let exp = ControlExp::Loop { params: Vec::new(), form, body: Body { stms, result: Vec::new() } };
    out.push(Stm::new(Vec::new(), Exp::Control(exp), span));
}

/// A directive to the runtime: a number that is bound under an attribute.
fn directive(names: &mut Names, attr: &str, number: Atom, span: Span) -> Stm {
    let var = names.fresh("asked", Type::i64());
    Stm { attrs: vec![attr.to_string()], ..Stm::new(vec![var], Exp::atom(number), span) }
}

fn slice(start: Atom, count: Atom) -> Vec<DimIndex> {
    vec![DimIndex::Slice { start, count, stride: Atom::i64(1) }]
}

fn bin(names: &mut Names, out: &mut Vec<Stm>, name: &str, op: BinOp, x: Atom, y: Atom, span: Span) -> Var {
    let var = names.fresh(name, Type::i64());
    out.push(Stm::new(vec![var], Exp::bin(op, Prim::I64, x, y), span));
    var
}

/// An array of this type in which rows are to be written.
fn zeroes(names: &mut Names, out: &mut Vec<Stm>, ty: &Type, span: Span) -> Atom {
    let prim = ty.elem().and_then(|elem| elem.prim()).expect("what is joined has primitive elements");
    let mut value = Atom::Const(Scalar::zero(prim));
    for at in (0..ty.rank()).rev() {
        let var = names.fresh("none", ty.with_dims(ty.dims()[at..].to_vec()));
        let size = ty.dims()[at].atom().expect("what is joined has no irregular rows");
        let stm = Stm::new(vec![var], Exp::replicate(size, value), span);
        out.push(Stm { attrs: vec![ROOM.to_string()], ..stm });
        value = var.into();
    }
    value
}
