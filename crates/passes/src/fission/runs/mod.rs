//! Sorts: each device sorts some of the keys, and what is sorted is merged.
//!
//! ```text
//! let ys: [n]i32 = grid sort n (xs) keys
//!
//! let few: bool = lt.i64 n least
//! let ys: [n]i32 = if few { let ys: [n]i32 = grid sort n (xs) keys in ys } else {
//!   let runs: [3][rows]i32 = task 3 () window (xs) .. do \(..) { .. sort .. } rows     as many runs as there are devices
//!   let ys: [n]i32 = loop (ks: [n]i32 = .., length: i64 = rows) while (length < n) {
//!     let ms: [chunks][16]i32 = grid map chunks \(chunk) { .. }                       each two neighbours are merged
//!     in .., length * 2
//!   }
//!   in ys
//! }
//! ```
//!
//! The rows of the task are runs, so it is cut between them. The last run may be shorter than the others, and is the end of all of them: nothing of the places that it leaves is read. Merging goes by the places of the result (merge path: Green, McColl and Bader, ICS 2012): how many of the keys before a place come from
//! the first of two runs is found by bisection. So it is a map, a task like others, and equal keys stay in their order.
//!
//! Merging is in `merge`.

mod merge;

use crate::nest::subst::Names;
use norn_base::Span;
use norn_ir::nest::grids::ROOM;
use norn_ir::nest::task::{Join, Task, Window};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Elem, Exp, Grid, Lambda, LoopForm, Operator,
    Param, Prim, Scalar, Sorted, Stm, Type, Var,
};

/// So many keys, which are neighbours, are merged by one thread. A run has a multiple of it.
const CHUNK: i64 = 16;

/// How sorts are done.
#[derive(Clone, Copy)]
pub struct Runs {
    /// How many keys are sorted at the same time.
    pub count: i64,
    /// Fewer keys than these are sorted by one device.
    pub least: i64,
}

impl Runs {
    /// What a sort becomes, after the statements that are added here, if it can be done in runs. The body behind `else` has kernels that have not been looked at.
    pub fn sort(self, names: &mut Names, out: &mut Vec<Stm>, stm: &Stm) -> Option<Stm> {
        let Exp::Op(Operator::Sort { width, keys, yields }) = stm.exp else { return None };
        let Some(Elem::Prim(prim)) = names.ty(keys).elem() else { return None };
        stm.grid?;
        let mut here = Here { names, stms: Vec::new(), span: stm.span };
        let few = here.compare("few", BinOp::Lt, width, Atom::i64(self.least));
        out.append(&mut here.stms);
        let alone = here.names.like(&stm.vars);
        let then = Body {
            result: alone.iter().map(|var| (*var).into()).collect(),
            stms: vec![Stm { vars: alone, ..stm.clone() }],
        };
        let sort = Sort { runs: self.count, width, keys, prim, has_places: yields.has_places() };
        let runs = here.runs(&sort);
        let (ks, ps) = here.merged(&sort, runs);
        let result = [yields.has_keys().then_some(ks), ps].into_iter().flatten().map(Atom::Var).collect();
        let els = Body { stms: here.stms, result };
        Some(Stm { grid: None, exp: Exp::if_(few.into(), then, els), ..stm.clone() })
    }
}

struct Sort {
    runs: i64,
    width: Atom,
    keys: Var,
    prim: Prim,
    has_places: bool,
}

/// Statements in the making.
struct Here<'a> {
    names: &'a mut Names,
    stms: Vec<Stm>,
    span: Span,
}

/// The runs one after the other, with the former places of keys if they are needed, and how long one is.
struct Sorting {
    keys: Var,
    places: Option<Var>,
    rows: Var,
}

impl Here<'_> {
    fn bind(&mut self, name: &str, ty: Type, exp: Exp) -> Var {
        let var = self.names.fresh(name, ty);
        self.stms.push(Stm::new(vec![var], exp, self.span));
        var
    }

    fn number(&mut self, name: &str, op: BinOp, x: impl Into<Atom>, y: impl Into<Atom>) -> Var {
        self.bind(name, Type::i64(), Exp::bin(op, Prim::I64, x.into(), y.into()))
    }

    fn compare(&mut self, name: &str, op: BinOp, x: impl Into<Atom>, y: impl Into<Atom>) -> Var {
        self.bind(name, Type::scalar(Prim::Bool), Exp::bin(op, Prim::I64, x.into(), y.into()))
    }

    fn either(&mut self, name: &str, cond: Var, then: impl Into<Atom>, els: impl Into<Atom>) -> Var {
        let body = |atom: Atom| Body { stms: Vec::new(), result: vec![atom] };
        self.bind(name, Type::i64(), Exp::if_(cond.into(), body(then.into()), body(els.into())))
    }

    /// What `make` adds, apart from the rest.
    fn inside<R>(&mut self, make: impl FnOnce(&mut Here) -> R) -> (Vec<Stm>, R) {
        let mut inner = Here { names: self.names, stms: Vec::new(), span: self.span };
        let made = make(&mut inner);
        (inner.stms, made)
    }

    fn grid(&mut self, vars: Vec<Var>, exp: Exp) {
        let grid = Some(Grid { work: Atom::i64(0), balance: None });
        self.stms.push(Stm { grid, ..Stm::new(vars, exp, self.span) });
    }

    fn runs(&mut self, sort: &Sort) -> Sorting {
        let runs = Atom::i64(sort.runs);
        let each = sort.runs * CHUNK;
        let more = self.number("more", BinOp::Add, sort.width, Atom::i64(each - 1));
        let chunks = self.number("chunks", BinOp::Quot, more, Atom::i64(each));
        let rows = self.number("rows", BinOp::Mul, chunks, Atom::i64(CHUNK));
        let [from, count] = ["from", "count"].map(|name| self.names.fresh(name, Type::i64()));
        let (stms, result) = self.inside(|here| {
            let first = here.number("first", BinOp::Mul, from, rows);
            let first = here.number("first", BinOp::Min, first, sort.width);
            let behind = here.number("behind", BinOp::Add, from, count);
            let end = here.number("end", BinOp::Mul, behind, rows);
            let end = here.number("end", BinOp::Min, end, sort.width);
            vec![first.into(), here.number("size", BinOp::Sub, end, first).into()]
        });
        let need = Lambda::new(vec![from, count], Body { stms, result });
        let lambda = self.portion(sort, rows);
        let columns = lambda.body.result.len();
        let window = Window { arrays: vec![sort.keys], need };
        let (windows, joins) = (vec![window], vec![Join::Rows; columns]);
        let task = Task { width: runs, inputs: Vec::new(), windows, carries: Vec::new(), lambda, joins };
        let elems = [sort.prim, Prim::I64];
        let sorted: Vec<Var> = elems[..columns]
            .iter()
            .map(|prim| self.names.fresh("runs", Type::array(*prim, vec![Dim::Size(runs), Dim::size(rows)])))
            .collect();
        self.stms.push(Stm::new(sorted.clone(), Exp::Op(Operator::Task(Box::new(task))), self.span));
        let all = self.number("all", BinOp::Mul, rows, runs);
        let mut flat =
            sorted.into_iter().zip(elems).map(|(runs, prim)| self.flat(runs, prim, all, sort.width));
        let keys = flat.next().expect("a sort has keys");
        Sorting { keys, places: flat.next(), rows }
    }

    /// Some of the runs.
    fn portion(&mut self, sort: &Sort, rows: Var) -> Lambda {
        let [from, count, first, size] =
            ["from", "count", "first", "size"].map(|name| self.names.fresh(name, Type::i64()));
        let keys = self.names.fresh("keys", Type::array(sort.prim, vec![Dim::size(size)]));
        let (stms, result) = self.inside(|here| {
            let elems = if sort.has_places { vec![sort.prim, Prim::I64] } else { vec![sort.prim] };
            let (mut params, mut bound) = (Vec::new(), Vec::new());
            for prim in &elems {
                let (row, all) = (vec![Dim::size(rows)], vec![Dim::size(count), Dim::size(rows)]);
                let exp = Exp::replicate(rows.into(), Atom::Const(Scalar::zero(*prim)));
                let none = here.room(Type::array(*prim, row), exp);
                let ty = Type::array(*prim, all);
                let none = here.room(ty.clone(), Exp::replicate(count.into(), none.into()));
                let all = here.names.fresh("all", ty);
                params.push((Param::unique(all), none.into()));
                bound.extend(here.names.like(&[all]));
            }
            let run = here.names.fresh("run", Type::i64());
            let (stms, result) = here.inside(|here| {
                let at = here.number("at", BinOp::Mul, run, rows);
                let at = here.number("at", BinOp::Min, at, size);
                let rest = here.number("rest", BinOp::Sub, size, at);
                let length = here.number("length", BinOp::Min, rest, rows);
                let of = |prim: Prim| Type::array(prim, vec![Dim::size(length)]);
                let own = here.bind("keys", of(sort.prim), Exp::index(keys, slice(at.into(), length.into())));
                let mut sorted: Vec<Var> =
                    elems.iter().map(|prim| here.names.fresh("sorted", of(*prim))).collect();
                let yields = if sort.has_places { Sorted::Both } else { Sorted::Keys };
                let exp = Operator::Sort { width: length.into(), keys: own, yields };
                here.grid(sorted.clone(), Exp::Op(exp));
                if let [_, places] = &mut sorted[..] {
                    let before = here.number("before", BinOp::Add, first, at);
                    let place = here.names.fresh("place", Type::i64());
                    let (stms, sum) = here.inside(|here| here.number("place", BinOp::Add, place, before));
                    let lambda = Lambda::new(vec![place], Body { stms, result: vec![sum.into()] });
                    let all = here.names.fresh("places", of(Prim::I64));
                    here.grid(vec![all], Exp::map(length.into(), vec![*places], lambda));
                    *places = all;
                }
                let mut next = Vec::new();
                for ((param, _), sorted) in params.iter().zip(sorted) {
                    let mut at = slice(Atom::i64(0), length.into());
                    at.insert(0, DimIndex::Fix(run.into()));
                    let update = ArrayExp::Update { array: param.var, slice: at, value: sorted.into() };
                    let ty = here.names.ty(param.var).clone();
                    next.push(here.bind("all", ty, Exp::Array(update)).into());
                }
                next
            });
            let body = Body { stms, result };
            let exp = ControlExp::Loop { params, form: LoopForm::For(run, count.into()), body };
            here.stms.push(Stm::new(bound.clone(), Exp::Control(exp), here.span));
            bound.into_iter().map(Atom::Var).collect()
        });
        Lambda::new(vec![from, count, first, size, keys], Body { stms, result })
    }

    fn room(&mut self, ty: Type, exp: Exp) -> Var {
        let var = self.bind("none", ty, exp);
        self.stms.last_mut().into_iter().for_each(|stm| stm.attrs.push(ROOM.to_string()));
        var
    }

    /// The first of all elements of rows, which have so many.
    fn flat(&mut self, rows: Var, prim: Prim, all: Var, count: Atom) -> Var {
        let ty = Type::array(prim, vec![Dim::size(all)]);
        let whole = self.bind("flat", ty, Exp::reshape(rows, 2, vec![all.into()]));
        self.bind(
            "sorted",
            Type::array(prim, vec![Dim::Size(count)]),
            Exp::index(whole, slice(Atom::i64(0), count)),
        )
    }
}

fn slice(start: Atom, count: Atom) -> Vec<DimIndex> {
    vec![DimIndex::Slice { start, count, stride: Atom::i64(1) }]
}
