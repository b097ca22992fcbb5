//! Runs that are merged: each two neighbours, by the places of the result, until there is one.
//!
//! Which of two keys comes first is what sorting says (`scalar::order`): floats are compared by ranks that are made of their bits, so that `-0.0` comes before `0.0`, and NaNs, which are all equal, come last.

use super::{CHUNK, Here, Sort, Sorting};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Param, Prim, Scalar,
    ScalarExp, Stm, Type, Var,
};
use norn_ir::scalar::UnOp;
use norn_ir::scalar::order::exponent_mask;

/// Two runs that are merged: where each begins, and how many keys it has; and how many come before a place of what is merged.
struct Pair {
    before: Var,
    first: Var,
    first_count: Var,
    second: Var,
    second_count: Var,
}

impl Here<'_> {
    /// Runs become longer until there is one.
    pub(super) fn merged(&mut self, sort: &Sort, sorting: Sorting) -> (Var, Option<Var>) {
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
        let ((by, one), (_, two)) = (self.rank(prim, one), self.rank(prim, two));
        let exp = Exp::bin(BinOp::Le, by, one.into(), two.into());
        self.bind("in_order", Type::scalar(Prim::Bool), exp)
    }

    /// A number by which a key is compared, and of which type it is.
    fn rank(&mut self, prim: Prim, key: Var) -> (Prim, Var) {
        if prim == Prim::Bool {
            let exp = Exp::convert(Prim::Bool, Prim::I32, key.into());
            return (Prim::I32, self.bind("rank", Type::scalar(Prim::I32), exp));
        }
        let (Some(infinity), Some(by)) = (exponent_mask(prim), UnOp::ToBits.result(prim)) else {
            return (prim, key);
        };
        let word = |word: u64| Atom::int(by, word.into());
        let all = u64::MAX >> (u64::BITS - by.bits());
        let sign = 1 << (by.bits() - 1);
        let bits =
            self.bind("bits", Type::scalar(by), Exp::Scalar(ScalarExp::Un(UnOp::ToBits, prim, key.into())));
        let mut calculate = |op: BinOp, ty: Prim, x: Atom, y: Atom| {
            self.bind("rank", Type::scalar(ty), Exp::bin(op, by, x, y))
        };
        let magnitude = calculate(BinOp::And, by, bits.into(), word(all ^ sign));
        let is_nan = calculate(BinOp::Lt, Prim::Bool, word(infinity), magnitude.into());
        let is_positive = calculate(BinOp::Le, Prim::Bool, bits.into(), magnitude.into());
        let below = calculate(BinOp::Xor, by, bits.into(), word(all));
        let above = calculate(BinOp::Or, by, bits.into(), word(sign));
        let body = |atom: Atom| Body { stms: Vec::new(), result: vec![atom] };
        let number = Exp::if_(is_positive.into(), body(above.into()), body(below.into()));
        let number = self.bind("rank", Type::scalar(by), number);
        let exp = Exp::if_(is_nan.into(), body(word(all)), body(number.into()));
        (by, self.bind("rank", Type::scalar(by), exp))
    }
}
