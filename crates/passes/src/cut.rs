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
//! would be too many parts. With several, statements with attributes ask for a plan: how many parts there are, which rows each has, and who does what follows. Rows of a part are copied into the rows of one array, what is kept is copied behind what was, carries are chained, numbers that are partial
//! are collected in an array and reduced by one more kernel, and arrays that are partial are combined from part to part.
//!
//! Cost: a loop around each task. Nothing is doubled.

use crate::nest::memory::signatures;
use crate::nest::mentions;
use crate::nest::subst::Names;
use crate::place::sides::keep_on_device;
use norn_base::Span;
use norn_ir::nest::grids::{BRING, COUNT, FROM, HOST, PART, PARTS, PLAN, ROOM, SELECT};
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::task::{Join, Task};
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Grid, Lambda, LoopForm, Operator, Param,
    Prim, Prog, Reduction, Scalar, Stm, Type, Var,
};

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

/// As whoever runs the program plans it, on so many devices; into equal parts, if nobody plans.
pub fn cut_among(prog: &mut Prog, devices: i64) {
    cut_into(prog, Cuts::Among(devices));
}

#[derive(Clone, Copy)]
enum Cuts {
    Rows(i64),
    Among(i64),
}

fn cut_into(prog: &mut Prog, cuts: Cuts) {
    let signatures = signatures(prog);
    for fun in prog.funs.iter_mut().filter(|fun| fun.attrs.iter().any(|attr| attr == HOST)) {
        let mut body = std::mem::take(&mut fun.body);
        let mut cut = Cut { names: Names::of(&signatures, fun), cuts };
        cut.body(&mut body);
        fun.vars = cut.names.vars;
        fun.body = body;
        keep_on_device(fun);
        normalise_fun(fun);
    }
}

struct Cut {
    names: Names,
    cuts: Cuts,
}

/// The loop over the parts of a task in the making.
struct Parts {
    span: Span,
    /// The number of the part, where it begins and how long it is.
    part: Var,
    from: Var,
    count: Var,
    /// What the loop carries, and what it begins with.
    params: Vec<(Param, Atom)>,
    stms: Vec<Stm>,
    next: Vec<Atom>,
    /// What the loop yields, and what is made of that.
    bound: Vec<Var>,
    after: Vec<Stm>,
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
        let division = Division::begin(names, out, self.cuts, task.width, span);
        let parts = division.parts;
        let plans = matches!(self.cuts, Cuts::Among(_));
        if plans {
            bring(names, out, &task, &division, span);
        }
        let part = names.fresh("part", Type::i64());
        let mut stms = Vec::new();
        let (from, count) = division.part(names, &mut stms, part, span);
        let mut these = Parts {
            span,
            part,
            from,
            count,
            params: Vec::new(),
            stms,
            next: Vec::new(),
            bound: Vec::new(),
            after: Vec::new(),
        };
        let carried = these.carries(names, &task);
        let results = these.portion(names, &task, task.lambda.clone(), &carried);
        let (mut vars, mut results) = (&vars[..], &results[..]);
        for join in &task.joins {
            let (bound, rest) = vars.split_at(join.results());
            let (found, others) = results.split_at(join.results());
            match join {
                Join::Rows => these.rows(names, out, bound[0], found[0]),
                Join::Kept(_) => these.kept(names, out, bound, found),
                Join::Partial(op) => {
                    let are_scalars = bound.iter().all(|var| names.ty(*var).is_scalar());
                    match are_scalars {
                        true => these.reduced(names, out, parts, op, bound, found),
                        false => these.combined(names, op, bound, found),
                    }
                }
            }
            (vars, results) = (rest, others);
        }
        let form = LoopForm::For(part, parts.into());
        let body = Body { stms: these.stms, result: these.next };
        let exp = Exp::Control(ControlExp::Loop { params: these.params, form, body });
        out.push(Stm { certs, ..Stm::new(these.bound, exp, span) });
        if plans {
            out.push(asked(names, SELECT, Atom::i64(0), span));
        }
        out.extend(these.after);
    }
}

/// How the rows of a task are cut into parts.
struct Division {
    width: Atom,
    parts: Var,
    /// How many rows each part has but the last; nothing if that is planned.
    rows: Option<Var>,
}

impl Division {
    fn begin(names: &mut Names, out: &mut Vec<Stm>, cuts: Cuts, width: Atom, span: Span) -> Division {
        match cuts {
            Cuts::Rows(rows) => {
                let divided = |names: &mut Names, out: &mut Vec<Stm>, name: &str, by: Atom| {
                    let less = bin(names, out, "less", BinOp::Sub, by, Atom::i64(1), span);
                    let more = bin(names, out, "more", BinOp::Add, width, less.into(), span);
                    bin(names, out, name, BinOp::Quot, more.into(), by, span)
                };
                let least = divided(names, out, "least", Atom::i64(MOST_PARTS));
                let rows = bin(names, out, "rows", BinOp::Max, Atom::i64(rows), least.into(), span);
                Division { width, parts: divided(names, out, "parts", rows.into()), rows: Some(rows) }
            }
            Cuts::Among(devices) => {
                out.push(asked(names, PLAN, width, span));
                let parts = bin(names, out, "parts", BinOp::Min, width, Atom::i64(devices), span);
                plan(out, PARTS);
                Division { width, parts, rows: None }
            }
        }
    }

    /// Where this part begins, and how many rows it has.
    fn part(&self, names: &mut Names, stms: &mut Vec<Stm>, part: Var, span: Span) -> (Var, Var) {
        let width = self.width;
        match self.rows {
            Some(rows) => {
                let from = bin(names, stms, "from", BinOp::Mul, part.into(), rows.into(), span);
                let rest = bin(names, stms, "rest", BinOp::Sub, width, from.into(), span);
                (from, bin(names, stms, "count", BinOp::Min, rest.into(), rows.into(), span))
            }
            None => {
                stms.push(asked(names, PART, part.into(), span));
                let cut = |names: &mut Names, stms: &mut Vec<Stm>, part: Var| {
                    let scaled = bin(names, stms, "scaled", BinOp::Mul, part.into(), width, span);
                    bin(names, stms, "from", BinOp::Quot, scaled.into(), self.parts.into(), span)
                };
                let from = cut(names, stms, part);
                plan(stms, FROM);
                let next = bin(names, stms, "next", BinOp::Add, part.into(), Atom::i64(1), span);
                let behind = cut(names, stms, next);
                let count = bin(names, stms, "count", BinOp::Sub, behind.into(), from.into(), span);
                plan(stms, COUNT);
                (from, count)
            }
        }
    }
}

/// Instead of the number that was computed last, the plan may choose another.
fn plan(stms: &mut [Stm], attr: &str) {
    stms.last_mut().into_iter().for_each(|stm| stm.attrs.push(attr.to_string()));
}

impl Parts {
    fn bind(&mut self, var: Var, exp: Exp) {
        self.stms.push(Stm::new(vec![var], exp, self.span));
    }

    /// Carries are chained: each part computes the next one from its own. What the parts before yield.
    fn carries(&mut self, names: &mut Names, task: &Task) -> Vec<Atom> {
        let mut carried = Vec::new();
        for carry in &task.carries {
            let width = carry.op.neutral.len();
            let before: Vec<Var> = names.like(&carry.op.lambda.params[..width]);
            for (var, neutral) in before.iter().zip(&carry.op.neutral) {
                self.params.push((Param::plain(*var), *neutral));
            }
            let total = self.portion(names, task, carry.total.clone(), &[]);
            let before: Vec<Atom> = before.into_iter().map(Atom::Var).collect();
            let next = self.apply(&carry.op.lambda, &[&before[..], &total].concat());
            self.next.extend(next);
            let unused = names.like(&carry.op.lambda.params[..width]);
            self.bound.extend(unused);
            carried.extend(before);
        }
        carried
    }

    /// A lambda of the task for this part. What it yields.
    fn portion(&mut self, names: &mut Names, task: &Task, lambda: Lambda, carried: &[Atom]) -> Vec<Atom> {
        let mut params = lambda.params.iter().copied();
        let mut next = || params.next().expect("a lambda of a task takes all that the task takes");
        self.bind(next(), Exp::atom(self.from.into()));
        self.bind(next(), Exp::atom(self.count.into()));
        carried.iter().for_each(|atom| self.bind(next(), Exp::atom(*atom)));
        for input in &task.inputs {
            let slice = slice(self.from.into(), self.count.into());
            self.bind(next(), Exp::index(*input, slice));
        }
        for window in &task.windows {
            let range = [self.from.into(), self.count.into()];
            // Each lambda that reads the window computes it, and names are bound once.
            let need = names.copy_lambda(&window.need);
            let need = self.apply(&need, &range);
            let (first, size) = (next(), next());
            self.bind(first, Exp::atom(need[0]));
            self.bind(size, Exp::atom(need[1]));
            for array in &window.arrays {
                self.bind(next(), Exp::index(*array, slice(first.into(), size.into())));
            }
        }
        self.stms.extend(lambda.body.stms);
        lambda.body.result
    }

    /// The body of a lambda that is applied once. What it yields.
    fn apply(&mut self, lambda: &Lambda, args: &[Atom]) -> Vec<Atom> {
        for (param, arg) in lambda.params.iter().zip(args) {
            self.bind(*param, Exp::atom(*arg));
        }
        self.stms.extend(lambda.body.stms.iter().cloned());
        lambda.body.result.clone()
    }

    /// Rows of a part become rows of the result.
    fn rows(&mut self, names: &mut Names, out: &mut Vec<Stm>, var: Var, part: Atom) {
        let ty = names.ty(var).clone();
        let none = zeroes(names, out, &ty, self.span);
        let all = names.like(&[var])[0];
        self.params.push((Param::unique(all), none));
        let slice = slice(self.from.into(), self.count.into());
        let next = self.update(names, all, slice, part);
        self.next.push(next);
        self.bound.push(var);
    }

    fn update(&mut self, names: &mut Names, array: Var, slice: Vec<DimIndex>, value: Atom) -> Atom {
        let next = names.like(&[array])[0];
        self.bind(next, Exp::Array(ArrayExp::Update { array, slice, value }));
        next.into()
    }

    /// What a part keeps comes behind what those before have kept.
    fn kept(&mut self, names: &mut Names, out: &mut Vec<Stm>, vars: &[Var], part: &[Atom]) {
        let before = names.like(vars);
        self.params.push((Param::plain(before[0]), Atom::i64(0)));
        let more = bin(names, &mut self.stms, "kept", BinOp::Add, before[0].into(), part[0], self.span);
        self.next.push(more.into());
        for (before, part) in before[1..].iter().zip(&part[1..]) {
            let of = |names: &Names, size: Atom| {
                let mut dims = names.ty(*before).dims().to_vec();
                dims[0] = Dim::Size(size);
                names.ty(*before).with_dims(dims)
            };
            let ty = of(names, Atom::i64(0));
            let none = zeroes(names, out, &ty, self.span);
            self.params.push((Param::plain(*before), none));
            let all = names.fresh("all", of(names, more.into()));
            let arrays = [Atom::Var(*before), *part].iter().filter_map(|atom| atom.var()).collect();
            self.bind(all, Exp::Array(ArrayExp::Concat { arrays, size: more.into() }));
            self.next.push(all.into());
        }
        self.bound.extend(vars);
    }

    /// Numbers of parts are collected, and combined by a kernel: the host need not know them.
    fn reduced(
        &mut self,
        names: &mut Names,
        out: &mut Vec<Stm>,
        parts: Var,
        op: &Reduction,
        vars: &[Var],
        found: &[Atom],
    ) {
        let mut collected = Vec::new();
        for (var, part) in vars.iter().zip(found) {
            let ty = names.ty(*var).array_of(Dim::size(parts));
            let none = zeroes(names, out, &ty, self.span);
            let (all, last) = (names.fresh("all", ty.clone()), names.fresh("all", ty));
            self.params.push((Param::unique(all), none));
            let one = names.fresh("one", names.ty(*var).array_of(Dim::Size(Atom::i64(1))));
            self.bind(one, Exp::array(vec![*part]));
            let next = self.update(names, all, slice(self.part.into(), Atom::i64(1)), one.into());
            self.next.push(next);
            self.bound.push(last);
            collected.push(last);
        }
        let grid = Some(Grid { work: Atom::i64(0), balance: None });
        let exp = Exp::reduce(parts.into(), op.clone(), collected);
        self.after.push(Stm { grid, ..Stm::new(vars.to_vec(), exp, self.span) });
    }

    /// Arrays of parts are combined with those before.
    fn combined(&mut self, names: &mut Names, op: &Reduction, vars: &[Var], part: &[Atom]) {
        let before = names.like(vars);
        for (var, neutral) in before.iter().zip(&op.neutral) {
            self.params.push((Param::plain(*var), *neutral));
        }
        let before: Vec<Atom> = before.into_iter().map(Atom::Var).collect();
        let next = self.apply(&op.lambda, &[&before[..], part].concat());
        self.next.extend(next);
        self.bound.extend(vars);
    }
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

/// A number that whoever runs the program is told.
fn asked(names: &mut Names, attr: &str, number: Atom, span: Span) -> Stm {
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
