//! From nest to the executable form: a function at a time, backwards.
//!
//! ```text
//! let ys: [n]i32 = update xs [i] 5i32        UpdateWord { dst: o1, array: o0 (last), index: w2, value: w7 }
//! let z: i32 = index ys [j]            =>    IndexWord { dst: w3, array: o1, index: w4 }
//! in z                                       Drop [o1]
//! ```
//!
//! Going backwards, it is known at each statement which arrays are still needed (`Live`). A use of an
//! array that is not needed afterwards moves it out of its place, and an array whose last use is in a
//! branch not taken, or inside a loop, is dropped. So an array is shared only while two places need it,
//! and an update of an array that nobody else needs happens in place. Nothing else depends on it: an
//! array that is shared is copied before it is changed.
//!
//! Bodies that run several times (loops, lambdas) never move what comes from outside. Accumulators
//! and regions are handles: they are shared freely, and regions dropped at the end of their body.

mod arrays;
mod cells;
mod control;
mod exp;
mod live;
mod parallel;
mod task;

use crate::code::{Block, Code, Fit, FunCode, Observe, Op, Operand, Out, OutRow, Place, TypeCheck, Use};
use crate::data::Kind;
use live::{Live, Mentions};
use norn_base::{FileId, Span};
use norn_ir::nest::{Atom, Body, CellExp, Dim, Elem, Exp, Fun, Iface, Observed, Param, Prog, Stm, Type, Var};
use norn_ir::scalar::eval::Word;
use std::collections::HashMap;

pub(crate) fn resolve(prog: &Prog, check_types: bool, is_free: bool) -> Code {
    let funs = prog.funs.iter().map(|fun| resolve_fun(prog, fun, check_types, is_free)).collect();
    let mut library: Vec<FileId> =
        prog.funs.iter().filter(|fun| is_library(fun)).map(|fun| fun.span.file).collect();
    library.sort_unstable();
    library.dedup();
    Code { funs, library }
}

fn is_library(fun: &Fun) -> bool {
    fun.attrs.iter().any(|attr| attr == "library")
}

fn observe(prog: &Prog, fun: &Fun) -> Option<Box<Observe>> {
    let what = Observed::of(fun)?;
    let (iface, Iface { columns, .. }) = what.iface(prog)?;
    let first = fun.params.len().checked_sub(columns.len())?;
    let column = |param: &Param| {
        let ty = fun.vars[param.var.0 as usize].ty.clone();
        let region = match ty.elem() {
            Some(Elem::Ref(_, Some(region))) => fun.params.iter().position(|param| param.var == region),
            Some(Elem::Ref(_, None) | Elem::Prim(_)) | None => None,
        };
        (ty, region)
    };
    Some(Box::new(Observe { what, iface, columns: fun.params[first..].iter().map(column).collect() }))
}

fn resolve_fun(prog: &Prog, fun: &Fun, check_types: bool, is_free: bool) -> FunCode {
    let mut words = 0;
    let mut objects = 0;
    let next = |count: &mut u32| {
        *count += 1;
        *count - 1
    };
    let place = |info: &norn_ir::nest::VarInfo| match &info.ty {
        Type::Value(_, dims) if dims.is_empty() => Place::Word(next(&mut words)),
        Type::Value(..) | Type::Acc(_) | Type::Region => Place::Object(next(&mut objects)),
        // Only flat has descriptors, and `unflatten` makes arrays of them.
        Type::Seg { .. } | Type::Cert => Place::Nothing,
    };
    let places: Vec<Place> = fun.vars.iter().map(place).collect();
    let words = vec![0; words as usize];
    let constants = HashMap::new();
    let mut resolver = Resolver { prog, fun, check_types, is_free, places, words, objects, constants };
    let mut live = Live::none(fun.vars.len());
    let results = resolver.operands(&fun.body.result, &mut live);
    let ops = resolver.body(&fun.body, &mut live, Vec::new());
    let params: Vec<Var> = fun.params.iter().map(|param| param.var).collect();
    let body = resolver.block(&params, &live, ops);
    FunCode {
        name: fun.name.clone(),
        params: params.iter().map(|var| resolver.place(*var)).collect(),
        body,
        results: results.into(),
        words: resolver.words,
        objects: resolver.objects as usize,
        is_library: is_library(fun),
        observe: observe(prog, fun),
    }
}

/// Operations in their order, with where they come from.
type Ops = Vec<(Op, Span)>;

struct Resolver<'a> {
    prog: &'a Prog,
    fun: &'a Fun,
    check_types: bool,
    /// Whether what the language leaves open is decided at random.
    is_free: bool,
    places: Vec<Place>,
    words: Vec<Word>,
    objects: u32,
    /// Where constants are among the words.
    constants: HashMap<Word, u32>,
}

/// The statement at hand.
struct At<'a> {
    stm: &'a Stm,
    /// What is needed after it; then, before it.
    live: &'a mut Live,
    ops: Ops,
    /// To be dropped after it.
    dead: Vec<u32>,
}

impl At<'_> {
    fn push(&mut self, op: Op) {
        self.ops.push((op, self.stm.span));
    }

    fn push_all(&mut self, ops: impl IntoIterator<Item = Op>) {
        ops.into_iter().for_each(|op| self.push(op));
    }
}

impl<'a> Resolver<'a> {
    // # Bodies

    /// The statements, then the tail. `live` is what the tail needs, and becomes what the body needs.
    fn body(&mut self, body: &Body, live: &mut Live, tail: Vec<Op>) -> Ops {
        let mut reversed: Vec<Ops> = Vec::with_capacity(body.stms.len() + 1);
        let mut last: Ops = tail.into_iter().map(|op| (op, self.fun.span)).collect();
        let regions = body.stms.iter().filter(|stm| matches!(stm.exp, Exp::Cell(CellExp::Region)));
        let regions: Box<[u32]> = regions.map(|stm| self.object(stm.vars[0])).collect();
        if !regions.is_empty() {
            last.push((Op::Drop(regions), self.fun.span));
        }
        reversed.push(last);
        for stm in body.stms.iter().rev() {
            reversed.push(self.stm(stm, live));
        }
        reversed.into_iter().rev().flatten().collect()
    }

    /// A body with parameters, given what it needs of them.
    fn block(&mut self, params: &[Var], live: &Live, ops: Ops) -> Block {
        let mut all = self.enter(params, live);
        all.extend(ops);
        finish(all)
    }

    /// What happens when parameters have been bound.
    fn enter(&mut self, params: &[Var], live: &Live) -> Ops {
        let mut ops = Vec::new();
        self.check_bound(params, self.fun.span, &mut ops);
        let unused = params.iter().filter(|var| self.is_array(**var) && !live.contains(**var));
        let unused: Box<[u32]> = unused.map(|var| self.object(*var)).collect();
        if !unused.is_empty() {
            ops.push((Op::Drop(unused), self.fun.span));
        }
        ops
    }

    fn stm(&mut self, stm: &Stm, live: &mut Live) -> Ops {
        let mut dead = Vec::new();
        for var in &stm.vars {
            if self.is_array(*var) && !live.contains(*var) {
                dead.push(self.object(*var));
            }
            live.remove(*var);
        }
        let mut at = At { stm, live, ops: Vec::new(), dead };
        self.exp(&stm.exp, &mut at);
        let At { stm, live: _, mut ops, dead } = at;
        self.check_bound(&stm.vars, stm.span, &mut ops);
        if !dead.is_empty() {
            ops.push((Op::Drop(dead.into()), stm.span));
        }
        ops
    }

    /// What follows runs several times: what it needs of the outside is needed throughout, and
    /// dropped after the statement if nobody needs it then.
    fn repeat(&mut self, at: &mut At, mention: impl FnOnce(&mut Mentions)) {
        let mut mentions = Mentions::none(self.fun.vars.len());
        mention(&mut mentions);
        for var in mentions.free() {
            if self.is_array(var) && !at.live.contains(var) {
                at.dead.push(self.object(var));
                at.live.insert(var);
            }
        }
    }

    // # Places and operands

    fn ty(&self, var: Var) -> &'a Type {
        &self.fun.vars[var.0 as usize].ty
    }

    fn is_array(&self, var: Var) -> bool {
        self.ty(var).is_array()
    }

    fn place(&self, var: Var) -> Place {
        self.places[var.0 as usize]
    }

    /// The place of a scalar.
    fn word(&self, var: Var) -> u32 {
        match self.place(var) {
            Place::Word(place) => place,
            Place::Object(_) | Place::Nothing => panic!("{} is no scalar", self.name(var)),
        }
    }

    /// The place of an object.
    fn object(&self, var: Var) -> u32 {
        match self.place(var) {
            Place::Object(place) => place,
            Place::Word(_) | Place::Nothing => panic!("{} is no array", self.name(var)),
        }
    }

    fn name(&self, var: Var) -> &str {
        &self.fun.vars[var.0 as usize].name
    }

    fn word_of(&mut self, atom: Atom) -> u32 {
        match atom {
            Atom::Var(var) => self.word(var),
            Atom::Const(scalar) => {
                let Resolver { words, constants, .. } = self;
                *constants.entry(scalar.bits()).or_insert_with(|| {
                    words.push(scalar.bits());
                    words.len() as u32 - 1
                })
            }
        }
    }

    /// Uses are asked for in the reverse of the order in which they happen.
    fn use_of(&mut self, var: Var, live: &mut Live) -> Use {
        let last = self.is_array(var) && !live.contains(var);
        live.insert(var);
        Use { place: self.object(var), last }
    }

    fn uses(&mut self, vars: &[Var], live: &mut Live) -> Box<[Use]> {
        let mut uses: Vec<Use> = vars.iter().rev().map(|var| self.use_of(*var, live)).collect();
        uses.reverse();
        uses.into()
    }

    fn operand(&mut self, atom: Atom, live: &mut Live) -> Operand {
        match atom {
            Atom::Const(_) => Operand::Word(self.word_of(atom)),
            Atom::Var(var) => match self.place(var) {
                Place::Word(place) => Operand::Word(place),
                Place::Object(_) => Operand::Object(self.use_of(var, live)),
                Place::Nothing => Operand::Nothing,
            },
        }
    }

    fn operands(&mut self, atoms: &[Atom], live: &mut Live) -> Vec<Operand> {
        let mut operands: Vec<Operand> = atoms.iter().rev().map(|atom| self.operand(*atom, live)).collect();
        operands.reverse();
        operands
    }

    /// Operands to places, as if all at once: a place may be written before it is read.
    fn assign_all(&mut self, operands: &[Operand], places: &[Place]) -> Vec<Op> {
        let clash = operands.iter().enumerate().any(|(i, operand)| {
            let read = match operand {
                Operand::Word(place) => Place::Word(*place),
                Operand::Object(operand) => Place::Object(operand.place),
                Operand::Nothing => return false,
            };
            places[..i].contains(&read)
        });
        let pairs = operands.iter().copied().zip(places.iter().copied());
        if !clash {
            return pairs.flat_map(|(operand, place)| assign(operand, place)).collect();
        }
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (operand, place) in pairs {
            let between = self.another(place);
            first.extend(assign(operand, between));
            second.extend(assign(last_use(between), place));
        }
        first.extend(second);
        first
    }

    /// A place like this one that belongs to no variable.
    fn another(&mut self, place: Place) -> Place {
        match place {
            Place::Word(_) => {
                self.words.push(0);
                Place::Word(self.words.len() as u32 - 1)
            }
            Place::Object(_) => Place::Object(self.another_object()),
            Place::Nothing => Place::Nothing,
        }
    }

    fn another_object(&mut self) -> u32 {
        self.objects += 1;
        self.objects - 1
    }

    // # Types

    fn kind(&self, elem: Elem) -> Kind {
        match elem {
            Elem::Prim(prim) => Kind::Prim(prim),
            Elem::Ref(..) => Kind::Ref,
        }
    }

    fn dims(&mut self, dims: &[Dim]) -> Box<[Option<u32>]> {
        let dim = |dim: &Dim| match dim {
            Dim::Size(atom) => Some(self.word_of(*atom)),
            Dim::Irregular => None,
            Dim::Result(_) => panic!("a size that is a result stands in the type of a variable"),
        };
        dims.iter().map(dim).collect()
    }

    fn fit(&mut self, var: Var) -> Fit {
        let Type::Value(elem, dims) = self.ty(var) else { panic!("{} is no array", self.name(var)) };
        Fit { dims: self.dims(dims), elem: self.kind(*elem) }
    }

    /// How an array is built from rows.
    fn out(&mut self, var: Var) -> Out {
        let Fit { dims, elem } = self.fit(var);
        let rest = &dims[1..];
        let regular: Box<[u32]> = rest.iter().map_while(|dim| *dim).collect();
        let kind = if regular.len() == rest.len() { elem } else { Kind::Rows };
        let row = match rest.first() {
            None => OutRow::Word,
            Some(None) => OutRow::Entry,
            Some(Some(_)) => OutRow::Regular(regular),
        };
        Out { dst: self.object(var), kind, row }
    }

    /// The values of variables just bound agree with their types.
    fn check_bound(&mut self, vars: &[Var], span: Span, ops: &mut Ops) {
        if !self.check_types {
            return;
        }
        for var in vars {
            if self.is_array(*var) {
                let name = format!("{} of {}", self.name(*var), self.fun.name);
                let check = TypeCheck { name, place: self.object(*var), fit: self.fit(*var) };
                ops.push((Op::CheckType(Box::new(check)), span));
            }
        }
    }
}

fn assign(operand: Operand, place: Place) -> Option<Op> {
    match (operand, place) {
        (Operand::Word(src), Place::Word(dst)) if src == dst => None,
        (Operand::Word(src), Place::Word(dst)) => Some(Op::Copy { dst, src }),
        (Operand::Object(src), Place::Object(dst)) => Some(Op::Move { dst, src }),
        (Operand::Nothing, Place::Nothing) => None,
        (Operand::Word(_) | Operand::Object(_) | Operand::Nothing, place) => {
            panic!("{operand:?} is bound to {place:?}")
        }
    }
}

pub(crate) fn last_use(place: Place) -> Operand {
    match place {
        Place::Word(place) => Operand::Word(place),
        Place::Object(place) => Operand::Object(Use { place, last: true }),
        Place::Nothing => Operand::Nothing,
    }
}

fn finish(ops: Ops) -> Block {
    let (ops, spans): (Vec<Op>, Vec<Span>) = ops.into_iter().unzip();
    Block { ops: ops.into(), spans: spans.into() }
}
