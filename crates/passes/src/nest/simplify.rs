//! Compute what is known, and leave out what it makes superfluous.
//!
//! Before:
//! ```text
//! let r: [n]i64 = range.i64 n 0i64 1i64
//! let c: [n]f32 = copy xs
//! let ys: [n]f32 = map n (r, c) \(i: i64, x: f32) {
//!   let ok: cert = check index i n
//!   let y: f32 = <ok> index ws [i]
//!   let z: f32 = mul.f32 y 1f32
//!   in z
//! }
//! ```
//! After:
//! ```text
//! let ys: [n]f32 = map n (r, xs) \(i: i64, x: f32) {
//!   let y: f32 = index ws [i]
//!   in y
//! }
//! ```
//!
//! Needs: a valid program. Gives: no `Atom` statements, no operations on constants alone, no checks
//! that hold by what is known of their operands.
//! Keeps: results bit by bit (floats are neither reassociated nor are their zeros or NaN ignored), and failures.
//! Refuses: to let memory be shared that somebody writes to (see `memory`): such copies stay.
//! Method: one walk in the order of statements with a table of what variables are (their definitions, bounds,
//! and what stands in their place), by rules: `scalars`, `checks`, `control`, `arrays`, `operators`. What is
//! known of a variable holds wherever it is visible, so a check that was left out never kept a statement in its
//! place. Repeated while something changes, at most `ROUNDS` times.
//! Cost: linear in the size of the program for each round.

mod arrays;
mod checks;
mod control;
mod invariants;
mod operators;
mod own_rows;
mod polynomials;
mod scalars;

use super::bounds::{Bounds, Certs, yields_facts};
use super::memory::{Memory, Signature, memory, signatures};
use super::mentions::mentioned;
use super::spared::spared;
use super::subst::Subst;
use norn_ir::nest::calls::call_groups;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, Body, Const, ControlExp, Dim, Exp, Fun, FunId, Lambda, LoopForm, Operator, Prog,
    ScalarExp, Stm, Type, Var, VarInfo,
};
use rustc_hash::FxHashSet;
use std::rc::Rc;

const ROUNDS: usize = 4;

pub fn simplify(prog: &mut Prog) {
    simplify_in(prog, false);
}

/// For a processor: what short branches compute is computed anyway, since jumps that nobody can foresee take long.
pub fn simplify_speculating(prog: &mut Prog) {
    simplify_in(prog, true);
}

fn simplify_in(prog: &mut Prog, speculates: bool) {
    let signatures = signatures(prog);
    for fun in call_groups(prog).into_iter().flatten() {
        simplify_one(prog, fun, &signatures, speculates);
    }
}

/// One function of a program.
pub fn simplify_one(prog: &mut Prog, FunId(id): FunId, signatures: &[Signature], speculates: bool) {
    let index = id as usize;
    for _ in 0..ROUNDS {
        let memory = memory(signatures, &prog.funs[index]);
        let consts = constants(prog);
        let spared = spared(signatures, &prog.funs[index], &memory);
        if !simplify_fun(&mut prog.funs[index], memory, spared, &consts, speculates) {
            break;
        }
    }
}

/// The values of constants that need no computing.
fn constants(prog: &Prog) -> Vec<Option<Vec<Atom>>> {
    let value = |constant: &Const| {
        let fun = &prog.funs[constant.fun.0 as usize];
        let known = fun.params.is_empty()
            && fun.body.stms.is_empty()
            && fun.body.result.iter().all(|atom| atom.constant().is_some());
        known.then(|| fun.body.result.clone())
    };
    prog.consts.iter().map(value).collect()
}

/// Whether anything changed.
fn simplify_fun(
    fun: &mut Fun,
    memory: Memory,
    spared: FxHashSet<Var>,
    consts: &[Option<Vec<Atom>>],
    speculates: bool,
) -> bool {
    let count = fun.vars.len();
    let mentioned = mentioned(fun);
    let mut walk = Simplifier {
        mentioned,
        vars: std::mem::take(&mut fun.vars),
        memory,
        spared,
        consts,
        speculates,
        subst: Subst::default(),
        bounds: Bounds::default(),
        known: (0..count).map(|_| KnownVar::default()).collect(),
        clock: 1,
        owners: 1,
        owner: 0,
        out: Vec::new(),
        changed: false,
    };
    walk.bounds.grow(&walk.vars);
    let params: Vec<Var> = fun.params.iter().map(|param| param.var).collect();
    walk.bind_all(&params, &[]);
    for param in params {
        walk.bounds.volume(walk.vars[param.0 as usize].ty.dims());
    }
    for param in fun.params.iter().filter(|param| param.unique) {
        walk.known_mut(param.var).own_of = Some(0);
    }
    walk.block(&mut fun.body);
    let Simplifier { vars, subst, changed, .. } = walk;
    fun.vars = vars;
    if !subst.is_empty() {
        subst.types(fun);
    }
    normalise_fun(fun);
    changed
}

/// What is known of a variable. It holds wherever the variable is visible.
#[derive(Default)]
struct KnownVar {
    /// What it is bound to, for expressions without bodies, with the checks that it relies on.
    def: Option<(Exp, Vec<Var>)>,
    /// It is an array of which an element is cheaper to compute again than to store all: the inputs, the lambda, and
    /// which of its results.
    mapped: Option<Rc<(Vec<Var>, Lambda, usize)>>,
    /// It is an array in memory of its own, which was made in the body of this loop, lambda or function.
    own_of: Option<u32>,
    /// It is a certificate of a check that holds if these hold.
    rests_on: Option<Certs>,
    /// The same number in a longer type, if it was shortened and fitted.
    longer: Option<Atom>,
    /// When it was bound; 0 if it was not yet.
    bound_at: u32,
}

struct Simplifier<'a> {
    /// The variables that were mentioned in the function when the pass began.
    mentioned: Vec<bool>,
    vars: Vec<VarInfo>,
    memory: Memory,
    /// Copies in whose place the original serves.
    spared: FxHashSet<Var>,
    consts: &'a [Option<Vec<Atom>>],
    speculates: bool,
    subst: Subst,
    bounds: Bounds,
    known: Vec<KnownVar>,
    clock: u32,
    /// How many loops, lambdas and functions there have been, and which we are in.
    owners: u32,
    owner: u32,
    /// The statements of the innermost body so far.
    out: Vec<Stm>,
    changed: bool,
}

/// What becomes of a statement.
// Statements are moved, never stored as outcomes: boxing would cost an allocation for each.
#[allow(clippy::large_enum_variant)]
enum Outcome {
    Keep(Stm),
    /// It is gone: its variables have been replaced, or others bind them now.
    Gone,
}

impl Simplifier<'_> {
    // # Variables

    fn ty(&self, var: Var) -> &Type {
        &self.vars[var.0 as usize].ty
    }

    fn known(&self, atom: Atom) -> Option<&KnownVar> {
        atom.var().map(|var| &self.known[var.0 as usize])
    }

    fn known_mut(&mut self, var: Var) -> &mut KnownVar {
        &mut self.known[var.0 as usize]
    }

    /// What a variable is bound to, if that is known.
    fn def(&self, atom: Atom) -> Option<&Exp> {
        self.known(atom).and_then(|known| known.def.as_ref()).map(|(exp, _)| exp)
    }

    /// Variables that come with these checks. Dimensions of arrays are not negative.
    fn bind_all(&mut self, vars: &[Var], certs: &[Var]) {
        for var in vars {
            self.known[var.0 as usize].bound_at = self.clock;
            self.clock += 1;
        }
        for var in vars {
            let dims = self.vars[var.0 as usize].ty.dims();
            if !dims.is_empty() {
                let dims: Vec<Dim> = dims.iter().map(|dim| self.known_dim(*dim)).collect();
                self.bounds.sizes(&dims, certs);
            }
        }
    }

    fn known_dim(&self, dim: Dim) -> Dim {
        dim.atom().map_or(dim, |size| Dim::Size(self.subst.atom(size)))
    }

    /// Whether it was visible before the clock showed this.
    fn is_older(&self, atom: Atom, clock: u32) -> bool {
        self.known(atom).is_none_or(|known| known.bound_at > 0 && known.bound_at < clock)
    }

    /// A new variable, bound by a statement that is emitted now.
    fn emit(&mut self, name: &str, ty: Type, exp: Exp, like: &Stm) -> Var {
        let var = self.new_var(name, ty);
        let stm = Stm { certs: like.certs.clone(), ..Stm::new(vec![var], exp, like.span) };
        self.push(stm);
        var
    }

    fn new_var(&mut self, name: &str, ty: Type) -> Var {
        self.vars.push(VarInfo::new(name, ty));
        self.known.push(KnownVar::default());
        self.memory.grow(self.vars.len());
        self.bounds.grow(&self.vars);
        Var(self.vars.len() as u32 - 1)
    }

    /// Put an atom in the place of a variable.
    fn replace(&mut self, var: Var, atom: Atom) -> Outcome {
        self.subst.set(var, atom);
        self.changed = true;
        Outcome::Gone
    }

    /// Put an array in the place of one that was in memory of its own. Refuses where that would be noticed.
    fn replace_shared(&mut self, var: Var, array: Var) -> bool {
        let free = self.ty(var).is_scalar() || self.memory.share(var, array);
        if free {
            self.replace(var, array.into());
        }
        free
    }

    /// Same elements, same rank, `?` in the same places.
    fn agree(&self, a: Var, b: Var) -> bool {
        self.ty(a).same_pattern(self.ty(b))
    }

    // # The walk

    fn body(&mut self, body: &mut Body) {
        self.in_scope(|walk| walk.block(body));
    }

    /// What is learnt inside holds only there.
    fn in_scope(&mut self, inside: impl FnOnce(&mut Self)) {
        let mark = self.bounds.mark();
        inside(self);
        self.bounds.forget(mark);
    }

    fn block(&mut self, body: &mut Body) {
        let outer = std::mem::take(&mut self.out);
        self.stms(std::mem::take(&mut body.stms));
        body.result.iter_mut().for_each(|atom| *atom = self.subst.atom(*atom));
        body.stms = std::mem::replace(&mut self.out, outer);
    }

    fn stms(&mut self, stms: Vec<Stm>) {
        for mut stm in stms {
            self.subst.operands_of(&mut stm);
            self.certs(&mut stm.certs);
            self.emit_simplified(stm);
        }
    }

    fn emit_simplified(&mut self, stm: Stm) {
        match self.stm(stm) {
            Outcome::Keep(stm) => self.push(stm),
            Outcome::Gone => {}
        }
    }

    /// In place of checks that hold anyway, what they rest on.
    fn certs(&mut self, certs: &mut Vec<Var>) {
        let mut needed = Vec::with_capacity(certs.len());
        for cert in certs.iter().map(|cert| self.subst.var(*cert)) {
            match &self.known[cert.0 as usize].rests_on {
                Some(others) => needed.extend(others),
                None => needed.push(cert),
            }
        }
        needed.sort_unstable();
        needed.dedup();
        *certs = needed;
    }

    fn stm(&mut self, stm: Stm) -> Outcome {
        match &stm.exp {
            Exp::Scalar(ScalarExp::Atom(_)) if stm.is_opaque() => Outcome::Keep(stm),
            Exp::Scalar(ScalarExp::Atom(atom)) => {
                let atom = *atom;
                self.replace(stm.vars[0], atom)
            }
            Exp::Scalar(
                ScalarExp::Un(..) | ScalarExp::Bin(..) | ScalarExp::Tri(..) | ScalarExp::Convert { .. },
            ) => self.scalar(stm),
            Exp::Control(ControlExp::Check(_)) => self.check(stm),
            Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. } | ControlExp::Loop { .. }) => {
                self.control(stm)
            }
            Exp::Array(
                ArrayExp::Range { .. }
                | ArrayExp::Replicate { .. }
                | ArrayExp::ArrayLit(_)
                | ArrayExp::Index { .. }
                | ArrayExp::Concat { .. }
                | ArrayExp::Reshape { .. }
                | ArrayExp::Rearrange { .. }
                | ArrayExp::Copy(_)
                | ArrayExp::Coerce { .. }
                | ArrayExp::Lengths(_)
                | ArrayExp::Ends(_)
                | ArrayExp::Segment { .. },
            ) => self.array(stm),
            _ if stm.grid.is_some() => self.inside(stm),
            Exp::Op(
                Operator::Map { .. }
                | Operator::Reduce { .. }
                | Operator::Scan { .. }
                | Operator::Fused { .. }
                | Operator::Filter { .. }
                | Operator::Partition { .. }
                | Operator::Scatter { .. }
                | Operator::Hist { .. }
                | Operator::AccStream { .. },
            ) => self.operator(stm),
            Exp::Op(Operator::Stream { .. } | Operator::Task(_)) => self.inside(stm),
            Exp::Control(ControlExp::Const(id)) => match &self.consts[id.0 as usize] {
                Some(values) => {
                    stm.vars.iter().zip(values).for_each(|(var, value)| {
                        self.replace(*var, *value);
                    });
                    Outcome::Gone
                }
                None => Outcome::Keep(stm),
            },
            Exp::Control(ControlExp::Call { .. })
            | Exp::Array(
                ArrayExp::Update { .. }
                | ArrayExp::FlatIndex { .. }
                | ArrayExp::FlatUpdate { .. }
                | ArrayExp::JoinRows(_)
                | ArrayExp::AccWrite { .. },
            )
            | Exp::Op(Operator::Sort { .. })
            | Exp::Cell(_)
            | Exp::Scalar(ScalarExp::Workers | ScalarExp::Tunable(_)) => Outcome::Keep(stm),
        }
    }

    /// Only what is inside it is simplified.
    fn inside(&mut self, mut stm: Stm) -> Outcome {
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Lambda(lambda) => self.lambda(lambda),
            PartMut::Body(body) => self.body(body),
            PartMut::Binder(var) => self.bind_all(&[*var], &[]),
            PartMut::Atom(_) | PartMut::Var(_) => {}
        });
        Outcome::Keep(stm)
    }

    /// As `in_scope`, for what may run several times.
    fn in_owner(&mut self, inside: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.owner, self.owners);
        self.owners += 1;
        self.in_scope(inside);
        self.owner = outer;
    }

    fn lambda(&mut self, lambda: &mut Lambda) {
        self.in_owner(|walk| {
            walk.bind_all(&lambda.params, &[]);
            walk.block(&mut lambda.body);
        });
    }

    /// Emit a statement, and record what is known about its variables.
    fn push(&mut self, stm: Stm) {
        self.bind_all(&stm.vars, &stm.certs);
        if let [var] = stm.vars[..] {
            if is_noted(&stm.exp) {
                self.known_mut(var).def = Some((stm.exp.clone(), stm.certs.clone()));
            }
            if yields_facts(&stm.exp) {
                self.bounds.define(var, &stm.exp);
            }
            // Queried now, before checks are known that a proof might rest on.
            if let Exp::Scalar(ScalarExp::Convert { from, to, value }) = stm.exp
                && self.fits(value, from, to)
            {
                self.known_mut(var).longer = Some(value);
            }
        }
        if makes_memory(&stm.exp) {
            stm.vars.iter().for_each(|var| self.known[var.0 as usize].own_of = Some(self.owner));
        }
        if let Exp::Op(Operator::Map { inputs, lambda, .. }) = &stm.exp
            && self.is_little(inputs, lambda)
        {
            for (i, var) in stm.vars.iter().enumerate() {
                self.known_mut(*var).mapped = Some(Rc::new((inputs.clone(), lambda.clone(), i)));
            }
        }
        match &stm.exp {
            Exp::Control(ControlExp::Check(check)) => self.bounds.learn(check, stm.vars[0]),
            Exp::Control(ControlExp::If { cond, then, els }) => {
                for (i, var) in stm.vars.iter().enumerate() {
                    self.bounds.choose(*var, *cond, then.result[i], els.result[i]);
                }
            }
            // Of both: how many there are, and the elements.
            Exp::Array(ArrayExp::JoinRows(_)) => {
                for var in &stm.vars {
                    self.known[var.0 as usize].def = Some((stm.exp.clone(), stm.certs.clone()));
                }
            }
            Exp::Op(Operator::Filter { width, .. } | Operator::Partition { width, .. }) => {
                self.bounds.at_least(stm.vars[0].into(), 0, &[]);
                self.bounds.at_most(stm.vars[0], *width);
            }
            _ => {}
        }
        self.out.push(stm);
    }
}

/// Worth knowing where the variable is used: no bodies, and nothing that depends on order.
fn is_noted(exp: &Exp) -> bool {
    matches!(
        exp,
        Exp::Scalar(ScalarExp::Un(..) | ScalarExp::Bin(..) | ScalarExp::Convert { .. })
            | Exp::Array(
                ArrayExp::Range { .. }
                    | ArrayExp::Replicate { .. }
                    | ArrayExp::ArrayLit(_)
                    | ArrayExp::Index { .. }
                    | ArrayExp::Reshape { .. }
                    | ArrayExp::Rearrange { .. }
                    | ArrayExp::Coerce { .. }
                    | ArrayExp::Concat { .. }
                    | ArrayExp::Lengths(_)
                    | ArrayExp::Ends(_)
                    | ArrayExp::Segment { .. }
            )
    )
}

/// What it yields shares memory with nothing.
fn makes_memory(exp: &Exp) -> bool {
    matches!(
        exp,
        Exp::Array(
            ArrayExp::ArrayLit(_)
                | ArrayExp::Range { .. }
                | ArrayExp::Replicate { .. }
                | ArrayExp::Concat { .. }
                | ArrayExp::Copy(_)
                | ArrayExp::Update { .. }
                | ArrayExp::FlatUpdate { .. }
        ) | Exp::Op(
            Operator::Map { .. }
                | Operator::Scan { .. }
                | Operator::Fused { .. }
                | Operator::Filter { .. }
                | Operator::Partition { .. }
                | Operator::Sort { .. }
                | Operator::Scatter { .. }
                | Operator::Hist { .. }
                | Operator::AccStream { .. }
        )
    )
}

/// The variable that a counting loop counts with.
fn counter(form: &LoopForm) -> Option<(Var, Atom)> {
    match form {
        LoopForm::For(var, bound) => Some((*var, *bound)),
        LoopForm::While(_) => None,
    }
}
