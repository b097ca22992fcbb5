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
//! Keys are whole numbers: those of floats have an order of their own.

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
        let Exp::Op(Operator::Sort { width, keys, wanted }) = stm.exp else { return None };
        let Some(Elem::Prim(prim)) = names.ty(keys).elem() else { return None };
        if stm.grid.is_none() || !prim.is_int() {
            return None;
        }
        let mut here = Here { names, stms: Vec::new(), span: stm.span };
        let few = here.compare("few", BinOp::Lt, width, Atom::i64(self.least));
        out.append(&mut here.stms);
        let alone = here.names.like(&stm.vars);
        let then = Body {
            result: alone.iter().map(|var| (*var).into()).collect(),
            stms: vec![Stm { vars: alone, ..stm.clone() }],
        };
        let sort = Sort { runs: self.count, width, keys, prim, has_places: wanted.has_places() };
        let runs = here.runs(&sort);
        let (ks, ps) = here.merged(&sort, runs);
        let result = [wanted.has_keys().then_some(ks), ps].into_iter().flatten().map(Atom::Var).collect();
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

/// The runs one after the other, with the former places of keys if they are wanted, and how long one is.
struct Sorting {
    keys: Var,
    places: Option<Var>,
    rows: Var,
}

/// Two runs that are merged: where each begins, and how many keys it has; and how many come before a place of what is merged.
struct Pair {
    before: Var,
    first: Var,
    first_count: Var,
    second: Var,
    second_count: Var,
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
                let wanted = if sort.has_places { Sorted::Both } else { Sorted::Keys };
                let exp = Operator::Sort { width: length.into(), keys: own, wanted };
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

    /// Runs become longer until there is one.
    fn merged(&mut self, sort: &Sort, sorting: Sorting) -> (Var, Option<Var>) {
        let initial: Vec<Var> = [Some(sorting.keys), sorting.places].into_iter().flatten().collect();
        let params = self.names.like(&initial);
        let length = self.names.fresh("length", Type::i64());
        let (stms, goes_on) = self.inside(|here| here.compare("goes_on", BinOp::Lt, length, sort.width));
        let form = LoopForm::While(Body { stms, result: vec![goes_on.into()] });
        let (stms, result) = self.inside(|here| {
            let twice = here.number("twice", BinOp::Mul, length, Atom::i64(2));
            let more = here.number("more", BinOp::Add, sort.width, Atom::i64(CHUNK - 1));
            let chunks = here.number("chunks", BinOp::Quot, more, Atom::i64(CHUNK));
            let chunk = here.names.fresh("chunk", Type::i64());
            let (stms, result) = here.inside(|here| {
                let place = here.number("place", BinOp::Mul, chunk, Atom::i64(CHUNK));
                let pair = here.pair(sort, length, twice, place);
                here.chunk(sort, &pair, &params)
            });
            let lambda = Lambda::new(vec![chunk], Body { stms, result });
            let numbers =
                here.bind("chunks", Type::array(Prim::I64, vec![Dim::size(chunks)]), Exp::iota(chunks));
            let prims = [sort.prim, Prim::I64];
            let dims = || vec![Dim::size(chunks), Dim::Size(Atom::i64(CHUNK))];
            let merged = prims[..params.len()].iter().map(|prim| Type::array(*prim, dims()));
            let merged: Vec<Var> = merged.map(|ty| here.names.fresh("merged", ty)).collect();
            here.grid(merged.clone(), Exp::map(chunks.into(), vec![numbers], lambda));
            let all = here.number("all", BinOp::Mul, chunks, Atom::i64(CHUNK));
            let flat =
                merged.into_iter().zip(prims).map(|(merged, prim)| here.flat(merged, prim, all, sort.width));
            let mut next: Vec<Atom> = flat.map(Atom::Var).collect();
            next.push(twice.into());
            next
        });
        let all = params.iter().chain([&length]).map(|var| Param::plain(*var));
        let initial = initial.iter().chain([&sorting.rows]).map(|var| Atom::Var(*var));
        let body = Body { stms, result };
        let exp = ControlExp::Loop { params: all.zip(initial).collect(), form, body };
        let results = self.names.like(&params);
        let mut vars = results.clone();
        vars.push(self.names.fresh("length", Type::i64()));
        self.stms.push(Stm::new(vars, Exp::Control(exp), self.span));
        (results[0], results.get(1).copied())
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

    /// The two runs of a length that are merged around a place.
    fn pair(&mut self, sort: &Sort, length: Var, twice: Var, place: Var) -> Pair {
        let pair = self.number("pair", BinOp::Quot, place, twice);
        let first = self.number("first", BinOp::Mul, pair, twice);
        let before = self.number("before", BinOp::Sub, place, first);
        let rest = self.number("rest", BinOp::Sub, sort.width, first);
        let first_count = self.number("count", BinOp::Min, rest, length);
        let rest = self.number("rest", BinOp::Sub, rest, first_count);
        let second_count = self.number("count", BinOp::Min, rest, length);
        let second = self.number("second", BinOp::Add, first, first_count);
        Pair { before, first, first_count, second, second_count }
    }

    fn key(&mut self, sort: &Sort, keys: Var, at: Var) -> Var {
        self.bind("key", Type::scalar(sort.prim), Exp::index(keys, vec![DimIndex::Fix(at.into())]))
    }

    /// How many of the keys before the place are of the first run.
    fn bisection(&mut self, sort: &Sort, pair: &Pair, keys: Var) -> Var {
        let low = self.number("low", BinOp::Sub, pair.before, pair.second_count);
        let low = self.number("low", BinOp::Max, low, Atom::i64(0));
        let high = self.number("high", BinOp::Min, pair.before, pair.first_count);
        let [from, to] = ["from", "to"].map(|name| self.names.fresh(name, Type::i64()));
        let (stms, goes_on) = self.inside(|here| here.compare("goes_on", BinOp::Lt, from, to));
        let form = LoopForm::While(Body { stms, result: vec![goes_on.into()] });
        let (stms, result) = self.inside(|here| {
            let sum = here.number("sum", BinOp::Add, from, to);
            let middle = here.number("middle", BinOp::Quot, sum, Atom::i64(2));
            let at = here.number("at", BinOp::Add, pair.first, middle);
            let one = here.key(sort, keys, at);
            let left = here.number("left", BinOp::Sub, pair.before, middle);
            let left = here.number("left", BinOp::Sub, left, Atom::i64(1));
            let at = here.number("at", BinOp::Add, pair.second, left);
            let two = here.key(sort, keys, at);
            let is_first = here.in_order(sort.prim, one, two);
            let next = here.number("next", BinOp::Add, middle, Atom::i64(1));
            vec![
                here.either("from", is_first, next, from).into(),
                here.either("to", is_first, to, middle).into(),
            ]
        });
        let params = vec![(Param::plain(from), low.into()), (Param::plain(to), high.into())];
        let [taken, end] = ["taken", "end"].map(|name| self.names.fresh(name, Type::i64()));
        let exp = ControlExp::Loop { params, form, body: Body { stms, result } };
        self.stms.push(Stm::new(vec![taken, end], Exp::Control(exp), self.span));
        taken
    }

    /// The keys from the place on, and what goes with them.
    fn chunk(&mut self, sort: &Sort, pair: &Pair, arrays: &[Var]) -> Vec<Atom> {
        let taken = self.bisection(sort, pair, arrays[0]);
        let left = self.number("left", BinOp::Sub, pair.before, taken);
        let last_first = self.number("last", BinOp::Sub, pair.first_count, Atom::i64(1));
        let last_second = self.number("last", BinOp::Sub, pair.second_count, Atom::i64(1));
        let mut params = Vec::new();
        for prim in &[sort.prim, Prim::I64][..arrays.len()] {
            let ty = Type::array(*prim, vec![Dim::Size(Atom::i64(CHUNK))]);
            let exp = Exp::replicate(Atom::i64(CHUNK), Atom::Const(Scalar::zero(*prim)));
            let none = self.bind("none", ty.clone(), exp);
            params.push((Param::unique(self.names.fresh("merged", ty)), Atom::Var(none)));
        }
        let columns: Vec<Var> = params.iter().map(|(param, _)| param.var).collect();
        let [first, second, at] = ["taken", "left", "at"].map(|name| self.names.fresh(name, Type::i64()));
        params.extend([(Param::plain(first), taken.into()), (Param::plain(second), left.into())]);
        let (stms, result) = self.inside(|here| {
            // Of a run that has no more, the last is looked at in vain.
            let one = here.number("one", BinOp::Min, first, last_first);
            let one = here.number("one", BinOp::Add, pair.first, one);
            let two = here.number("two", BinOp::Min, second, last_second);
            let two = here.number("two", BinOp::Add, pair.second, two);
            let (own, other) = (here.key(sort, arrays[0], one), here.key(sort, arrays[0], two));
            let is_first = here.in_order(sort.prim, own, other);
            let is_over = here.compare("is_over", BinOp::Le, pair.second_count, second);
            let is_there = here.compare("is_there", BinOp::Lt, first, pair.first_count);
            let is_first = here.both("is_first", BinOp::Or, is_over, is_first);
            let is_first = here.both("is_first", BinOp::And, is_there, is_first);
            let source = here.either("source", is_first, one, two);
            let mut next: Vec<Atom> = Vec::new();
            for (array, column) in arrays.iter().zip(&columns) {
                let (row, ty) = (here.names.ty(*array).row(), here.names.ty(*column).clone());
                let row = row.expect("keys are in an array");
                let found = here.bind("found", row, Exp::index(*array, vec![DimIndex::Fix(source.into())]));
                let slice = vec![DimIndex::Fix(at.into())];
                let update = ArrayExp::Update { array: *column, slice, value: found.into() };
                next.push(here.bind("merged", ty, Exp::Array(update)).into());
            }
            let by = here.bind("by", Type::i64(), Exp::convert(Prim::Bool, Prim::I64, is_first.into()));
            let other = here.number("by", BinOp::Sub, Atom::i64(1), by);
            next.push(here.number("taken", BinOp::Add, first, by).into());
            next.push(here.number("left", BinOp::Add, second, other).into());
            next
        });
        let mut bound = self.names.like(&columns);
        let found = bound.iter().map(|var| (*var).into()).collect();
        bound.extend(["taken", "left"].map(|name| self.names.fresh(name, Type::i64())));
        let form = LoopForm::For(at, Atom::i64(CHUNK));
        let exp = ControlExp::Loop { params, form, body: Body { stms, result } };
        self.stms.push(Stm::new(bound, Exp::Control(exp), self.span));
        found
    }

    fn both(&mut self, name: &str, op: BinOp, x: Var, y: Var) -> Var {
        self.bind(name, Type::scalar(Prim::Bool), Exp::bin(op, Prim::Bool, x.into(), y.into()))
    }

    /// Whether a key of the first run comes before one of the second.
    fn in_order(&mut self, prim: Prim, one: Var, two: Var) -> Var {
        let exp = Exp::bin(BinOp::Le, prim, one.into(), two.into());
        self.bind("in_order", Type::scalar(Prim::Bool), exp)
    }
}

fn slice(start: Atom, count: Atom) -> Vec<DimIndex> {
    vec![DimIndex::Slice { start, count, stride: Atom::i64(1) }]
}
